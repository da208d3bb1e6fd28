"""All tables that analyse a run, made from its grid, which is read once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from relaybench.reports.breakdown import breakdown, breakdown_name
from relaybench.reports.comparison import comparison
from relaybench.reports.dependence import dependence, shares_classes
from relaybench.reports.dimensions import Dimension, varies
from relaybench.reports.effects import effects, has_pairs
from relaybench.reports.files_beside import Told, silent
from relaybench.reports.repeats import TABLES, most_repeats, repeat_tables
from relaybench.reports.tables import Table
from relaybench.store.database import Connection
from relaybench.store.grid import OutcomeGrid
from relaybench.store.pooling import comparable
from relaybench.workbench.results.evidence import find_runs, load_grid, reading
from relaybench.workbench.results.examining import examine_items, examine_steps
from relaybench.workbench.workspace import Workspace


def analysis_tables(workspace: Workspace, run_name: str | None = None) -> list[Table]:
    """What ``tables_of`` makes of a run, by name or number; of the newest one for None."""
    with reading(workspace) as connection:
        runs = find_runs(connection, [] if run_name is None else [run_name])
        return tables_of(connection, load_grid(connection, runs))


def tables_of(connection: Connection, grid: OutcomeGrid, told: Told = silent) -> list[Table]:
    """Every analysis of a grid that has something to say, without keys and answers.

    Comparison of two models or more; breakdowns in which the items differ; effects where forms
    are paired; repeats where there are any; dependence where items share classes; steps and
    predictions where steps are known; items. ``told`` is told the name of each that is made.
    """
    tables = []
    for name, make in _makers(connection, grid):
        told(f"table {name}")
        tables.append(make())
    return tables


def table_names(connection: Connection, grid: OutcomeGrid) -> list[str]:
    """The names of the tables that ``tables_of`` makes of a grid; most are not made for it."""
    return [name for name, _ in _makers(connection, grid)]


def _makers(connection: Connection, grid: OutcomeGrid) -> Iterator[tuple[str, Callable[[], Table]]]:
    configs = list(grid.configs.values())
    if len(configs) > 1:
        yield "comparison", lambda: comparison(grid, configs)
    fair = comparable(grid)
    for by in Dimension:
        if varies(fair, by):
            yield breakdown_name(by), partial(breakdown, fair, by, configs)
    if has_pairs(grid):
        yield "effects", lambda: effects(grid)
    if most_repeats(fair) > 1:
        for name in TABLES:
            yield name, partial(_repeats, fair, name)
    if shares_classes(fair):
        yield "dependence", lambda: dependence(fair)
    for table in examine_steps(connection, grid):  # whether they hold any row is seen from them
        if table.rows:
            yield table.name, partial(_itself, table)
    yield "items", lambda: examine_items(connection, grid)


def _repeats(grid: OutcomeGrid, name: str) -> Table:
    (table,) = repeat_tables(grid, (), [name])
    return table


def _itself(table: Table) -> Table:
    return table
