"""Commands that look into results: steps and items."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from relaybench.cli.outcomes import FORMATS
from relaybench.cli.output import exact, terminal_width

if TYPE_CHECKING:
    from relaybench.cli.main import Place

_BOTH = "both"
#: Formats in which a file holds one table.
_ONE_TABLE = ("csv", "json", "jsonl")


@click.command(short_help="Print which steps of composites fail, and what they predict.")
@click.argument("runs", metavar="[RUN]...", nargs=-1)
@click.option(
    "--by",
    type=click.Choice(["class", "instance", "domain", "position"]),
    default="class",
    help="What steps are put together by (default: class).",
)
@click.option("--model", "models", multiple=True, metavar="M", help="Only this model; repeatable.")
@click.option(
    "--table",
    "which",
    type=click.Choice(["steps", "predictions", _BOTH]),
    help="Which table (default: both; csv, json and jsonl hold one: steps).",
)
@click.option("--format", "form", type=click.Choice(FORMATS), default="table")
@click.pass_obj
def steps(
    place: Place,
    runs: tuple[str, ...],
    by: str,
    models: tuple[str, ...],
    which: str | None,
    form: str,
) -> None:
    """Print how often each kind of step is right, worst first, and what that predicts.

    Of RUN (default: the newest), or of several put together. The second table sets the product
    of the steps' pass rates against the measured rate of their composites: name a run of single
    subproblems (relaybench run library:) too, and it predicts from those.
    """
    from relaybench.domain.errors import UsageError
    from relaybench.workbench.examining import steps_tables, tables_text

    if which == _BOTH and form in _ONE_TABLE:
        raise UsageError(f"{form} holds one table: choose --table steps or --table predictions")
    chosen = which or ("steps" if form in _ONE_TABLE else _BOTH)
    tables = [
        table
        for table in steps_tables(place.workspace, runs, by, models)
        if chosen in (table.name, _BOTH)
    ]
    exact(tables_text(tables, form, terminal_width()))


@click.command(short_help="Print what is odd about items: nobody solves it, suspect key …")
@click.argument("runs", metavar="[RUN]...", nargs=-1)
@click.option(
    "--flag",
    "flags",
    multiple=True,
    type=click.Choice(["agreeing", "inverted", "no-model", "every-model"]),
    help="Only items with this flag; repeatable.",
)
@click.option("--with-answers", is_flag=True, help="The most common wrong answers too.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="table")
@click.pass_obj
def items(
    place: Place, runs: tuple[str, ...], flags: tuple[str, ...], with_answers: bool, form: str
) -> None:
    """Print a row an item, suspicious ones first: who solves it, and which wrong answers agree.

    Of RUN (default: the newest), or of several put together.
    """
    from relaybench.workbench.examining import items_of, tables_text

    table = items_of(place.workspace, runs, with_answers=with_answers, flags=flags)
    exact(tables_text([table], form, terminal_width()))


COMMANDS = (steps, items)
