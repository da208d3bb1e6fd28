"""Commands that look into results: steps and items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from relaybench.cli.table_options import (
    chosen,
    domains_option,
    format_option,
    models_option,
    print_table,
    print_tables,
    runs_argument,
    sets_option,
    table_option,
)

if TYPE_CHECKING:
    from relaybench.cli.main import Place

#: As in ``reports.step_verdicts.By``, which --help must not load.
BY: Final = ("class", "instance", "domain", "position")
#: As in ``reports.items_table.Flag``.
FLAGS: Final = ("disputed", "agreeing", "inverted", "no-model", "every-model")
#: As in ``workbench.examining.STEP_TABLES``.
STEP_TABLES: Final = ("steps", "predictions")


@click.command()
@runs_argument
@click.option(
    "--by",
    type=click.Choice(BY),
    default="class",
    show_default=True,
    help="What steps are put together by.",
)
@models_option
@sets_option
@domains_option
@table_option(STEP_TABLES)
@format_option
@click.pass_obj
def steps(
    place: Place,
    runs: tuple[str, ...],
    by: str,
    models: tuple[str, ...],
    sets: tuple[str, ...],
    domains: tuple[str, ...],
    which: str,
    form: str,
) -> None:
    """Print how often each kind of step in RUNS (default: the newest run) is right, worst first.

    The second table sets the product of the steps' pass rates against the measured rate of their
    composites: name a run of single subproblems (relaybench run library:) too, and it predicts
    from those.
    """
    from relaybench.workbench.results.examining import steps_tables

    names = chosen(which, STEP_TABLES, form)
    tables = steps_tables(place.workspace, runs, by, models, names, sets=sets, domains=domains)
    print_tables(tables, form, as_list=len(names) > 1)


@click.command()
@runs_argument
@click.option(
    "--flag",
    "flags",
    multiple=True,
    type=click.Choice(FLAGS),
    help="Only items with this flag (repeatable).",
)
@models_option
@sets_option
@domains_option
@click.option("--with-answers", is_flag=True, help="The most common wrong answers too.")
@format_option
@click.pass_obj
def items(
    place: Place,
    runs: tuple[str, ...],
    flags: tuple[str, ...],
    models: tuple[str, ...],
    sets: tuple[str, ...],
    domains: tuple[str, ...],
    with_answers: bool,
    form: str,
) -> None:
    """Print a row for each item of RUNS (default: the newest run), suspicious ones first.

    Who solves it, and which wrong answers agree.
    """
    from relaybench.workbench.results.examining import items_of

    table = items_of(
        place.workspace,
        runs,
        with_answers=with_answers,
        flags=flags,
        models=models,
        sets=sets,
        domains=domains,
    )
    print_table(table, form)


COMMANDS = (steps, items)
