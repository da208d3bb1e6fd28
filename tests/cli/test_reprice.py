"""relaybench reprice: a table old to new, dry runs, and nothing done twice."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.support import Shell

_LINE = {
    "set": "s", "composite": "c", "key": "1", "model": "big", "provider": "vendor",
    "response": "```\n1\n```", "stop_reason": "end_turn",
    "usage": {"input": 1_000_000, "cached_input": 1_000_000, "output": 1_000_000},
    "prices": {"input": 5, "cached_input": 0.5, "output": 25},
}  # fmt: skip
_PRICES = """
[[prices]]
provider = "vendor"
models = ["big"]
input = 4
cached_input = 1
output = 20
as_of = 2026-11-30
source = "a page"
"""


def test_an_imported_run_is_repriced(shell: Shell, tmp_path: Path) -> None:
    lines = [_LINE, {**_LINE, "model": "small"}]
    (tmp_path / "r.jsonl").write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
    (tmp_path / "p.toml").write_text(_PRICES, "utf-8")
    shell("import", str(tmp_path / "r.jsonl"), "--run", "r")
    prices = ("--prices", str(tmp_path / "p.toml"))

    dry = shell("reprice", "r", *prices, "--dry-run")
    assert "would be" in dry.err
    wet = shell("reprice", "r", *prices)
    assert wet.out == dry.out
    assert [word for word in wet.out.splitlines()[1].split() if "$" in word] == [
        "$30.50", "$25.00", "-$5.50",
    ]  # fmt: skip
    assert "small keeps its prices: there is no price for vendor small" in wet.err
    assert "stay on record" in wet.err
    assert "nothing changes" in shell("reprice", "r", *prices).err

    costs = shell("costs", "r", "--format", "md").out
    assert "Repriced, last on" in costs
    assert "when it was sent its cost was" in costs
    # 2 M x 4 + 1 M x 20
    assert "28.00" in costs
    document = json.loads(shell("costs", "r", "--format", "json").out)
    assert [row["repriced"] for row in document["rows"]] == [1, 0]
    found = json.loads(shell("reprice", "r", *prices, "--format", "json").out)
    assert found["models"][0]["prices_replaced"] is False
    assert [each["config"] for each in found["kept"]] == [document["rows"][1]["config"]]


def test_what_cannot_be_repriced_is_said(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text(json.dumps(_LINE), "utf-8")
    shell("import", str(tmp_path / "r.jsonl"), "--run", "r")
    assert shell("reprice", "r", "--prices", "no.toml", ok=False).code == 2
    assert shell("reprice", "r", "--on", "soon", ok=False).code == 2
    none = shell("reprice", "r", ok=False)
    assert none.code == 2
    assert "no model of run 'r' has a price in the catalog" in none.err
