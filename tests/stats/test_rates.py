"""Shares, and where there is none."""

from __future__ import annotations

import math

import pytest

from relaybench.stats.intervals import wilson, wilson_clustered
from relaybench.stats.rates import (
    cache_rate,
    coverage,
    hallucination,
    hallucination_of_misses,
    omniscience,
    parse_rate,
    pass_at_1,
    score_summary,
)


def test_pass_at_1_is_a_mean_over_problems() -> None:
    """Not over attempts; problems without attempts are left out."""
    assert pass_at_1([[1, 1, 1], [0]]) == 0.5
    assert pass_at_1([[1], []]) == 1
    assert pass_at_1([[], []]) is None
    assert pass_at_1([]) is None


def test_coverage() -> None:
    """Undefined without a plan; more than planned is a mistake."""
    assert coverage(3, 4) == 0.75
    assert coverage(0, 4) == 0
    assert coverage(0, 0) is None
    with pytest.raises(ValueError, match="more attempts scored"):
        coverage(5, 4)
    with pytest.raises(ValueError, match="negative"):
        coverage(-1, 4)


def test_hallucination() -> None:
    """Unparsed answers move the parse rate alone."""
    few, many = hallucination(5, 1, 24), hallucination(5, 1, 0)
    assert few is not None
    assert many is not None
    assert (few.rate, few.interval, few.parseable) == (many.rate, many.interval, 6)
    assert few.interval == wilson(1, 6)
    assert (few.parse_rate, many.parse_rate) == (0.2, 1)
    assert round(100 * few.rate, 1) == 16.7


def test_nothing_parseable() -> None:
    """No rate, but a parse rate of 0; neither without attempts."""
    assert hallucination(0, 0, 30) is None
    assert parse_rate(0, 0, 30) == 0
    assert hallucination(0, 0, 0) is None
    assert parse_rate(0, 0, 0) is None
    with pytest.raises(ValueError, match="negative"):
        hallucination(1, 1, -1)


def test_the_two_hallucination_rates_differ() -> None:
    """Of the same answers: one of what was answered, the other of what was missed."""
    found = hallucination(12, 6, 12)
    assert found is not None
    assert found.rate == pytest.approx(1 / 3)
    assert hallucination_of_misses(12, 6, 0, 12) == pytest.approx(1 / 3)
    assert hallucination_of_misses(120, 6, 6, 12) == 0.25  # right answers move nothing
    assert hallucination_of_misses(5, 0, 0, 0) is None
    for counts in ((-1, 1, 1, 1), (1, -1, 1, 1), (1, 1, -1, 1), (1, 1, 1, -1)):
        with pytest.raises(ValueError, match="cannot be negative"):
            hallucination_of_misses(*counts)
        with pytest.raises(ValueError, match="cannot be negative"):
            omniscience(*counts)


def test_omniscience() -> None:
    """By hand: x = 1, -1, 0, 0 has mean 0 and variance 2/3, so SE = 100 sqrt(1/6)."""
    found = omniscience(1, 1, 1, 1)
    assert found is not None
    assert (found.index, found.accuracy, found.n) == (0, 0.25, 4)
    assert found.se == pytest.approx(100 * math.sqrt(1 / 6))
    assert (found.lo, found.hi) == (-100, 100)  # cut to the range
    one, same = omniscience(0, 1, 0, 0), omniscience(10**7, 0, 0, 0)
    assert one is not None
    assert same is not None
    assert (one.index, one.se, one.lo, one.hi, one.n) == (-100, None, None, None, 1)
    assert (same.index, same.se, same.lo, same.hi) == (100, 0, 100, 100)
    assert omniscience(0, 0, 0, 0) is None


def test_omniscience_at_another_confidence() -> None:
    """Wider when surer, mirrored when right and wrong are swapped."""
    usual, surer = omniscience(30, 20, 5, 45), omniscience(30, 20, 5, 45, 0.99)
    mirrored = omniscience(20, 30, 5, 45)
    assert usual is not None
    assert surer is not None
    assert mirrored is not None
    assert usual.lo is not None
    assert surer.lo is not None
    assert surer.lo < usual.lo < usual.index == 10
    assert (mirrored.lo, mirrored.hi) == (-(usual.hi or 0), -usual.lo)


def test_cache_rate() -> None:
    """Unknown is not 0; writes that nobody reports are in the input."""
    assert cache_rate(50, 25, 25) == 0.25
    assert cache_rate(75, 25, None) == 0.25
    assert cache_rate(10, 0, 0) == 0
    assert cache_rate(10, None, 0) is None
    assert cache_rate(None, 10, 0) is None
    assert cache_rate(0, 0, 0) is None
    with pytest.raises(ValueError, match="negative"):
        cache_rate(-1, 0, 0)


def test_summary_of_single_attempts() -> None:
    """Plain Wilson over the problems."""
    found = score_summary([[1], [0], [], [1], [0.5]])
    assert found is not None
    assert found.interval == wilson(2.5, 4)
    assert (found.p, found.problems, found.attempts, found.n_eff) == (0.625, 4, 4, 4)
    assert (found.clustered, found.left_out) == (False, 1)


def test_summary_of_repeats() -> None:
    """Clustered as soon as one problem has two."""
    attempts = [[1, 0, 1], [0, 0], [1]]
    found, clustered = score_summary(attempts), wilson_clustered(attempts)
    assert found is not None
    assert clustered is not None
    assert (found.interval.lo, found.interval.hi) == (clustered.lo, clustered.hi)
    assert (found.p, found.n_eff, found.clustered) == (clustered.p, clustered.n_eff, True)


def test_summary_of_nothing() -> None:
    """Missing."""
    assert score_summary([]) is None
    assert score_summary([[], []]) is None
