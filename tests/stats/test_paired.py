"""Two models on the same items: laws, counts by hand, and which test is chosen."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaybench.stats.intervals import Interval
from relaybench.stats.joint_bootstrap import joint_bootstrap
from relaybench.stats.paired import (
    Comparison,
    Paired,
    PairedTest,
    Scores,
    compare_pairs,
    mcnemar_exact,
    paired,
)

FIFTHS = st.integers(0, 5).map(lambda points: points / 5)
PAIRS = st.lists(st.tuples(FIFTHS, FIFTHS), min_size=2, max_size=30)
SCORES = st.dictionaries(
    st.sampled_from("abcdefgh"), st.lists(st.sampled_from([0.0, 1.0, 0.5]), max_size=3)
)


def _paired(a: list[float], b: list[float]) -> Paired:
    found = paired(a, b)
    assert found is not None
    return found


def compare(a: Scores, b: Scores) -> Comparison | None:
    (found,) = compare_pairs([(a, b)], seed=5)
    return found


def known(a: Scores, b: Scores) -> Comparison:
    found = compare(a, b)
    assert found is not None
    return found


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_binomial_tail(only_a: int, only_b: int) -> None:
    """As a sum of fractions, and the same for both sides."""
    n, fewer = only_a + only_b, min(only_a, only_b)
    tail = sum((Fraction(math.comb(n, i), 2**n) for i in range(fewer + 1)), Fraction(0))
    wanted = 1.0 if only_a == only_b else float(min(Fraction(1), 2 * tail))
    assert mcnemar_exact(only_a, only_b) == wanted == mcnemar_exact(only_b, only_a)


def test_mcnemar_at_size() -> None:
    """Neither overflow nor a 0 that a double could tell from 0; stopping early costs nothing."""
    assert mcnemar_exact(0, 1074) == 2.0**-1073 > 0
    found = mcnemar_exact(14_800, 15_200)  # by the normal distribution, with its correction
    assert found == pytest.approx(math.erfc(399 / math.sqrt(2 * 30_000)), rel=1e-3)
    tail = sum(math.comb(3000, i) for i in range(1401))
    assert mcnemar_exact(1400, 1600) == 2 * tail / 2**3000
    with pytest.raises(ValueError, match="cannot be negative"):
        mcnemar_exact(-1, 3)


@given(PAIRS)
def test_paired_laws(pairs: list[tuple[float, float]]) -> None:
    """Turned round: all signs change. The order of the items is nothing."""
    a, b = [x for x, _ in pairs], [y for _, y in pairs]
    found, turned = _paired(a, b), _paired(b, a)
    assert (turned.diff, turned.lo, turned.hi) == (-found.diff, -found.hi, -found.lo)
    assert (turned.se, turned.p, turned.n) == (found.se, found.p, len(pairs))
    assert found == _paired(a[::-1], b[::-1])
    assert found.lo <= found.diff <= found.hi
    assert 0 <= found.p <= 1
    assert found.boot_se == pytest.approx(found.se * math.sqrt(found.df / found.n))
    if found.se > 0:
        assert (found.p < 0.05) == (found.lo > 0 or found.hi < 0)


def test_no_spread() -> None:
    """p is 1 for the same, 0 for another score; rounding makes no spread of its own."""
    same, other = _paired([1, 0.5], [1, 0.5]), _paired([2 / 3, 1 / 3, 1], [1 / 3, 0, 2 / 3])
    assert (same.diff, same.se, same.p, same.lo, same.hi) == (0, 0, 1, 0, 0)
    below = _paired([0.3, 0.3], [0.1 + 0.2, 0.1 + 0.2])  # by less than counts
    assert (below.diff, math.copysign(1, below.diff), below.p) == (0, 1, 1)
    assert (other.se, other.boot_se, other.p) == (0, 0, 0)
    assert other.lo == other.hi == pytest.approx(1 / 3)
    tenths = _paired([0.3, 0.2, 0.1], [0.2, 0.1, 0.0])
    assert (tenths.se, tenths.p) == (0, 0)


def test_paired_of_too_little() -> None:
    """One item has no spread to speak of; unequal lengths are no pairs."""
    assert paired([1], [0]) is None
    assert paired([], []) is None
    with pytest.raises(ValueError, match="the same problems: 2 and 1"):
        paired([1, 0], [1])
    with pytest.raises(ValueError, match="finite number"):
        paired([1, math.nan], [1, 0])
    usual, surer = paired([1, 0, 1], [0, 0, 1]), paired([1, 0, 1], [0, 0, 1], 0.99)
    assert usual is not None
    assert surer is not None
    assert surer.lo < usual.lo
    assert paired([5, 7], [1, 2]) is not None  # any scores


def test_compare_by_hand() -> None:
    """On the items that both have; McNemar from the two that only one got right."""
    a = {"i": [1.0], "j": [1.0], "k": [0.0], "l": [1.0], "m": [], "x": [1.0]}
    b = {"l": [1.0], "k": [1.0], "j": [0.0], "i": [0.0], "m": [1.0], "y": [1.0]}
    found = known(a, b)
    assert (found.n, found.mean_a, found.mean_b) == (4, 0.75, 0.5)
    assert (found.wins, found.losses, found.ties) == (2, 1, 1)
    assert (found.only_a, found.only_b) == (2, 1)
    assert found.mcnemar == found.p == mcnemar_exact(2, 1) == 1
    assert found.test == PairedTest.MCNEMAR
    assert found.paired == _paired([1, 1, 0, 1], [0, 0, 1, 1])
    assert found.interval == Interval(-1.0, 1.0)  # 0.25 ± 3.18 x 0.48, cut
    assert [found.bootstrap] == joint_bootstrap([[1, 1, -1, 0]], 5)


def test_compare_repeats() -> None:
    """Means of attempts; no McNemar; only-one-right means always against never."""
    a = {"i": [1.0, 1.0], "j": [1.0, 0.0], "k": [0.0, 0.0, 1.0], "l": [1.0], "m": [0.0]}
    b = {"i": [0.0, 0.0], "j": [1.0], "k": [0.0, 1.0, 0.0], "l": [0.0, 1.0], "m": [0.0, 1.0]}
    found = known(a, b)
    assert (found.wins, found.losses, found.ties) == (2, 2, 1)
    assert (found.only_a, found.only_b, found.mcnemar) == (1, 0, None)
    assert found.mean_a == pytest.approx((1 + 0.5 + 1 / 3 + 1 + 0) / 5)
    wanted = _paired([1, 0.5, 1 / 3, 1, 0], [0, 1, 1 / 3, 0.5, 0.5])
    assert (found.test, found.p, found.paired) == (PairedTest.PAIRED_T, wanted.p, wanted)
    assert found.interval == Interval(wanted.lo, wanted.hi)


@pytest.mark.parametrize("scores", [[0.5], [0.0, 1.0], [1.0, 1.0, 0.5]])
@pytest.mark.parametrize("side", [0, 1])
def test_mcnemar_needs_problems_that_are_right_or_wrong_throughout(
    scores: list[float], side: int
) -> None:
    """On both sides of every problem that both have: one that another lacks does not count."""
    sides: list[dict[str, list[float]]] = [{"i": [1.0], "j": [0.0]}, {"i": [0.0], "j": [0.0]}]
    assert known(*sides).test == PairedTest.MCNEMAR
    sides[side]["k"] = scores
    assert known(*sides).test == PairedTest.MCNEMAR
    sides[1 - side]["k"] = [1.0]
    assert known(*sides).test == PairedTest.PAIRED_T
    assert known(*sides).mcnemar is None


def test_an_attempt_that_repeats_the_others_changes_no_test() -> None:
    """Five wins of six: p = 1/16 for McNemar; t would say 0.01 because of one repeat."""
    a = {item: [1.0] for item in "ijklmo"}
    b = {**{item: [0.0] for item in "ijklm"}, "o": [1.0]}
    alone = known(a, b)
    assert (alone.test, alone.p) == (PairedTest.MCNEMAR, 1 / 16)
    assert known({**a, "i": [1.0, 1.0]}, {**b, "m": [0.0] * 3}) == alone
    assert known({**a, "i": [1.0, 0.0]}, b).test == PairedTest.PAIRED_T


def test_differences_that_are_all_equal() -> None:
    """t would be sure (p 0 or 1); of n equal signs the exact test says 2/2^n, and no interval."""
    better, worse = {item: [1.0, 0.0] for item in "ijklm"}, {item: [0.0] for item in "ijklm"}
    for found in (known(better, worse), known(worse, better)):
        assert found.paired is not None
        assert (found.paired.se, found.paired.p) == (0, 0)
        assert (found.test, found.p) == (PairedTest.SIGN, 2 / 2**5)
        assert (found.interval, found.bootstrap) == (None, None)
    same = known(better, better)
    assert (same.test, same.p, same.interval, same.bootstrap) == (PairedTest.SIGN, 1, None, None)
    thirds = known({"i": [0.0, 0.0, 1.0], "j": [1.0]}, {"i": [0.0], "j": [1.0, 0.0, 1.0]})
    assert (thirds.test, thirds.wins) == (PairedTest.SIGN, 2)  # but for the rounding of 1/3
    single = known({"i": [1.0], "j": [1.0]}, {"i": [0.0], "j": [0.0]})
    assert (single.test, single.p) == (PairedTest.MCNEMAR, 0.5)
    assert (single.interval, single.bootstrap) == (None, None)


def test_compare_little() -> None:
    """One shared item: counts alone; none: nothing."""
    found = known({"i": [1.0]}, {"i": [0.0]})
    assert (found.n, found.wins, found.only_a) == (1, 1, 1)
    assert (found.mcnemar, found.paired, found.bootstrap) == (None, None, None)
    assert (found.test, found.p, found.interval) == (None, None, None)
    assert compare({"i": [1.0]}, {"j": [1.0]}) is None
    assert compare({"i": [1.0]}, {"i": []}) is None
    assert compare_pairs([], 1) == []
    with pytest.raises(ValueError, match="a score must be"):
        compare({"i": [1.5]}, {"i": [1.0]})
    with pytest.raises(ValueError, match="seed cannot be negative"):
        compare_pairs([], -1)


@given(SCORES, SCORES, SCORES)
@settings(max_examples=40)
def test_the_others_and_the_order_are_nothing(
    a: dict[str, list[float]], b: dict[str, list[float]], c: dict[str, list[float]]
) -> None:
    """Alone as among others, whatever the order of the items; turned round, all signs change."""
    found, _, turned, itself = compare_pairs([(a, b), (c, a), (b, a), (a, a)], 5)
    assert found == compare(dict(reversed(a.items())), b)
    if itself is not None:
        assert (itself.wins, itself.losses, itself.ties) == (0, 0, itself.n)
        assert (itself.p, itself.interval) == (None if itself.n < 2 else 1, None)
    if found is None:
        assert turned is None
        return
    assert turned is not None
    assert (found.test, found.p, found.wins) == (turned.test, turned.p, turned.losses)
    assert (found.test is None) == (found.p is None) == (found.paired is None) == (found.n < 2)
    assert (found.bootstrap is None) == (found.interval is None)
    if found.p is not None:
        assert 0 < found.p <= 1
    if found.paired and found.interval and found.bootstrap:
        assert -1 <= found.interval.lo <= found.paired.diff <= found.interval.hi <= 1
        assert -1 <= found.bootstrap.lo <= found.bootstrap.hi <= 1
