"""What the pass rates of its steps predict for a composite, if steps fail independently.

The predicted rate p is the product of the step rates p_i. Its interval is our choice, in the way
of STATISTICS, section 1: the delta method gives var(ln p) = Σ (1-p_i)/(n_i p_i), that makes an
effective number of attempts n_eff = p(1-p)/(p² var(ln p)), and the interval is Wilson(p n_eff,
n_eff). A step that never failed would count as certain; in the variance, and only there, half an
attempt each way is added to it. In simulation (2 to 13 steps, 5 to 80 attempts each) the 95 %
interval covered 93 to 99 %; the plain delta method fell to 63 %, and the products of the Wilson
ends were nearly twice as wide. For one step that may fail it is Wilson's interval exactly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from relaybench.stats.intervals import DEFAULT_CONFIDENCE, Interval, wilson


@dataclass(frozen=True, slots=True)
class PredictedRate:
    """Product of the rates of ``steps`` steps; the least known of them rests on ``n`` attempts."""

    rate: float
    interval: Interval
    steps: int
    n: int


def _log_variance(rate: float, n: int) -> float:
    """Variance of ln(rate), for a rate above 0 of n attempts."""
    if rate == 1:
        rate, n = (n + 0.5) / (n + 1), n + 1
    return (1 - rate) / (n * rate)


def product(
    rates: Sequence[tuple[float, int]], confidence: float = DEFAULT_CONFIDENCE
) -> PredictedRate | None:
    """Predicted rate of a composite from (rate in [0, 1], attempts) of each of its steps.

    The interval is that of this module; where the product is 0 or 1, n_eff is the smallest
    number of attempts. Assumes that steps, and the estimates of their rates, are independent.
    None without steps or where a rate has no attempts. ValueError for a rate outside [0, 1] or
    negative attempts.
    """
    for rate, n in rates:
        if not 0 <= rate <= 1:
            raise ValueError(f"a rate must be between 0 and 1, not {rate!r}")
        if n < 0:
            raise ValueError(f"attempts cannot be negative: {n}")
    least = min((n for _, n in rates), default=0)
    if least == 0:
        return None
    p = math.prod(sorted(rate for rate, _ in rates))
    n_eff = float(least)
    if 0 < p < 1:
        n_eff = (1 - p) / (p * math.fsum(_log_variance(rate, n) for rate, n in rates))
    interval = wilson(min(p * n_eff, n_eff), n_eff, confidence)
    if interval is None:  # every step has attempts
        raise AssertionError("a predicted rate of no attempts")
    return PredictedRate(p, Interval(min(p, interval.lo), max(p, interval.hi)), len(rates), least)


def predicted_mean(items: Sequence[Sequence[tuple[float, int]]]) -> float | None:
    """Mean over composites, each given as in ``product``, of their predicted rates.

    None without composites, and where any of them has no predicted rate: it is never dropped in
    silence.
    """
    found = [product(rates) for rates in items]
    known = [predicted.rate for predicted in found if predicted is not None]
    if not known or len(known) < len(found):
        return None
    return math.fsum(known) / len(known)
