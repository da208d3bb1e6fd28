"""Two model configs on the same problems: exact McNemar, paired t, paired bootstrap, win/loss/tie.

Source of the formulas: STATISTICS, section 5. Differences are the first minus the second.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from relaybench.stats.intervals import DEFAULT_CONFIDENCE, Interval, problem_means
from relaybench.stats.joint_bootstrap import joint_bootstrap
from relaybench.stats.student import t_quantile, t_two_sided_p

_DECIMALS: Final = 12  # 2/3 - 1/3 and 1/3 - 0 are one difference
_BITS: Final = 80  # a double holds 53

#: Scores in [0, 1] by problem: of its attempts, or the means of its items.
Scores = Mapping[str, Sequence[float]]


class PairedTest(StrEnum):
    """What a p-value of paired scores is of; ``Comparison`` says when it is which."""

    MCNEMAR = "McNemar exact"
    PAIRED_T = "paired t"
    SIGN = "exact sign"


@dataclass(frozen=True, slots=True)
class Paired:
    """Mean paired difference over ``n`` problems with its t interval and two-sided p-value.

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

    @property
    def interval(self) -> Interval | None:
        """The t interval cut to [-1, 1], for no difference of shares is larger.

        None where all differences are equal: without a spread Student's t would know the mean
        without any doubt.
        """
        if self.se == 0:
            return None
        return Interval(max(-1.0, self.lo), min(1.0, self.hi))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two configs, A and B, on the ``n`` problems that both attempted.

    ``wins``, ``losses`` and ``ties`` count the problems where the mean score of A is above, below
    or at that of B. ``only_a`` counts the problems where A was right in every attempt and B in
    none, ``only_b`` the reverse.

    ``test`` and its p-value ``p``: McNemar's exact test where every problem's mean score on both
    sides is exactly 0 or 1 (``mcnemar``, None elsewhere); else the paired t test; where all
    differences are equal, the exact sign test over wins and losses. A problem that was right, or
    wrong, throughout is a 0/1 outcome however often it was attempted: an attempt that repeats
    the others' result is no reason for another test. Without a spread Student's t would know the
    difference without any doubt, so there is no ``interval`` then, of whatever test, and no
    ``bootstrap``. All but the counts and means is None for n < 2.
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
    bootstrap: Interval | None = None

    @property
    def test(self) -> PairedTest | None:
        """The test that the scores allow."""
        if self.paired is None:
            return None
        if self.mcnemar is not None:
            return PairedTest.MCNEMAR
        return PairedTest.PAIRED_T if self.paired.se > 0 else PairedTest.SIGN

    @property
    def p(self) -> float | None:
        """Two-sided p-value of ``test``, in [0, 1]."""
        if self.paired is None:
            return None
        if self.mcnemar is not None:
            return self.mcnemar
        return self.paired.p if self.paired.se > 0 else mcnemar_exact(self.wins, self.losses)

    @property
    def interval(self) -> Interval | None:
        """95% t interval of the mean difference, as ``Paired.interval``."""
        return self.paired.interval if self.paired else None


def mcnemar_exact(only_a: int, only_b: int) -> float:
    """Two-sided exact McNemar p-value from the problems that only A, and only B, got right.

    min(1, 2 P(X <= min(b, c))), X ~ Bin(b + c, 1/2); 1 where b = c, 0 and 0 included. Integer
    binomials divided once, so the tail neither overflows nor vanishes early. ValueError for a
    negative count.
    """
    if only_a < 0 or only_b < 0:
        raise ValueError(f"discordant problems cannot be negative: {only_a} and {only_b}")
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
    """Paired t of mean scores, a[i] and b[i] of one problem; None for n < 2.

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
        raise ValueError(f"paired scores must be of the same problems: {len(a)} and {len(b)}")
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


def compare_pairs(pairs: Sequence[tuple[Scores, Scores]], seed: int) -> list[Comparison | None]:
    """Each pair, A and B, over the problems that both have scores of; None where there is none.

    Keys are what tells problems apart. Neither their order nor the other pairs change a result, and
    one ``seed`` gives one bootstrap. ValueError for scores outside [0, 1] or a negative seed.
    """
    # The same scores stand in many pairs: their means are made once.
    configs = {id(scores): scores for pair in pairs for scores in pair}
    means = {number: _means(scores) for number, scores in configs.items()}
    found: list[Comparison | None] = []
    spread: dict[int, list[float]] = {}
    for place, (a, b) in enumerate(pairs):
        each, differences = _compare(means[id(a)], means[id(b)])
        found.append(each)
        if each and each.interval:
            spread[place] = differences
    drawn = joint_bootstrap(list(spread.values()), seed)
    for place, bootstrap in zip(spread, drawn, strict=True):
        each = found[place]
        found[place] = each and replace(each, bootstrap=bootstrap)
    return found


def _means(scores: Scores) -> dict[str, float]:
    """The mean score of each problem that was attempted."""
    tried = {problem: found for problem, found in scores.items() if len(found)}
    return dict(zip(tried, problem_means(list(tried.values())), strict=True))


def _compare(
    a: Mapping[str, float], b: Mapping[str, float]
) -> tuple[Comparison | None, list[float]]:
    """The comparison of mean scores, yet without its bootstrap, and the differences."""
    shared = [problem for problem in a if problem in b]
    if not shared:
        return None, []
    n = len(shared)
    means_a = [a[problem] for problem in shared]
    means_b = [b[problem] for problem in shared]
    differences = _differences(means_a, means_b)
    only_a = sum(x == 1 and y == 0 for x, y in zip(means_a, means_b, strict=True))
    only_b = sum(x == 0 and y == 1 for x, y in zip(means_a, means_b, strict=True))
    throughout = n > 1 and {0, 1}.issuperset((*means_a, *means_b))
    compared = Comparison(
        n=n,
        mean_a=math.fsum(means_a) / n,
        mean_b=math.fsum(means_b) / n,
        wins=sum(d > 0 for d in differences),
        losses=sum(d < 0 for d in differences),
        ties=sum(d == 0 for d in differences),
        only_a=only_a,
        only_b=only_b,
        mcnemar=mcnemar_exact(only_a, only_b) if throughout else None,
        paired=_paired(differences, DEFAULT_CONFIDENCE),
    )
    return compared, differences
