"""All figures of a run, or of several put together, as data with their words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

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
from relaybench.store.grid import GridItem, OutcomeGrid
from relaybench.store.pooling import comparable, of_items
from relaybench.store.results import ConfigResult

#: Kinds that draw published scores too.
WITH_PUBLISHED: Final = frozenset({FigureKind.SETS, FigureKind.OVER_TIME})
#: Kinds that draw shares of scored attempts; of outcomes, open ones are drawn too.
_SCORED: Final = WITH_PUBLISHED | {FigureKind.HALLUCINATION, FigureKind.COST, FigureKind.SCORES}


@dataclass(frozen=True, slots=True)
class Sources:
    """What figures are made of: single runs with their results, and all of them together.

    ``composites`` are the workspace's, by ``set/id``; ``composite`` is the one to draw. ``whole``:
    no item of the runs was left out, so that their costs are known.
    """

    grids: tuple[OutcomeGrid, ...]
    pooled: OutcomeGrid
    results: tuple[tuple[ConfigResult, ...], ...]
    composites: Mapping[str, Composite]
    composite: str | None = None
    published: tuple[PublishedScore, ...] = ()
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Gathered:
    """The figures, and sentences on those that could not be made; ``missing`` are their kinds."""

    figures: tuple[Figure, ...]
    left_out: tuple[str, ...]
    missing: tuple[FigureKind, ...] = ()


def build(sources: Sources, kinds: Sequence[FigureKind] | None = None) -> Gathered:
    """Make figures of these kinds (None: all), each once, in the order of ``FigureKind``.

    ``left_out`` says which cannot be drawn, and why: a graph whose wiring is not known, anything
    where nothing is scored. Raises UsageError where a composite that was asked for cannot be
    drawn, or nothing of what was asked for.
    """
    fair = _comparable(sources)
    models = model_results(fair.grids, fair.pooled, sources.results, whole=sources.whole)
    figures, left_out, missing = [], [], []
    for kind in FigureKind:
        if kinds is not None and kind not in kinds:
            continue
        try:
            of = sources if kind is FigureKind.GRAPH else fair
            figures.append(_figure(kind, of, models))
        except UsageError as error:
            alone = kinds is not None and len({*kinds}) == 1
            if alone or (kind is FigureKind.GRAPH and sources.composite is not None):
                raise
            left_out.append(f"{kind.value}: {error}")
            missing.append(kind)
    if left_out and not figures:
        raise UsageError(f"nothing can be drawn: {'; '.join(left_out)}")
    return Gathered(tuple(figures), tuple(left_out), tuple(missing))


def _comparable(sources: Sources) -> Sources:
    """The sources without disputed items, those that are so only among several runs included."""
    pooled = comparable(sources.pooled)

    def kept(item: GridItem) -> bool:
        return pooled.aliases.get(item.digest, item.digest) in pooled.items

    grids = tuple(of_items(grid, kept) for grid in sources.grids)
    return replace(sources, grids=grids, pooled=pooled)


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
        caption=captions.caption(title, words, grid, results=results, forms=kind in _SCORED),
        data=data,
        simulated=made_up,
    )


def _made(
    kind: FigureKind, sources: Sources, models: Sequence[ModelResult]
) -> tuple[Data, str, Words]:
    grid, published = sources.pooled, sources.published
    if kind in _SCORED and not any(model.scores for model in models):
        others = kind in WITH_PUBLISHED and any(
            each.when is not None or kind is FigureKind.SETS for each in published
        )
        if not others:
            raise UsageError(
                "all items were graded against different keys"
                if not grid.items and kind is not FigureKind.GRAPH
                else "no attempt is scored yet; it can be drawn when one is"
            )
    match kind:
        case FigureKind.GRAPH:
            items = list(grid.items.values())
            item = choose_item(items, dict(sources.composites), sources.composite)
            graph = graph_data(item, sources.composites.get(item.ref))
            return graph, f"Dependency graph of {graph.ref}", series_captions.graph_words(graph)
        case FigureKind.SETS:
            sets = sets_data(sources.grids, grid, published)
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
            if not costs.points:
                raise UsageError(
                    "some items were graded against different keys and are left out, and costs "
                    "are those of whole runs; grade again first"
                    if grid.disputed
                    else "costs are those of whole runs, and only some items are looked at here"
                    if not sources.whole
                    else "no model with a score has a known cost"
                )
            return costs, "Score against cost", captions.cost_words(costs, models)
        case FigureKind.SCORES:
            scores = scores_data(models)
            return scores, "Scores", captions.scores_words(scores)
