"""Costs in USD over many calls, exact decimals; an unknown part makes its sum unknown, never 0.

What one call costs is ``relaybench.domain.money.cost_of`` (STATISTICS, section 4). Sums are
exact; quotients have the 28 significant digits of a decimal context. Rounding is for display.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from relaybench.domain.money import ZERO, Cost, sum_known


def total_cost(costs: Iterable[Cost]) -> Cost:
    """Add up costs bucket by bucket; a bucket unknown in one of them is unknown in the sum."""
    every = tuple(costs)
    return Cost(
        input=sum_known(tuple(cost.input for cost in every)),
        cached_input=sum_known(tuple(cost.cached_input for cost in every)),
        cache_write=sum_known(tuple(cost.cache_write for cost in every)),
        output=sum_known(tuple(cost.output for cost in every)),
        tools=sum_known(tuple(cost.tools for cost in every)),
    )


def _per(total: Decimal | None, count: int, name: str) -> Decimal | None:
    if count < 0:
        raise ValueError(f"the number of {name} cannot be negative: {count}")
    if total is not None and (not total.is_finite() or total < ZERO):
        raise ValueError(f"a cost must be a finite amount of at least 0, not {total}")
    return None if total is None or count == 0 else total / count


def cost_per_item(total: Decimal | None, items: int) -> Decimal | None:
    """USD per item; None where the total is unknown or there is no item."""
    return _per(total, items, "items")


def cost_per_correct(total: Decimal | None, correct: int) -> Decimal | None:
    """USD per correct answer; None where the total is unknown or no answer is correct."""
    return _per(total, correct, "correct answers")
