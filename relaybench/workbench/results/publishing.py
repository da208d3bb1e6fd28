"""Publish a run as one self-contained page."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from relaybench import __version__
from relaybench.domain.errors import WorkspaceError
from relaybench.reports.costs import cost_table
from relaybench.reports.files_beside import Told, silent
from relaybench.reports.leaderboard import leaderboard
from relaybench.reports.page.run_report import Picture, RunReport
from relaybench.reports.page.saving import check_place, save
from relaybench.reports.page.sections import page
from relaybench.store.extractors import extractors
from relaybench.store.grid import OutcomeGrid
from relaybench.store.item_answers import item_answers
from relaybench.store.plans import Plans
from relaybench.store.results import ConfigResult
from relaybench.store.retried import retried
from relaybench.workbench.results.all_tables import tables_of
from relaybench.workbench.results.evidence import load_grid, load_results, reading
from relaybench.workbench.workspace import Workspace

_LEFT_OUT: Final = "Figures were left out of this page (--no-figures)."
_NO_MATPLOTLIB: Final = (
    "There are no figures on this page because matplotlib is not installed, or cannot be loaded, "
    "where it was written: pip install 'relaybench[figures]'"
)


def write_report(
    workspace: Workspace,
    name: str | None,
    path: Path,
    *,
    with_answers: bool = False,
    with_figures: bool = True,
    told: Told = silent,
) -> Path:
    """Write the page of a run (None: the newest) to a file and return its path.

    Prompts, keys and answers only ``with_answers``. Figures only where matplotlib can be loaded;
    the page says where they are not. ``told`` is told what is being done; what it raises stops it,
    with nothing written. Raises UsageError, with nothing written, for a place that
    must not be written to, WorkspaceError where the disk refuses.
    """
    check_place(path)
    with reading(workspace) as connection:
        run = Plans(connection).find(name)
        found = load_results(connection, run)
        grid = load_grid(connection, [run])
        pictures: tuple[Picture, ...] = ()
        without: tuple[str, ...] = (_LEFT_OUT,)
        if with_figures:
            pictures, without = _pictures(workspace, grid, found.configs, told)
        report = RunReport(
            run=run,
            results=found.configs,
            grid=grid,
            leaderboard=leaderboard(run, found.configs, found.problems),
            costs=cost_table(run, found.configs),
            analyses=tuple(tables_of(connection, grid, told)),
            pictures=pictures,
            picture_notes=without,
            extractors=tuple(extractors(connection, run)),
            retried=tuple(retried(connection, run)),
            version=__version__,
            answers=item_answers(connection, run) if with_answers else None,
        )
        try:
            save(path, page(report), told)
        except OSError as error:
            raise WorkspaceError(f"{path} cannot be written: {error.strerror}") from error
    return path


def _pictures(
    workspace: Workspace, grid: OutcomeGrid, results: tuple[ConfigResult, ...], told: Told
) -> tuple[tuple[Picture, ...], tuple[str, ...]]:
    from relaybench.reports.figures.render import has_matplotlib, render

    if not has_matplotlib():
        return (), (_NO_MATPLOTLIB,)
    from relaybench.reports.figures.build import Sources, build
    from relaybench.reports.figures.figure import FigureKind
    from relaybench.workbench.results.figuring import composites_of

    # One run is one point in time.
    kinds = [kind for kind in FigureKind if kind is not FigureKind.OVER_TIME]
    found = build(Sources((grid,), grid, (results,), composites_of(workspace)), kinds)
    drawn = []
    for figure in found.figures:
        told(f"drawing {figure.name}")
        drawn.append(Picture(figure.title, figure.alt, figure.caption, render(figure, "svg")))
    return tuple(drawn), tuple(f"Not drawn: {why}" for why in found.left_out)
