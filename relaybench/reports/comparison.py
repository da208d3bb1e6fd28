"""Pairs of model configs on the items that both have answered: is a difference more than noise?"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Final

from relaybench.domain.model import ModelConfig
from relaybench.reports.dimensions import forms_note
from relaybench.reports.grid_facts import (
    config_simulated,
    grid_notes,
    grid_simulated,
    grid_title,
)
from relaybench.reports.numbers import listed
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
    as_row,
)
from relaybench.stats.paired import compare_pairs
from relaybench.store.grid import OutcomeGrid

_COLUMNS: Final = (
    SIMULATED_COLUMN,
    Column("model_a", "A", Kind.TEXT, "", NARROW),
    Column("model_b", "B", Kind.TEXT, "", NARROW, names=True),
    *difference_columns("A minus B", "Items", mark="simulated"),
    Column("pass_at_1_a", "Pass@1 of A", Kind.SHARE, "share", PAGE, begins=True),
    Column("pass_at_1_b", "Pass@1 of B", Kind.SHARE, "share", PAGE),
    *test_columns("A better", "B better"),
    Column("left_out", "Left out", Kind.WHOLE, "items that one or both lack", quiet=True),
    Column("config_a", "Config A", Kind.TEXT, "name in models.toml", EXACT_ONLY),
    Column("config_b", "Config B", Kind.TEXT, "name in models.toml", EXACT_ONLY),
)


def comparison(
    grid: OutcomeGrid, configs: Sequence[ModelConfig], seed: int = DEFAULT_SEED
) -> Table:
    """One row for every pair of the configs, in their order: pass@1 of the first minus the second.

    Over the items that both have scored attempts at and that were graded against one key. The
    p-values are corrected over all rows. ``seed`` is the bootstrap's, 0 or more.
    """
    disputed = {item.digest for item in grid.disputed}
    scores = {
        config.digest: {
            item: found
            for item, found in grid.scores(config.digest).items()
            if item not in disputed
        }
        for config in configs
    }
    pairs = list(itertools.combinations(scores.values(), 2))
    found = compare_pairs(pairs, seed)
    rows: list[dict[str, Value]] = []
    for (a, b), compared in zip(itertools.combinations(configs, 2), found, strict=True):
        cells = paired_cells(compared)
        shared = 0 if compared is None else compared.n
        rows.append(
            {
                "simulated": config_simulated(grid, a) or config_simulated(grid, b),
                "model_a": a.label,
                "model_b": b.label,
                **cells,
                "left_out": len(grid.items) - shared,
                "config_a": a.name,
                "config_b": b.name,
            }
        )
    tests = correct(rows, found)
    notes = [
        *grid_notes(grid),
        *_left_out(grid, rows),
        *paired_notes(found, seed, "A minus that of B on the items that both answered", "item"),
        "Whether two models differ is read from their difference, not from whether the intervals "
        "of their scores overlap.",
        *forms_note(grid),
    ]
    return Table(
        name="comparison",
        title=grid_title(grid, "Paired comparison of models"),
        columns=with_tests(_COLUMNS, tests),
        rows=tuple(as_row(_COLUMNS, row) for row in rows),
        notes=tuple(notes),
        simulated=grid_simulated(grid),
    )


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
