"""Two models on the same items: laws, counts by hand, and a bootstrap held to its limit."""

from __future__ import annotations

import math
import random as rng
import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.stats.paired import (
    Bootstrap,
    Paired,
    compare,
    mcnemar_exact,
    paired,
    paired_bootstrap,
)

FIFTHS = st.integers(0, 5).map(lambda points: points / 5)
PAIRS = st.lists(st.tuples(FIFTHS, FIFTHS), min_size=2, max_size=30)


def _paired(a: list[float], b: list[float]) -> Paired:
    found = paired(a, b)
    assert found is not None
    return found


def _boot(differences: list[float], seed: int = 1) -> Bootstrap:
    found = paired_bootstrap(differences, seed)
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
    with pytest.raises(ValueError, match="the same items: 2 and 1"):
        paired([1, 0], [1])
    with pytest.raises(ValueError, match="finite number"):
        paired([1, math.nan], [1, 0])
    usual, surer = paired([1, 0, 1], [0, 0, 1]), paired([1, 0, 1], [0, 0, 1], 0.99)
    assert usual is not None
    assert surer is not None
    assert surer.lo < usual.lo
    assert paired([5, 7], [1, 2]) is not None  # any scores


@pytest.mark.parametrize("values", [[-1, 0, 1], [place / 5 for place in range(-5, 6)], None])
def test_bootstrap_reaches_its_limit(values: list[float] | None) -> None:
    """Its SE is within 3 percent of boot_se, for few, some and all differences distinct."""
    random = rng.Random(2)
    found = [random.choice(values) if values else random.uniform(-1, 1) for _ in range(300)]
    wanted, boot = _paired(found, [0.0] * len(found)), _boot(found)
    assert boot.se == pytest.approx(wanted.boot_se, rel=0.03)
    assert boot.lo == pytest.approx(wanted.diff - 1.96 * wanted.boot_se, abs=0.1 * wanted.se)
    assert boot.hi == pytest.approx(wanted.diff + 1.96 * wanted.boot_se, abs=0.1 * wanted.se)
    assert (boot.draws, boot.seed) == (10_000, 1)


def test_both_ways_of_drawing_are_one_law() -> None:
    """31 items with two differences are drawn one by one, 32 by how often each occurs."""
    for n in (31, 32, 40):
        differences = [1.0] * 8 + [0.0] * (n - 8)
        assert _boot(differences).se == pytest.approx(math.sqrt(8 / n * (1 - 8 / n) / n), rel=0.03)


def test_bootstrap_of_small_samples_is_exact() -> None:
    """Of two items 1 and 0: means 0, 1/2, 1 with 1/4, 1/2, 1/4, so SE = sqrt(1/8)."""
    found = _boot([1, 0])
    assert (found.lo, found.hi) == (0, 1)
    assert found.se == pytest.approx(math.sqrt(1 / 8), rel=0.03)
    same = _boot([0.2] * 40)
    assert same.lo == pytest.approx(0.2)
    assert same.hi == pytest.approx(0.2)
    assert same.se == pytest.approx(0, abs=1e-12)


def test_a_seed_is_a_result() -> None:
    """Of whatever order; another seed, another one; and the confidence counts."""
    random = rng.Random(3)
    for kinds in (3, 1000):
        found = [random.randrange(kinds) / kinds for _ in range(60)]
        shuffled = random.sample(found, len(found))
        assert _boot(found, 7) == _boot(shuffled, 7)
        assert _boot(found, 7).se != _boot(found, 8).se
        narrow = paired_bootstrap(found, 7, confidence=0.5)
        assert narrow is not None
        assert _boot(found, 7).lo < narrow.lo < narrow.hi < _boot(found, 7).hi


