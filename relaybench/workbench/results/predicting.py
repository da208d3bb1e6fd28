"""Rates of steps over all runs of the results file, from which pass rates are predicted."""

from __future__ import annotations

from relaybench.reports.predictions import MeasuredRates
from relaybench.reports.step_rates import StepRates
from relaybench.store.plans import Plans
from relaybench.workbench.results.evidence import load_grid, load_step_tallies, reading
from relaybench.workbench.workspace import Workspace


def measured_rates(workspace: Workspace) -> MeasuredRates:
    """Read the rates of steps over all runs; none where there is no results file yet.

    Raises StoreError for a results file that cannot be read.
    """
    if not workspace.database.exists():
        return MeasuredRates()
    with reading(workspace) as connection:
        runs = Plans(connection).runs()
        chosen = [run for run in runs if not run.simulated] or runs
        if not chosen:
            return MeasuredRates()
        grid = load_grid(connection, chosen)
        rates = StepRates(grid, load_step_tallies(connection, grid))
        return MeasuredRates(tuple(grid.configs.values()), rates, chosen[0].simulated)
