"""Exact money."""

from __future__ import annotations

from decimal import Decimal

import pytest

from relaybench.domain.money import UNKNOWN_COST, Cost
from relaybench.stats.costs import cost_per_correct, cost_per_item, total_cost

TENTH = Decimal("0.1")


def test_total_is_exact() -> None:
    """Ten times a tenth is one, bucket by bucket."""
    cost = Cost(TENTH, TENTH, Decimal(0), Decimal("1e-12"), Decimal(0))
    found = total_cost([cost] * 10)
    assert (found.input, found.output) == (Decimal(1), Decimal("1e-11"))
    assert found.total == Decimal("2.00000000001")


def test_unknown_stays_unknown() -> None:
    """In its bucket, and in the total; nothing at all costs nothing."""
    known = Cost(TENTH, TENTH, TENTH, TENTH, TENTH)
    found = total_cost([known, Cost(TENTH, None, TENTH, TENTH, TENTH)])
    assert (found.cached_input, found.total, found.input) == (None, None, Decimal("0.2"))
    assert total_cost([known, UNKNOWN_COST]) == UNKNOWN_COST
    assert total_cost([]).total == 0


def test_per() -> None:
    """Undefined without a divisor or a known total, 0 for what cost nothing."""
    assert cost_per_item(Decimal("90"), 30) == 3
    assert cost_per_correct(Decimal("1"), 8) == Decimal("0.125")
    assert cost_per_item(Decimal(0), 3) == 0
    assert cost_per_item(None, 3) is None
    assert cost_per_item(Decimal(1), 0) is None
    assert cost_per_correct(Decimal(1), 0) is None


@pytest.mark.parametrize("total", ["-1", "NaN", "Infinity"])
def test_no_such_amount(total: str) -> None:
    """Refused in words."""
    with pytest.raises(ValueError, match="finite amount"):
        cost_per_item(Decimal(total), 3)
    with pytest.raises(ValueError, match="cannot be negative"):
        cost_per_correct(Decimal(1), -1)