def test_bootstrap_refuses() -> None:
    """Too few draws, a negative seed, what is no number; one item has none."""
    assert paired_bootstrap([1], 1) is None
    assert paired_bootstrap([], 1) is None
    with pytest.raises(ValueError, match="at least 10,000 draws, not 100"):
        paired_bootstrap([1, 0], 1, draws=100)
    with pytest.raises(ValueError, match="seed cannot be negative"):
        paired_bootstrap([1, 0], -1)
    with pytest.raises(ValueError, match="finite number"):
        paired_bootstrap([1, math.inf], 1)
    with pytest.raises(ValueError, match="confidence"):
        paired_bootstrap([1, 0], 1, confidence=1)
    more = paired_bootstrap([1, 0, 0.5], 1, draws=12_345)
    assert more is not None
    assert more.draws == 12_345


def test_bootstrap_is_quick() -> None:
    """1,000 items with 0/1 scores, 10,000 draws; the best of three on a busy machine."""
    random = rng.Random(4)
    differences = [float(random.choice([-1, 0, 1])) for _ in range(1000)]
    times = []
    for _ in range(3):
        start = time.perf_counter()
        _boot(differences)
        times.append(time.perf_counter() - start)
    assert min(times) < 0.1


def test_compare_by_hand() -> None:
    """On the items that both have; McNemar from the two that only one got right."""
    a = {"i": [1.0], "j": [1.0], "k": [0.0], "l": [1.0], "m": [], "x": [1.0]}
    b = {"l": [1.0], "k": [1.0], "j": [0.0], "i": [0.0], "m": [1.0], "y": [1.0]}
    found = compare(a, b, seed=5)
    assert found is not None
    assert (found.n, found.mean_a, found.mean_b) == (4, 0.75, 0.5)
    assert (found.wins, found.losses, found.ties) == (2, 1, 1)
    assert (found.only_a, found.only_b) == (2, 1)
    assert found.mcnemar == mcnemar_exact(2, 1) == 1
    assert found.paired == paired([1, 1, 0, 1], [0, 0, 1, 1])
    assert found.bootstrap == paired_bootstrap([1, 1, -1, 0], 5)


def test_compare_repeats() -> None:
    """Means of attempts; no McNemar; only-one-right means always against never."""
    a = {"i": [1.0, 1.0], "j": [1.0, 0.0], "k": [0.0, 0.0, 1.0], "l": [1.0], "m": [0.0]}
    b = {"i": [0.0, 0.0], "j": [1.0], "k": [0.0, 1.0, 0.0], "l": [0.0, 1.0], "m": [0.0, 1.0]}
    found = compare(a, b, seed=5)
    assert found is not None
    assert (found.wins, found.losses, found.ties) == (2, 2, 1)
    assert (found.only_a, found.only_b, found.mcnemar) == (1, 0, None)
    assert found.mean_a == pytest.approx((1 + 0.5 + 1 / 3 + 1 + 0) / 5)
    partial = compare({"i": [0.5], "j": [1.0]}, {"i": [0.0], "j": [1.0]}, seed=5)
    assert partial is not None
    assert partial.mcnemar is None


def test_compare_little() -> None:
    """One shared item: counts and McNemar, no interval; none: nothing."""
    found = compare({"i": [1.0]}, {"i": [0.0]}, seed=1)
    assert found is not None
    assert (found.n, found.wins, found.mcnemar) == (1, 1, 1)
    assert (found.paired, found.bootstrap) == (None, None)
    assert compare({"i": [1.0]}, {"j": [1.0]}, seed=1) is None
    assert compare({"i": [1.0]}, {"i": []}, seed=1) is None
    with pytest.raises(ValueError, match="a score must be"):
        compare({"i": [1.5]}, {"i": [1.0]}, seed=1)


@given(st.dictionaries(st.sampled_from("ijklmn"), st.lists(FIFTHS, min_size=1, max_size=3)))
def test_compare_with_itself(scores: dict[str, list[float]]) -> None:
    """All ties, no difference, p of 1."""
    found = compare(scores, dict(reversed(scores.items())), seed=1)
    if not scores:
        assert found is None
        return
    assert found is not None
    assert (found.ties, found.wins, found.losses) == (len(scores), 0, 0)
    assert found.mean_a == found.mean_b
    if found.paired is not None:
        assert (found.paired.p, found.paired.diff) == (1, 0)
    assert found.mcnemar in (None, 1)
