"""What an export, figures or a report would write, replace and remove; nothing is written."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from relaybench.reports.export import check_export, file_names
from relaybench.reports.export_folder import RUN_FILE
from relaybench.reports.figures import write as figure_files
from relaybench.reports.figures.figure import FigureKind
from relaybench.reports.figures.render import Format, check_matplotlib
from relaybench.reports.inspect_log.logs import check_logs
from relaybench.reports.page.saving import check_place
from relaybench.store.plans import Plans
from relaybench.workbench.results.all_tables import table_names
from relaybench.workbench.results.evidence import load_grid, reading
from relaybench.workbench.results.figuring import gather_figures
from relaybench.workbench.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Foreseen:
    """Files in the order of writing, those of them that are there already, and those that go.

    ``left_out`` are sentences on what cannot be written.
    """

    files: tuple[Path, ...]
    replaced: tuple[Path, ...]
    removed: tuple[Path, ...] = ()
    left_out: tuple[str, ...] = ()


def _foreseen(
    files: Sequence[Path], removed: Iterable[Path] = (), left_out: Sequence[str] = ()
) -> Foreseen:
    there = tuple(path for path in files if os.path.lexists(path))
    return Foreseen(tuple(files), there, tuple(removed), tuple(left_out))


def foresee_export(
    workspace: Workspace, name: str | None, folder: Path, *, with_answers: bool
) -> Foreseen:
    """What ``export_run`` would do; raises UsageError as it does."""
    with reading(workspace) as connection:
        run = Plans(connection).find(name)
        analyses = table_names(connection, load_grid(connection, [run]))
    tables = ["leaderboard", "costs", *analyses]
    stale = check_export(folder, tables, with_answers)
    names = [RUN_FILE, *file_names(tables, with_answers)]
    return _foreseen([folder / each for each in names], [folder / each for each in stale])


def foresee_inspect(
    workspace: Workspace, name: str | None, folder: Path, *, with_answers: bool
) -> Foreseen:
    """What ``export_inspect`` would do; raises UsageError as it does."""
    with reading(workspace) as connection:
        plans = Plans(connection)
        plan = plans.load(plans.find(name))
    names = check_logs(folder, plan, with_answers)
    return _foreseen([folder / each for each in names.values()])


def foresee_figures(
    workspace: Workspace,
    names: Sequence[str],
    folder: Path,
    *,
    kinds: Sequence[str] = (),
    formats: Sequence[str] = (),
    composite: str | None = None,
    scores: Path | None = None,
) -> Foreseen:
    """What ``draw_figures`` would do; raises UsageError as it does."""
    check_matplotlib()
    chosen = [FigureKind(kind) for kind in kinds] or None
    gathered = gather_figures(workspace, names, composite=composite, scores=scores, kinds=chosen)
    forms = [Format(each) for each in formats] or list(Format)
    files = figure_files.check(folder, gathered.figures, forms)
    stale = figure_files.outdated(folder, gathered.figures, forms, gathered.missing)
    return _foreseen(files, stale, gathered.left_out)


def foresee_report(workspace: Workspace, name: str | None, path: Path) -> Foreseen:
    """What ``write_report`` would do; raises UsageError as it does."""
    check_place(path)
    with reading(workspace) as connection:
        Plans(connection).find(name)
    return _foreseen([path])
