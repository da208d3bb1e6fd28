"""Wilson score intervals of a proportion, for independent and for repeated attempts.

Source of the formulas: STATISTICS, section 1 (Wilson 1927; the effective sample size is our
choice). Interval ends are never rounded.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

DEFAULT_CONFIDENCE: Final = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval: of a proportion in [0, 1], of a difference of two in [-1, 1]."""

    lo: float
    hi: float


@dataclass(frozen=True, slots=True)
class Clustered:
    """Mean score over problems with an interval that allows for repeated attempts.

    ``n_eff`` is the number of independent attempts that would be as precise; ``problems`` and
    ``attempts`` are those that were counted.
    """

    p: float
    n_eff: float
    lo: float
    hi: float
    problems: int
    attempts: int


def z_quantile(confidence: float = DEFAULT_CONFIDENCE) -> float:
    """Two-sided quantile of the standard normal distribution: 1.95996... for 0.95.

    ValueError unless 0 < confidence < 1.
    """
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence must be between 0 and 1, not {confidence!r}")
    upper = 0.5 + confidence / 2
    if upper >= 1.0:
        raise ValueError(f"confidence {confidence!r} is too close to 1 for an interval")
    return NormalDist().inv_cdf(upper)


def wilson(k: float, n: float, confidence: float = DEFAULT_CONFIDENCE) -> Interval | None:
    """Wilson interval for k successes of n; k may be fractional, as may n. None where n = 0.

    p = k/n, D = 1 + z²/n, centre = (p + z²/2n)/D, half = (z/D) sqrt(p(1-p)/n + z²/4n²). Exactly
    0 below at k = 0 and exactly 1 above at k = n. ValueError unless 0 <= k <= n < infinity.
    """
    if not (math.isfinite(k) and math.isfinite(n)):
        raise ValueError(f"successes and trials must be finite numbers, not {k!r} of {n!r}")
    if not 0 <= k <= n:
        raise ValueError(f"successes must be between 0 and the trials, not {k!r} of {n!r}")
    z = z_quantile(confidence)
    if n == 0:
        return None
    p = k / n
    denominator = n + z * z
    centre = (k + z * z / 2) / denominator
    half = z * math.sqrt(n * p * (1 - p) + z * z / 4) / denominator
    # Rounding must put neither end beyond the estimate or outside of [0, 1].
    lo = 0.0 if k == 0 else min(p, max(0.0, centre - half))
    hi = 1.0 if k == n else max(p, min(1.0, centre + half))
    return Interval(lo, hi)


def problem_means(attempts: Sequence[Sequence[float]]) -> list[float]:
    """Mean score of every problem that has attempts; ValueError for scores outside [0, 1]."""
    means = []
    for scores in attempts:
        if not len(scores):
            continue
        mean = math.fsum(scores) / len(scores)
        # NaN hides from min and max, but never from a mean.
        if min(scores) < 0 or max(scores) > 1 or math.isnan(mean):
            wrong = next(score for score in scores if not 0 <= score <= 1)
            raise ValueError(f"a score must be between 0 and 1, not {wrong!r}")
        means.append(mean)
    return means


def wilson_clustered(
    attempts: Sequence[Sequence[float]], confidence: float = DEFAULT_CONFIDENCE
) -> Clustered | None:
    """Wilson interval for scores with several attempts per problem; None without attempts.

    n_eff = p(1-p)/SE², SE² = var(problem means, ddof 1)/m over m problems, held between m and
    the number of attempts; n_eff = m if m < 2 or p is 0 or 1, = attempts if SE = 0; then
    Wilson(p n_eff, n_eff). Problems without attempts are left out. ValueError for scores outside
    [0, 1].
    """
    means = problem_means(attempts)
    m = len(means)
    if m == 0:
        return None
    total = sum(len(scores) for scores in attempts)
    p = math.fsum(means) / m
    n_eff = float(m)
    if m >= 2 and 0 < p < 1:
        squared_error = math.fsum((mean - p) ** 2 for mean in means) / (m - 1) / m
        spread = p * (1 - p)
        # spread / squared_error may overflow where the means are all but equal
        if squared_error * total <= spread:
            n_eff = float(total)
        else:
            n_eff = max(float(m), spread / squared_error)
    interval = wilson(min(p * n_eff, n_eff), n_eff, confidence)
    if interval is None:  # n_eff >= m >= 1
        raise AssertionError("an effective sample size of 0")
    return Clustered(
        p=p,
        n_eff=n_eff,
        lo=min(p, interval.lo),
        hi=max(p, interval.hi),
        problems=m,
        attempts=total,
    )
