"""How tables stand on screen: order, columns, drawn cells, layout."""

from __future__ import annotations

from relaybench.reports.tables import (
    EXACT_ONLY,
    NARROW,
    UNKNOWN,
    WIDE,
    Column,
    Kind,
    Missing,
    Table,
)
from relaybench.tui.results.ink import text_of
from relaybench.tui.results.table_view import (
    PAGE_ROWS,
    Order,
    laid_out,
    natural,
    ordered,
    view_of,
)

TABLE = Table(
    "t",
    "T",
    (
        Column("model", "Model", Kind.TEXT, "", NARROW),
        Column("pass_at_1", "Pass@1", Kind.SHARE, "", NARROW, low="pass_at_1_low",
               high="pass_at_1_high"),
        Column("pass_at_1_low", "low", Kind.SHARE, "", EXACT_ONLY),
        Column("pass_at_1_high", "high", Kind.SHARE, "", EXACT_ONLY),
        Column("count", "Count", Kind.WHOLE, "", WIDE),
    ),
    (
        ("m10", 0.5, 0.4, 0.6, 7),
        ("m9\x1b", 0.25, 0.2, 0.3, UNKNOWN),
        ("M1", Missing("none"), Missing("none"), Missing("none"), 9),
    ),
)  # fmt: skip


def test_rows_are_sorted_by_raw_values_missing_ones_last() -> None:
    assert ordered(TABLE, Order()) == [0, 1, 2]
    assert ordered(TABLE, Order("pass_at_1")) == [1, 0, 2]
    assert ordered(TABLE, Order("pass_at_1", falling=True)) == [0, 1, 2]
    assert ordered(TABLE, Order("count", falling=True)) == [2, 0, 1]
    assert ordered(TABLE, Order("model")) == [2, 1, 0]
    assert natural("relay-9") < natural("relay-10")


def test_numbers_fall_first_and_the_same_column_turns_round() -> None:
    order = Order().toggled("count", Kind.WHOLE)
    assert order == Order("count", falling=True)
    assert order.toggled("count", Kind.WHOLE) == Order("count", falling=False)
    assert order.toggled("model", Kind.TEXT) == Order("model", falling=False)


def test_a_view_shows_what_commands_print_and_draws_intervals_beside_it() -> None:
    view = view_of(TABLE, Order("pass_at_1"), 80)
    assert [heading.text for heading in view.headings][:2] == ["Model", "Pass@1▲"]
    assert [heading.key for heading in view.headings] == ["model", "pass_at_1", None]
    assert [text_of([cell]) for cell in view.rows[0][:2]] == ["m9\\x1b", "25.0% [20.0, 30.0]"]
    assert "├" in text_of([view.rows[0][2]])
    assert text_of([view.rows[2][1]]) == "none"
    assert "●" not in text_of([view.rows[2][2]])
    assert view.places == (1, 0, 2)
    wide = view_of(TABLE, Order(), 200)
    assert [heading.key for heading in wide.headings] == ["model", "pass_at_1", None, "count"]


def test_lines_keep_the_names_in_place_and_know_their_columns() -> None:
    view = view_of(TABLE, Order(), 80)
    layout = laid_out(view, 80)
    assert text_of(layout.fixed) == " Model\n m10\n m9\\x1b\n M1"
    assert layout.fixed_width == 9
    assert [layout.column_at(x, 0) for x in (0, 8, 9, 26, 30)] == [0, 0, 1, 1, 2]
    assert layout.column_at(9, 25) == 2
    assert layout.column_at(79, 0) is None
    assert laid_out(view, 12).fixed_width == 0


def test_a_long_table_has_pages() -> None:
    columns = (Column("n", "N", Kind.WHOLE, "", NARROW),)
    table = Table("long", "Long", columns, tuple((n,) for n in range(PAGE_ROWS + 3)))
    assert len(view_of(table, Order(), 80).rows) == PAGE_ROWS
    last = view_of(table, Order("n", falling=True), 80, PAGE_ROWS)
    assert [text_of([row[0]]) for row in last.rows] == ["2", "1", "0"]
