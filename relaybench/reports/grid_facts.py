"""Titles and notes of tables that are made from a grid of outcomes, of one run or several."""

from __future__ import annotations

from relaybench.domain.model import ModelConfig
from relaybench.reports.run_facts import simulated_notes
from relaybench.store.grid import OutcomeGrid

#: Names in one sentence; more of them are counted.
_NAMED = 5


def grid_simulated(grid: OutcomeGrid) -> bool:
    """Whether anything in these runs is made up."""
    return any(run.simulated for run in grid.runs) or any(
        config.simulated for config in grid.configs.values()
    )


def config_simulated(grid: OutcomeGrid, config: ModelConfig) -> bool:
    """Whether one model's results are made up."""
    any_config = any(each.simulated for each in grid.configs.values())
    return config.simulated if any_config else any(run.simulated for run in grid.runs)


def grid_title(grid: OutcomeGrid, what: str) -> str:
    """A table's title, which says of itself that results are made up."""
    mark = ""
    if grid_simulated(grid):
        real = [config for config in grid.configs.values() if not config.simulated]
        mark = " (partly simulated)" if 0 < len(real) < len(grid.configs) else " (simulated)"
    names = listed([run.name for run in grid.runs])
    return f"{what} of {'run' if len(grid.runs) == 1 else 'runs'} {names}{mark}"


def grid_notes(grid: OutcomeGrid) -> list[str]:
    """What holds for every table of a grid: made-up results, open cells, disputed keys."""
    run = next((run for run in grid.runs if run.simulated), grid.runs[0])
    notes = simulated_notes(run, list(grid.configs.values()))
    open_cells = []
    for digest, config in grid.configs.items():
        without = sum(not grid.scored(item, digest) for item in grid.items)
        if without:
            open_cells.append(f"{config.label} ({without:,} of {len(grid.items):,} items)")
    if open_cells:
        notes.append(
            f"Without a scored attempt at some items: {listed(open_cells)}. Each figure is over "
            "the items that have one."
        )
    if grid.disputed:
        names = listed([item.ref for item in grid.disputed])
        notes.append(
            f"Graded against different keys: {names}. Grade again before comparing: "
            "relaybench grade RUN"
        )
    return notes


def listed(names: list[str]) -> str:
    """Names in one line: the first few, and how many more."""
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")
