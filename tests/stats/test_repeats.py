"""Repeats side by side."""

from __future__ import annotations

import pytest

from relaybench.stats.intervals import wilson
from relaybench.stats.repeats import RepeatMean, per_repeat


def test_a_problem_counts_where_it_was_tried() -> None:
    """Each repeat over its own problems, in order of its number."""
    first, third = wilson(1.5, 3), wilson(1, 1)
    assert first is not None
    assert third is not None
    assert per_repeat([{3: 1, 1: 0}, {1: 1}, {}, {1: 0.5}]) == [
        RepeatMean(1, 3, 0.5, first),
        RepeatMean(3, 1, 1, third),
    ]


def test_another_confidence() -> None:
    """Reaches the interval."""
    (found,) = per_repeat([{0: 1}, {0: 0}], 0.5)
    assert found.interval == wilson(1, 2, 0.5)


def test_nothing() -> None:
    """No repeat is made up."""
    assert per_repeat([]) == []
    assert per_repeat([{}, {}]) == []


def test_rounding_makes_no_more_than_all() -> None:
    """Scores of 1, however many, and fractions that sum to a bit more."""
    (found,) = per_repeat([{1: 1.0}] * 7)
    assert (found.mean, found.interval.hi) == (1, 1)


@pytest.mark.parametrize("score", [-0.1, 1.1, float("nan")])
def test_impossible_scores(score: float) -> None:
    """Refused in words."""
    with pytest.raises(ValueError, match="a score must be"):
        per_repeat([{1: score}])
