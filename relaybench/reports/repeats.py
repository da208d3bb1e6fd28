"""Several attempts per item: pass@k, pass^k, and how far the repeats lie apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import stdev
from typing import Final

from relaybench.reports.grid_facts import grid_table, model_cells
from relaybench.reports.model_columns import CONFIG, MODEL, with_interval
from relaybench.reports.numbers import listed
from relaybench.reports.run_facts import SIMULATED_COLUMN
from relaybench.reports.tables import (
    EXACT_ONLY,
    NARROW,
    PAGE,
    Column,
    Kind,
    Missing,
    Table,
    Value,
    not_enough,
)
from relaybench.stats.pass_k import pass_bench
from relaybench.stats.rates import score_summary
from relaybench.stats.repeats import RepeatMean, per_repeat
from relaybench.store.grid import OutcomeGrid
from relaybench.store.pooling import comparable

#: Names of the tables, in their order.
TABLES: Final = ("repeats", "pass-k", "by-repeat")
#: Every k up to here by default, and the largest there is.
_ALL_UP_TO: Final = 5

_ITEMS: Final = Column("items", "Items", Kind.WHOLE, "items with a scored attempt", NARROW)
_OVERALL: Final = (
    SIMULATED_COLUMN,
    MODEL,
    _ITEMS,
    Column("repeats", "Repeats", Kind.WHOLE, "scored attempts, the most of any item", NARROW),
    Column("fewest", "Fewest", Kind.WHOLE, "scored attempts, the fewest of any item", PAGE),
    *with_interval("pass_at_1", "Pass@1"),
    Column("n_eff", "Worth", Kind.NUMBER, "independent attempts as precise", PAGE),
    Column("complete", "In all", Kind.WHOLE, "items scored in every repeat", EXACT_ONLY),
    Column("lowest", "Lowest repeat", Kind.SHARE, "share", NARROW, begins=True),
    Column("highest", "Highest repeat", Kind.SHARE, "share", NARROW),
    Column("spread", "SD of repeats", Kind.SHARE, "share, standard deviation", NARROW),
    CONFIG,
)
_SPREAD: Final = ("lowest", "highest", "spread")
_PASS_K: Final = (
    SIMULATED_COLUMN,
    MODEL,
    Column("k", "k", Kind.WHOLE, "attempts", NARROW, names=True),
    Column("items", "Items", Kind.WHOLE, "items of the plan", NARROW),
    Column("pass_at_k", "pass@k", Kind.SHARE, "share", NARROW),
    Column("pass_hat_k", "pass^k", Kind.SHARE, "share", NARROW),
    CONFIG,
)
_BY_REPEAT: Final = (
    SIMULATED_COLUMN,
    MODEL,
    Column("repeat", "Repeat", Kind.WHOLE, "its number, from 1", NARROW, names=True),
    _ITEMS,
    *with_interval("pass_at_1", "Pass@1"),
    CONFIG,
)

_Scores = Mapping[str, Sequence[Mapping[int, float]]]


def repeat_tables(
    grid: OutcomeGrid, ks: Sequence[int] = (), names: Sequence[str] = TABLES
) -> list[Table]:
    """Those of ``names``: ``repeats`` (a row a model), ``pass-k`` (model and k), ``by-repeat``.

    ``ks`` are 1 or more; by default all up to five repeats, else 1, 2 and the largest. A k that
    some item has too few attempts for is missing, whatever the other items have.
    """
    grid = comparable(grid)
    scores = {digest: _by_repeat(grid, digest) for digest in grid.configs}
    most = most_repeats(grid)
    makers: dict[str, Callable[[], Table]] = {
        "repeats": lambda: _overall(grid, scores, most),
        "pass-k": lambda: _pass_k(grid, scores, sorted(set(ks)) or _default_ks(most)),
        "by-repeat": lambda: _each(grid, scores, most),
    }
    return [make() for name, make in makers.items() if name in names]


def most_repeats(grid: OutcomeGrid) -> int:
    """The most scored attempts that any model has at one item."""
    return max(
        (sum(outcome.scored for outcome in outcomes) for outcomes in grid.cells.values()), default=0
    )


def _default_ks(most: int) -> list[int]:
    return list(range(1, max(most, 1) + 1)) if most <= _ALL_UP_TO else [1, 2, most]


def _by_repeat(grid: OutcomeGrid, config: str) -> list[dict[int, float]]:
    """Scores of each item by the number of the repeat, from 1; empty without a scored attempt."""
    return [grid.by_repeat(item, config) for item in grid.items]


def _complete(scores: Sequence[Mapping[int, float]]) -> list[Mapping[int, float]]:
    """Items with a scored attempt in every repeat that any item has."""
    repeats = {repeat for each in scores for repeat in each}
    return [each for each in scores if each and len(each) == len(repeats)]


def _overall(grid: OutcomeGrid, scores: _Scores, most: int) -> Table:
    rows, partly = [], []
    for digest, config in grid.configs.items():
        found = score_summary([list(each.values()) for each in scores[digest]])
        counts = [len(each) for each in scores[digest] if each]
        complete = _complete(scores[digest])
        cells: dict[str, Value] = {
            "items": len(counts),
            "repeats": max(counts, default=0),
            "complete": len(complete),
        }
        if len(complete) < len(counts):
            partly.append(f"{config.label} ({len(complete):,} of {len(counts):,} items)")
        if found is None:
            empty = ("fewest", "pass_at_1", "pass_at_1_low", "pass_at_1_high", "n_eff")
            cells |= dict.fromkeys(empty, not_enough(0))
        else:
            cells |= {
                "fewest": min(counts),
                "pass_at_1": found.p,
                "pass_at_1_low": found.interval.lo,
                "pass_at_1_high": found.interval.hi,
                "n_eff": found.n_eff,
            }
        rows.append({**model_cells(grid, config), **cells, **_spread(per_repeat(complete))})
    notes = [
        *_hint(most),
        "Pass@1: mean over items of their share of correct attempts; the 95% interval (Wilson with "
        "an effective number of attempts) allows for attempts at one item being alike. Worth: how "
        "many independent attempts would be as precise.",
        "SD of repeats: standard deviation of the repeats' means. It is the noise of asking again, "
        "without that of choosing the items, which the interval holds too.",
    ]
    if partly:
        notes.append(
            "Lowest, highest and SD are over the items that have a scored attempt in every repeat: "
            f"{listed(partly)}."
        )
    columns = _OVERALL
    if most < 2:  # the note has said it
        columns = tuple(
            replace(column, level=EXACT_ONLY) if column.key in _SPREAD else column
            for column in columns
        )
    return grid_table(grid, "repeats", "Repeats", columns, rows, notes)


def _spread(means: Sequence[RepeatMean]) -> dict[str, Value]:
    if len(means) < 2:
        return dict.fromkeys(_SPREAD, not_enough(len(means)))
    found = [each.mean for each in means]
    return dict(zip(_SPREAD, (min(found), max(found), stdev(found)), strict=True))


def _pass_k(grid: OutcomeGrid, scores: _Scores, ks: Sequence[int]) -> Table:
    rows: list[dict[str, Value]] = []
    for digest, config in grid.configs.items():
        counts = [(len(each), int(sum(each.values()))) for each in scores[digest]]
        fewest = min((n for n, _ in counts), default=0)
        for k in ks:
            found = pass_bench(counts, k)
            reason = _too_few(fewest, k)
            rows.append(
                {
                    **model_cells(grid, config),
                    "k": k,
                    "items": len(counts),
                    "pass_at_k": reason if found is None else found.pass_at_k,
                    "pass_hat_k": reason if found is None else found.pass_hat_k,
                }
            )
    notes = [
        "pass@k: the chance that at least one of k attempts at an item is right; pass^k: that all "
        "k are. Both are unbiased estimates from all attempts at each item, then means over the "
        "items.",
        "Where any item has fewer than k scored attempts neither is given: to leave such an item "
        "out would flatter or harm the model.",
    ]
    return grid_table(grid, "pass-k", "pass@k and pass^k", _PASS_K, rows, notes)


def _too_few(fewest: int, k: int) -> Missing:
    if fewest == 0:
        return Missing("some item has no scored attempt")
    return Missing(f"some item has fewer than {k:,} attempts")


def _each(grid: OutcomeGrid, scores: _Scores, most: int) -> Table:
    rows = [
        {
            **model_cells(grid, config),
            "repeat": each.repeat,
            "items": each.n,
            "pass_at_1": each.mean,
            "pass_at_1_low": each.interval.lo,
            "pass_at_1_high": each.interval.hi,
        }
        for digest, config in grid.configs.items()
        for each in per_repeat(scores[digest])
    ]
    notes = [
        *_hint(most),
        "Each repeat alone: one attempt per item, with the plain 95% Wilson interval. "
        + (
            "The repeats are of the same items, so their intervals are no independent looks at the "
            "model."
            if all(len(_complete(each)) == sum(map(bool, each)) for each in scores.values())
            else "The repeats are not all of the same items, so they may differ by those too; they "
            "are no independent looks at the model."
        ),
    ]
    if len(grid.runs) > 1:
        notes.append("Attempts of several runs at one item are numbered from the oldest run on.")
    return grid_table(grid, "by-repeat", "Pass@1 by repeat", _BY_REPEAT, rows, notes)


def _hint(most: int) -> list[str]:
    if most > 1:
        return []
    return [
        "No item has more than one scored attempt, so nothing is known of how answers vary: ask "
        "again with relaybench run --resume RUN --repeats 3, or import further attempts."
    ]
