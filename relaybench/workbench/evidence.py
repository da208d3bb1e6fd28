"""What analyses of runs are made of, read once: grids, step tallies, wrong answers."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from relaybench.domain.errors import UnknownNameError, UsageError
from relaybench.domain.model import ModelConfig
from relaybench.store.database import Connection
from relaybench.store.grid import Grids, OutcomeGrid, pool
from relaybench.store.plans import Plans, RunRow
from relaybench.store.step_tallies import StepTally, step_tallies
from relaybench.store.wrong_answers import WrongAnswer, wrong_answers
from relaybench.workbench.workspace import Workspace


@contextlib.contextmanager
def reading(workspace: Workspace) -> Iterator[Connection]:
    """The results file opened for reading; raises StoreError where there is none."""
    with contextlib.closing(Connection(workspace.database, create=False)) as connection:
        yield connection


def find_runs(connection: Connection, names: Sequence[str]) -> list[RunRow]:
    """Runs by name or number, each once; the newest one where no name is given."""
    plans = Plans(connection)
    found = [plans.find(name) for name in names] if names else [plans.find(None)]
    return list({run.id: run for run in found}.values())


def load_grid(connection: Connection, runs: Sequence[RunRow]) -> OutcomeGrid:
    """The grid of one run, or of several put together.

    Raises UsageError for simulated and real runs together: made-up results are compared with
    nothing real.
    """
    if len({run.simulated for run in runs}) > 1:
        made_up = ", ".join(run.name for run in runs if run.simulated)
        raise UsageError(
            f"simulated and real results are never put together; leave out {made_up}, "
            "or look at the simulated runs alone"
        )
    grids = Grids(connection)
    keys = [grids.keys_graded_against(run) for run in runs] if len(runs) > 1 else []
    return pool([grids.load(run) for run in runs], keys)


def load_step_tallies(connection: Connection, grid: OutcomeGrid) -> list[StepTally]:
    """Verdicts on single steps over all runs of a grid, by its items."""
    return step_tallies(connection, grid.runs, grid.aliases)


def load_wrong_answers(connection: Connection, grid: OutcomeGrid) -> list[WrongAnswer]:
    """All different wrong answers over all runs of a grid, by its items."""
    return wrong_answers(connection, grid.runs, grid.aliases)


def find_config(grid: OutcomeGrid, name: str) -> ModelConfig:
    """The model config that a user means: by label, name in models.toml, or model id.

    Raises UnknownNameError where none or several fit, and says which there are.
    """
    configs = list(grid.configs.values())
    for told in (
        [each for each in configs if name in (each.label, each.name)],
        [each for each in configs if name == each.model],
        [each for each in configs if each.label.casefold() == name.casefold()],
    ):
        if len(told) == 1:
            return told[0]
        if told:
            fitting = ", ".join(f"{each.name} ({each.label})" for each in told)
            raise UnknownNameError(f"{name!r} fits several models: {fitting}; name one of them")
    known = ", ".join(each.label for each in configs)
    raise UnknownNameError(f"no model of these runs is called {name!r}; there are: {known}")
