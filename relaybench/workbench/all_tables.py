"""All tables that analyse a run, made from its grid, which is read once."""

from __future__ import annotations

from collections.abc import Iterator

from relaybench.reports.breakdown import breakdown
from relaybench.reports.comparison import comparison
from relaybench.reports.dependence import dependence, shares_classes
from relaybench.reports.dimensions import Dimension, varies
from relaybench.reports.effects import effects, has_pairs
from relaybench.reports.repeats import most_repeats, repeat_tables
from relaybench.reports.tables import Table
from relaybench.store.database import Connection
from relaybench.store.grid import OutcomeGrid
from relaybench.store.pooling import comparable
from relaybench.workbench.evidence import find_runs, load_grid, reading
from relaybench.workbench.examining import examine_items, examine_steps
from relaybench.workbench.workspace import Workspace


def analysis_tables(workspace: Workspace, run_name: str | None = None) -> list[Table]:
    """What ``tables_of`` makes of a run, by name or number; of the newest one for None."""
    with reading(workspace) as connection:
        runs = find_runs(connection, [] if run_name is None else [run_name])
        return tables_of(connection, load_grid(connection, runs))


def tables_of(connection: Connection, grid: OutcomeGrid) -> list[Table]:
    """Every analysis of a grid that has something to say, without keys and answers.

    Comparison of two models or more; breakdowns in which the items differ; effects where forms
    are paired; repeats where there are any; dependence where items share classes; steps and
    predictions where steps are known; items.
    """
    return list(_tables(connection, grid))


def _tables(connection: Connection, grid: OutcomeGrid) -> Iterator[Table]:
    configs = list(grid.configs.values())
    if len(configs) > 1:
        yield comparison(grid, configs)
    fair = comparable(grid)
    for by in Dimension:
        if varies(fair, by):
            yield breakdown(fair, by, configs)
    if has_pairs(grid):
        yield effects(grid)
    if most_repeats(fair) > 1:
        yield from repeat_tables(fair)
    if shares_classes(fair):
        yield dependence(fair)
    for table in examine_steps(connection, grid):
        if table.rows:
            yield table
    yield examine_items(connection, grid)
