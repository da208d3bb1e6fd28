"""What tables of paired differences share: columns, cells, correction of p-values, notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

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
from relaybench.stats.multiplicity import holm
from relaybench.stats.paired import DEFAULT_DRAWS, Comparison, mcnemar_exact

#: The seed of every bootstrap unless told otherwise.
DEFAULT_SEED: Final = 0

_MCNEMAR: Final = "McNemar exact"
_PAIRED_T: Final = "paired t"
_SIGN: Final = "exact sign"
#: Without any spread Student's t would claim to know the difference without any doubt.
_ALL_EQUAL: Final = Missing("all differences are equal")
_NOT_SINGLE: Final = Missing("not one attempt each")


def difference_columns(what: str, counted: str, mark: str | None = None) -> tuple[Column, ...]:
    """The essential: how many pairs, the difference with its interval, p after correction."""
    share = f"share, {what}"
    return (
        Column("n", counted, Kind.WHOLE, "pairs that are compared", NARROW),
        Column(
            "difference",
            "Difference [95% CI]",
            Kind.DIFFERENCE,
            share,
            NARROW,
            "difference_low",
            "difference_high",
            mark,
        ),
        Column("difference_low", "Difference, low end", Kind.DIFFERENCE, share, EXACT_ONLY),
        Column("difference_high", "Difference, high end", Kind.DIFFERENCE, share, EXACT_ONLY),
        Column("p_adjusted", "p (Holm)", Kind.P_VALUE, "corrected p-value", NARROW),
    )


def test_columns(wins: str, losses: str) -> tuple[Column, ...]:
    """How the pairs went, the test and its p-value, and the interval by bootstrap."""
    return (
        Column("wins", wins, Kind.WHOLE, "pairs", WIDE),
        Column("losses", losses, Kind.WHOLE, "pairs", WIDE),
        Column("ties", "Ties", Kind.WHOLE, "pairs", WIDE),
        Column("only_a", "Only A right", Kind.WHOLE, "pairs, in all attempts", EXACT_ONLY),
        Column("only_b", "Only B right", Kind.WHOLE, "pairs, in all attempts", EXACT_ONLY),
        Column("p", "p", Kind.P_VALUE, "p-value", PAGE, begins=True),
        Column("method", "Test", Kind.TEXT, "", WIDE),
        Column("mcnemar_p", "p, McNemar exact", Kind.P_VALUE, "p-value", EXACT_ONLY),
        Column("t_p", "p, paired t", Kind.P_VALUE, "p-value", EXACT_ONLY),
        Column("bootstrap_low", "Bootstrap low", Kind.DIFFERENCE, "share", WIDE, begins=True),
        Column("bootstrap_high", "Bootstrap high", Kind.DIFFERENCE, "share", WIDE),
    )


#: What ``paired_cells`` leaves empty where there are fewer than two pairs.
_OF_TWO: Final = (
    "difference",
    "difference_low",
    "difference_high",
    "p",
    "p_adjusted",
    "method",
    "mcnemar_p",
    "t_p",
    "bootstrap_low",
    "bootstrap_high",
)
_OF_ONE: Final = ("pass_at_1_a", "pass_at_1_b", "wins", "losses", "ties", "only_a", "only_b")


def paired_cells(found: Comparison | None) -> dict[str, Value]:
    """Cells of one paired comparison, all but the corrected p-value (``correct`` adds it)."""
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
    paired, bootstrap = found.paired, found.bootstrap
    if paired is None or bootstrap is None:
        return {**cells, **dict.fromkeys(_OF_TWO, not_enough(found.n))}
    if paired.se == 0:
        sign = mcnemar_exact(found.wins, found.losses)
        return {
            **cells,
            **dict.fromkeys(_OF_TWO, _ALL_EQUAL),
            "difference": paired.diff,
            "p": sign if found.mcnemar is None else found.mcnemar,
            "method": _SIGN if found.mcnemar is None else _MCNEMAR,
            "mcnemar_p": _NOT_SINGLE if found.mcnemar is None else found.mcnemar,
        }
    return {
        **cells,
        "difference": paired.diff,
        "difference_low": max(-1.0, paired.lo),  # no difference is larger
        "difference_high": min(1.0, paired.hi),
        "p": paired.p if found.mcnemar is None else found.mcnemar,
        "method": _PAIRED_T if found.mcnemar is None else _MCNEMAR,
        "mcnemar_p": _NOT_SINGLE if found.mcnemar is None else found.mcnemar,
        "t_p": paired.p,
        "bootstrap_low": bootstrap.lo,
        "bootstrap_high": bootstrap.hi,
    }


def correct(rows: Sequence[dict[str, Value]]) -> int:
    """Put p-values corrected by Holm over all rows into them; returns how many tests there are."""
    known = [row["p"] if isinstance(row["p"], float) else None for row in rows]
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
    rows: Sequence[Mapping[str, Value]], tests: int, seed: int, what: str, pair: str
) -> list[str]:
    """How differences, intervals and p-values were made; ``pair`` is what one pair is."""
    if tests == 0:
        return []
    corrected = (
        "p (Holm) is p: there is one test only, so nothing is corrected."
        if tests == 1
        else f"p (Holm) is corrected for the {tests:,} tests of this table."
    )
    notes = [
        f"Difference: pass@1 of {what}, in percentage points; each {pair} counts once, with the "
        "mean of its attempts. Its 95% interval is from Student's t over the paired differences, "
        "cut at 100 points.",
        "p is of the exact McNemar test where every pair has one attempt on each side, and of the "
        f"paired t test where attempts were repeated. {corrected}",
        f"Bootstrap: 95% percentile interval of {DEFAULT_DRAWS:,} resamples, pairs kept together, "
        f"seed {seed}.",
    ]
    if any(row["difference_low"] == _ALL_EQUAL for row in rows):
        notes.append(
            f"A difference without an interval is the same at every {pair}, so that there is no "
            "spread to tell how far off it may be; p is then of the exact sign test."
        )
    return notes
