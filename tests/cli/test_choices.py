"""What options offer, word by word: --help must not load what it stands for, so this ties them."""

from __future__ import annotations

from collections.abc import Iterable

import click
import pytest

from relaybench.cli import table_options
from relaybench.cli.main import cli
from relaybench.cli.running import VARIANTS
from relaybench.cli.table_options import ALL
from relaybench.domain.item import Form
from relaybench.domain.problem import Variant
from relaybench.domain.results import Outcome
from relaybench.reports import formats, repeats, several_tables
from relaybench.reports.dimensions import DEFAULT_BANDS, Dimension
from relaybench.reports.figures import render
from relaybench.reports.figures.figure import FigureKind
from relaybench.reports.items_table import Flag
from relaybench.reports.paired_columns import DEFAULT_SEED
from relaybench.reports.step_verdicts import By
from relaybench.workbench.results.examining import STEP_TABLES
from relaybench.workbench.results.parsing import WIRES
from relaybench.workbench.runs.manual import Ended

#: Commands that print tables.
TABLE_COMMANDS = (
    "results", "costs", "compare", "breakdown", "effects", "repeats", "dependence", "steps",
    "items",
)  # fmt: skip


def option(command: str, name: str) -> click.Parameter:
    (found,) = [each for each in cli.commands[command].params if name in each.opts]
    return found


@pytest.mark.parametrize(
    ("command", "name", "offered"),
    [
        *[(command, "--format", formats.Format) for command in TABLE_COMMANDS],
        ("compare", "--form", Form),
        ("breakdown", "--by", Dimension),
        ("repeats", "--table", [*repeats.TABLES, ALL]),
        ("steps", "--by", By),
        ("steps", "--table", [*STEP_TABLES, ALL]),
        ("items", "--flag", Flag),
        ("figures", "--kind", FigureKind),
        ("figures", "--format", render.Format),
        ("run", "--variant", Variant),
        ("attempts", "--outcome", Outcome),
        ("parse", "--provider", WIRES),
        ("manual", "--ended", Ended),
    ],
)
def test_choices_are_all_there_are(command: str, name: str, offered: Iterable[str]) -> None:
    kind = option(command, name).type
    assert isinstance(kind, click.Choice)
    assert list(kind.choices) == list(offered)


@pytest.mark.parametrize(
    ("command", "name", "default"),
    [
        ("breakdown", "--bands", DEFAULT_BANDS),
        ("compare", "--seed", DEFAULT_SEED),
        ("effects", "--seed", DEFAULT_SEED),
        ("steps", "--by", By.CLASS),
        *[(command, "--format", formats.Format.TABLE) for command in TABLE_COMMANDS],
    ],
)
def test_defaults_are_those_of_what_they_stand_for(
    command: str, name: str, default: object
) -> None:
    found = option(command, name)
    assert found.type.convert(found.default, found, None) == default


def test_the_first_variant_is_the_default() -> None:
    assert VARIANTS[0] == Variant.AS_WRITTEN


def test_formats_that_hold_one_table() -> None:
    assert table_options.ONE_TABLE == several_tables.ONE_TABLE
