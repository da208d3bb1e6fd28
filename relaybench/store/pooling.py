"""Grids of several runs put together, and which of their items no comparison may rest on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from relaybench.domain.labels import told_apart
from relaybench.domain.model import ModelConfig
from relaybench.domain.results import Outcome
from relaybench.store.grid import GridItem, OutcomeGrid
from relaybench.store.plans import RunRow

#: Numbers of repeats, from 1, and the outcome of each.
_Cell = tuple[tuple[int, ...], tuple[Outcome, ...]]


def pool(grids: Sequence[OutcomeGrid]) -> OutcomeGrid:
    """Put the grids of several runs together: one item for each name and prompt.

    Attempts of one config at one item are joined whatever run they are from, the older run's
    first, so that repeats have the same numbers in whatever order runs are named. Where the grids
    were loaded with their keys, an item whose attempts were graded against different ones is
    disputed, and so no fair comparison.
    """
    if len(grids) == 1:
        return grids[0]
    items: dict[tuple[str, ...], GridItem] = {}
    configs: dict[str, ModelConfig] = {}
    joined: dict[tuple[str, str], list[tuple[RunRow, _Cell]]] = {}
    holders: dict[str, list[str]] = {}
    aliases: dict[str, str] = {}
    keys: dict[str, frozenset[str]] = {}
    disputed: set[str] = set()
    for grid in grids:
        kept = {
            item.digest: items.setdefault(item.identity, item).digest
            for item in grid.items.values()
        }
        aliases |= {digest: under for digest, under in kept.items() if digest != under}
        for digest, config in grid.configs.items():
            configs.setdefault(digest, replace(config, mark=""))
        for (digest, config_digest), outcomes in grid.cells.items():
            numbers = grid.numbers.get((digest, config_digest), range(1, len(outcomes) + 1))
            joined.setdefault((kept[digest], config_digest), []).append(
                (grid.runs[0], (tuple(numbers), outcomes))
            )
        for digest, hashes in grid.keys.items():
            keys[kept[digest]] = keys.get(kept[digest], frozenset()) | hashes
        disputed |= {kept[item.digest] for item in grid.disputed}
        for digest in kept.values():
            holders.setdefault(digest, []).append(grid.runs[0].name)
    cells = {place: _one_after_another(parts) for place, parts in joined.items()}
    disputed |= {digest for digest, hashes in keys.items() if len(hashes) > 1}
    by_digest = {item.digest: item for item in items.values()}
    return OutcomeGrid(
        runs=tuple(run for grid in grids for run in grid.runs),
        items=by_digest,
        configs=dict(zip(configs, told_apart(list(configs.values())), strict=True)),
        cells={place: outcomes for place, (_, outcomes) in cells.items()},
        numbers={
            place: numbers for place, (numbers, _) in cells.items() if numbers[-1] != len(numbers)
        },
        disputed=tuple(item for digest, item in by_digest.items() if digest in disputed),
        aliases=aliases,
        keys=keys,
        holders={digest: tuple(dict.fromkeys(names)) for digest, names in holders.items()},
    )


def _one_after_another(parts: Sequence[tuple[RunRow, _Cell]]) -> _Cell:
    """One cell of several runs: repeats of a later run go on after those of the earlier one."""
    numbers: list[int] = []
    outcomes: list[Outcome] = []
    before = 0
    for run, (own, found) in sorted(parts, key=lambda part: part[0].id):
        numbers += [before + number for number in own]
        outcomes += found
        before += max(run.repeats, *own)
    return tuple(numbers), tuple(outcomes)


def of_items(grid: OutcomeGrid, keep: Callable[[GridItem], bool]) -> OutcomeGrid:
    """The grid with some of its items alone; ``disputed`` names all that it named."""
    items = {digest: item for digest, item in grid.items.items() if keep(item)}
    cells = {place: found for place, found in grid.cells.items() if place[0] in items}
    return replace(grid, items=items, cells=cells)


def comparable(grid: OutcomeGrid) -> OutcomeGrid:
    """The grid without its disputed items, which ``disputed`` still names."""
    if not grid.disputed:
        return grid
    left_out = {item.digest for item in grid.disputed}
    return of_items(grid, lambda item: item.digest not in left_out)


def of_one_key(grid: OutcomeGrid) -> OutcomeGrid:
    """The grid with problems disputed whose forms were graded against different keys.

    Only several runs put together can differ: within a run all forms are graded again together.
    """
    forms: dict[str, list[GridItem]] = {}
    for item in grid.items.values():
        forms.setdefault(item.problem, []).append(item)
    disputed = {item.digest for item in grid.disputed}
    for items in forms.values():
        if len({key for item in items for key in grid.keys.get(item.digest, ())}) > 1:
            disputed |= {item.digest for item in items}
    return replace(
        grid, disputed=tuple(item for digest, item in grid.items.items() if digest in disputed)
    )
