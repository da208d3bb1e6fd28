"""All figures of a run, or of several put together, as data with their words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from relaybench.domain.errors import UsageError
from relaybench.domain.problem import Composite
from relaybench.reports.figures import captions, series_captions
from relaybench.reports.figures.captions import Words
from relaybench.reports.figures.figure import Data, Figure, FigureKind
from relaybench.reports.figures.graph_data import choose_item, graph_data
from relaybench.reports.figures.model_results import (
    ModelResult,
    cost_data,
    hallucination_data,
    model_results,
    outcomes_data,
    scores_data,
)
from relaybench.reports.figures.published import PublishedScore
from relaybench.reports.figures.series_data import over_time_data, sets_data
from relaybench.reports.grid_facts import grid_simulated, grid_title
from relaybench.store.grid import OutcomeGrid
from relaybench.store.results import ConfigResult


@dataclass(frozen=True, slots=True)
class Sources:
    """What figures are made of: single runs with their results, and all of them together.

    ``composites`` are the workspace's, by ``set/id``; ``composite`` is the one to draw.
    """

    grids: tuple[OutcomeGrid, ...]
    pooled: OutcomeGrid
    results: tuple[tuple[ConfigResult, ...], ...]
    composites: Mapping[str, Composite]
    composite: str | None = None
    published: tuple[PublishedScore, ...] = ()


@dataclass(frozen=True, slots=True)
class Gathered:
    """The figures, and sentences about those that could not be made."""

    figures: tuple[Figure, ...]
    left_out: tuple[str, ...]


def build(sources: Sources, kinds: Sequence[FigureKind] | None = None) -> Gathered:
    """Make figures of these kinds, each once, in the order of ``FigureKind``.

    With None all are made but the graph where no wiring is known: ``left_out`` says so. Raises
    UsageError where a kind or composite that was asked for cannot be drawn.
    """
    models = model_results(sources.pooled, sources.results)
    figures, left_out = [], []
    for kind in FigureKind:
        if kinds is not None and kind not in kinds:
            continue
        try:
            figures.append(_figure(kind, sources, models))
        except UsageError as error:
            if kinds is not None or sources.composite is not None:
                raise
            left_out.append(f"{kind.value}: {error}")
    return Gathered(tuple(figures), tuple(left_out))


def _figure(kind: FigureKind, sources: Sources, models: Sequence[ModelResult]) -> Figure:
    data, what, words = _made(kind, sources, models)
    grid = sources.pooled
    results = kind is not FigureKind.GRAPH
    made_up = results and grid_simulated(grid)
    title = grid_title(grid, what) if results else what
    return Figure(
        name=kind.value,
        kind=kind,
        title=title,
        alt=f"{'Simulated results. ' if made_up else ''}{words.alt}",
        caption=captions.caption(title, words, grid, results=results),
        data=data,
        simulated=made_up,
    )


def _made(
    kind: FigureKind, sources: Sources, models: Sequence[ModelResult]
) -> tuple[Data, str, Words]:
    grid, published = sources.pooled, sources.published
    match kind:
        case FigureKind.GRAPH:
            items = list(grid.items.values())
            item = choose_item(items, dict(sources.composites), sources.composite)
            graph = graph_data(item, sources.composites.get(item.ref))
            return graph, f"Dependency graph of {graph.ref}", series_captions.graph_words(graph)
        case FigureKind.SETS:
            sets = sets_data(grid, published)
            return sets, "Accuracy by set", series_captions.sets_words(sets, published)
        case FigureKind.OVER_TIME:
            over_time = over_time_data(sources.grids, grid, published)
            words = series_captions.over_time_words(over_time, len(sources.grids), published)
            return over_time, "Accuracy over time", words
        case FigureKind.OUTCOMES:
            outcomes = outcomes_data(models)
            return outcomes, "Outcomes", captions.outcomes_words(outcomes)
        case FigureKind.HALLUCINATION:
            rates = hallucination_data(models)
            return rates, "Hallucination rates", captions.hallucination_words(rates)
        case FigureKind.COST:
            costs = cost_data(models)
            return costs, "Score against cost", captions.cost_words(costs, models)
        case FigureKind.SCORES:
            scores = scores_data(models)
            return scores, "Scores", captions.scores_words(scores)
