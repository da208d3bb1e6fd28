"""The paired bootstrap of many comparisons at once: they share their resamples.

Source of the formulas: STATISTICS, section 5 (Efron 1979). One comparison gets the same interval
alone and among others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from relaybench.stats.intervals import DEFAULT_CONFIDENCE, Interval

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

#: Resamples of every bootstrap.
DRAWS: Final = 10_000
_DECIMALS: Final = 12
_CHUNK: Final = 1_000_000  # numbers held at once: 8 MB
_TAIL: Final = (1 - DEFAULT_CONFIDENCE) / 2


def joint_bootstrap(families: Sequence[Sequence[float]], seed: int) -> list[Interval]:
    """95% percentile intervals of the means of several lists of paired differences.

    Lists of one length share their resamples, so that many of them cost little more than one. The
    order of the items and the other lists are nothing to a result. ValueError for a negative seed
    or a list of fewer than 2.
    """
    if seed < 0:
        raise ValueError(f"a seed cannot be negative: {seed}")
    if any(len(differences) < 2 for differences in families):
        raise ValueError("a bootstrap needs at least 2 differences")
    by_length: dict[int, list[int]] = {}
    for place, differences in enumerate(families):
        by_length.setdefault(len(differences), []).append(place)
    found: dict[int, Interval] = {}
    for places in by_length.values():
        means = resampled_means([families[place] for place in places], seed)
        found.update(zip(places, _intervals(means), strict=True))
    return [found[place] for place in range(len(families))]


def _intervals(means: NDArray[float64]) -> list[Interval]:
    import numpy as np

    lows, highs = np.quantile(means, [_TAIL, 1 - _TAIL], axis=0) + 0.0  # no -0.0
    return [Interval(float(lo), float(hi)) for lo, hi in zip(lows, highs, strict=True)]


def resampled_means(families: Sequence[Sequence[float]], seed: int) -> NDArray[float64]:
    """Means of DRAWS resamples (rows) of each list of differences (columns), all of one length n.

    A resample is how often each place of the sorted lists is drawn. In the limit the standard
    deviation of a column is sqrt(sum (d - mean)²)/n.
    """
    import numpy as np

    n = len(families[0])
    values = np.array([sorted(differences) for differences in families], dtype=np.float64).T
    generator = np.random.Generator(np.random.PCG64(seed))
    means = np.empty((DRAWS, len(families)))
    rows = max(1, _CHUNK // n)
    for start in range(0, DRAWS, rows):
        size = min(rows, DRAWS - start)
        places = generator.integers(0, n, (size, n)) + n * np.arange(size)[:, None]
        counts = np.bincount(places.ravel(), minlength=size * n).reshape(size, n)
        means[start : start + size] = counts.astype(np.float64) @ values / n
    # Products of matrices may differ in their last digits by how many columns there are.
    return means.round(_DECIMALS)
