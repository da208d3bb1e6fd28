"""Tables in HTML: every cell as people see it elsewhere, nothing of it markup."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from relaybench.domain.literal import visible
from relaybench.reports.costs import cost_table
from relaybench.reports.display import display
from relaybench.reports.escaping import html_attribute, html_text
from relaybench.reports.leaderboard import leaderboard
from relaybench.reports.page.html_table import html_table, table_parts
from relaybench.reports.page.scores import interval_drawing
from relaybench.reports.tables import NARROW, WIDE, Column, Kind, Table
from tests.reports.page.reader import PageReader
from tests.reports.page.reports import RIGHT_TO_LEFT
from tests.reports.samples import HOSTILE, nasty_results, nasty_run
from tests.reports.test_escaping import ANY_TEXT
from tests.reports.test_well_formed import ANY_TABLE

ALLOWED_IN_TABLES = {"div", "table", "caption", "span", "thead", "tbody", "tr", "th", "td"} | {
    "ul",
    "li",
    "bdi",
}


@pytest.mark.parametrize("level", [NARROW, WIDE])
@pytest.mark.parametrize("make", [leaderboard, cost_table])
def test_every_cell_reads_as_people_see_it(make: object, level: int) -> None:
    assert callable(make)
    table: Table = make(nasty_run(), nasty_results())
    page = PageReader(html_table(table, level))
    assert page.complaints == []
    view = display(table, level)
    (rows,) = page.tables
    assert rows[0] == list(view.headings)
    assert rows[1:] == [[visible(cell) for cell in row] for row in view.rows]
    assert page.captions == [visible(table.title)]
    for note in table.notes:
        assert visible(note) in page.words


@given(ANY_TABLE)
@settings(max_examples=150)
def test_any_text_stays_text(table: Table) -> None:
    text = html_table(table)
    text.encode()
    page = PageReader(text)
    rows = page.tables[0][1:]
    assert set(page.tags) <= ALLOWED_IN_TABLES
    assert rows == [
        [visible(str(row[0])), visible(str(row[1])), "-1", "unknown"] for row in table.rows
    ]


@given(ANY_TEXT)
@settings(max_examples=300)
def test_escaped_text_reads_back_and_attributes_end_where_they_should(text: str) -> None:
    page = PageReader(f'<p title="{html_attribute(text)}">{html_text(text)}</p>')
    assert page.words == visible(text)
    assert set(page.tags) <= {"p", "bdi"}
    assert html_text(text).replace("\n", "").isprintable()


def test_right_to_left_words_are_kept_to_themselves() -> None:
    text = f"a {RIGHT_TO_LEFT} (3) b"
    assert html_text(text) == f"a <bdi>{RIGHT_TO_LEFT}</bdi> (3) b"
    assert html_attribute(text) == text
    assert html_text("caf\u00e9 \u540d\u524d") == "caf\u00e9 \u540d\u524d"
    assert html_text("\u202ea\u2066") == "\\u202ea\\u2066"


def test_what_names_a_row_heads_it() -> None:
    columns = (
        Column("a", "A", Kind.TEXT, level=NARROW),
        Column("b", "B", Kind.TEXT, level=NARROW, names=True),
        Column("n", "N", Kind.WHOLE, level=NARROW),
    )
    text = html_table(Table("t", "T", columns, (("x", HOSTILE, 1_000),)))
    assert text.count('<th scope="row"') == 2
    assert "<td class=n>1,000</td>" in text


def test_notes_said_elsewhere_stay_out_and_long_tables_scroll() -> None:
    columns = (Column("a", "A", Kind.TEXT, level=NARROW),)
    table = Table("t", "T", columns, (("x",),) * 41, ("one", "two"))
    text = "".join(table_parts(table, without=["one"]))
    assert "<li>one" not in text
    assert "<li>two" in text
    assert '"scroll tall"' in text
    assert '"scroll"' in html_table(Table("t", "T", columns, (("x",),) * 40))


def test_intervals_are_drawn_where_they_belong() -> None:
    board = leaderboard(nasty_run(), nasty_results())
    draw = interval_drawing(board, "pass_at_1")
    drawn = [draw(row) for row in range(len(board.rows))]
    assert drawn[-1] == ""  # nothing scored: nothing drawn
    first = board.rows[0]
    middle, low, high = (
        f"{4 + 192 * float(first[board.place(key)]):.1f}"  # type: ignore[arg-type]
        for key in ("pass_at_1", "pass_at_1_low", "pass_at_1_high")
    )
    assert f"M{low} 5H{high}" in drawn[0]
    assert f"M{middle} 1V9" in drawn[0]
    assert 'aria-hidden="true"' in drawn[0]
