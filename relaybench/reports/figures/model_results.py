"""From the results of one run, or of several put together, to the data of figures per model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from relaybench.domain.money import sum_known
from relaybench.domain.results import Outcome
from relaybench.reports.figures.figure import (
    SEGMENTS,
    CostData,
    CostPoint,
    HallucinationData,
    ModelHallucination,
    ModelOutcomes,
    ModelScore,
    OutcomesData,
    ScoresData,
    Share,
)
from relaybench.stats import rates
from relaybench.store.grid import OutcomeGrid
from relaybench.store.results import ConfigResult


@dataclass(frozen=True, slots=True)
class ModelResult:
    """One model over all runs: its scores per item, its attempts by outcome, its cost in USD.

    ``cost`` is None where a part of it is not known. ``unsaved`` counts calls without a kept
    answer that may have been billed, which no cost holds.
    """

    model: str
    scores: tuple[tuple[float, ...], ...]
    outcomes: Mapping[Outcome, int]
    planned: int
    cost: Decimal | None
    unsaved: int

    @property
    def scored(self) -> int:
        """How many attempts count in pass@1."""
        return sum(count for outcome, count in self.outcomes.items() if outcome.scored)

    def count(self, outcome: Outcome) -> int:
        """How many attempts have that outcome."""
        return self.outcomes.get(outcome, 0)


def model_results(
    grids: Sequence[OutcomeGrid],
    pooled: OutcomeGrid,
    results: Sequence[Sequence[ConfigResult]],
    *,
    whole: bool = True,
) -> list[ModelResult]:
    """Models in plan order, from the grids of single runs, all put together, and their results.

    Costs are known of whole runs only, so that none is where some items are left out: disputed
    ones, or those that somebody did not ask for (``whole`` is False then).
    """
    found = []
    for digest, config in pooled.configs.items():
        own = [each for run in results for each in run if each.config.digest == digest]
        cells = [pooled.cells.get((item, digest), ()) for item in pooled.items]
        costs = tuple(each.cost.total for each in own)
        found.append(
            ModelResult(
                model=config.label,
                scores=tuple(pooled.scores(digest).values()),
                outcomes=Counter(outcome for cell in cells for outcome in cell),
                planned=sum(attempts_of(grid, digest)[0] for grid in grids),
                cost=sum_known(costs) if whole and not pooled.disputed else None,
                unsaved=sum(each.facts.unsaved_calls for each in own),
            )
        )
    return found


def attempts_of(grid: OutcomeGrid, config: str, set_name: str | None = None) -> tuple[int, int]:
    """Attempts that one run plans of a model, on one set or on all, and how many are scored.

    An import plans what it holds, and one attempt at every item that the model lacks altogether.
    """
    if config not in grid.configs:
        return 0, 0
    (run,) = grid.runs
    items = [item for item, each in grid.items.items() if set_name in (None, each.set_name)]
    cells = [grid.cells.get((item, config), ()) for item in items]
    scored = sum(outcome.scored for cell in cells for outcome in cell)
    if run.kind == "import":
        held = [sum(outcome is not Outcome.PENDING for outcome in cell) for cell in cells]
        return sum(max(count, 1) for count in held), scored
    return len(items) * run.repeats, scored


def share_of(scores: Sequence[Sequence[float]]) -> Share | None:
    """Pass@1 with its interval, clustered by item where one has repeats; None without scores."""
    found = rates.score_summary(scores)
    return Share(found.p, found.interval.lo, found.interval.hi) if found else None


def scores_data(results: Sequence[ModelResult]) -> ScoresData:
    """Scores, best first; ties in plan order, models without a scored attempt last."""
    rows = []
    for each in results:
        summary = rates.score_summary(each.scores)
        rows.append(
            ModelScore(
                model=each.model,
                share=share_of(each.scores),
                items=len(each.scores),
                correct=each.count(Outcome.CORRECT),
                scored=each.scored,
                planned=each.planned,
                clustered=summary is not None and summary.clustered,
            )
        )
    return ScoresData(tuple(sorted(rows, key=lambda row: -row.share.value if row.share else 1.0)))


def hallucination_data(results: Sequence[ModelResult]) -> HallucinationData:
    """Hallucination rates, lowest first; models without a parseable answer last."""
    rows = []
    for each in results:
        correct, wrong = each.count(Outcome.CORRECT), each.count(Outcome.WRONG)
        found = rates.hallucination(correct, wrong, each.scored - correct - wrong)
        share = Share(found.rate, found.interval.lo, found.interval.hi) if found else None
        rows.append(
            ModelHallucination(
                model=each.model,
                share=share,
                wrong=wrong,
                parseable=correct + wrong,
                scored=each.scored,
                planned=each.planned,
                items=len(each.scores),
            )
        )
    return HallucinationData(
        tuple(sorted(rows, key=lambda row: row.share.value if row.share else 2.0))
    )


def outcomes_data(results: Sequence[ModelResult]) -> OutcomesData:
    """Outcomes, most correct answers first; what is neither scored nor counted is open."""
    rows = []
    for each in results:
        scored = [each.count(Outcome(segment)) for segment in SEGMENTS[:-1]]
        rows.append(ModelOutcomes(each.model, (*scored, max(each.planned - each.scored, 0))))
    return OutcomesData(tuple(sorted(rows, key=lambda row: -row.counts[0])))


def cost_data(results: Sequence[ModelResult]) -> CostData:
    """Score against cost: of all attempts, or of a scored one where models have unequal numbers.

    Else who was asked four times would look dear. The frontier is drawn through complete models
    only: what an incomplete one will cost, and score, is not known yet.
    """
    placed: list[tuple[ModelResult, Share, Decimal]] = []
    unknown, unscored = [], []
    for each in results:
        share = share_of(each.scores)
        if each.cost is None:
            unknown.append(each.model)
        elif share is None:
            unscored.append(each.model)
        else:
            placed.append((each, share, each.cost))
    per_attempt = len({each.scored for each, _, _ in placed}) > 1
    if per_attempt:
        placed = [(each, share, cost / each.scored) for each, share, cost in placed]
    complete = [(cost, share.value) for each, share, cost in placed if each.scored >= each.planned]
    points = [
        CostPoint(
            model=each.model,
            share=share,
            usd=cost,
            frontier=each.scored >= each.planned and on_frontier((cost, share.value), complete),
            incomplete=each.scored < each.planned,
            total=each.cost or Decimal(),
            scored=each.scored,
        )
        for each, share, cost in placed
    ]
    ordered = sorted(points, key=lambda point: (point.usd, -point.share.value))
    return CostData(tuple(ordered), tuple(unknown), tuple(unscored), per_attempt)


def on_frontier(point: tuple[Decimal, float], others: Sequence[tuple[Decimal, float]]) -> bool:
    """Whether nothing among ``others`` (cost, score) is at least as good in both, better in one."""
    cost, score = point
    return not any(
        (other_cost <= cost and other > score) or (other_cost < cost and other >= score)
        for other_cost, other in others
    )
