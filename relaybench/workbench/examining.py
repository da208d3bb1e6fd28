"""Look into results: which steps fail, what they predict, which items and keys are odd."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from relaybench.domain.model import ModelConfig
from relaybench.reports.formats import Format, render
from relaybench.reports.items_table import Flag, items_table
from relaybench.reports.predictions_table import predictions_table
from relaybench.reports.step_verdicts import By
from relaybench.reports.steps_table import steps_table
from relaybench.reports.tables import NARROW, Table
from relaybench.store.database import Connection
from relaybench.store.grid import OutcomeGrid
from relaybench.workbench.evidence import (
    find_config,
    find_runs,
    load_grid,
    load_step_tallies,
    load_wrong_answers,
    reading,
)
from relaybench.workbench.workspace import Workspace

#: Terminal cells from which all columns stand side by side.
_ROOMY = 100


def examine_steps(
    connection: Connection, grid: OutcomeGrid, by: By | str = By.CLASS
) -> list[Table]:
    """The tables ``steps`` and ``predictions`` of a grid that is loaded already."""
    tallies = load_step_tallies(connection, grid)
    return [steps_table(grid, tallies, By(by)), predictions_table(grid, tallies)]


def examine_items(
    connection: Connection,
    grid: OutcomeGrid,
    *,
    with_answers: bool = False,
    flags: Collection[Flag | str] = (),
) -> Table:
    """The table ``items`` of a grid that is loaded already."""
    wrong = load_wrong_answers(connection, grid)
    return items_table(grid, wrong, with_answers=with_answers, flags=[Flag(flag) for flag in flags])


def steps_tables(
    workspace: Workspace,
    runs: Sequence[str] = (),
    by: By | str = By.CLASS,
    models: Sequence[str] = (),
) -> list[Table]:
    """The tables ``steps`` and ``predictions`` of runs put together; of the newest for none.

    Only of the named models where any is named. Raises UnknownNameError for a run or model that
    is not there, UsageError for simulated and real runs together.
    """
    with reading(workspace) as connection:
        grid = load_grid(connection, find_runs(connection, runs))
        return examine_steps(connection, _only(grid, models), by)


def items_of(
    workspace: Workspace,
    runs: Sequence[str] = (),
    *,
    with_answers: bool = False,
    flags: Collection[Flag | str] = (),
) -> Table:
    """The table ``items`` of runs put together; of the newest for none.

    The most common wrong answers only ``with_answers``. Raises UnknownNameError for a run that is
    not there, UsageError for simulated and real runs together.
    """
    with reading(workspace) as connection:
        grid = load_grid(connection, find_runs(connection, runs))
        return examine_items(connection, grid, with_answers=with_answers, flags=flags)


def _only(grid: OutcomeGrid, models: Sequence[str]) -> OutcomeGrid:
    """The grid with the named models alone, in the plan's order."""
    if not models:
        return grid
    named: list[ModelConfig] = [find_config(grid, name) for name in models]
    digests = {config.digest for config in named}
    return replace(
        grid, configs={key: each for key, each in grid.configs.items() if key in digests}
    )


def tables_text(tables: Sequence[Table], form: str, width: int | None = None) -> str:
    """Tables one below the other in one of the formats; ``width`` in cells is for ``table``.

    A narrow terminal gets the columns that fit side by side: a second block of them could not
    say which of several rows of one name a line belongs to.
    """
    narrow = form == Format.TABLE and width is not None and width < _ROOMY
    level = NARROW if narrow else None
    return "\n".join(render(table, form, width=width, level=level) for table in tables)
