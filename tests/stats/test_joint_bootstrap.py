"""Many bootstraps at once: the law of one, and nothing but the seed counts."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaybench.stats.joint_bootstrap import compare_pairs, joint_bootstrap
from relaybench.stats.paired import compare, paired, paired_bootstrap

SCORES = st.dictionaries(
    st.sampled_from("abcdefgh"), st.lists(st.sampled_from([0.0, 1.0, 0.5]), max_size=3)
)


def some(n: int, seed: int, kinds: int = 11) -> list[float]:
    draw = random.Random(seed)
    return [draw.randrange(kinds) / (kinds - 1) * 2 - 1 for _ in range(n)]


def test_its_limit_is_the_known_one() -> None:
    """SE within 3 percent of sqrt(Σ(d - mean)²)/n, ends near the normal ones, for each list."""
    lists = [some(300, 1), some(300, 2, kinds=1000), some(50, 3)]
    for differences, found in zip(lists, joint_bootstrap(lists, 5), strict=True):
        exact = paired(differences, [0.0] * len(differences))
        assert exact
        assert found.se == pytest.approx(exact.boot_se, rel=0.03)
        assert found.lo == pytest.approx(exact.diff - 1.96 * exact.boot_se, abs=0.15 * exact.se)
        assert found.hi == pytest.approx(exact.diff + 1.96 * exact.boot_se, abs=0.15 * exact.se)
        alone = paired_bootstrap(differences, 5)
        assert alone
        assert found.se == pytest.approx(alone.se, rel=0.04)
        assert (found.draws, found.seed) == (10_000, 5)


def test_two_items_are_exact() -> None:
    """Of 1 and 0: means 0, 1/2, 1 with 1/4, 1/2, 1/4."""
    (found,) = joint_bootstrap([[1, 0]], 1)
    assert (found.lo, found.hi) == (0, 1)
    assert found.se == pytest.approx(math.sqrt(1 / 8), rel=0.03)
    (same,) = joint_bootstrap([[0.2, 0.2, 0.2]], 1)
    assert (same.lo, same.hi) == (0.2, 0.2)
    (thirds,) = joint_bootstrap([[2 / 3 - 1 / 3, 1 / 3]], 1)
    assert thirds.lo == thirds.hi


def test_the_others_and_the_order_are_nothing() -> None:
    lists = [some(40, seed) for seed in range(5)] + [some(300, 9)]
    together = joint_bootstrap(lists, 3)
    for differences, found in zip(lists, together, strict=True):
        (alone,) = joint_bootstrap([differences[::-1]], 3)
        assert (alone.lo, alone.hi) == (found.lo, found.hi)
        assert alone.se == pytest.approx(found.se, rel=1e-9)
    (other,) = joint_bootstrap(lists[:1], 4)
    assert abs(other.se - together[0].se) > 1e-6
    assert joint_bootstrap([], 3) == []


def test_it_refuses() -> None:
    with pytest.raises(ValueError, match="at least 10,000 draws, not 9"):
        joint_bootstrap([[1, 0]], 1, draws=9)
    with pytest.raises(ValueError, match="seed cannot be negative"):
        joint_bootstrap([[1, 0]], -1)
    with pytest.raises(ValueError, match="at least 2 differences"):
        joint_bootstrap([[1, 0], [1]], 1)


def test_repeats_that_agree_are_no_single_attempts() -> None:
    """All means are 0 or 1, and still there is no McNemar's test."""
    a, b = {"i": [1.0, 1.0], "j": [0.0]}, {"i": [0.0], "j": [0.0]}
    (repeated, single) = compare_pairs([(a, b), ({**a, "i": [1.0]}, b)], 1)
    assert repeated
    assert single
    assert (repeated.mcnemar, single.mcnemar) == (None, 1.0)


@given(SCORES, SCORES)
@settings(max_examples=40)
def test_a_pair_is_compared_as_alone(a: dict[str, list[float]], b: dict[str, list[float]]) -> None:
    """All but the bootstrap is that of ``compare``, McNemar's p of single attempts too."""
    (found, turned) = compare_pairs([(a, b), (b, a)], 1)
    wanted = compare(a, b, seed=None)
    if wanted is None:
        assert found is None is turned
        return
    assert found
    assert turned
    assert replace(found, bootstrap=None) == wanted
    assert (found.bootstrap is None) == (wanted.n < 2) == (found.paired is None)
    if found.bootstrap and turned.bootstrap:
        assert found.bootstrap.lo <= found.bootstrap.hi
        assert found.bootstrap.se == pytest.approx(turned.bootstrap.se, rel=0.1, abs=1e-9)
