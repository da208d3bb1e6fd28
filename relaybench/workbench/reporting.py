"""Look at results: runs, tables, single attempts."""

from __future__ import annotations

from collections.abc import Iterator

from relaybench.domain.results import Outcome
from relaybench.reports.costs import cost_table
from relaybench.reports.formats import render
from relaybench.reports.leaderboard import leaderboard
from relaybench.store.attempts import AttemptDetail, Attempts
from relaybench.store.plans import Plans, RunRow
from relaybench.store.results import AttemptRow, Results
from relaybench.workbench.evidence import RunResults, load_results, reading
from relaybench.workbench.workspace import Workspace


def runs(workspace: Workspace) -> list[RunRow]:
    """All runs, oldest first."""
    with reading(workspace) as connection:
        return Plans(connection).runs()


def results(workspace: Workspace, name: str | None = None) -> RunResults:
    """Results of a run by name or number; the newest one for None."""
    with reading(workspace) as connection:
        return load_results(connection, Plans(connection).find(name))


def attempts(
    workspace: Workspace,
    name: str | None = None,
    outcome: Outcome | None = None,
    item: str | None = None,
) -> Iterator[AttemptRow]:
    """Attempts of a run, one by one, in the plan's order; at one item (``set/name``) for a name."""
    with reading(workspace) as connection:
        yield from Results(connection).attempts(Plans(connection).find(name), outcome, item)


def attempt(workspace: Workspace, number: int) -> AttemptDetail:
    """One attempt in full: prompt, response, calls, grade trail."""
    with reading(workspace) as connection:
        return Attempts(connection).detail(number)


def leaderboard_text(
    workspace: Workspace, name: str | None, form: str, width: int | None = None
) -> str:
    """The leaderboard of a run in one of the formats; ``width`` in cells is for ``table``."""
    found = results(workspace, name)
    return render(leaderboard(found.run, found.configs, found.problems), form, width=width)


def costs_text(workspace: Workspace, name: str | None, form: str, width: int | None = None) -> str:
    """The costs of a run in the shape of the paper's table 1."""
    found = results(workspace, name)
    return render(cost_table(found.run, found.configs), form, width=width)


def run_text(workspace: Workspace, name: str | None, width: int | None = None) -> str:
    """The leaderboard of a run and its costs below, both of the same moment."""
    found = results(workspace, name)
    tables = (
        leaderboard(found.run, found.configs, found.problems),
        cost_table(found.run, found.configs),
    )
    return "\n".join(render(table, "table", width=width) for table in tables)
