"""Commands that compare: models, groups of items, forms of problems, repeats."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from relaybench.cli.outcomes import FORMATS
from relaybench.cli.output import exact, terminal_width

if TYPE_CHECKING:
    from relaybench.cli.main import Place
    from relaybench.reports.tables import Table

DIMENSIONS = ("domain", "class", "steps", "encoded", "bloat", "form", "length", "set", "kind")
REPEAT_TABLES = ("repeats", "pass-k", "by-repeat")
_ALL = "all"
#: Formats in which a file holds one table.
_ONE_TABLE = ("csv", "json", "jsonl")

_format = click.option("--format", "form", type=click.Choice(FORMATS), default="table")
_seed = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Seed of the bootstrap.",
)


def _print(table: Table, form: str) -> None:
    from relaybench.reports.formats import render

    exact(render(table, form, width=terminal_width()))


class Edges(click.ParamType[tuple[int, ...]]):
    """Whole numbers with commas between them: 5000,15000."""

    name = "edges"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Read the numbers."""
        if isinstance(value, tuple):
            return value
        try:
            return tuple(int(edge) for edge in str(value).split(","))
        except ValueError:
            self.fail(f"{value!r} is no list of lengths; write 5000,15000", param, ctx)


@click.command(short_help="Compare models pair by pair on the same items.")
@click.argument("models", metavar="[MODEL]...", nargs=-1)
@click.option("--run", "runs", multiple=True, help="Run to take results from (repeatable).")
@_seed
@_format
@click.pass_obj
def compare(
    place: Place, models: tuple[str, ...], runs: tuple[str, ...], seed: int, form: str
) -> None:
    """Compare MODELS (default: all of the run) pair by pair on the items that both answered.

    A model is named as in models.toml or as tables show it. Results are of the newest run, or of
    all that --run names, put together.
    """
    from relaybench.workbench.comparing import comparison_table

    _print(comparison_table(place.workspace, models, runs, seed), form)


@click.command(short_help="Break scores down by domain, class, steps, form or length.")
@click.argument("runs", metavar="[RUN]...", nargs=-1)
@click.option(
    "--by",
    type=click.Choice(DIMENSIONS),
    multiple=True,
    help="By what (repeatable; default: all in which the items differ).",
)
@click.option("--model", "models", multiple=True, help="Only this model (repeatable).")
@click.option(
    "--bands",
    type=Edges(),
    default="15000",
    show_default=True,
    metavar="EDGES",
    help="Where lengths of prompts are split, in characters: 5000,15000.",
)
@_format
@click.pass_obj
def breakdown(
    place: Place,
    runs: tuple[str, ...],
    by: tuple[str, ...],
    models: tuple[str, ...],
    bands: tuple[int, ...],
    form: str,
) -> None:
    """Print pass@1 by groups of the items of RUNS (default: the newest run).

    A table for each dimension, a row for each group and model. In csv and jsonl they are one
    table; in json a list, or the table itself where one --by is given.
    """
    from relaybench.reports.dimensions import Dimension
    from relaybench.reports.several_tables import render_all
    from relaybench.workbench.comparing import breakdown_tables

    chosen = [Dimension(each) for each in by]
    tables = breakdown_tables(place.workspace, runs, chosen, models, bands)
    exact(render_all(tables, form, width=terminal_width(), as_list=len(by) != 1))


@click.command(short_help="Show what encoding and bloat do to each model's score.")
@click.argument("runs", metavar="[RUN]...", nargs=-1)
@_seed
@_format
@click.pass_obj
def effects(place: Place, runs: tuple[str, ...], seed: int, form: str) -> None:
    """Print the paired effect of encoding and of bloat in RUNS (default: the newest run).

    Pairs are forms of one problem: run it with --variant plain --variant bloated
    --variant encoded.
    """
    from relaybench.workbench.comparing import effects_table

    _print(effects_table(place.workspace, runs, seed), form)


@click.command(short_help="Show pass@k, pass^k and how far repeats lie apart.")
@click.argument("runs", metavar="[RUN]...", nargs=-1)
@click.option(
    "--k", "ks", type=click.IntRange(min=1), multiple=True, help="k of pass@k (repeatable)."
)
@click.option(
    "--table",
    "which",
    type=click.Choice([*REPEAT_TABLES, _ALL]),
    help="Which table (default: all; csv, json and jsonl hold one: repeats).",
)
@_format
@click.pass_obj
def repeats(
    place: Place, runs: tuple[str, ...], ks: tuple[int, ...], which: str | None, form: str
) -> None:
    """Print what several attempts per item in RUNS (default: the newest run) say.

    All repeats together, pass@k and pass^k, and each repeat alone.
    """
    from relaybench.domain.errors import UsageError
    from relaybench.reports.formats import render
    from relaybench.workbench.comparing import repeats_tables

    if which == _ALL and form in _ONE_TABLE:
        raise UsageError(f"{form} holds one table: choose --table {' or '.join(REPEAT_TABLES)}")
    chosen = which or (REPEAT_TABLES[0] if form in _ONE_TABLE else _ALL)
    tables = repeats_tables(place.workspace, runs, ks)
    texts = [
        render(table, form, width=terminal_width())
        for table in tables
        if chosen in (table.name, _ALL)
    ]
    exact("\n".join(texts))


@click.command(short_help="Show intervals that allow for items sharing classes.")
@click.argument("runs", metavar="[RUN]...", nargs=-1)
@_format
@click.pass_obj
def dependence(place: Place, runs: tuple[str, ...], form: str) -> None:
    """Print pass@1 in RUNS (default: the newest run) with intervals for dependent items.

    Composites that share classes of subproblem are solved or missed together, so that they are
    worth fewer independent items.
    """
    from relaybench.workbench.comparing import dependence_table

    _print(dependence_table(place.workspace, runs), form)


COMMANDS = (compare, breakdown, effects, repeats, dependence)
