"""Means of single repeats, side by side; all repeats together are ``rates.score_summary``.

Source of the formulas: STATISTICS, section 1. Within one repeat every problem has one attempt, so
the plain Wilson interval holds; over several, attempts at one problem are not independent.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from relaybench.stats.intervals import DEFAULT_CONFIDENCE, Interval, problem_means, wilson


@dataclass(frozen=True, slots=True)
class RepeatMean:
    """Mean score of one repeat (its number as given) over the ``n`` problems that have it."""

    repeat: int
    n: int
    mean: float
    interval: Interval


def per_repeat(
    scores_by_problem: Sequence[Mapping[int, float]], confidence: float = DEFAULT_CONFIDENCE
) -> list[RepeatMean]:
    """Mean and Wilson interval of every repeat that occurs, in order of its number.

    One mapping from repeat to score in [0, 1] per problem; a problem counts in the repeats that
    it has. Empty without scores. ValueError for scores outside [0, 1].
    """
    scores: dict[int, list[float]] = {}
    for problem in scores_by_problem:
        for repeat, score in problem.items():
            scores.setdefault(repeat, []).append(score)
    means: list[RepeatMean] = []
    for repeat, found in sorted(scores.items()):
        (mean,) = problem_means([found])
        n = len(found)
        interval = wilson(min(math.fsum(found), n), n, confidence)
        if interval is None:  # a repeat is listed because it has a score
            raise AssertionError("a repeat without scores")
        means.append(RepeatMean(repeat, n, mean, interval))
    return means
