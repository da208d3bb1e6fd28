"""Narrow results down: to some models, to the items of some sets, to those of some domains."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from relaybench.domain.errors import UnknownNameError
from relaybench.reports.filters import Filters
from relaybench.reports.tables import Table
from relaybench.store.grid import GridItem, OutcomeGrid
from relaybench.store.pooling import comparable, of_items
from relaybench.workbench.results.evidence import LoadedGrids, of_models


def narrowed(grid: OutcomeGrid, filters: Filters) -> OutcomeGrid:
    """The grid with what the filters keep alone.

    Raises UnknownNameError for a model, set or domain that these runs do not have.
    """
    grid = of_models(grid, filters.models)
    if not filters.of_items:
        return grid
    _check("set", filters.sets, {item.set_name for item in grid.items.values()})
    _check(
        "domain", filters.domains, {each for item in grid.items.values() for each in item.domains}
    )

    def kept(item: GridItem) -> bool:
        in_set = not filters.sets or item.set_name in filters.sets
        return in_set and (not filters.domains or bool({*filters.domains} & {*item.domains}))

    disputed = tuple(item for item in grid.disputed if kept(item))
    return replace(of_items(grid, kept), disputed=disputed)


def narrowed_grids(grids: LoadedGrids, filters: Filters) -> LoadedGrids:
    """All grids with what the filters keep alone; raises as ``narrowed``."""
    pooled = narrowed(grids.pooled, filters)
    single = tuple(
        replace(
            grid,
            configs={
                digest: config
                for digest, config in grid.configs.items()
                if digest in pooled.configs
            },
        )
        for grid in grids.single
    )
    return _as_pooled(single, pooled) if filters.of_items else LoadedGrids(single, pooled)


def fair_grids(grids: LoadedGrids) -> LoadedGrids:
    """All grids without disputed items, those that are so only among several runs included."""
    if not grids.pooled.disputed:
        return grids
    return _as_pooled(grids.single, comparable(grids.pooled))


def _as_pooled(single: Sequence[OutcomeGrid], pooled: OutcomeGrid) -> LoadedGrids:
    """Grids of single runs with the items of ``pooled`` alone."""

    def kept(item: GridItem) -> bool:
        return pooled.aliases.get(item.digest, item.digest) in pooled.items

    return LoadedGrids(tuple(of_items(grid, kept) for grid in single), pooled)


def _check(kind: str, names: Sequence[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            there = ", ".join(sorted(known)) or "none is known"
            raise UnknownNameError(
                f"no item of these runs is of the {kind} {name!r}; there are: {there}"
            )


def noted(table: Table, filters: Filters) -> Table:
    """The table with notes on what was left out, below the one that says what is made up."""
    if not filters.of_items:
        return table
    first = int(table.simulated)
    return replace(table, notes=(*table.notes[:first], *filters.notes, *table.notes[first:]))
