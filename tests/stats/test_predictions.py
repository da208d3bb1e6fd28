"""Predicted rates of composites, and whether their intervals hold what they promise."""

from __future__ import annotations

import math
import random as rng

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.stats.intervals import wilson
from relaybench.stats.predictions import predicted_mean, product

RATES = st.lists(
    st.integers(1, 60).flatmap(lambda n: st.integers(0, n).map(lambda c: (c / n, n))),
    min_size=1,
    max_size=13,
)


@given(RATES)
def test_laws(rates: list[tuple[float, int]]) -> None:
    """The product, inside of its ends, inside of [0, 1]; order is nothing."""
    found = product(rates)
    assert found is not None
    assert found.rate == pytest.approx(math.prod(rate for rate, _ in rates))
    assert 0 <= found.interval.lo <= found.rate <= found.interval.hi <= 1
    assert (found.steps, found.n) == (len(rates), min(n for _, n in rates))
    assert found.interval.lo < found.interval.hi
    assert found == product(rates[::-1])


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_one_step_is_itself(step: tuple[int, int]) -> None:
    """With Wilson's interval, whether it always, never or sometimes failed."""
    c, n = step
    found, wanted = product([(c / n, n)]), wilson(c, n)
    assert found is not None
    assert wanted is not None
    assert found.interval.lo == pytest.approx(wanted.lo, abs=1e-9)
    assert found.interval.hi == pytest.approx(wanted.hi, abs=1e-9)


def test_by_hand() -> None:
    """var ln p = 1/10 + 1/40, so n_eff = (0.6 / 0.4) / 0.125 = 12."""
    found = product([(0.5, 10), (0.8, 10)])
    assert found is not None
    assert found.rate == 0.4
    wanted = wilson(0.4 * 12, 12)
    assert wanted is not None
    assert found.interval.lo == pytest.approx(wanted.lo)
    assert found.interval.hi == pytest.approx(wanted.hi)


def test_a_step_that_never_failed_is_not_certain() -> None:
    """The fewer attempts it had, the less it is; with another confidence, wider yet."""
    alone, few = product([(0.5, 30)]), product([(0.5, 30), (1, 3)])
    many, surer = product([(0.5, 30), (1, 3000)]), product([(0.5, 30), (1, 3)], 0.999)
    assert alone is not None
    assert few is not None
    assert many is not None
    assert surer is not None
    assert few.rate == many.rate == 0.5
    assert surer.interval.lo < few.interval.lo < many.interval.lo - 0.02
    assert many.interval.lo == pytest.approx(alone.interval.lo, abs=1e-3)


@pytest.mark.parametrize(
    ("truths", "n"), [([0.9] * 8, 15), ([0.99] * 5, 20), ([0.6, 0.7, 0.8, 0.98], 30)]
)
def test_coverage(truths: list[float], n: int) -> None:
    """Of 400 studies with a known truth, well over nine in ten hold it in the interval."""
    random, held = rng.Random(5), 0
    for _ in range(400):
        counts = [sum(random.random() < truth for _ in range(n)) for truth in truths]
        found = product([(count / n, n) for count in counts])
        assert found is not None
        held += found.interval.lo <= math.prod(truths) <= found.interval.hi
    assert held >= 368


def test_undefined() -> None:
    """Without steps, or where one of them has no attempts."""
    assert product([]) is None
    assert product([(0.5, 10), (0, 0)]) is None
    for rate, n in ((1.1, 5), (-0.1, 5), (math.nan, 5), (0.5, -1)):
        with pytest.raises(ValueError, match=r"rate must be|attempts cannot"):
            product([(0.5, 5), (rate, n)])


def test_mean_over_composites() -> None:
    """Of the products, not the product of means; none is dropped in silence."""
    assert predicted_mean([[(0.5, 4), (0.5, 4)], [(1, 4)]]) == 0.625
    assert predicted_mean([]) is None
    assert predicted_mean([[(0.5, 4)], [(0.5, 0)]]) is None
    assert predicted_mean([[(0.5, 4)], []]) is None
