"""What tables made from a grid of outcomes have in common, be it of one run or of several."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from relaybench.domain.model import ModelConfig
from relaybench.reports.numbers import listed
from relaybench.reports.run_facts import (
    Simulated,
    how_simulated,
    simulated_notes,
    title,
    uneven_repeats,
)
from relaybench.reports.tables import Column, Table, Value, as_row
from relaybench.store.grid import GridItem, OutcomeGrid
from relaybench.store.pooling import comparable


def _how(grid: OutcomeGrid) -> Simulated:
    return how_simulated(grid.runs, grid.configs.values())


def grid_simulated(grid: OutcomeGrid) -> bool:
    """Whether anything in these runs is made up."""
    return _how(grid).any


def config_simulated(grid: OutcomeGrid, config: ModelConfig) -> bool:
    """Whether one model's results are made up."""
    return _how(grid).of(config)


def model_cells(grid: OutcomeGrid, config: ModelConfig) -> dict[str, Value]:
    """Cells that name a row's model: ``simulated``, ``model`` and ``config``."""
    return {
        "simulated": config_simulated(grid, config),
        "model": config.label,
        "config": config.name,
    }


def grid_table(
    grid: OutcomeGrid,
    name: str,
    what: str,
    columns: tuple[Column, ...],
    rows: Iterable[Mapping[str, Value]],
    notes: Iterable[str],
) -> Table:
    """A table of ``what`` these runs hold; ``notes`` follow those that every such table has."""
    return Table(
        name=name,
        title=grid_title(grid, what),
        columns=columns,
        rows=tuple(as_row(columns, row) for row in rows),
        notes=(*grid_notes(grid), *notes),
        simulated=grid_simulated(grid),
    )


def grid_title(grid: OutcomeGrid, what: str) -> str:
    """A table's title, which says of itself that results are made up."""
    return title(what, grid.runs, _how(grid))


def grid_notes(grid: OutcomeGrid) -> list[str]:
    """What holds for every table of a grid: made-up results, open cells, repeats, disputed keys."""
    return [
        *made_up_notes(grid),
        *open_notes(grid),
        *uneven_notes(grid),
        *disputed_notes(grid),
    ]


def made_up_notes(grid: OutcomeGrid) -> list[str]:
    """The note that comes first where results are made up."""
    return simulated_notes(_how(grid), grid.configs.values())


def open_notes(grid: OutcomeGrid) -> list[str]:
    """Models that have no scored attempt at some items, disputed ones left out."""
    grid = comparable(grid)
    open_cells = []
    for digest, config in grid.configs.items():
        without = sum(not grid.scored(item, digest) for item in grid.items)
        if without:
            open_cells.append(f"{config.label} ({without:,} of {len(grid.items):,} items)")
    if not open_cells:
        return []
    return [
        f"Without a scored attempt at some items: {listed(open_cells)}. Each figure is over "
        "the items that have one."
    ]


def uneven_notes(grid: OutcomeGrid) -> list[str]:
    """That some items have more scored attempts than others, disputed ones left out."""
    grid = comparable(grid)
    counts = {len(grid.scored(item, config)) for item in grid.items for config in grid.configs}
    return uneven_repeats(counts - {0})


def disputed_notes(grid: OutcomeGrid) -> list[str]:
    """Items whose attempts were graded against different keys, and what to do about it."""
    if not grid.disputed:
        return []
    note = (
        f"Graded against different keys: {listed(_names(grid.disputed))}. Such items are left out "
        "of every analysis (not of the leaderboard), and flagged in the list of items."
    )
    own = [item for item in grid.disputed if not item.imported]
    if own:
        again = [f"relaybench grade {run} --corrected-keys" for run in _sent_runs(grid, own)]
        note += f" Grade again before comparing: {'; '.join(again)}"
    if len(own) < len(grid.disputed):
        end = "." if own else ""
        note += f"{end} Import imported ones again, all with one key, under another --run name."
    return [note]


def _names(items: Sequence[GridItem]) -> list[str]:
    """Names of items, each once; with its forms where it is there in several."""
    forms: dict[str, list[str]] = {}
    for item in items:
        forms.setdefault(item.ref, []).append(item.form.value if item.form else "imported")
    return [
        f"{ref} ({', '.join(dict.fromkeys(found))})" if len(found) > 1 else ref
        for ref, found in forms.items()
    ]


def _sent_runs(grid: OutcomeGrid, items: Sequence[GridItem]) -> list[str]:
    """Names of the sent runs that hold any of these items, as a shell takes them."""
    holding = {name for item in items for name in grid.holders.get(item.digest, ())}
    return [
        shlex.quote(run.name)
        for run in grid.runs
        if run.kind != "import" and (len(grid.runs) == 1 or run.name in holding)
    ]


def item_names(grid: OutcomeGrid) -> dict[str, str]:
    """What to call each item by its digest: with its form where several have one name.

    Numbered where name and form are alike too; no hash, for that of an item holds its key.
    """
    counts = Counter(item.ref for item in grid.items.values())
    found = {
        digest: f"{item.ref} ({item.form.value})"
        if counts[item.ref] > 1 and item.form
        else item.ref
        for digest, item in grid.items.items()
    }
    alike, met = Counter(found.values()), Counter[str]()
    for digest, name in found.items():
        met[name] += 1
        if alike[name] > 1:
            found[digest] = f"{name} ({met[name]})"
    return found
