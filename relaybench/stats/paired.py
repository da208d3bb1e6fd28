"""Two model configs on the same items: exact McNemar, paired t, paired bootstrap, win/loss/tie.

Source of the formulas: STATISTICS, section 5. Differences are the first minus the second.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from relaybench.stats.intervals import DEFAULT_CONFIDENCE, problem_means, z_quantile
from relaybench.stats.student import t_quantile, t_two_sided_p

DEFAULT_DRAWS: Final = 10_000
_DECIMALS: Final = 12  # 2/3 - 1/3 and 1/3 - 0 are one difference
_CHUNK: Final = 100_000  # numbers held at once: under 2 MB
_VALUE_COST: Final = 16  # one binomial takes as long as so many drawn items
_BITS: Final = 80  # a double holds 53


@dataclass(frozen=True, slots=True)
class Paired:
    """Mean paired difference over ``n`` items with its t interval and two-sided p-value.

    ``boot_se`` is the standard error that a paired bootstrap has in the limit.
    """

    diff: float
    se: float
    boot_se: float
    df: int
    lo: float
    hi: float
    p: float
    n: int


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """Percentile interval and standard error of a mean difference from ``draws`` resamples."""

    lo: float
    hi: float
    se: float
    draws: int
    seed: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two configs, A and B, on the ``n`` items that both attempted.

    ``wins``, ``losses`` and ``ties`` count the items where the mean score of A is above, below
    or at that of B. ``only_a`` counts the items where A was right in every attempt and B in
    none, ``only_b`` the reverse. ``mcnemar`` is None unless every item has exactly one 0/1 score
    on both sides; ``paired`` and ``bootstrap`` are None for n < 2.
    """

    n: int
    mean_a: float
    mean_b: float
    wins: int
    losses: int
    ties: int
    only_a: int
    only_b: int
    mcnemar: float | None
    paired: Paired | None
    bootstrap: Bootstrap | None


def mcnemar_exact(only_a: int, only_b: int) -> float:
    """Two-sided exact McNemar p-value from the items that only A, and only B, got right.

    min(1, 2 P(X <= min(b, c))), X ~ Bin(b + c, 1/2); 1 where b = c, 0 and 0 included. Integer
    binomials divided once, so the tail neither overflows nor vanishes early. ValueError for a
    negative count.
    """
    if only_a < 0 or only_b < 0:
        raise ValueError(f"discordant items cannot be negative: {only_a} and {only_b}")
    n, fewer = only_a + only_b, min(only_a, only_b)
    if only_a == only_b:
        return 1.0
    term = total = math.comb(n, fewer)
    for i in range(fewer, 0, -1):
        term = term * i // (n - i + 1)  # C(n, i - 1), exactly
        total += term
        if i * term < total >> _BITS:  # all that is left cannot move the quotient
            break
    return min(1.0, 2 * total / (1 << n))


def paired(
    a: Sequence[float], b: Sequence[float], confidence: float = DEFAULT_CONFIDENCE
) -> Paired | None:
    """Paired t of per-item mean scores, a[i] and b[i] of one item; None for n < 2.

    d_i = a_i - b_i, diff = mean d, SE = sd(d, ddof 1)/sqrt(n), interval ± t(n-1)·SE, p from
    t(n-1); SE = 0 gives p = 1 where diff = 0, else 0. boot_se = sqrt(Σ(d - mean)²)/n. Differences
    are taken to 12 decimals. ValueError for unequal lengths or a score that is not finite.
    """
    return _paired(_differences(a, b), confidence)


def _check_finite(score: float) -> None:
    if not math.isfinite(score):
        raise ValueError(f"a score must be a finite number, not {score!r}")


def _differences(a: Sequence[float], b: Sequence[float]) -> list[float]:
    if len(a) != len(b):
        raise ValueError(f"paired scores must be of the same items: {len(a)} and {len(b)}")
    for score in (*a, *b):
        _check_finite(score)
    return [round(x - y, _DECIMALS) + 0.0 for x, y in zip(a, b, strict=True)]  # no -0.0


