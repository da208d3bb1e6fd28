"""The paired bootstrap of many comparisons at once: they share their resamples.

Source of the formulas: STATISTICS, section 5. One comparison gets the same interval alone and
among others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from relaybench.stats.intervals import DEFAULT_CONFIDENCE, problem_means
from relaybench.stats.paired import DEFAULT_DRAWS, Bootstrap, Comparison, compare

_DECIMALS: Final = 12  # as in ``paired``: 2/3 - 1/3 and 1/3 - 0 are one difference
_CHUNK: Final = 1_000_000  # numbers held at once: 8 MB
_TAIL: Final = (1 - DEFAULT_CONFIDENCE) / 2

Scores = Mapping[str, Sequence[float]]


def compare_pairs(
    pairs: Sequence[tuple[Scores, Scores]], seed: int, draws: int = DEFAULT_DRAWS
) -> list[Comparison | None]:
    """``paired.compare`` of each pair, with the bootstraps of ``joint_bootstrap``.

    None where a pair shares no item. ValueError as there.
    """
    # One config stands in many pairs: its means are made once.
    configs = {id(scores): scores for pair in pairs for scores in pair}
    means = {number: _means(scores) for number, scores in configs.items()}
    found: list[Comparison | None] = []
    several: list[int] = []
    differences: list[list[float]] = []
    for place, (a, b) in enumerate(pairs):
        ours, theirs = means[id(a)], means[id(b)]
        shared = [item for item in ours if item in theirs]
        each = compare(ours, theirs, seed=None)
        if each and not all(len(a[item]) == len(b[item]) == 1 for item in shared):
            each = replace(each, mcnemar=None)  # a mean of several is no single attempt
        found.append(each)
        if len(shared) > 1:
            several.append(place)
            differences.append([ours[item][0] - theirs[item][0] for item in shared])
    drawn = joint_bootstrap(differences, seed, draws)
    for place, bootstrap in zip(several, drawn, strict=True):
        each = found[place]
        if each:
            found[place] = replace(each, bootstrap=bootstrap)
    return found


def _means(scores: Scores) -> dict[str, tuple[float]]:
    """The mean score of each item as if it were of a single attempt."""
    tried = [item for item, found in scores.items() if len(found)]
    means = problem_means([scores[item] for item in tried])
    return {item: (mean,) for item, mean in zip(tried, means, strict=True)}


def joint_bootstrap(
    families: Sequence[Sequence[float]], seed: int, draws: int = DEFAULT_DRAWS
) -> list[Bootstrap]:
    """95% percentile bootstraps of the means of several lists of paired differences.

    n differences are resampled by how often each place of the sorted list is drawn; lists of one
    length share these counts, so that many of them cost little more than one. The order of the
    items and the other lists are nothing to a result. ValueError for a negative seed, fewer than
    10,000 draws, or a list of fewer than 2.
    """
    if draws < DEFAULT_DRAWS:
        raise ValueError(f"a bootstrap needs at least {DEFAULT_DRAWS:,} draws, not {draws:,}")
    if seed < 0:
        raise ValueError(f"a seed cannot be negative: {seed}")
    if any(len(differences) < 2 for differences in families):
        raise ValueError("a bootstrap needs at least 2 differences")
    by_length: dict[int, list[int]] = {}
    for place, differences in enumerate(families):
        by_length.setdefault(len(differences), []).append(place)
    found: dict[int, Bootstrap] = {}
    for n, places in by_length.items():
        columns = [sorted(round(d, _DECIMALS) for d in families[place]) for place in places]
        drawn = _bootstraps(columns, n, seed, draws)
        found.update(zip(places, drawn, strict=True))
    return [found[place] for place in range(len(families))]


def _bootstraps(
    columns: Sequence[Sequence[float]], n: int, seed: int, draws: int
) -> list[Bootstrap]:
    import numpy as np

    values = np.array(columns, dtype=np.float64).T
    generator = np.random.Generator(np.random.PCG64(seed))
    means = np.empty((draws, len(columns)))
    rows = max(1, _CHUNK // n)
    for start in range(0, draws, rows):
        size = min(rows, draws - start)
        places = generator.integers(0, n, (size, n)) + n * np.arange(size)[:, None]
        counts = np.bincount(places.ravel(), minlength=size * n).reshape(size, n)
        means[start : start + size] = counts.astype(np.float64) @ values / n
    # Products of matrices may differ in their last digits by how many columns there are.
    means = means.round(_DECIMALS)
    lows, highs = np.quantile(means, [_TAIL, 1 - _TAIL], axis=0)
    errors = means.std(axis=0, ddof=1)
    return [
        Bootstrap(float(lo) + 0.0, float(hi) + 0.0, float(se), draws, seed)
        for lo, hi, se in zip(lows, highs, errors, strict=True)
    ]
