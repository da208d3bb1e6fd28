"""What the export dialog asks for; it is foreseen and written by the commands' functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from relaybench.domain.errors import Stopped
from relaybench.reports.numbers import counted

if TYPE_CHECKING:
    from relaybench.workbench.results.foreseeing import Foreseen
    from relaybench.workbench.workspace import Workspace


class What(StrEnum):
    """What may be written."""

    TABLES = "tables"
    INSPECT = "inspect"
    FIGURES = "figures"
    REPORT = "report"


#: What each is, in words.
WORDS: Final = {
    What.TABLES: "Tables and records: csv, md, tex, json, jsonl",
    What.INSPECT: "Log files for Inspect AI",
    What.FIGURES: "Figures as files, with captions",
    What.REPORT: "One HTML page",
}
#: As in ``reports.figures.render.Format``, which loads more than a dialog may wait for.
FIGURE_FORMATS: Final = ("svg", "png", "pdf")


@dataclass(frozen=True, slots=True)
class Export:
    """What is to be written where. ``formats`` are those of figures; all for none."""

    what: What
    runs: tuple[str, ...]
    place: Path
    with_answers: bool = False
    formats: tuple[str, ...] = ()


def default_place(what: What, run: str) -> str:
    """Where it goes unless the user says otherwise, below the workspace."""
    name = "".join(each if each.isalnum() or each in "-_." else "-" for each in run) or "run"
    if what is What.REPORT:
        return f"{name}-report.html"
    return {What.TABLES: f"export/{name}", What.INSPECT: f"inspect/{name}"}.get(
        what, f"figures/{name}"
    )


def foresee(workspace: Workspace, export: Export) -> Foreseen:
    """What would be written; raises as the writing would. Reads files: call it in a thread."""
    from relaybench.workbench.results.foreseeing import (
        foresee_export,
        foresee_figures,
        foresee_inspect,
        foresee_report,
    )

    run, place = export.runs[0], export.place
    match export.what:
        case What.TABLES:
            return foresee_export(workspace, run, place, with_answers=export.with_answers)
        case What.INSPECT:
            return foresee_inspect(workspace, run, place, with_answers=export.with_answers)
        case What.FIGURES:
            return foresee_figures(workspace, export.runs, place, formats=export.formats)
        case What.REPORT:
            return foresee_report(workspace, run, place)


def write(workspace: Workspace, export: Export, told: Callable[[str], None]) -> list[Path]:
    """Write it; returns the files. Raises what ``told`` raises, with nothing written then."""
    from relaybench.workbench.results.exporting import export_inspect, export_run
    from relaybench.workbench.results.figuring import draw_figures
    from relaybench.workbench.results.publishing import write_report

    run, place, answers = export.runs[0], export.place, export.with_answers
    match export.what:
        case What.TABLES:
            return export_run(workspace, run, place, with_answers=answers, told=told)
        case What.INSPECT:
            return export_inspect(workspace, run, place, with_answers=answers, told=told)
        case What.FIGURES:
            drawn = draw_figures(workspace, export.runs, place, formats=export.formats, told=told)
            return list(drawn.written)
        case What.REPORT:
            return [write_report(workspace, run, place, with_answers=answers, told=told)]


def foreseen_words(foreseen: Foreseen, root: Path) -> str:
    """What would be written, replaced and removed, file by file below a sentence."""
    new = len(foreseen.files) - len(foreseen.replaced)
    parts = [f"{counted(new, 'file')} to write"] if new else []
    if foreseen.replaced:
        parts.append(f"{len(foreseen.replaced):,} to replace")
    if foreseen.removed:
        parts.append(f"{len(foreseen.removed):,} to remove")
    replaced = set(foreseen.replaced)
    lines = [", ".join(parts) + ":"]
    lines += [
        f"  {'replace' if path in replaced else 'write  '} {shown(path, root)}"
        for path in foreseen.files
    ]
    lines += [f"  remove  {shown(path, root)}" for path in foreseen.removed]
    lines += [f"Not drawn: {sentence}" for sentence in foreseen.left_out]
    return "\n".join(lines)


def shown(path: Path, root: Path) -> str:
    """A path as short as it can be said."""
    return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)


class Watch:
    """Takes in what is being done, for who looks from another thread, and stops it when asked."""

    def __init__(self) -> None:
        self.last = ""
        self._stopped = False

    def __call__(self, what: str) -> None:
        """Take in a word; raises Stopped where the work is to stop."""
        self.last = what
        if self._stopped:
            raise Stopped("stopped; nothing was written")

    def stop(self) -> None:
        """Stop the work at its next word."""
        self._stopped = True
