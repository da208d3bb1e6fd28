"""Predicted rates of composites."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.stats.predictions import product


@given(st.lists(st.floats(0, 1), min_size=1, max_size=13))
def test_laws(rates: list[float]) -> None:
    """Never above its weakest step; a step that never fails is nothing, one that always does all.

    The order is nothing, to the last digit.
    """
    found = product(rates)
    assert found is not None
    assert 0 <= found <= min(rates)
    assert found == product(rates[::-1]) == product([1.0, *rates])
    assert product([*rates, 0.0]) == 0


def test_by_hand() -> None:
    assert product([0.5, 0.8, 0.9]) == pytest.approx(0.36)
    assert product([0.3]) == 0.3


def test_undefined() -> None:
    """Without steps there is none; what is no rate is refused."""
    assert product([]) is None
    for rate in (1.1, -0.1, math.nan):
        with pytest.raises(ValueError, match="rates must be between 0 and 1"):
            product([0.5, rate, 0.7])
