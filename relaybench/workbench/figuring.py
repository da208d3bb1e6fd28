"""Figures of runs: gather what they are made of, draw them, write them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from relaybench.domain.errors import RelaybenchError, UsageError, WorkspaceError
from relaybench.domain.problem import Composite
from relaybench.reports.figures import write as files
from relaybench.reports.figures.build import Gathered, Sources, build
from relaybench.reports.figures.figure import Figure, FigureKind
from relaybench.reports.figures.published import PublishedScore, parse_scores
from relaybench.reports.figures.render import Format
from relaybench.reports.figures.style import Style
from relaybench.workbench.evidence import find_runs, load_grids, load_results, reading
from relaybench.workbench.workspace import Workspace

_WITH_PUBLISHED = {FigureKind.SETS, FigureKind.OVER_TIME}


def gather_figures(
    workspace: Workspace,
    names: Sequence[str],
    *,
    composite: str | None = None,
    scores: Path | None = None,
    kinds: Sequence[FigureKind] | None = None,
) -> Gathered:
    """Figures of runs as data, and sentences about those that could not be made.

    ``names`` are runs by name or number, the newest for none; several are put together.
    ``composite`` (set/id) is the one whose graph is drawn, ``scores`` a CSV file of published
    scores. Raises UsageError for what is unknown, for made-up and real runs together, for bad
    lines, and where nothing of what was asked for can be drawn.
    """
    if kinds is not None and composite is not None and FigureKind.GRAPH not in kinds:
        raise UsageError("a composite is drawn by the kind graph alone; ask for that kind too")
    if kinds is not None and scores is not None and not {*kinds} & _WITH_PUBLISHED:
        names_of = " and ".join(sorted(_WITH_PUBLISHED))
        raise UsageError(f"published scores stand in {names_of} alone; ask for one of these too")
    published = _published(scores)
    with reading(workspace) as connection:
        runs = find_runs(connection, names)
        grids = load_grids(connection, runs)
        results = tuple(load_results(connection, run).configs for run in runs)
    sources = Sources(
        grids=grids.single,
        pooled=grids.pooled,
        results=results,
        composites=composites_of(workspace),
        composite=composite,
        published=tuple(published),
    )
    return build(sources, kinds)


def run_figures(
    workspace: Workspace,
    names: Sequence[str],
    *,
    composite: str | None = None,
    scores: Path | None = None,
    kinds: Sequence[FigureKind] | None = None,
) -> list[Figure]:
    """The figures of ``gather_figures`` alone; a graph without known wiring is left out."""
    gathered = gather_figures(workspace, names, composite=composite, scores=scores, kinds=kinds)
    return list(gathered.figures)


def write_figures(
    folder: Path,
    figures: Sequence[Figure],
    formats: Sequence[Format],
    style: Style,
    stale: Sequence[Path] = (),
) -> list[Path]:
    """Write figures and captions to a folder, and remove ``stale`` ones; returns what is written.

    Raises UsageError where matplotlib is missing or a file is in the way that is not ours,
    WorkspaceError where the folder cannot be written.
    """
    try:
        return files.write(folder, figures, formats, style, stale)
    except OSError as error:
        raise WorkspaceError(f"{folder} cannot be written: {error.strerror}") from error


def composites_of(workspace: Workspace) -> dict[str, Composite]:
    """The workspace's composites by ``set/id``; none where it holds no problems."""
    try:
        library = workspace.library()
    except RelaybenchError:
        return {}
    return {ref: loaded.composite for ref, loaded in library.composites.items()}


def _published(path: Path | None) -> list[PublishedScore]:
    if path is None:
        return []
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8: save it as UTF-8 text") from error
    return parse_scores(text, str(path))
