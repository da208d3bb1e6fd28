"""Every format: golden bytes, well-formed whatever the text, and the same numbers everywhere."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from relaybench.domain.literal import visible
from relaybench.reports.attempts_table import attempts_table
from relaybench.reports.costs import cost_table
from relaybench.reports.display import display, is_silent
from relaybench.reports.escaping import latex_text
from relaybench.reports.formats import FORMATS, Format, render
from relaybench.reports.json_format import to_json
from relaybench.reports.leaderboard import leaderboard
from relaybench.reports.numbers import shown
from relaybench.reports.plain_format import text_width
from relaybench.reports.tables import EXACT_ONLY, WIDE, Column, Kind, Missing, Table
from tests.reports.readers import latex_rows, markdown_cells
from tests.reports.samples import (
    HOSTILE,
    a_plan,
    a_run,
    an_attempt,
    nasty_results,
    nasty_run,
    paper_results,
)

GOLDEN = Path(__file__).parent / "golden"

TABLES = {
    "paper-leaderboard": leaderboard(a_run(), paper_results()),
    "paper-costs": cost_table(a_run(), paper_results()),
    "nasty-leaderboard": leaderboard(nasty_run(), nasty_results()),
    "nasty-costs": cost_table(nasty_run(), nasty_results()),
    "attempts": attempts_table(a_run(), [an_attempt()], configs=a_plan().configs),
    "attempts-with-answers": attempts_table(a_run(), [an_attempt()], with_answers=True),
}


@pytest.mark.parametrize("format", Format)
@pytest.mark.parametrize("name", TABLES)
def test_golden(name: str, format: Format) -> None:
    text = render(TABLES[name], format, width=80)
    path = GOLDEN / f"{name}{format.suffix}"
    if os.environ.get("RELAYBENCH_UPDATE_GOLDEN") == "1":
        path.write_bytes(text.encode())
    assert text.encode() == path.read_bytes()


def test_formats_by_name() -> None:
    assert FORMATS == ("table", "csv", "md", "latex", "json")
    with pytest.raises(ValueError, match="xlsx"):
        render(TABLES["paper-costs"], "xlsx")


# --- the same numbers everywhere ---------------------------------------------------------------


def plain_rows(table: Table) -> Iterator[list[str]]:
    """Cells of a table as text, by the widths of the widest cells."""
    lines = render(table, "table").splitlines()
    rules = [number for number, line in enumerate(lines) if line and not line.strip("─")]
    view = display(table, WIDE, terminal=True)
    columns = [list(map(visible, each)) for each in zip(view.headings, *view.rows, strict=True)]
    widths = [max(map(text_width, column)) for column in columns]
    for line in lines[rules[0] + 1 : rules[1]]:
        cells, place = [], 0
        for width in widths:
            end = place
            while end < len(line) and text_width(line[place : end + 1]) <= width:
                end += 1
            cells.append(line[place:end].strip())
            place = end + 2
        yield cells


@pytest.mark.parametrize("name", TABLES)
def test_every_number_is_the_same_in_every_format(name: str) -> None:
    table = TABLES[name]
    exact_csv = list(csv.DictReader(io.StringIO(render(table, "csv"), newline="")))
    exact_json = json.loads(render(table, "json"), parse_float=Decimal)
    markdown = markdown_cells(render(table, "md")).rows
    plain = list(plain_rows(table))
    latex = latex_rows(render(table, "latex", level=WIDE))[1:]
    people = [column for column in table.columns if column.level <= WIDE]
    assert len(exact_csv) == len(exact_json["rows"]) == len(plain) == len(table.rows) == len(latex)
    for number, row in enumerate(table.rows):
        in_csv, in_json = exact_csv[number], exact_json["rows"][number]
        for column, value in zip(table.columns, row, strict=True):
            if isinstance(value, Missing):
                assert in_csv[column.key] == value.reason
                assert in_json[column.key] is None
                assert in_json[f"{column.key}_reason"] == value.reason
            elif isinstance(value, bool | str):
                assert in_json[column.key] == value
            else:
                assert Decimal(in_csv[column.key]) == in_json[column.key]
                assert float(in_json[column.key]) == float(value)
                assert not isinstance(value, Decimal) or in_json[column.key] == value
                assert "," not in in_csv[column.key]
        for place, column in enumerate(people):
            cell = markdown[number + 1][place]
            if not is_silent(table, column):
                on_terminal = [each for each in people if not is_silent(table, each)]
                assert cell == plain[number][on_terminal.index(column)]
            assert latex_text(cell) == latex[number][place] or column.kind is Kind.TEXT
            if not column.kind.numeric:
                continue
            # The exact value that csv gives, rounded anew, is what people see.
            text = in_csv[column.key]
            value = table.value(number, column.key)
            again = (
                text
                if isinstance(value, Missing)
                else shown(column.kind, float(text) if column.kind is Kind.SHARE else Decimal(text))
                if isinstance(value, float | Decimal)
                else shown(column.kind, int(text))
            )
            assert cell.split(" [")[0].removesuffix(" (incomplete)") == again
            if column.low and column.high and not isinstance(value, Missing):
                ends = [
                    shown(Kind.SHARE, float(in_csv[key])).removesuffix("%")
                    for key in (column.low, column.high)
                ]
                assert f"[{ends[0]}, {ends[1]}]" in cell


def test_json_money_is_a_number_with_all_its_digits() -> None:
    table = Table("t", "T", (Column("a", "A", Kind.USD),), ((Decimal("0.123456789012345678901"),),))
    assert '"a": 0.123456789012345678901' in render(table, "json")
    assert render(table, "csv") == "a\n0.123456789012345678901\n"


@pytest.mark.parametrize("name", ["paper-leaderboard", "nasty-leaderboard", "nasty-costs"])
def test_eighty_columns(name: str) -> None:
    text = render(TABLES[name], "table", width=80)
    assert all(text_width(line) <= 80 for line in text.splitlines())
    words = set(text.split())
    for column in TABLES[name].columns:
        if column.level < EXACT_ONLY and not is_silent(TABLES[name], column):
            assert set(visible(column.heading).split()) <= words, column.heading


@pytest.mark.parametrize("format", Format)
def test_hostile_names_are_never_raw(format: Format) -> None:
    text = render(TABLES["nasty-leaderboard"], format, width=100)
    assert not set(text) & set("\x1b\u202e\0\ud800")
    if format is Format.CSV:
        assert HOSTILE.startswith("=")
        assert ",'=HYPERLINK" in text.replace('"', "")
    if format is Format.MD:
        assert "<b>" not in text


@pytest.mark.parametrize("format", Format)
@pytest.mark.parametrize("make", [leaderboard, cost_table])
def test_a_simulated_run_says_so_in_every_format(format: Format, make: object) -> None:
    text = render(make(nasty_run(), nasty_results()[-1:]), format, width=80)  # type: ignore[operator]
    assert "simulated" in text.lower()
    if format is Format.JSON:
        assert json.loads(text)["simulated"] is True
        assert json.loads(text)["notes"][0].startswith("SIMULATED")
    if format is Format.CSV:
        assert next(csv.DictReader(io.StringIO(text)))["simulated"] == "true"


def test_the_same_table_gives_the_same_bytes() -> None:
    for format in Format:
        again = leaderboard(nasty_run(), nasty_results())
        assert render(again, format) == render(TABLES["nasty-leaderboard"], format)


@pytest.mark.parametrize("bad", [b"x", {1}, object(), Missing("unknown")])
def test_json_refuses_what_it_cannot_hold(bad: object) -> None:
    with pytest.raises(TypeError):
        to_json([bad])


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), Decimal("NaN"), Decimal("Infinity")])
def test_json_refuses_numbers_that_are_none(bad: object) -> None:
    with pytest.raises(ValueError, match="JSON"):
        to_json({"a": bad})
