"""Pass@1 by domain, class, number of steps, form or length: one table for each dimension."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from relaybench.domain.model import ModelConfig
from relaybench.reports.dimensions import (
    DEFAULT_BANDS,
    HEADINGS,
    UNKNOWN_GROUP,
    Dimension,
    forms_note,
    groups,
)
from relaybench.reports.grid_facts import grid_table, model_cells
from relaybench.reports.model_columns import CONFIG, MODEL, with_interval
from relaybench.reports.run_facts import SIMULATED_COLUMN
from relaybench.reports.tables import (
    EXACT_ONLY,
    NARROW,
    Column,
    Kind,
    Table,
    Value,
    not_enough,
)
from relaybench.stats import rates
from relaybench.store.grid import GridItem, OutcomeGrid
from relaybench.store.pooling import comparable

_COLUMNS: Final = (
    SIMULATED_COLUMN,
    Column("dimension", "Dimension", Kind.TEXT, "", EXACT_ONLY),
    Column("group", "", Kind.TEXT, "", NARROW),
    MODEL,
    Column("items", "Items", Kind.WHOLE, "items with a scored attempt", NARROW),
    Column("attempts", "Attempts", Kind.WHOLE, "scored attempts", NARROW),
    *with_interval("pass_at_1", "Pass@1"),
    Column("parse_rate", "Parse rate", Kind.SHARE, "parseable share of scored", EXACT_ONLY),
    CONFIG,
)


def breakdown_name(by: Dimension) -> str:
    """What the table of a dimension is called."""
    return f"by-{by.value}"


def breakdown(
    grid: OutcomeGrid,
    by: Dimension,
    configs: Sequence[ModelConfig],
    edges: Sequence[int] = DEFAULT_BANDS,
) -> Table:
    """One row for each group of items and config, groups in natural order.

    A group that no item is in has no row; a config without a scored attempt in a group has
    ``not_enough(0)`` there. ``edges`` split the lengths of prompts.
    """
    grid = comparable(grid)
    grouped = groups(grid.items.values(), by, edges)
    told = [_told(grid, config.digest) for config in configs]
    rows = [
        {
            **model_cells(grid, config),
            "dimension": by.value,
            "group": label,
            **_cells(items, cells),
        }
        for label, items in grouped.items()
        for config, cells in zip(configs, told, strict=True)
    ]
    each = _per_item(told)
    return grid_table(
        grid,
        breakdown_name(by),
        f"Pass@1 by {_NAMES[by]}",
        _columns(by, uneven=each is None),
        rows,
        _notes(grid, by, grouped, each),
    )


_NAMES: Final = {
    Dimension.DOMAIN: "domain",
    Dimension.CLASS: "class of subproblem",
    Dimension.STEPS: "number of steps",
    Dimension.ENCODED: "encoding",
    Dimension.BLOAT: "bloat",
    Dimension.FORM: "form",
    Dimension.LENGTH: "length of the prompt",
    Dimension.SET: "set",
    Dimension.KIND: "kind of item",
}


def _columns(by: Dimension, *, uneven: bool) -> tuple[Column, ...]:
    """With attempts for people only where a note cannot say how many there are per item."""
    return tuple(
        replace(column, heading=HEADINGS[by])
        if column.key == "group"
        else replace(column, level=NARROW if uneven else EXACT_ONLY)
        if column.key == "attempts"
        else column
        for column in _COLUMNS
    )


_Told = Mapping[str, tuple[tuple[float, ...], int]]


def _told(grid: OutcomeGrid, config: str) -> _Told:
    """Scores of one config by item, and how many of its answers are parseable."""
    return {
        item: (
            grid.scored(item, config),
            sum(each.parseable for each in grid.cells.get((item, config), ())),
        )
        for item in grid.items
    }


def _cells(items: Sequence[GridItem], told: _Told) -> dict[str, Value]:
    cells = [told[item.digest] for item in items]
    found = rates.score_summary([scores for scores, _ in cells])
    if found is None:
        share = dict.fromkeys(
            ("pass_at_1", "pass_at_1_low", "pass_at_1_high", "parse_rate"), not_enough(0)
        )
        return {"items": 0, "attempts": 0, **share}
    return {
        "items": found.problems,
        "attempts": found.attempts,
        "pass_at_1": found.p,
        "pass_at_1_low": found.interval.lo,
        "pass_at_1_high": found.interval.hi,
        "parse_rate": sum(parseable for _, parseable in cells) / found.attempts,
    }


def _per_item(told: Sequence[_Told]) -> int | None:
    """How many scored attempts there are wherever there are any; None where not as many."""
    counts = {len(scores) for cells in told for scores, _ in cells.values() if scores}
    return counts.pop() if len(counts) == 1 else None


def _overlap(grid: OutcomeGrid, by: Dimension) -> str:
    imported = {item.imported for item in grid.items.values()}
    if by is Dimension.CLASS or imported != {True}:
        named = f"{by.value} that it has a step of"
        if by is Dimension.DOMAIN and True in imported:
            named += " (an imported one: that it names)"
        return (
            f"An item counts in every {named}, so rows overlap and do not add up: what makes one "
            "row low may stand in the steps of another."
        )
    return (
        "An item counts in every domain that it names, so rows may overlap and do not add up then."
    )


def _notes(
    grid: OutcomeGrid,
    by: Dimension,
    grouped: Mapping[str, Sequence[GridItem]],
    each: int | None,
) -> list[str]:
    interval = "95% Wilson interval over items"
    if each != 1:
        interval += ", which allows for repeated attempts at one item being alike"
    notes = [f"Pass@1: mean over a row's items of their share of correct attempts, {interval}."]
    if each:
        notes.append(f"Scored attempts at each item: {each:,}.")
    if by.overlapping:
        notes.append(_overlap(grid, by))
    if UNKNOWN_GROUP in grouped:
        what = "no domains were given" if by is Dimension.DOMAIN else "this is not known"
        notes.append(f"unknown: items that were made elsewhere, of which {what}.")
    if by.of_forms:
        notes.append(
            "Rows hold different items, so a difference between two rows is no effect of one thing "
            "alone; relaybench effects compares the forms of the same problems."
        )
    elif len(grouped) > 1 and not by.overlapping:
        notes.append("Rows hold different items, which may differ in more than this.")
    if by is not Dimension.FORM:
        notes += forms_note(grid)
    return notes
