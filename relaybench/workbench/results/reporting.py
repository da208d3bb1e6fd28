"""Look at results: runs, tables, single attempts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from relaybench.domain.results import Outcome
from relaybench.reports.attempt_choice import attempt_choice
from relaybench.reports.costs import cost_table
from relaybench.reports.figures.model_results import model_results
from relaybench.reports.filters import Filters
from relaybench.reports.formats import render
from relaybench.reports.leaderboard import leaderboard
from relaybench.reports.scores_table import scores_table
from relaybench.reports.tables import Table
from relaybench.store.attempts import AttemptDetail, Attempts
from relaybench.store.plans import Plans, RunRow
from relaybench.store.results import AttemptRow, Results
from relaybench.workbench.results.evidence import (
    LoadedGrids,
    RunResults,
    choose_config,
    choose_results,
    find_runs,
    load_grids,
    load_results,
    reading,
)
from relaybench.workbench.results.narrowing import fair_grids, narrowed_grids, noted
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
    items: Collection[str] = (),
    model: str | None = None,
    *,
    near_misses: bool = False,
) -> Iterator[AttemptRow]:
    """Attempts of a run, one by one, in the plan's order.

    At some items (``set/name``), of one model (as ``evidence.find_config`` takes its name), with
    one outcome, where these are given; ``near_misses`` alone where asked for.
    """
    with reading(workspace) as connection:
        run = Plans(connection).find(name)
        config = None
        if model is not None:
            configs, ids = Plans(connection).configs_and_ids(run.id)
            config = ids[choose_config(configs.values(), model).digest]
        found = Results(connection).attempts(run, outcome, items, config)
        yield from (each for each in found if each.near_miss or not near_misses)


def attempt_list(
    workspace: Workspace,
    names: Sequence[str] = (),
    *,
    model: str | None = None,
    item: str | None = None,
) -> Table:
    """Attempts of runs (default: the newest) with answers and keys, the wrong ones first.

    Those of one model or at one item where it is named. Raises UnknownNameError for a run or
    model that is not there.
    """
    with reading(workspace) as connection:
        chosen = find_runs(connection, names)
    rows = [
        (run, each)
        for run in chosen
        for each in attempts(workspace, run.name, None, [item] if item else (), model)
    ]
    return attempt_choice(rows, model or item or "")


def attempt(workspace: Workspace, number: int) -> AttemptDetail:
    """One attempt in full: prompt, response, calls, grade trail."""
    with reading(workspace) as connection:
        return Attempts(connection).detail(number)


def leaderboard_of(found: RunResults, models: Sequence[str] = ()) -> Table:
    """The leaderboard of a run whose results are loaded already; of some models where named."""
    return leaderboard(found.run, choose_results(found.configs, models), found.problems)


def costs_of(found: RunResults, models: Sequence[str] = ()) -> Table:
    """The costs of a run whose results are loaded already; of some models where named."""
    return cost_table(found.run, choose_results(found.configs, models))


def scores_of(grids: LoadedGrids, found: Sequence[RunResults], filters: Filters) -> Table:
    """The scores of runs put together, loaded already, or of what the filters keep of them."""
    kept = fair_grids(narrowed_grids(grids, filters))
    costs = [each.configs for each in found]
    models = model_results(kept.single, kept.pooled, costs, whole=not filters.of_items)
    return noted(scores_table(kept.pooled, models, whole=not filters.of_items), filters)


def result_table(
    workspace: Workspace, names: Sequence[str] = (), filters: Filters | None = None
) -> Table:
    """The leaderboard of a run (default: the newest); of several, or some items, the scores.

    Raises UnknownNameError for a run, model, set or domain that is not there, UsageError for
    simulated and real runs together.
    """
    filters = filters or Filters()
    with reading(workspace) as connection:
        chosen = find_runs(connection, names)
        found = [load_results(connection, run) for run in chosen]
        if len(found) == 1 and not filters.of_items:
            return leaderboard_of(found[0], filters.models)
        return scores_of(load_grids(connection, chosen), found, filters)


def leaderboard_text(
    workspace: Workspace, name: str | None, form: str, width: int | None = None
) -> str:
    """The leaderboard of a run in one of the formats; ``width`` in cells is for ``table``."""
    return render(leaderboard_of(results(workspace, name)), form, width=width)


def costs_text(
    workspace: Workspace,
    name: str | None,
    form: str,
    width: int | None = None,
    models: Sequence[str] = (),
) -> str:
    """The costs of a run, or of some of its models, in the shape of the paper's table 1."""
    return render(costs_of(results(workspace, name), models), form, width=width)


def run_text(workspace: Workspace, name: str | None, width: int | None = None) -> str:
    """The leaderboard of a run and its costs below, both of the same moment."""
    found = results(workspace, name)
    tables = (leaderboard_of(found), costs_of(found))
    return "\n".join(render(table, "table", width=width) for table in tables)
