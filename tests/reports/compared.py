"""Grids of models to compare: single attempts, repeats, forms of problems, and odd ones."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from relaybench.reports.formats import Format, render
from relaybench.reports.tables import Table
from relaybench.store.grid import GridItem, OutcomeGrid
from tests.reports.examined import a_config, a_grid, a_step, an_item
from tests.reports.samples import HOSTILE

GOLDEN = Path(__file__).parent / "golden"

A, B, C = a_config("alpha", effort="max"), a_config("beta"), a_config("gamma")


def singles(**outcomes: str) -> OutcomeGrid:
    """One attempt per item and model: ``alpha="+-"`` is right at the first of two items."""
    configs = [a_config(name) for name in outcomes]
    count = len(next(iter(outcomes.values())))
    items = [an_item(f"i{number}") for number in range(count)]
    return a_grid(
        items,
        configs,
        {item.digest: [text[number] for text in outcomes.values()]
         for number, item in enumerate(items)},
    )  # fmt: skip


def repeated(**outcomes: Sequence[str]) -> OutcomeGrid:
    """Several attempts: ``alpha=["+-", "++"]`` has two of each of two items."""
    configs = [a_config(name) for name in outcomes]
    count = len(next(iter(outcomes.values())))
    items = [an_item(f"i{number}") for number in range(count)]
    return a_grid(
        items,
        configs,
        {item.digest: [texts[number] for texts in outcomes.values()]
         for number, item in enumerate(items)},
    )  # fmt: skip


def form(name: str, encoded: bool = False, bloat: int = 0, characters: int = 10) -> GridItem:
    """A problem in one form; its digest names problem and form."""
    return replace(
        an_item(name, steps=[a_step("A", "math/x:1"), a_step("B", f"coding/{name}:1")]),
        digest=f"{name} {encoded} {bloat} {characters}",
        prompt_sha256=f"{name} {encoded} {bloat} {characters}",
        domains=("coding", "math"),
        encoded=encoded,
        bloat_characters=bloat,
        characters=characters,
    )


def forms(outcomes: Mapping[GridItem, str], name: str = "alpha") -> OutcomeGrid:
    """One model's outcomes at problems in several forms."""
    config = a_config(name)
    return a_grid(
        list(outcomes), [config], {item.digest: [text] for item, text in outcomes.items()}
    )


def nasty() -> OutcomeGrid:
    """Two models, one of them hostile by name; forms, repeats, open cells, one disputed item."""
    hostile = replace(a_config("hostile"), model=HOSTILE)
    items = [
        form("one"),
        form("one", encoded=True, bloat=7813, characters=20_000),
        form("two"),
        form("two", encoded=True, characters=15_000),
        form("three"),
        form("odd"),
    ]
    texts = [["++", "+-"], ["+-", "--"], ["++", "++"], ["-+", "u."], ["--", "e."], ["++", "++"]]
    grid = a_grid(
        items, [A, hostile], {item.digest: text for item, text in zip(items, texts, strict=True)}
    )
    return replace(grid, disputed=(items[-1],))


def rows_of(table: Table, *keys: str) -> list[tuple[object, ...]]:
    """Every row's values under some keys."""
    return [tuple(table.value(row, key) for key in keys) for row in range(len(table.rows))]


def check_golden(table: Table, name: str) -> None:
    """Compare the table for people, at 80 columns and in Markdown, with the stored ones.

    Not the exact formats: the last digits of Student's quantile are SciPy's.
    """
    for format in (Format.TABLE, Format.MD):
        text = render(table, format, width=80).encode()
        path = GOLDEN / f"{name}{format.suffix}"
        if os.environ.get("RELAYBENCH_UPDATE_GOLDEN") == "1":
            path.write_bytes(text)
        assert text == path.read_bytes()
