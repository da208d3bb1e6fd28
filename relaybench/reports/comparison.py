"""Pairs of model configs on the problems that both have answered: is a difference more than noise?

The unit is the problem: its forms (plain, bloated, encoded) are no independent evidence.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import Final

from relaybench.domain.item import Form
from relaybench.domain.model import ModelConfig
from relaybench.reports.grid_facts import config_simulated, grid_table
from relaybench.reports.numbers import counted, listed
from relaybench.reports.paired_columns import (
    DEFAULT_SEED,
    correct,
    difference_columns,
    paired_cells,
    paired_notes,
    test_columns,
    with_tests,
)
from relaybench.reports.run_facts import SIMULATED_COLUMN
from relaybench.reports.tables import (
    EXACT_ONLY,
    NARROW,
    PAGE,
    Column,
    Kind,
    Table,
    Value,
)
from relaybench.stats.paired import Scores, compare_pairs
from relaybench.store.grid import OutcomeGrid
from relaybench.store.pooling import comparable, of_items

_COLUMNS: Final = (
    SIMULATED_COLUMN,
    Column("model_a", "A", Kind.TEXT, "", NARROW),
    Column("model_b", "B", Kind.TEXT, "", NARROW, names=True),
    *difference_columns("A minus B", mark="simulated"),
    Column("items", "Items", Kind.WHOLE, "items that are compared", PAGE, begins=True),
    Column("pass_at_1_a", "Pass@1 of A", Kind.SHARE, "share, mean over problems", PAGE),
    Column("pass_at_1_b", "Pass@1 of B", Kind.SHARE, "share, mean over problems", PAGE),
    *test_columns("A better", "B better"),
    Column("left_out", "Items left out", Kind.WHOLE, "items that one or both lack", quiet=True),
    Column("config_a", "Config A", Kind.TEXT, "name in models.toml", EXACT_ONLY),
    Column("config_b", "Config B", Kind.TEXT, "name in models.toml", EXACT_ONLY),
)

#: The mean score of each item with scored attempts, by its digest.
_ItemMeans = Mapping[str, float]


def of_forms(grid: OutcomeGrid, forms: Sequence[Form]) -> OutcomeGrid:
    """The grid with the items in these forms alone; all items for no form."""
    if not forms:
        return grid
    disputed = tuple(item for item in grid.disputed if item.form in forms)
    return replace(of_items(grid, lambda item: item.form in forms), disputed=disputed)


def comparison(
    grid: OutcomeGrid,
    configs: Sequence[ModelConfig],
    seed: int = DEFAULT_SEED,
    forms: Sequence[Form] = (),
) -> Table:
    """One row for every pair of the configs, in their order: pass@1 of the first minus the second.

    Over the problems of which both have scored attempts at some item that was graded against one
    key; a problem's score is the mean over these items of their means. ``forms`` takes items in
    these forms alone. The p-values are corrected over all rows. ``seed`` is the bootstrap's, 0 or
    more.
    """
    grid = of_forms(grid, forms)
    disputed = {item.digest for item in grid.disputed}
    means = [
        {
            item: math.fsum(found) / len(found)
            for item, found in grid.scores(config.digest).items()
            if item not in disputed
        }
        for config in configs
    ]
    # Where a problem has one item only, its score is the same in every pair.
    single = len({item.problem for item in grid.items.values()}) == len(grid.items)
    whole = [_by_problem(grid, each, each.keys()) for each in means]

    def scores(place: int, shared: Set[str]) -> Scores:
        if single or len(shared) == len(means[place]):
            return whole[place]
        return _by_problem(grid, means[place], shared)

    pairs: list[tuple[Scores, Scores]] = []
    shared: list[int] = []
    for a, b in itertools.combinations(range(len(configs)), 2):
        both = means[a].keys() & means[b].keys()
        shared.append(len(both))
        pairs.append((scores(a, both), scores(b, both)))
    found = compare_pairs(pairs, seed)
    rows: list[dict[str, Value]] = [
        {
            "simulated": config_simulated(grid, a) or config_simulated(grid, b),
            "model_a": a.label,
            "model_b": b.label,
            **paired_cells(compared, seed),
            "items": items,
            "left_out": len(grid.items) - items,
            "config_a": a.name,
            "config_b": b.name,
        }
        for (a, b), compared, items in zip(
            itertools.combinations(configs, 2), found, shared, strict=True
        )
    ]
    tests = correct(rows, found)
    several = any(row["items"] != row["n"] for row in rows)
    score = "the mean of its attempts"
    if several:
        score = "the mean over the forms that both answered, each the mean of its attempts"
    columns = with_tests(_COLUMNS, tests)
    return grid_table(
        grid,
        "comparison",
        "Paired comparison of models",
        columns if several else _without_items(columns),
        rows,
        (
            *_forms(grid, forms, several),
            *_left_out(grid, rows),
            *paired_notes(found, seed, "A minus that of B on the items that both answered", score),
            "Whether two models differ is read from their difference, not from whether the "
            "intervals of their scores overlap.",
        ),
    )


def _by_problem(
    grid: OutcomeGrid, means: _ItemMeans, items: Set[str]
) -> dict[str, Sequence[float]]:
    """The means of these items by their problem."""
    found: dict[str, list[float]] = {}
    for item, mean in means.items():
        if item in items:
            found.setdefault(grid.items[item].problem, []).append(mean)
    return dict(found)


def _without_items(columns: Sequence[Column]) -> tuple[Column, ...]:
    """Columns for people without the number of items, which is that of problems."""
    return tuple(
        replace(column, level=EXACT_ONLY, begins=False)
        if column.key == "items"
        else replace(column, begins=True)
        if column.key == "pass_at_1_a"
        else column
        for column in columns
    )


def _forms(grid: OutcomeGrid, forms: Sequence[Form], several: bool) -> list[str]:
    notes = []
    if forms:
        notes.append(f"Only items asked in this form: {listed([form.value for form in forms])}.")
    if several:
        items = comparable(grid).items
        problems = len({item.problem for item in items.values()})
        notes.append(
            f"The {len(items):,} items are {counted(problems, 'problem')} in several forms "
            "(plain, bloated, encoded), which are no independent evidence: n, tests and intervals "
            "are of problems. relaybench compare --form takes one form alone, relaybench effects "
            "compares the forms."
        )
    return notes


def _left_out(grid: OutcomeGrid, rows: Sequence[dict[str, Value]]) -> list[str]:
    notes = []
    disputed = len(grid.disputed)
    lacking = [
        f"{row['model_a']} and {row['model_b']} ({left:,})"
        for row in rows
        if isinstance(row["left_out"], int) and (left := row["left_out"] - disputed)
    ]
    if lacking:
        notes.append(
            f"Items left out because one or both lack a scored attempt: {listed(lacking)}."
        )
    return notes
