"""Cells of scores, rates and costs, as every table with one row a model has them."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final, TypeVar

from relaybench.reports.tables import (
    NO_CORRECT,
    NO_PARSEABLE,
    NO_SCORED,
    NONE_PLANNED,
    UNKNOWN,
    Missing,
    Value,
)
from relaybench.stats import costs, rates

T = TypeVar("T")

#: Columns of what a model cost.
COST_KEYS: Final = ("cost_usd", "cost_per_item_usd", "cost_per_correct_usd")


def best_first(
    results: Sequence[T], scores: Sequence[rates.ScoreSummary | None]
) -> list[tuple[T, rates.ScoreSummary | None]]:
    """Results with their scores, best pass@1 first; ties as they come, undefined scores last."""
    return sorted(  # stable: ties stay in plan order
        zip(results, scores, strict=True),
        key=lambda pair: (pair[1] is None, -pair[1].p if pair[1] else 0.0),
    )


def score_cells(score: rates.ScoreSummary | None) -> dict[str, Value]:
    """Pass@1 with the ends of its interval."""
    keys = ("pass_at_1", "pass_at_1_low", "pass_at_1_high")
    if score is None:
        return dict.fromkeys(keys, NO_SCORED)
    return dict(zip(keys, (score.p, score.interval.lo, score.interval.hi), strict=True))


def coverage_cells(scored: int, planned: int) -> dict[str, Value]:
    """Whether attempts are open, and the share of planned ones that is scored."""
    covered = rates.coverage(scored, planned)
    return {
        "incomplete": scored < planned,
        "coverage": NONE_PLANNED if covered is None else covered,
    }


def hallucination_cells(correct: int, wrong: int, unparsed: int) -> dict[str, Value]:
    """Parse rate, and hallucination with the ends of its interval, from counts of attempts."""
    parseable = rates.parse_rate(correct, wrong, unparsed)
    cells: dict[str, Value] = {"parse_rate": NO_SCORED if parseable is None else parseable}
    found = rates.hallucination(correct, wrong, unparsed)
    keys = ("hallucination", "hallucination_low", "hallucination_high")
    if found is None:
        return {**cells, **dict.fromkeys(keys, NO_PARSEABLE)}
    ends = (found.rate, found.interval.lo, found.interval.hi)
    return {**cells, **dict(zip(keys, ends, strict=True))}


def cost_cells(total: Decimal | None, scored: int, correct: int) -> dict[str, Value]:
    """The total in USD, over scored attempts, and over correct answers."""
    if total is None:
        return dict.fromkeys(COST_KEYS, UNKNOWN)

    def per(amount: Decimal | None, reason: Missing) -> Value:
        return reason if amount is None else amount

    cells = (
        total,
        per(costs.cost_per_item(total, scored), NO_SCORED),
        per(costs.cost_per_correct(total, correct), NO_CORRECT),
    )
    return dict(zip(COST_KEYS, cells, strict=True))
