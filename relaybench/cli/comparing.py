"""Commands that compare: models, groups of items, forms of problems, repeats."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
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
    seed_option,
    sets_option,
    table_option,
)

if TYPE_CHECKING:
    from relaybench.cli.main import Place
    from relaybench.workbench.workspace import Workspace

#: As in ``reports.dimensions.Dimension``, which --help must not load.
DIMENSIONS: Final = (
    "domain", "class", "steps", "encoded", "bloat", "form", "length", "set", "kind",
)  # fmt: skip
#: As in ``domain.item.Form``.
FORMS: Final = ("plain", "bloated", "encoded", "bloated and encoded")
#: As in ``reports.repeats.TABLES``.
REPEAT_TABLES: Final = ("repeats", "pass-k", "by-repeat")


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


@click.command()
@click.argument("models", metavar="[MODEL]...", nargs=-1)
@click.option(
    "--run",
    "runs",
    multiple=True,
    metavar="RUN",
    help="Take results from this run (repeatable; default: the newest).",
)
@click.option(
    "--form",
    "forms",
    type=click.Choice(FORMS),
    multiple=True,
    help="Only items asked in this form (repeatable; default: all, averaged by problem).",
)
@sets_option
@domains_option
@seed_option
@format_option
@click.pass_obj
def compare(
    place: Place,
    models: tuple[str, ...],
    runs: tuple[str, ...],
    forms: tuple[str, ...],
    sets: tuple[str, ...],
    domains: tuple[str, ...],
    seed: int,
    form: str,
) -> None:
    """Compare MODELS (default: all of the run) pair by pair on the problems that both answered.

    Forms of one problem (plain, bloated, encoded) count once, with their mean. A model is named
    as in models.toml or as tables show it, an effort included where needed:
    compare opus "gpt (high)". Several runs are put together.
    """
    from relaybench.domain.errors import UnknownNameError
    from relaybench.domain.item import Form
    from relaybench.workbench.results.comparing import comparison_table

    asked = [Form(each) for each in forms]
    workspace = place.workspace
    try:
        table = comparison_table(workspace, models, runs, seed, asked, sets=sets, domains=domains)
    except UnknownNameError as error:
        raise UnknownNameError(f"{error}{_runs_among(models, workspace)}") from error
    print_table(table, form)


def _runs_among(models: Sequence[str], workspace: Workspace) -> str:
    """How to name those of the models that are runs; nothing where none is."""
    from relaybench.workbench.results.reporting import runs

    called = {run.name for run in runs(workspace)}
    meant = [f"--run {shlex.quote(name)}" for name in models if name in called]
    return f". A run is named by an option: relaybench compare {' '.join(meant)}" if meant else ""


@click.command()
@runs_argument
@click.option(
    "--by",
    type=click.Choice(DIMENSIONS),
    multiple=True,
    help="By what (repeatable; default: all in which the items differ).",
)
@models_option
@sets_option
@domains_option
@click.option(
    "--bands",
    type=Edges(),
    default="15000",
    show_default=True,
    metavar="EDGES",
    help="Where --by length splits prompts, in characters: 5000,15000.",
)
@format_option
@click.pass_obj
def breakdown(
    place: Place,
    runs: tuple[str, ...],
    by: tuple[str, ...],
    models: tuple[str, ...],
    sets: tuple[str, ...],
    domains: tuple[str, ...],
    bands: tuple[int, ...],
    form: str,
) -> None:
    """Print pass@1 by groups of the items of RUNS (default: the newest run).

    A table for each dimension, a row for each group and model. In csv and jsonl they are one
    table; in json a list, or the table itself where one --by is given.
    """
    from relaybench.reports.dimensions import Dimension
    from relaybench.workbench.results.comparing import breakdown_tables

    dimensions = [Dimension(each) for each in by]
    tables = breakdown_tables(
        place.workspace, runs, dimensions, models, bands, sets=sets, domains=domains
    )
    print_tables(tables, form, as_list=len(by) != 1)


@click.command()
@runs_argument
@models_option
@sets_option
@domains_option
@seed_option
@format_option
@click.pass_obj
def effects(
    place: Place,
    runs: tuple[str, ...],
    models: tuple[str, ...],
    sets: tuple[str, ...],
    domains: tuple[str, ...],
    seed: int,
    form: str,
) -> None:
    """Print the paired effect of encoding and of bloat in RUNS (default: the newest run).

    Pairs are forms of one problem: run it with --variant plain --variant bloated
    --variant encoded.
    """
    from relaybench.workbench.results.comparing import effects_table

    table = effects_table(place.workspace, runs, seed, models, sets=sets, domains=domains)
    print_table(table, form)


@click.command()
@runs_argument
@click.option(
    "--k",
    "ks",
    type=click.IntRange(min=1),
    multiple=True,
    metavar="K",
    help="k of pass@k and pass^k, such as 3 (repeatable; default: each up to 5, else 1, 2, all).",
)
@table_option(REPEAT_TABLES)
@format_option
@click.pass_obj
def repeats(
    place: Place, runs: tuple[str, ...], ks: tuple[int, ...], which: str, form: str
) -> None:
    """Print what several attempts per item in RUNS (default: the newest run) say.

    Three tables: all repeats together, pass@k and pass^k, and each repeat alone.
    """
    from relaybench.workbench.results.comparing import repeats_tables

    names = chosen(which, REPEAT_TABLES, form)
    tables = repeats_tables(place.workspace, runs, ks, names)
    print_tables(tables, form, as_list=len(names) > 1)


@click.command()
@runs_argument
@format_option
@click.pass_obj
def dependence(place: Place, runs: tuple[str, ...], form: str) -> None:
    """Print pass@1 in RUNS (default: the newest run) with intervals for dependent items.

    Composites that share classes of subproblem are solved or missed together, so that they are
    worth fewer independent items.
    """
    from relaybench.workbench.results.comparing import dependence_table

    print_table(dependence_table(place.workspace, runs), form)


COMMANDS = (compare, breakdown, effects, repeats, dependence)
