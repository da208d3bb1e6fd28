"""Shares of a run that are reported: pass@1, coverage, hallucination, cache rate, and a summary.

Source of the formulas: STATISTICS, sections 1 and 3; coverage and cache rate: DESIGN, sections 6
and 8. None means undefined; every function says when.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from relaybench.stats.intervals import (
    DEFAULT_CONFIDENCE,
    Interval,
    problem_means,
    wilson,
    wilson_clustered,
)
from relaybench.stats.student import t_quantile


@dataclass(frozen=True, slots=True)
class Hallucination:
    """Share of wrong ones among the parseable answers, and how many were parseable at all.

    To be shown together: who rarely gives an answer rarely gives a wrong one.
    """

    rate: float
    interval: Interval
    parseable: int
    parse_rate: float


@dataclass(frozen=True, slots=True)
class Omniscience:
    """Omniscience index in [-100, 100] over ``n`` questions, and the share answered correctly.

    ``se`` and the ends, on the scale of the index, are None for n < 2.
    """

    index: float
    accuracy: float
    se: float | None
    lo: float | None
    hi: float | None
    n: int


@dataclass(frozen=True, slots=True)
class ScoreSummary:
    """Pass@1 of one model with its interval and what it rests on.

    ``clustered``: some problem has several attempts, so the interval is the clustered one and
    ``n_eff`` may differ from ``attempts``. ``left_out`` counts problems without attempts.
    """

    p: float
    interval: Interval
    problems: int
    attempts: int
    n_eff: float
    clustered: bool
    left_out: int


def _count(name: str, value: int) -> int:
    if value < 0:
        raise ValueError(f"{name} cannot be negative: {value}")
    return value


def pass_at_1(attempts: Sequence[Sequence[float]]) -> float | None:
    """Mean over problems of the mean score of their attempts; None without any attempt.

    Problems without attempts are left out. ValueError for scores outside [0, 1].
    """
    means = problem_means(attempts)
    return math.fsum(means) / len(means) if means else None


def coverage(scored: int, planned: int) -> float | None:
    """Share of the planned attempts that are scored; None where none is planned.

    ValueError unless 0 <= scored <= planned.
    """
    if _count("scored attempts", scored) > _count("planned attempts", planned):
        raise ValueError(f"more attempts scored ({scored}) than planned ({planned})")
    return scored / planned if planned else None


def parse_rate(correct: int, wrong: int, unparsed: int) -> float | None:
    """Share of the attempts with a parseable answer; None without attempts."""
    parseable = _count("correct answers", correct) + _count("wrong answers", wrong)
    total = parseable + _count("unparsed answers", unparsed)
    return parseable / total if total else None


def hallucination(
    correct: int, wrong: int, unparsed: int, confidence: float = DEFAULT_CONFIDENCE
) -> Hallucination | None:
    """wrong / (correct + wrong) with Wilson(wrong, parseable); None without a parseable answer.

    ``unparsed`` counts all other scored attempts; it moves nothing but the parse rate.
    """
    share = parse_rate(correct, wrong, unparsed)
    parseable = correct + wrong
    interval = wilson(wrong, parseable, confidence)
    if interval is None or share is None:
        return None
    return Hallucination(wrong / parseable, interval, parseable, share)


def hallucination_of_misses(
    correct: int, incorrect: int, partial: int, abstain: int
) -> float | None:
    """incorrect / (incorrect + partial + abstain); None where nothing was missed.

    The other convention in use (STATISTICS, section 3): label it, and never mix it with
    ``hallucination`` in one column. ``correct`` moves nothing.
    """
    _count("correct answers", correct)
    misses = _count("incorrect answers", incorrect) + _count("partial answers", partial)
    misses += _count("abstentions", abstain)
    return incorrect / misses if misses else None


def omniscience(
    correct: int,
    incorrect: int,
    partial: int,
    abstain: int,
    confidence: float = DEFAULT_CONFIDENCE,
) -> Omniscience | None:
    """100 (correct - incorrect) / all; partial and abstained count 0. None without questions.

    With x in {1, 0, -1} per question: SE = sd(x, ddof 1)/sqrt(n), interval ± t(n-1)·SE, cut to
    [-100, 100].
    """
    n = _count("correct answers", correct) + _count("incorrect answers", incorrect)
    n += _count("partial answers", partial) + _count("abstentions", abstain)
    if n == 0:
        return None
    index, accuracy = 100 * (correct - incorrect) / n, correct / n
    if n < 2:
        return Omniscience(index, accuracy, None, None, None, n)
    # Whole numbers up to the root: equal answers have a spread of exactly 0.
    squares = n * (correct + incorrect) - (correct - incorrect) ** 2
    se = 100 * math.sqrt(squares / (n * n * (n - 1)))
    half = t_quantile(n - 1, confidence) * se
    return Omniscience(index, accuracy, se, max(-100.0, index - half), min(100.0, index + half), n)


def cache_rate(
    input: int | None, cached_input: int | None, cache_write: int | None
) -> float | None:
    """cached_input / (input + cached_input + cache_write), in tokens.

    None where no input was used, or fresh or cached input was not reported. Cache writes that
    were not reported count as none: providers without that bucket report its tokens as input.
    """
    if input is None or cached_input is None:
        return None
    total = _count("input tokens", input) + _count("cached input tokens", cached_input)
    total += _count("cache write tokens", cache_write or 0)
    return cached_input / total if total else None


def score_summary(
    attempts: Sequence[Sequence[float]], confidence: float = DEFAULT_CONFIDENCE
) -> ScoreSummary | None:
    """Pass@1 and its interval from one list of scores per problem; None without any attempt.

    Plain Wilson where every counted problem has one attempt, the clustered one otherwise.
    ValueError for scores outside [0, 1].
    """
    found = wilson_clustered(attempts, confidence)
    if found is None:
        return None
    clustered = found.attempts > found.problems
    interval: Interval | None = Interval(found.lo, found.hi)
    if not clustered:
        k = math.fsum(score for scores in attempts for score in scores)
        interval = wilson(min(k, found.problems), found.problems, confidence)
    if interval is None:  # there is at least one problem
        raise AssertionError("an interval of no problems")
    return ScoreSummary(
        p=found.p,
        interval=interval,
        problems=found.problems,
        attempts=found.attempts,
        n_eff=found.n_eff if clustered else float(found.problems),
        clustered=clustered,
        left_out=len(attempts) - found.problems,
    )
