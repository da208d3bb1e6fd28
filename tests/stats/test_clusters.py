"""Dependent problems: laws between the three standard errors."""

from __future__ import annotations

import math
import random as rng
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.stats.clusters import clustered, overlap_clustered
from relaybench.stats.student import t_quantile

SCORES = st.lists(st.floats(0, 1), min_size=2, max_size=20)
OVERLAPPING = st.lists(
    st.tuples(st.floats(0, 1), st.sets(st.sampled_from("abcdefg"), max_size=4)),
    min_size=2,
    max_size=14,
)


def _iid_se(scores: list[float]) -> float:
    mean = math.fsum(scores) / len(scores)
    variance = math.fsum((score - mean) ** 2 for score in scores) / (len(scores) - 1)
    return math.sqrt(variance / len(scores))


@given(SCORES)
def test_groups_of_one_are_independent(scores: list[float]) -> None:
    """One group each, or no class at all: the plain standard error, whatever way it is taken."""
    single = clustered(scores, range(len(scores)))
    own = overlap_clustered(scores, [[str(place)] for place in range(len(scores))])
    none = overlap_clustered(scores, [[]] * len(scores))
    assert single is not None
    assert own is not None
    assert none is not None
    wanted = _iid_se(scores)
    for found in (single.se, own.iid_se, own.kernel_se, none.kernel_se):
        assert found == pytest.approx(wanted, abs=1e-12)
    assert own.eff_groups == none.eff_groups == single.groups == len(scores)


@given(st.integers(2, 6), st.integers(1, 5), st.integers(1, 3), st.randoms())
def test_equal_groups_give_the_clustered_error(
    groups: int, size: int, classes: int, random: rng.Random
) -> None:
    """Disjoint ones, by one class or by several that always come together."""
    scores = [random.random() for _ in range(groups * size)]
    numbers = [place % groups for place in range(len(scores))]
    names = [[f"{number}-{letter}" for letter in range(classes)] for number in numbers]
    single, overlap = clustered(scores, numbers), overlap_clustered(scores, names)
    assert single is not None
    assert overlap is not None
    assert overlap.eff_groups == pytest.approx(groups, abs=1e-9)
    assert overlap.kernel_se is not None
    assert overlap.kernel_se == pytest.approx(single.se, rel=1e-9, abs=1e-12)
    if classes == 1:
        assert (overlap.kernel_se, overlap.eff_groups) == (single.se, groups)


@given(OVERLAPPING)
def test_the_kernel_is_the_one_defined(problems: list[tuple[float, set[str]]]) -> None:
    """Against the sum over all pairs of problems, written out."""
    scores, classes = [score for score, _ in problems], [names for _, names in problems]
    n, mean = len(scores), math.fsum(scores) / len(scores)
    kernel = [
        [
            len(a & b) / math.sqrt(len(a) * len(b)) if a and b else float(i == j)
            for j, b in enumerate(classes)
        ]
        for i, a in enumerate(classes)
    ]
    effective = n * n / math.fsum(math.fsum(row) for row in kernel)
    spread = math.fsum(
        kernel[i][j] * (scores[i] - mean) * (scores[j] - mean) for i in range(n) for j in range(n)
    )
    found = overlap_clustered(scores, classes)
    assert found is not None
    assert found.eff_groups == pytest.approx(effective)
    assert found.iid_se is not None
    half = t_quantile(n - 1) * found.iid_se
    if found.kernel_se is None:
        assert effective < 2
    else:
        wanted = math.sqrt(effective / (effective - 1) * max(0, spread)) / n
        assert found.kernel_se == pytest.approx(wanted, abs=1e-7)
        half = max(half, t_quantile(found.eff_groups - 1) * found.kernel_se)
    assert (found.lo, found.hi) == (max(0, mean - half), min(1, mean + half))


@given(OVERLAPPING)
def test_order_is_nothing(problems: list[tuple[float, set[str]]]) -> None:
    """To the last bit."""
    scores, classes = [score for score, _ in problems], [names for _, names in problems]
    groups = [",".join(sorted(names)) for names in classes]
    assert clustered(scores, groups) == clustered(scores[::-1], groups[::-1])
    assert overlap_clustered(scores, classes) == overlap_clustered(scores[::-1], classes[::-1])


def test_by_hand() -> None:
    """Residuals ±1/2 in groups of two that agree: SE = sqrt(2/1 · (1 + 1))/4 = 1/2; not cut."""
    found = clustered([1, 1, 0, 0], ["a", "a", "b", "b"])
    assert found is not None
    assert (found.mean, found.se, found.groups, found.n) == (0.5, 0.5, 2, 4)
    assert found.lo == pytest.approx(0.5 - 12.7062 / 2, abs=1e-4)
    assert found.hi == pytest.approx(0.5 + 12.7062 / 2, abs=1e-4)


def test_another_confidence() -> None:
    """Reaches both intervals."""
    single = clustered([1, 1, 0, 0], ["a", "a", "b", "b"], 0.5)
    overlap = overlap_clustered([1, 1, 0, 0], ["a", "a", "b", "b"], 0.5)
    assert single is not None
    assert overlap is not None
    assert single.hi == overlap.hi == pytest.approx(1)  # t(1) is 1 at one half


def test_too_little() -> None:
    """One group or one problem: a mean, and no error; no problem: nothing."""
    group, problem = clustered([1, 0], ["a", "a"]), overlap_clustered([1], [["a"]])
    assert group is not None
    assert problem is not None
    assert (group.mean, group.se, group.lo, group.hi, group.groups) == (0.5, None, None, None, 1)
    assert (problem.mean, problem.iid_se, problem.kernel_se) == (1, None, None)
    assert (problem.lo, problem.hi, problem.eff_groups) == (None, None, 1)
    assert clustered([], []) is None
    assert overlap_clustered([], []) is None


def test_two_groups_in_spite_of_rounding() -> None:
    """Classes in threes make 1/sqrt(3) three times, which is not quite 1."""
    found = overlap_clustered([1, 0, 1, 1], [["a", "b", "c"], ["d", "e", "f"]] * 2)
    assert found is not None
    assert found.kernel_se is not None
    assert overlap_clustered([1, 0, 1], [["a"], ["a"], ["a", "b"]]) is not None


def test_a_class_named_twice_counts_once() -> None:
    """Class sets are sets."""
    twice = overlap_clustered([1, 0, 1], [["a", "a"], ["b"], ["a", "b"]])
    assert twice == overlap_clustered([1, 0, 1], [["a"], ["b"], ["a", "b"]])


@pytest.mark.parametrize("call", [clustered, overlap_clustered])
def test_impossible_input(call: Callable[[list[float], list[str]], object]) -> None:
    """Refused in words."""
    with pytest.raises(ValueError, match="a score must be"):
        call([1, 1.1], ["a", "b"])
    with pytest.raises(ValueError, match="2 scores but 1"):
        call([1, 0], ["a"])
    with pytest.raises(ValueError, match="0 scores but 1"):
        call([], ["a"])
