"""Look at results: runs, tables, single attempts."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from relaybench.domain.money import ZERO
from relaybench.domain.results import Outcome
from relaybench.reports.costs import cost_table
from relaybench.reports.formats import render
from relaybench.reports.leaderboard import leaderboard
from relaybench.store.attempts import AttemptDetail, Attempts
from relaybench.store.database import Connection
from relaybench.store.outlines import outline
from relaybench.store.plans import Plans, RunRow
from relaybench.store.results import AttemptRow, ConfigResult, Results
from relaybench.store.spending import answer_costs, unsaved_calls
from relaybench.workbench.spent import unsaved_costs
from relaybench.workbench.workspace import Workspace


@dataclass(frozen=True, slots=True)
class RunResults:
    """A run and its results per model config."""

    run: RunRow
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
        plan = outline(connection, run)
        configs = Results(connection).by_config(plan)
        if any(each.facts.unsaved_calls for each in configs):
            calls = unsaved_calls(connection, run).calls
            answers = answer_costs(connection, run, calls)
            costs = unsaved_costs(calls, answers, plan)
            configs = [_with_unsaved(each, costs) for each in configs]
        return RunResults(run, tuple(configs))


def _with_unsaved(result: ConfigResult, costs: Mapping[str, Decimal | None]) -> ConfigResult:
    """A config's results with what its unsaved calls are estimated to have cost."""
    cost = costs.get(result.config.digest, ZERO)
    return replace(result, facts=replace(result.facts, unsaved_usd=cost))


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


def leaderboard_text(
    workspace: Workspace, name: str | None, form: str, width: int | None = None
) -> str:
    """The leaderboard of a run in one of the formats; ``width`` in cells is for ``table``."""
    found = results(workspace, name)
    return render(leaderboard(found.run, found.configs), form, width=width)


def costs_text(workspace: Workspace, name: str | None, form: str, width: int | None = None) -> str:
    """The costs of a run in the shape of the paper's table 1."""
    found = results(workspace, name)
    return render(cost_table(found.run, found.configs), form, width=width)
