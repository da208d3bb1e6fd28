"""Look at results: runs, tables, single attempts, export files."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from relaybench.domain.results import Outcome
from relaybench.store.attempts import AttemptDetail, Attempts
from relaybench.store.database import Connection
from relaybench.store.plans import Plans, RunRow, StoredPlan
from relaybench.store.results import AttemptRow, ConfigResult, Results
from relaybench.workbench.workspace import Workspace


@dataclass(frozen=True, slots=True)
class RunResults:
    """A run, its plan, and its results per model config."""

    run: RunRow
    plan: StoredPlan
    configs: tuple[ConfigResult, ...]


@contextlib.contextmanager
def _reading(workspace: Workspace) -> Iterator[Connection]:
    with contextlib.closing(Connection(workspace.database, create=False)) as connection:
        yield connection


def runs(workspace: Workspace) -> list[RunRow]:
    """All runs, oldest first."""
    with _reading(workspace) as connection:
        return Plans(connection).runs()


def results(workspace: Workspace, name: str | None = None) -> RunResults:
    """Results of a run by name or number; the newest one for None."""
    with _reading(workspace) as connection:
        plans = Plans(connection)
        run = plans.find(name)
        plan = plans.load(run)
        return RunResults(run, plan, tuple(Results(connection).by_config(plan)))


def attempts(
    workspace: Workspace, name: str | None = None, outcome: Outcome | None = None
) -> Iterator[AttemptRow]:
    """Attempts of a run, one by one, in the plan's order."""
    with _reading(workspace) as connection:
        yield from Results(connection).attempts(Plans(connection).find(name), outcome)


def attempt(workspace: Workspace, number: int) -> AttemptDetail:
    """One attempt in full: prompt, response, calls, grade trail."""
    with _reading(workspace) as connection:
        return Attempts(connection).detail(number)
