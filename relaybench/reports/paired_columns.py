"""What tables of paired differences share: columns, cells, correction of p-values, notes."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace
from typing import Final

from relaybench.reports.model_columns import with_interval
from relaybench.reports.tables import (
    EXACT_ONLY,
    NARROW,
    PAGE,
    WIDE,
    Column,
    Kind,
    Missing,
    Value,
    not_enough,
)
from relaybench.stats.joint_bootstrap import DRAWS
from relaybench.stats.multiplicity import holm
from relaybench.stats.paired import Comparison, PairedTest

#: The seed of every bootstrap unless told otherwise.
DEFAULT_SEED: Final = 0

_ALL_EQUAL: Final = Missing("all differences are equal")
_IN_PART: Final = Missing("some problem is neither right nor wrong throughout")


def difference_columns(what: str, mark: str | None = None) -> tuple[Column, ...]:
    """The essential: how many problems, the difference with its interval, p after correction."""
    return (
        Column("n", "Problems", Kind.WHOLE, "problems that are compared", NARROW),
        *with_interval("difference", "Difference", f"share, {what}", Kind.DIFFERENCE, mark=mark),
        Column("p_adjusted", "p (Holm)", Kind.P_VALUE, "corrected p-value", NARROW),
    )


def test_columns(wins: str, losses: str) -> tuple[Column, ...]:
    """How the problems went, the test and its p-value, and the interval by bootstrap."""
    return (
        Column("wins", wins, Kind.WHOLE, "problems", WIDE),
        Column("losses", losses, Kind.WHOLE, "problems", WIDE),
        Column("ties", "Ties", Kind.WHOLE, "problems", WIDE),
        Column("only_a", "Only A right", Kind.WHOLE, "problems, in all attempts", EXACT_ONLY),
        Column("only_b", "Only B right", Kind.WHOLE, "problems, in all attempts", EXACT_ONLY),
        Column("p", "p", Kind.P_VALUE, "p-value", PAGE, begins=True),
        Column("method", "Test", Kind.TEXT, "", WIDE),
        Column("mcnemar_p", "p, McNemar exact", Kind.P_VALUE, "p-value", EXACT_ONLY),
        Column("t_p", "p, paired t", Kind.P_VALUE, "p-value", EXACT_ONLY),
        Column(
            "bootstrap",
            "Bootstrap [95% CI]",
            Kind.DIFFERENCE,
            "share, the difference again",
            PAGE,
            low="bootstrap_low",
            high="bootstrap_high",
            begins=True,
        ),
        Column("bootstrap_low", "Bootstrap, low end", Kind.DIFFERENCE, "share", EXACT_ONLY),
        Column("bootstrap_high", "Bootstrap, high end", Kind.DIFFERENCE, "share", EXACT_ONLY),
        Column("bootstrap_seed", "Bootstrap, seed", Kind.WHOLE, "", EXACT_ONLY),
    )


_BOOTSTRAP: Final = ("bootstrap", "bootstrap_low", "bootstrap_high", "bootstrap_seed")
#: What ``paired_cells`` leaves empty where there are fewer than two problems.
_OF_TWO: Final = (
    "difference",
    "difference_low",
    "difference_high",
    "p",
    "p_adjusted",
    "method",
    "mcnemar_p",
    "t_p",
    *_BOOTSTRAP,
)
_OF_ONE: Final = ("pass_at_1_a", "pass_at_1_b", "wins", "losses", "ties", "only_a", "only_b")


def paired_cells(found: Comparison | None, seed: int) -> dict[str, Value]:
    """Cells of one paired comparison, all but the corrected p-value (``correct`` adds it).

    ``seed`` is that of its bootstrap.
    """
    if found is None:
        return {"n": 0, **dict.fromkeys((*_OF_ONE, *_OF_TWO), not_enough(0))}
    cells: dict[str, Value] = {
        "n": found.n,
        "pass_at_1_a": found.mean_a,
        "pass_at_1_b": found.mean_b,
        "wins": found.wins,
        "losses": found.losses,
        "ties": found.ties,
        "only_a": found.only_a,
        "only_b": found.only_b,
    }
    if found.paired is None or found.test is None or found.p is None:
        return {**cells, **dict.fromkeys(_OF_TWO, not_enough(found.n))}
    cells |= {
        "difference": found.paired.diff,
        "p": found.p,
        "method": found.test.value,
        "mcnemar_p": _IN_PART if found.mcnemar is None else found.mcnemar,
    }
    if found.interval is None or found.bootstrap is None:
        return {**dict.fromkeys(_OF_TWO, _ALL_EQUAL), **cells}
    return {
        **cells,
        "difference_low": found.interval.lo,
        "difference_high": found.interval.hi,
        "t_p": found.paired.p,
        "bootstrap": found.paired.diff,
        "bootstrap_low": found.bootstrap.lo,
        "bootstrap_high": found.bootstrap.hi,
        "bootstrap_seed": seed,
    }


def correct(rows: Sequence[dict[str, Value]], found: Sequence[Comparison | None]) -> int:
    """Put p-values corrected by Holm over all rows into them; returns how many tests there are.

    ``found`` are the comparisons that the rows show, in their order.
    """
    known = [None if each is None else each.p for each in found]
    for row, adjusted in zip(rows, holm(known), strict=True):
        if adjusted is not None:
            row["p_adjusted"] = adjusted
    return sum(p is not None for p in known)


def with_tests(columns: Sequence[Column], tests: int) -> tuple[Column, ...]:
    """The columns; without any test people see only the difference that says why there is none."""
    if tests:
        return tuple(columns)
    silent = [key for key in _OF_TWO if key != "difference"]
    return tuple(
        replace(column, level=EXACT_ONLY) if column.key in silent else column for column in columns
    )


def paired_notes(
    found: Sequence[Comparison | None],
    seed: int,
    what: str,
    score: str = "the mean of its attempts",
) -> list[str]:
    """How differences, intervals and p-values were made; ``score`` is what a problem counts with.

    Only what occurs is named: no test that no row shows, no interval where there is none.
    """
    tested = [each for each in found if each is not None and each.test is not None]
    if not tested:
        return []
    tests = {each.test for each in tested}
    with_interval = [each for each in tested if each.interval is not None]
    difference = (
        f"Difference: pass@1 of {what}, in percentage points; each problem counts once, with "
        f"{score}."
    )
    if with_interval:
        difference += (
            " Its 95% interval is from Student's t over the paired differences, cut at 100 points."
        )
    notes = [difference, f"{_tests_note(tests)} {_holm(tested)}"]
    if with_interval:
        notes += _beside(len(tested), any(each.mcnemar is not None for each in with_interval))
        notes.append(
            f"Bootstrap: 95% percentile interval of {DRAWS:,} resamples of problems, pairs kept "
            f"together, seed {seed}."
        )
    if len(with_interval) < len(tested):
        notes.append(
            "A difference without an interval is the same at every problem, so that there is no "
            "spread to tell how far off it may be."
        )
    return notes


def _tests_note(tests: Set[PairedTest | None]) -> str:
    clauses = {
        PairedTest.MCNEMAR: "the exact McNemar test where every problem was right or wrong "
        "throughout on each side",
        PairedTest.PAIRED_T: "the paired t test where some problem was right in part",
        PairedTest.SIGN: "the exact sign test where some problem was right in part and all "
        "differences are equal",
    }
    said = [f"of {clause}" for test, clause in clauses.items() if test in tests]
    return f"p is {', '.join(said)}."


def _holm(tested: Sequence[Comparison]) -> str:
    if len(tested) == 1:
        return "p (Holm) is p: there is one test only, so nothing is corrected."
    return f"p (Holm) is corrected for the {len(tested):,} tests of this table."


def _beside(tests: int, mcnemar: bool) -> list[str]:
    """Why an interval and the p beside it may seem to contradict each other."""
    reasons = []
    if tests > 1:
        reasons.append(
            "Intervals are not corrected for the number of tests: each is 95% by itself."
        )
    if mcnemar:
        reasons.append("The exact McNemar test is more cautious than the t interval.")
    if not reasons:
        return []
    return [f"{' '.join(reasons)} So p (Holm) may be above 0.05 where the interval leaves out 0."]
