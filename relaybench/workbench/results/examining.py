"""Look into results: which steps fail, what they predict, which items and keys are odd."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

from relaybench.reports.filters import Filters
from relaybench.reports.items_table import Flag, items_table
from relaybench.reports.predictions_table import predictions_table
from relaybench.reports.step_verdicts import By
from relaybench.reports.steps_table import steps_table
from relaybench.reports.tables import Table
from relaybench.store.database import Connection
from relaybench.store.grid import OutcomeGrid
from relaybench.store.step_tallies import StepTally
from relaybench.store.wrong_answers import WrongAnswer
from relaybench.workbench.results.evidence import (
    find_runs,
    load_grid,
    load_step_tallies,
    load_wrong_answers,
    reading,
)
from relaybench.workbench.results.narrowing import narrowed, noted
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
    return tell_steps(grid, load_step_tallies(connection, grid), by, names)


def tell_steps(
    grid: OutcomeGrid,
    tallies: Sequence[StepTally],
    by: By | str = By.CLASS,
    names: Sequence[str] = STEP_TABLES,
) -> list[Table]:
    """Those of the tables ``steps`` and ``predictions``, of tallies that are loaded already."""
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
    return tell_items(grid, wrong, with_answers=with_answers, flags=flags)


def tell_items(
    grid: OutcomeGrid,
    wrong_answers: Sequence[WrongAnswer],
    *,
    with_answers: bool = False,
    flags: Collection[Flag | str] = (),
) -> Table:
    """The table ``items``, of wrong answers that are loaded already."""
    chosen = [Flag(flag) for flag in flags]
    return items_table(grid, wrong_answers, with_answers=with_answers, flags=chosen)


def steps_tables(
    workspace: Workspace,
    runs: Sequence[str] = (),
    by: By | str = By.CLASS,
    models: Sequence[str] = (),
    names: Sequence[str] = STEP_TABLES,
    *,
    sets: Sequence[str] = (),
    domains: Sequence[str] = (),
) -> list[Table]:
    """Those of ``steps`` and ``predictions`` that are named, of runs put together.

    Of the newest run for none, and only of the named models where any is named, in that order,
    and on the items of some sets and domains alone where any is named. Raises UnknownNameError
    for a run, model, set or domain that is not there, UsageError for simulated and real runs
    together.
    """
    filters = Filters(tuple(models), tuple(sets), tuple(domains))
    with reading(workspace) as connection:
        grid = load_grid(connection, find_runs(connection, runs))
        tables = examine_steps(connection, narrowed(grid, filters), by, names)
    return [noted(table, filters) for table in tables]


def items_of(
    workspace: Workspace,
    runs: Sequence[str] = (),
    *,
    with_answers: bool = False,
    flags: Collection[Flag | str] = (),
    models: Sequence[str] = (),
    sets: Sequence[str] = (),
    domains: Sequence[str] = (),
) -> Table:
    """The table ``items`` of runs put together; of the newest for none.

    The most common wrong answers only ``with_answers``; models, sets and domains as in
    ``steps_tables``. Raises UnknownNameError for a name that is not there, UsageError for
    simulated and real runs together.
    """
    filters = Filters(tuple(models), tuple(sets), tuple(domains))
    with reading(workspace) as connection:
        grid = narrowed(load_grid(connection, find_runs(connection, runs)), filters)
        table = examine_items(connection, grid, with_answers=with_answers, flags=flags)
    return noted(table, filters)
