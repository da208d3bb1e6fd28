"""Means over problems that depend on each other, with standard errors that allow for it.

Source of the formulas: STATISTICS, section 6 (cluster-robust standard errors; the kernel for
overlapping groups is our choice).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass

from relaybench.stats.intervals import DEFAULT_CONFIDENCE
from relaybench.stats.student import t_quantile

_ROUNDING = 1e-9  # two exact groups must not fail to be two because of 1/sqrt(3)


@dataclass(frozen=True, slots=True)
class ClusteredMean:
    """Mean of ``n`` scores in ``groups`` disjoint groups; no SE and no ends for a single group.

    The ends are mean ± t(groups - 1)·SE, not cut to [0, 1].
    """

    mean: float
    se: float | None
    lo: float | None
    hi: float | None
    groups: int
    n: int


@dataclass(frozen=True, slots=True)
class OverlapMean:
    """Mean of ``n`` scores whose problems share classes, with the wider of two intervals.

    ``eff_groups`` (Ge) is the number of independent groups that would overlap as little: below
    10 the interval rests on few of them, which must be said. ``kernel_se`` is None for Ge < 2,
    and all but the mean and Ge for n < 2. The ends are cut to [0, 1].
    """

    mean: float
    iid_se: float | None
    kernel_se: float | None
    eff_groups: float
    lo: float | None
    hi: float | None
    n: int


def _mean(scores: Sequence[float], partners: int, what: str) -> float:
    """Mean of the scores; ValueError unless every one is in [0, 1] and has its partner."""
    if len(scores) != partners:
        raise ValueError(f"{len(scores)} scores but {partners} {what}")
    for score in scores:
        if not 0 <= score <= 1:
            raise ValueError(f"a score must be between 0 and 1, not {score!r}")
    return math.fsum(scores) / len(scores)


def _group_se(squares: float, groups: float, n: int) -> float:
    """sqrt(G/(G-1)·squares)/n, squares the sum over groups of their squared residual sums."""
    return math.sqrt(groups / (groups - 1) * squares) / n


def clustered(
    scores: Sequence[float], groups: Sequence[Hashable], confidence: float = DEFAULT_CONFIDENCE
) -> ClusteredMean | None:
    """Mean score with one group per problem; None without scores.

    e_i = s_i - mean, SE = sqrt(G/(G-1) Σ_g(Σ_{i in g} e_i)²)/n, interval ± t(G-1)·SE; no SE for
    G = 1. ValueError for scores outside [0, 1] or another number of groups than of scores.
    """
    if not scores and not groups:
        return None
    mean = _mean(scores, len(groups), "groups")
    members: dict[Hashable, list[float]] = {}
    for score, group in zip(scores, groups, strict=True):
        members.setdefault(group, []).append(score - mean)
    n, count = len(scores), len(members)
    if count < 2:
        return ClusteredMean(mean, None, None, None, count, n)
    squares = math.fsum(math.fsum(residuals) ** 2 for residuals in members.values())
    se = _group_se(squares, count, n)
    half = t_quantile(count - 1, confidence) * se
    return ClusteredMean(mean, se, mean - half, mean + half, count, n)


def _kernel_sum(values: Sequence[float], classes: Sequence[Collection[str]]) -> float:
    """vᵀKv without forming K: it is the Gram matrix of class vectors of length 1."""
    parts: dict[str, list[float]] = {}
    alone: list[float] = []
    for value, names in zip(values, classes, strict=True):
        distinct = set(names)
        if not distinct:
            alone.append(value * value)
        for name in distinct:
            parts.setdefault(name, []).append(value / math.sqrt(len(distinct)))
    return math.fsum([*(math.fsum(part) ** 2 for part in parts.values()), *alone])


def overlap_clustered(
    scores: Sequence[float],
    classes: Sequence[Collection[str]],
    confidence: float = DEFAULT_CONFIDENCE,
) -> OverlapMean | None:
    """Mean score of problems that each name several classes; None without scores.

    K_ij = |C_i ∩ C_j|/sqrt(|C_i||C_j|) (a problem without classes depends on none), Ge = n²/ΣK,
    kernel_se = sqrt(Ge/(Ge-1) eᵀKe)/n if Ge >= 2, iid_se = sd/sqrt(n); half width = the larger
    of t(n-1)·iid_se and t(Ge-1)·kernel_se. ValueError for scores outside [0, 1] or another
    number of class sets than of scores.
    """
    if not scores and not classes:
        return None
    mean = _mean(scores, len(classes), "class sets")
    n = len(scores)
    eff_groups = n * n / _kernel_sum([1.0] * n, classes)
    if n < 2:
        return OverlapMean(mean, None, None, eff_groups, None, None, n)
    residuals = [score - mean for score in scores]
    iid_se = math.sqrt(math.fsum(e * e for e in residuals) / (n - 1) / n)
    half = t_quantile(n - 1, confidence) * iid_se
    kernel_se: float | None = None
    if eff_groups >= 2 - _ROUNDING:
        kernel_se = _group_se(_kernel_sum(residuals, classes), eff_groups, n)
        half = max(half, t_quantile(eff_groups - 1, confidence) * kernel_se)
    return OverlapMean(
        mean, iid_se, kernel_se, eff_groups, max(0.0, mean - half), min(1.0, mean + half), n
    )
