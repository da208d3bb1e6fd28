"""Student's t distribution, the only one that the standard library lacks; SciPy is loaded late."""

from __future__ import annotations

import math
from functools import lru_cache

from relaybench.stats.intervals import DEFAULT_CONFIDENCE, z_quantile


def _check_df(df: float) -> None:
    if not (math.isfinite(df) and df > 0):
        raise ValueError(f"degrees of freedom must be a finite number above 0, not {df!r}")


@lru_cache(maxsize=4096)
def t_quantile(df: float, confidence: float = DEFAULT_CONFIDENCE) -> float:
    """Two-sided quantile of Student's t with ``df`` degrees of freedom (a fraction is allowed).

    The half width of an interval in standard errors: 2.0452... for df 29 at 0.95. ValueError
    unless df > 0 and 0 < confidence < 1.
    """
    _check_df(df)
    z_quantile(confidence)  # refuses an impossible confidence in our words
    from scipy.special import stdtrit

    return float(stdtrit(df, 0.5 + confidence / 2))


def t_two_sided_p(t: float, df: float) -> float:
    """P(|T| >= |t|) for Student's t with ``df`` degrees of freedom, in [0, 1].

    ValueError unless df > 0 and t is a number.
    """
    _check_df(df)
    if math.isnan(t):
        raise ValueError("a test statistic must be a number, not NaN")
    if t == 0:
        return 1.0
    from scipy.special import stdtr

    return min(1.0, 2 * float(stdtr(df, -abs(t))))
