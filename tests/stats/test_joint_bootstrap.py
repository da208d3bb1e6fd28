"""The bootstrap: held to its limit, exact for small samples, and nothing but the seed counts."""

from __future__ import annotations

import random
import time

import pytest

from relaybench.stats.intervals import Interval
from relaybench.stats.joint_bootstrap import DRAWS, joint_bootstrap, resampled_means
from relaybench.stats.paired import Paired, paired


def some(n: int, seed: int, kinds: int = 11) -> list[float]:
    draw = random.Random(seed)
    return [draw.randrange(kinds) / (kinds - 1) * 2 - 1 for _ in range(n)]


def limit(differences: list[float]) -> Paired:
    found = paired(differences, [0.0] * len(differences))
    assert found is not None
    return found


def test_its_limit_is_the_known_one() -> None:
    """SE within 3 percent of sqrt(Σ(d - mean)²)/n: three, some, all differences distinct."""
    lists = [some(300, 0, kinds=3), some(300, 1), some(300, 2, kinds=1000)]
    means = resampled_means(lists, 5)
    assert means.shape == (DRAWS, 3) == (10_000, 3)
    for differences, error, mean in zip(lists, means.std(axis=0), means.mean(axis=0), strict=True):
        exact = limit(differences)
        assert float(error) == pytest.approx(exact.boot_se, rel=0.03)
        assert float(mean) == pytest.approx(exact.diff, abs=0.03 * exact.boot_se)
    (one, five) = (float(resampled_means([some(n, 3)], 5).std()) for n in (5, 50))
    assert one == pytest.approx(limit(some(5, 3)).boot_se, rel=0.03)
    assert five == pytest.approx(limit(some(50, 3)).boot_se, rel=0.03)


def test_its_ends_are_near_the_normal_ones() -> None:
    """Of lists of different lengths, each in its place."""
    lists = [some(300, 1), some(50, 3), some(300, 2, kinds=1000)]
    for differences, found in zip(lists, joint_bootstrap(lists, 5), strict=True):
        exact = limit(differences)
        assert found.lo == pytest.approx(exact.diff - 1.96 * exact.boot_se, abs=0.15 * exact.se)
        assert found.hi == pytest.approx(exact.diff + 1.96 * exact.boot_se, abs=0.15 * exact.se)


def test_two_items_are_exact() -> None:
    """Of 1 and 0: means 0, 1/2, 1 with 1/4, 1/2, 1/4."""
    means = resampled_means([[1, 0]], 1)
    assert float((means == 0.5).mean()) == pytest.approx(1 / 2, abs=0.02)
    assert float((means == 1).mean()) == pytest.approx(1 / 4, abs=0.02)
    assert joint_bootstrap([[1, 0]], 1) == [Interval(0, 1)]


@pytest.mark.parametrize("differences", [[0.2] * 3, [-1e-15, -1e-15], [2 / 3 - 1 / 3, 1 / 3]])
def test_equal_differences_have_one_mean(differences: list[float]) -> None:
    (same,) = joint_bootstrap([differences], 1)
    assert same.lo == same.hi == pytest.approx(differences[0])
    assert "-" not in repr(same)  # no -0.0


def test_the_others_and_the_order_are_nothing() -> None:
    lists = [some(40, seed) for seed in range(5)] + [some(300, 9)]
    together = joint_bootstrap(lists, 3)
    alone = [joint_bootstrap([differences[::-1]], 3) for differences in lists]
    assert [[each] for each in together] == alone
    assert joint_bootstrap([], 3) == []


def test_a_seed_is_a_result() -> None:
    """The same seed the same numbers, another one others."""
    found = some(40, 1, kinds=1000)
    assert joint_bootstrap([found], 3) == joint_bootstrap([found], 3)
    assert joint_bootstrap([found], 3) != joint_bootstrap([found], 4)


def test_it_refuses() -> None:
    with pytest.raises(ValueError, match="seed cannot be negative"):
        joint_bootstrap([[1, 0]], -1)
    with pytest.raises(ValueError, match="at least 2 differences"):
        joint_bootstrap([[1, 0], [1]], 1)


def test_many_cost_little_more_than_one() -> None:
    """190 lists of 200 items cost less than a quarter of 190 single ones, in CPU time."""

    def seconds(lists: list[list[float]]) -> float:
        start = time.process_time()
        joint_bootstrap(lists, 1)
        return time.process_time() - start

    lists = [some(200, seed) for seed in range(190)]
    joint_bootstrap(lists[:1], 1)
    many, one = (min(seconds(each) for _ in range(3)) for each in (lists, lists[:1]))
    assert many < 190 / 4 * one
