"""pass@k and pass^k: laws, and every way to draw k attempts counted."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.stats.pass_k import PassBench, pass_at_k, pass_bench, pass_hat_k

PROBLEMS = st.lists(
    st.integers(4, 40).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))),
    min_size=1,
    max_size=8,
)


def _bench(problems: list[tuple[int, int]], k: int) -> PassBench:
    found = pass_bench(problems, k)
    assert found is not None
    return found


@pytest.mark.parametrize("n", range(1, 7))
def test_every_draw_counted(n: int) -> None:
    """The share of all draws of k attempts with one, and with all, correct."""
    for c in range(n + 1):
        attempts = [True] * c + [False] * (n - c)
        for k in range(1, n + 1):
            draws = list(combinations(attempts, k))
            assert pass_at_k(n, c, k) == sum(map(any, draws)) / len(draws)
            assert pass_hat_k(n, c, k) == sum(map(all, draws)) / len(draws)


@given(PROBLEMS, st.integers(1, 3))
def test_laws(problems: list[tuple[int, int]], k: int) -> None:
    """pass^k falls and pass@k rises with k, from the same pass@1; order is nothing."""
    first, found, more = _bench(problems, 1), _bench(problems, k), _bench(problems, k + 1)
    assert first.pass_at_k == first.pass_hat_k
    assert 0 <= more.pass_hat_k <= found.pass_hat_k <= first.pass_at_k
    assert first.pass_at_k <= found.pass_at_k <= more.pass_at_k <= 1
    assert found == _bench(problems[::-1], k)


def test_undefined() -> None:
    """Unless 1 <= k <= n; a benchmark if for any of its problems."""
    assert pass_at_k(3, 2, 4) is None
    assert pass_hat_k(3, 2, 0) is None
    assert pass_at_k(0, 0, 1) is None
    assert pass_bench([], 1) is None
    assert pass_bench([(5, 5), (2, 2)], 3) is None
    assert pass_bench([(5, 5), (0, 0)], 1) is None
    assert pass_bench([(5, 5), (3, 0)], 3) == PassBench(0.5, 0.5)


@pytest.mark.parametrize(("n", "c"), [(3, 4), (3, -1), (-1, 0)])
def test_impossible_counts(n: int, c: int) -> None:
    """Refused in words, even where k would make the value undefined."""
    for k in (1, 5):
        with pytest.raises(ValueError, match="correct attempts"):
            pass_at_k(n, c, k)
        with pytest.raises(ValueError, match="correct attempts"):
            pass_hat_k(n, c, k)


def test_large_counts() -> None:
    """No overflow, and no cancellation in what is small."""
    assert pass_at_k(20_000, 10_000, 5_000) == 1
    assert pass_hat_k(20_000, 19_999, 10_000) == 0.5
    assert pass_at_k(10**15, 1, 1) == 1e-15
