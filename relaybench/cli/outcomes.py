"""Commands that look at whole runs: runs, results, costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from relaybench.cli.output import columns, data, data_json, exact, plural, terminal_width, usd
from relaybench.cli.table_options import (
    domains_option,
    format_option,
    models_option,
    print_table,
    run_argument,
    runs_argument,
    sets_option,
)

if TYPE_CHECKING:
    from relaybench.cli.main import Place
    from relaybench.workbench.workspace import Workspace

#: Cells across from which lists show all their columns.
_ROOMY = 110


@click.command()
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.pass_obj
def runs(place: Place, form: str) -> None:
    """List runs, oldest first, and how far each has come."""
    from relaybench.workbench.results.reporting import runs as list_runs

    found = list_runs(place.workspace)
    if form == "json":
        data_json(
            [
                {
                    "number": each.id,
                    "run": each.name,
                    "kind": each.kind,
                    "simulated": each.simulated,
                    "created_at": each.created_at,
                    "items": each.items,
                    "models": each.configs,
                    "repeats": each.repeats,
                    "planned": each.planned,
                    "answered": each.answered,
                    "failed": each.failed,
                }
                for each in found
            ]
        )
        return
    rows = [["run", "no.", "what", "started (UTC)", "items", "models", "repeats", "answered"]]
    for each in found:
        kind = "simulated" if each.simulated else each.kind
        failed = f", {each.failed} failed" if each.failed else ""
        done = f"{each.answered}/{each.planned}{failed}"
        started = each.created_at[:16].replace("T", " ")
        counts = [str(each.items), str(each.configs), str(each.repeats)]
        rows.append([each.name, str(each.id), kind, started, *counts, done])
    if terminal_width() < _ROOMY:
        rows = [[row[0], row[2], row[3], row[7]] for row in rows]
        data(columns(rows, left=(1, 2)))
        return
    data(columns(rows, left=(2, 3)))


@click.command()
@runs_argument
@models_option
@sets_option
@domains_option
@format_option
@click.pass_obj
def results(
    place: Place,
    runs: tuple[str, ...],
    models: tuple[str, ...],
    sets: tuple[str, ...],
    domains: tuple[str, ...],
    form: str,
) -> None:
    """Print the leaderboard of RUN (default: the newest run), a row for each model.

    One model at two efforts, or with other settings, is two. Of several runs, or of the items of
    some sets or domains, the scores are printed: without tokens, which are counted by run.
    """
    from relaybench.reports.filters import Filters
    from relaybench.workbench.results.reporting import result_table

    print_table(result_table(place.workspace, runs, Filters(models, sets, domains)), form)


@click.command()
@run_argument
@models_option
@format_option
@click.pass_obj
def costs(place: Place, run: str | None, models: tuple[str, ...], form: str) -> None:
    """Print prices, tokens and costs of RUN (default: the newest run), a row for each model."""
    from relaybench.workbench.results.reporting import costs_text

    exact(costs_text(place.workspace, run, form, terminal_width(), models))


def print_tables(workspace: Workspace, run: str) -> None:
    """Print the leaderboard and the costs of a run."""
    from relaybench.workbench.results.reporting import run_text

    exact(run_text(workspace, run, terminal_width()))


def summary(workspace: Workspace, run: str) -> str:
    """A run in a line: how many answers are right, and what is known of the cost."""
    from relaybench.domain.money import sum_known
    from relaybench.domain.results import Outcome
    from relaybench.workbench.results.reporting import results as read_results

    found = read_results(workspace, run)
    scored = sum(each.scored for each in found.configs)
    right = sum(each.count(Outcome.CORRECT) for each in found.configs)
    total = sum_known(tuple(each.cost.total for each in found.configs))
    what = "simulated run" if found.run.simulated else "run"
    unsaved = sum(each.facts.unsaved_calls for each in found.configs)
    estimated = sum_known(tuple(each.facts.unsaved_usd for each in found.configs))
    more = (
        f", and {plural(unsaved, 'call')} without a kept answer may have been billed, about "
        f"{usd(estimated)} by estimate"
        if unsaved
        else ""
    )
    return (
        f"{what} {run!r}: {right} of {plural(scored, 'scored answer')} right, "
        f"cost {usd(total)}{more}"
    )


COMMANDS = (runs, results, costs)
