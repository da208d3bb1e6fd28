"""Any text in any cell keeps every format well-formed."""

from __future__ import annotations

import csv
import io
import json
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from relaybench.domain.literal import visible
from relaybench.reports.escaping import csv_text, latex_text
from relaybench.reports.formats import render
from relaybench.reports.plain_format import text_width, wrapped
from relaybench.reports.tables import Column, Kind, Missing, Table
from tests.reports.readers import latex_plain, latex_rows, markdown_cells
from tests.reports.test_escaping import ANY_TEXT


def text_table(cells: list[list[str]], notes: list[str]) -> Table:
    """A table of texts with a number and something missing in every row."""
    columns = (
        Column("a", "A", Kind.TEXT, level=1),
        Column("b", "B", Kind.TEXT, level=1),
        Column("n", "N", Kind.WHOLE, level=1),
        Column("m", "M", Kind.USD, level=1),
    )
    rows = tuple((a, b, -1, Missing("unknown")) for a, b in cells)
    return Table("t", notes[0] if notes else "T", columns, rows, tuple(notes))


ANY_TABLE = st.builds(
    text_table,
    st.lists(st.lists(ANY_TEXT, min_size=2, max_size=2), min_size=1, max_size=4),
    st.lists(ANY_TEXT, max_size=2),
)


@given(ANY_TABLE)
@settings(max_examples=300)
def test_csv_reads_back(table: Table) -> None:
    text = render(table, "csv")
    text.encode()
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert rows[0] == ["a", "b", "n", "m"]
    assert rows[1:] == [
        [csv_text(str(row[0])), csv_text(str(row[1])), "-1", "unknown"] for row in table.rows
    ]


@given(ANY_TABLE)
@settings(max_examples=300)
def test_json_reads_back_exactly(table: Table) -> None:
    text = render(table, "json")
    assert text.isascii()
    assert text.replace("\n", "").isprintable()

    def joined(value: str) -> str:  # JSON knows no difference between a pair and two surrogates
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")

    document = json.loads(text)
    assert document["notes"] == [joined(note) for note in table.notes]
    for found, row in zip(document["rows"], table.rows, strict=True):
        assert found["a"] == joined(str(row[0]))
        assert found["b"] == joined(str(row[1]))
        assert (found["n"], found["m"], found["m_reason"]) == (-1, None, "unknown")


@given(ANY_TABLE)
@settings(max_examples=300)
def test_markdown_is_literal(table: Table) -> None:
    text = render(table, "md")
    text.encode()
    assert text.replace("\n", "").isprintable()
    found = markdown_cells(text)
    assert found.tags <= {"h2", "table", "thead", "tbody", "tr", "th", "td", "ul", "li"}
    rows = found.rows[1:]
    assert len(rows) == len(table.rows)
    for cells, row in zip(rows, table.rows, strict=True):
        assert cells == [
            visible(str(row[0])).strip(" "),
            visible(str(row[1])).strip(" "),
            "-1",
            "unknown",
        ]


_COMMANDS = re.compile(
    r"\\ensuremath\{(\\(geq|leq|rightarrow)|-)\}|\\(textbackslash|textasciitilde|textasciicircum|textless|textgreater|textbar|"
    r"textquotesingle|textasciigrave)\{\}|\\symbol\{34\}|\\[&%$#_{}]|\{[\[\]*]\}|(?<=[-,])\{\}"
)


@given(ANY_TEXT)
@settings(max_examples=500)
def test_latex_has_no_raw_special(text: str) -> None:
    escaped = latex_text(text)
    rest = _COMMANDS.sub("", escaped)
    assert not set(rest) & set("\\&%$#_{}~^<>|\"'`[]*")
    assert "--" not in escaped
    assert escaped.isprintable()


@given(ANY_TABLE)
@settings(max_examples=200)
def test_latex_is_well_formed(table: Table) -> None:
    text = render(table, "latex")
    text.encode()
    bare = re.sub(r"\\[\\{}%&$#_]", "", text)
    assert bare.count("{") == bare.count("}")
    rows = latex_rows(text)
    assert [len(row) for row in rows] == [4] * (len(table.rows) + 1)
    for cells, row in zip(rows[1:], table.rows, strict=True):
        assert latex_plain(cells[0]) == visible(str(row[0]))
        assert latex_plain(cells[1]) == visible(str(row[1]))
        assert cells[2:] == ["$-$1", "unknown"]
    # No text begins a line of its own.
    harmless = text_table([["x", "y"] for _ in table.rows], ["note" for _ in table.notes])
    assert text.count("\n") == render(harmless, "latex").count("\n")


@given(ANY_TABLE, st.integers(40, 120) | st.none())
@settings(max_examples=300)
def test_plain_text_fits_and_holds_nothing_raw(table: Table, width: int | None) -> None:
    text = render(table, "table", width=width)
    text.encode()
    assert text.replace("\n", "").isprintable()
    assert width is None or all(text_width(line) <= width for line in text.splitlines())


@given(ANY_TEXT.map(visible), st.integers(2, 30))
def test_wrapping_loses_nothing(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert all(text_width(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
