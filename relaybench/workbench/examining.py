"""Look into results: which steps fail, what they predict, which items and keys are odd."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

from relaybench.reports.items_table import Flag, items_table
from relaybench.reports.predictions_table import predictions_table
from relaybench.reports.step_verdicts import By
from relaybench.reports.steps_table import steps_table
from relaybench.reports.tables import Table
from relaybench.store.database import Connection
from relaybench.store.grid import OutcomeGrid
from relaybench.workbench.evidence import (
    find_runs,
    load_grid,
    load_step_tallies,
    load_wrong_answers,
    of_models,
    reading,
)
from relaybench.workbench.workspace import Workspace

#: Names of the tables about steps, in their order.
STEP_TABLES: Final = ("steps", "predictions")


def examine_steps(
    connection: Connection,
    grid: OutcomeGrid,
    by: By | str = By.CLASS,
    names: Sequence[str] = STEP_TABLES,
) -> list[Table]:
    """Those of the tables ``steps`` and ``predictions``, of a grid that is loaded already."""
    tallies = load_step_tallies(connection, grid)
    makers: dict[str, Callable[[], Table]] = {
        "steps": lambda: steps_table(grid, tallies, By(by)),
        "predictions": lambda: predictions_table(grid, tallies),
    }
    return [make() for name, make in makers.items() if name in names]


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
    names: Sequence[str] = STEP_TABLES,
) -> list[Table]:
    """Those of ``steps`` and ``predictions`` that are named, of runs put together.

    Of the newest run for none, and only of the named models where any is named, in that order.
    Raises UnknownNameError for a run or model that is not there, UsageError for simulated and
    real runs together.
    """
    with reading(workspace) as connection:
        grid = load_grid(connection, find_runs(connection, runs))
        return examine_steps(connection, of_models(grid, models), by, names)


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
