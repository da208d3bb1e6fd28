"""LaTeX itself takes our tables, hostile texts and long ones included; skipped without TeX."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from relaybench.reports.costs import cost_table
from relaybench.reports.formats import render
from relaybench.reports.leaderboard import leaderboard
from relaybench.reports.tables import UNKNOWN, Column, Kind, Table
from tests.reports.samples import HOSTILE, a_run, nasty_results, nasty_run, paper_results

_TEXTS = (
    "a_b^c", "{\\bf x}", "\\input{/etc/passwd}", "%comment", "$x$", "~", "#1", "&", "\\", "\\\\",
    "--", "---", ",,", "``x''", '"q"', "<<>>", "[x]", "*", "|", "\\end{tabular}", "^^M", "?`!`",
    "a" * 90, "x " * 60, "\u2265 \u2264 \u2192 \u00b1 \u2212", "na\u00efve", "\x1b[31m\u202e\0",
    "model-with-a-very-long-name-2026-11-30-preview-thinking-max", HOSTILE, "",
)  # fmt: skip
_COLUMNS = (
    Column("a", "Name [x]", Kind.TEXT, level=1),
    Column("n", "N", Kind.WHOLE, level=1),
    Column("m", "A cost ($) of many words", Kind.USD, level=1),
    Column("b", "Last & 50%", Kind.TEXT, level=1),
)
#: What no reader sees, in points.
_A_LITTLE = 12


def tables() -> list[Table]:
    """Hostile, wide, long and real ones."""
    rows = tuple((text, 1, UNKNOWN, text) for text in _TEXTS)
    long = tuple((f"item {number}", number, UNKNOWN, "x") for number in range(130))
    return [
        Table("hostile", "Title & 50% of #1 [x] {y}", _COLUMNS, rows[:12], _TEXTS[:12]),
        Table("hostile-long", "T_1", _COLUMNS, rows, _TEXTS),
        Table("long", "A long one", _COLUMNS, long, ("A note.",)),
        leaderboard(a_run(), paper_results()),
        cost_table(a_run(), paper_results()),
        leaderboard(nasty_run(), nasty_results()),
        cost_table(nasty_run(), nasty_results()),
    ]


@pytest.mark.skipif(not shutil.which("xelatex"), reason="xelatex is not installed")
def test_every_table_compiles_and_fits_the_page(tmp_path: Path) -> None:
    texts = [render(table, "latex") for table in tables()]
    packages = sorted(set(re.findall(r"\\usepackage\{\w+\}", "".join(texts))))
    assert packages == ["\\usepackage{booktabs}", "\\usepackage{longtable}"]
    document = ["\\documentclass{article}", *packages, "\\begin{document}"]
    document += [f"{text}\\clearpage" for text in texts]
    (tmp_path / "all.tex").write_text("\n".join([*document, "\\end{document}"]), "utf-8")
    command = ["xelatex", "-interaction=nonstopmode", "-no-pdf", "all.tex"]
    subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=120, check=False)
    log = (tmp_path / "all.log").read_text("utf-8", errors="replace")
    assert "Output written" in log
    assert re.findall(r"^!.*", log, re.MULTILINE) == []
    assert "Float too large" not in log
    too_wide = [float(each) for each in re.findall(r"Overfull \\hbox \((\d+\.\d+)pt", log)]
    assert max(too_wide, default=0) < _A_LITTLE
