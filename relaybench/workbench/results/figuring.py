"""Figures of runs: gather what they are made of, draw them, write them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from relaybench.domain.errors import RelaybenchError, UsageError, WorkspaceError
from relaybench.domain.problem import Composite
from relaybench.reports.figures import write as files
from relaybench.reports.figures.build import WITH_PUBLISHED, Gathered, Sources, build
from relaybench.reports.figures.figure import Figure, FigureKind
from relaybench.reports.figures.published import PublishedScore, parse_scores
from relaybench.reports.figures.render import Format, check_matplotlib
from relaybench.reports.figures.style import Style, parse_style
from relaybench.reports.files_beside import Told, silent
from relaybench.workbench.results.evidence import find_runs, load_grids, load_results, reading
from relaybench.workbench.workspace import Workspace


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
    if kinds is not None and scores is not None and not {*kinds} & WITH_PUBLISHED:
        names_of = " and ".join(sorted(WITH_PUBLISHED))
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


@dataclass(frozen=True, slots=True)
class Drawn:
    """What became of a folder of figures.

    ``removed`` are files of ours that were of other runs, ``older`` ones of these figures in
    formats that were not asked for now; ``left_out`` are sentences on what was not drawn.
    """

    written: tuple[Path, ...]
    removed: tuple[Path, ...]
    older: tuple[Path, ...]
    left_out: tuple[str, ...]


def draw_figures(
    workspace: Workspace,
    names: Sequence[str],
    folder: Path,
    *,
    kinds: Sequence[str] = (),
    formats: Sequence[str] = (),
    style: Sequence[str] = (),
    composite: str | None = None,
    scores: Path | None = None,
    told: Told = silent,
) -> Drawn:
    """Draw figures of runs into a folder, each with its caption; all kinds and formats for none.

    ``style`` are settings such as ``width=3.3``; the rest as for ``gather_figures``. ``told`` is
    told what is being done; what it raises stops it, with nothing written. Raises
    UsageError, with nothing written, where matplotlib is missing, a setting is none, or a file is
    in the way that is not ours, WorkspaceError where the folder cannot be written.
    """
    check_matplotlib()
    look = parse_style(style)
    chosen = [FigureKind(kind) for kind in kinds] or None
    gathered = gather_figures(workspace, names, composite=composite, scores=scores, kinds=chosen)
    figures, forms = gathered.figures, [Format(each) for each in formats] or list(Format)
    stale = files.outdated(folder, figures, forms, gathered.missing)
    written = write_figures(folder, figures, forms, look, stale, told)
    older = files.older(folder, figures, forms)
    return Drawn(tuple(written), tuple(stale), tuple(older), gathered.left_out)


def write_figures(
    folder: Path,
    figures: Sequence[Figure],
    formats: Sequence[Format],
    style: Style,
    stale: Sequence[Path] = (),
    told: Told = silent,
) -> list[Path]:
    """Write figures and captions to a folder, and remove ``stale`` ones; returns what is written.

    Raises UsageError where matplotlib is missing or a file is in the way that is not ours,
    WorkspaceError where the folder cannot be written.
    """
    try:
        return files.write(folder, figures, formats, style, stale, told)
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
