"""Laws of the intervals, and values known from elsewhere."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.stats.intervals import wilson, wilson_clustered, z_quantile

TRIALS = st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
SCORES = st.lists(st.lists(st.floats(0, 1), max_size=6), max_size=12)


def test_z() -> None:
    """1.96 at 95 percent."""
    assert z_quantile() == pytest.approx(1.959963984540054, abs=1e-14)
    assert z_quantile(0.9) == pytest.approx(1.6448536269514722, abs=1e-14)


@pytest.mark.parametrize("confidence", [0.0, 1.0, -1.0, 2.0, math.nan, math.nextafter(1, 0)])
def test_no_such_confidence(confidence: float) -> None:
    """A message of ours, not one of the library below."""
    with pytest.raises(ValueError, match="confidence"):
        z_quantile(confidence)


@pytest.mark.parametrize(("k", "lo", "hi"), [(5, 7.3, 33.6), (12, 24.6, 57.7), (13, 27.4, 60.8)])
def test_published_intervals(k: int, lo: float, hi: float) -> None:
    """Of 30, in percent, to one decimal."""
    found = wilson(k, 30)
    assert found is not None
    assert (round(100 * found.lo, 1), round(100 * found.hi, 1)) == (lo, hi)


def test_no_trials() -> None:
    """No interval, and no excuse for a success without a trial."""
    assert wilson(0, 0) is None
    with pytest.raises(ValueError, match="between 0 and the trials"):
        wilson(1, 0)


@pytest.mark.parametrize(
    ("k", "n"), [(-1, 5), (6, 5), (0, -1), (math.nan, 5), (1, math.nan), (1, math.inf)]
)
def test_impossible_counts(k: float, n: float) -> None:
    """Refused in words."""
    with pytest.raises(ValueError, match="successes"):
        wilson(k, n)


@given(TRIALS, st.floats(0.01, 0.999))
def test_wilson_laws(trial: tuple[int, int], confidence: float) -> None:
    """Around p, inside of [0, 1], mirrored, wider at higher confidence, narrower for more."""
    k, n = trial
    found, mirrored = wilson(k, n, confidence), wilson(n - k, n, confidence)
    larger, surer = wilson(2 * k, 2 * n, confidence), wilson(k, n, 0.9999)
    assert found is not None
    assert mirrored is not None
    assert larger is not None
    assert surer is not None
    assert 0 <= found.lo <= k / n <= found.hi <= 1
    assert found.lo == pytest.approx(1 - mirrored.hi, abs=1e-12)
    assert larger.hi - larger.lo < found.hi - found.lo < surer.hi - surer.lo
    assert (found.lo == 0) == (k == 0)
    assert (found.hi == 1) == (k == n)


@given(SCORES, st.randoms())
def test_clustered_laws(attempts: list[list[float]], random: object) -> None:
    """Around p, between m and all attempts; order of attempts and problems is nothing."""
    found = wilson_clustered(attempts)
    if not any(attempts):
        assert found is None
        return
    assert found is not None
    assert 0 <= found.lo <= found.p <= found.hi <= 1
    assert found.problems <= found.n_eff <= found.attempts
    assert found == wilson_clustered([scores[::-1] for scores in attempts[::-1]])


def test_repeats_are_not_problems() -> None:
    """Four equal attempts at each problem tell no more than one; unequal ones do."""
    single = wilson_clustered([[1], [0], [1]])
    same = wilson_clustered([[1] * 4, [0] * 4, [1] * 4])
    spread = wilson_clustered([[1, 0], [0, 1], [1, 0]])
    assert single is not None
    assert same is not None
    assert spread is not None
    assert (same.n_eff, same.lo, same.hi) == (single.n_eff, single.lo, single.hi)
    assert same.n_eff == 3
    assert spread.n_eff == 6  # no spread between the means: every attempt counts


def test_effective_sample_size() -> None:
    """By hand: means 1/4, 1, 1/4, variance 3/16, so SE² = 1/16 and n_eff = (1/4)/(1/16)."""
    found = wilson_clustered([[1, 0, 0, 0], [1, 1, 1, 1], [0, 0, 0, 1]])
    assert found is not None
    assert (found.p, found.n_eff) == (0.5, 4)
    plain = wilson(2, 4)
    assert plain is not None
    assert (found.lo, found.hi) == (plain.lo, plain.hi)


@pytest.mark.parametrize("score", [-0.1, 1.1, math.nan, math.inf])
def test_impossible_scores(score: float) -> None:
    """Refused in words."""
    with pytest.raises(ValueError, match="a score must be"):
        wilson_clustered([[1, score]])
