"""What all commands that print tables have in common: their options, and how they print."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from relaybench.cli.output import data, exact, say, terminal_width

if TYPE_CHECKING:
    from relaybench.reports.tables import Table
    from relaybench.workbench.results.foreseeing import Foreseen

_Command = TypeVar("_Command", bound=Callable[..., Any])

#: As in ``reports.formats.FORMATS``, which --help must not load.
FORMATS: Final = ("table", "csv", "md", "latex", "json", "jsonl")
#: As in ``reports.several_tables.ONE_TABLE``.
ONE_TABLE: Final = ("csv", "jsonl")
#: The word for all tables of a command that has several.
ALL: Final = "all"

format_option: Final = click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="table",
    show_default=True,
    help="For people: table, md, latex; exact: csv, json, jsonl.",
)
run_argument: Final = click.argument("run", required=False)
runs_argument: Final = click.argument("runs", metavar="[RUN]...", nargs=-1)
models_option: Final = click.option(
    "--model",
    "models",
    multiple=True,
    metavar="NAME",
    help="Only this model, as models.toml or tables name it (repeatable, kept in that order).",
)
sets_option: Final = click.option(
    "--set", "sets", multiple=True, metavar="SET", help="Only items of this set (repeatable)."
)
domains_option: Final = click.option(
    "--domain",
    "domains",
    multiple=True,
    metavar="DOMAIN",
    help="Only items that have this domain, or another that is named (repeatable).",
)
# As in ``reports.paired_columns.DEFAULT_SEED``.
seed_option: Final = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    show_default=True,
    help="Seed of the bootstrap.",
)


dry_run_option: Final = click.option(
    "--dry-run", is_flag=True, help="Only print what would be written, replaced, removed."
)


def print_foreseen(foreseen: Foreseen) -> None:
    """Print what would be written, a file a line, and what would become of files that are there."""
    replaced = set(foreseen.replaced)
    for path in foreseen.files:
        data(f"{'replace' if path in replaced else 'write'} {path}")
    for path in foreseen.removed:
        data(f"remove {path}")
    for sentence in foreseen.left_out:
        say(f"Not drawn: {sentence}")


def table_option(names: Sequence[str]) -> Callable[[_Command], _Command]:
    """The option ``--table`` of a command that has these tables; ``chosen`` reads it."""
    return click.option(
        "--table",
        "which",
        type=click.Choice([*names, ALL]),
        default=ALL,
        show_default=True,
        help=f"Which table; {' and '.join(ONE_TABLE)} hold one, json all in a list.",
    )


def chosen(which: str, names: Sequence[str], form: str) -> Sequence[str]:
    """Names of the tables to make; UsageError for all of them in a format that holds one."""
    from relaybench.domain.errors import UsageError

    if which != ALL:
        return (which,)
    if form in ONE_TABLE:
        choices = " or ".join(f"--table {name}" for name in names)
        raise UsageError(f"{form} holds one table: choose {choices}")
    return names


def print_table(table: Table, form: str) -> None:
    """Print one table in one of the formats."""
    print_tables([table], form, as_list=False)


def print_tables(tables: Sequence[Table], form: str, *, as_list: bool) -> None:
    """Print tables one below the other; ``as_list`` is for json (see ``render_all``)."""
    from relaybench.reports.several_tables import render_all

    exact(render_all(tables, form, width=terminal_width(), as_list=as_list))