def _paired(differences: Sequence[float], confidence: float) -> Paired | None:
    n = len(differences)
    if n < 2:
        return None
    if min(differences) == max(differences):
        # Said apart, because the rounding of a mean would leave a spread of its own.
        diff, squares = differences[0], 0.0
    else:
        # To as many decimals as its parts have: 1/3 + 1/3 - 2/3 is 0.
        diff = round(math.fsum(differences) / n, _DECIMALS) + 0.0
        squares = math.fsum((d - diff) ** 2 for d in differences)
    se = math.sqrt(squares / (n - 1) / n)
    half = t_quantile(n - 1, confidence) * se
    p = 1.0 if diff == 0 else 0.0
    if se > 0:
        p = t_two_sided_p(diff / se, n - 1)
    return Paired(diff, se, math.sqrt(squares) / n, n - 1, diff - half, diff + half, p, n)


def paired_bootstrap(
    differences: Sequence[float],
    seed: int,
    draws: int = DEFAULT_DRAWS,
    confidence: float = DEFAULT_CONFIDENCE,
) -> Bootstrap | None:
    """Percentile bootstrap of the mean of per-item differences; None for fewer than 2 items.

    Items are resampled with their pairs together, from sorted differences: the order of the
    items is nothing. Where few differences are distinct, how often each of them is drawn is one
    multinomial draw, the same by law. One seed gives one result.
    ValueError for a negative seed, fewer than 10,000 draws or a difference that is not finite.
    """
    if draws < DEFAULT_DRAWS:
        raise ValueError(f"a bootstrap needs at least {DEFAULT_DRAWS:,} draws, not {draws:,}")
    if seed < 0:
        raise ValueError(f"a seed cannot be negative: {seed}")
    for difference in differences:
        _check_finite(difference)
    z_quantile(confidence)  # refuses an impossible confidence
    n = len(differences)
    if n < 2:
        return None
    import numpy as np

    items = sorted(round(d, _DECIMALS) for d in differences)
    counts = Counter(items)
    by_value = len(counts) * _VALUE_COST <= n
    values = np.array(list(counts) if by_value else items)
    shares = np.array(list(counts.values())) / n
    generator = np.random.Generator(np.random.PCG64(seed))
    means = np.empty(draws)
    rows = max(1, _CHUNK // len(values))
    for start in range(0, draws, rows):
        size = min(rows, draws - start)
        if by_value:
            found = (generator.multinomial(n, shares, size) * values).sum(axis=1) / n
        else:
            found = values[generator.integers(0, n, (size, n), np.int32)].mean(axis=1)
        means[start : start + size] = found
    tail = (1 - confidence) / 2
    lo, hi = np.quantile(means, [tail, 1 - tail])
    return Bootstrap(float(lo), float(hi), float(means.std(ddof=1)), draws, seed)


def compare(
    a: Mapping[str, Sequence[float]],
    b: Mapping[str, Sequence[float]],
    seed: int | None,
    draws: int = DEFAULT_DRAWS,
    confidence: float = DEFAULT_CONFIDENCE,
) -> Comparison | None:
    """Compare scores in [0, 1] by item (one per attempt) over the items that both have.

    None without a shared item; an item without a score on either side is not shared. A seed of
    None leaves the bootstrap out. ValueError for scores outside [0, 1].
    """
    shared = sorted(item for item in a.keys() & b.keys() if len(a[item]) and len(b[item]))
    if not shared:
        return None
    n = len(shared)
    means_a = problem_means([a[item] for item in shared])
    means_b = problem_means([b[item] for item in shared])
    differences = _differences(means_a, means_b)
    only_a = sum(x == 1 and y == 0 for x, y in zip(means_a, means_b, strict=True))
    only_b = sum(x == 0 and y == 1 for x, y in zip(means_a, means_b, strict=True))
    single = all(
        len(scores) == 1 and scores[0] in (0, 1) for item in shared for scores in (a[item], b[item])
    )
    return Comparison(
        n=n,
        mean_a=math.fsum(means_a) / n,
        mean_b=math.fsum(means_b) / n,
        wins=sum(d > 0 for d in differences),
        losses=sum(d < 0 for d in differences),
        ties=sum(d == 0 for d in differences),
        only_a=only_a,
        only_b=only_b,
        mcnemar=mcnemar_exact(only_a, only_b) if single else None,
        paired=_paired(differences, confidence),
        bootstrap=None if seed is None else paired_bootstrap(differences, seed, draws, confidence),
    )
