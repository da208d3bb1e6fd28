"""Every format: golden bytes, and what each of them promises."""

from __future__ import annotations

import csv
import io
import json
import os
from decimal import Decimal
from pathlib import Path

import pytest

from relaybench.domain.literal import visible
from relaybench.reports.attempts_table import attempts_table
from relaybench.reports.costs import cost_table
from relaybench.reports.display import is_silent
from relaybench.reports.formats import FORMATS, Format, render
from relaybench.reports.json_format import to_json
from relaybench.reports.leaderboard import leaderboard
from relaybench.reports.plain_format import text_width
from relaybench.reports.tables import EXACT_ONLY, Column, Kind, Missing, Table
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
    assert FORMATS == ("table", "csv", "md", "latex", "json", "jsonl")
    with pytest.raises(ValueError, match="xlsx"):
        render(TABLES["paper-costs"], "xlsx")


# --- bits --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TABLES)
def test_jsonl_has_a_row_a_line_and_nothing_else(name: str) -> None:
    table = TABLES[name]
    lines = render(table, "jsonl").split("\n")
    assert lines.pop() == ""
    assert len(lines) == len(table.rows)
    rows = json.loads(render(table, "json"), parse_float=Decimal)["rows"]
    assert [json.loads(line, parse_float=Decimal) for line in lines] == rows


def test_what_is_missing_is_null_with_its_reason_in_jsonl() -> None:
    columns = (Column("a", "A", Kind.USD), Column("b", "B", Kind.TEXT))
    table = Table("t", "T", columns, ((Missing("unknown"), "x\ny"),))
    assert render(table, "jsonl") == '{"a": null, "a_reason": "unknown", "b": "x\\ny"}\n'
    assert render(Table("t", "T", columns, ()), "jsonl") == ""


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


def test_long_names_break_in_latex_after_the_signs_that_join_them() -> None:
    column = Column("name", "Class", Kind.TEXT, level=1)
    name = "information-extraction/council-minutes"
    words = "-8.5 points, well-known, x" + "y" * 50
    text = render(Table("t", "T", (column,), ((name,), (words,))), Format.LATEX)
    gap = r"\hspace{0pt}"
    assert f"information-{gap}extraction/{gap}council-{gap}minutes" in text
    assert f"-8.5 points, well-known, x{'y' * 23}{gap}{'y' * 24}{gap}yyy" in text
