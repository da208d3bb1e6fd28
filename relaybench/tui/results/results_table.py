"""A table of the reports on screen: the cells that commands print, sorted, in pages, with notes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Static

from relaybench.tui.results.bars import broken
from relaybench.tui.results.ink import Line, paragraph
from relaybench.tui.results.ink_view import InkView
from relaybench.tui.results.screen_words import screen_words
from relaybench.tui.results.sheet import Sheet
from relaybench.tui.results.table_view import (
    PAGE_ROWS,
    Layout,
    Order,
    View,
    laid_out,
    level_for,
    view_of,
)
from relaybench.tui.showing import line

if TYPE_CHECKING:
    from textual.widget import Widget

    from relaybench.reports.tables import Table, Value


class ResultsTable(Vertical):
    """Title, rows, legend and notes of one table."""

    DEFAULT_CSS = """
    ResultsTable {
        height: 1fr;
    }
    ResultsTable > .title {
        height: auto;
        max-height: 2;
        text-style: bold;
        padding: 0 1;
    }
    ResultsTable > .notes {
        min-height: 2;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "greater_than_sign",
            "page(1)",
            "Next page",
            show=False,
            id="results.next_page",
            tooltip=f"The next {PAGE_ROWS} rows of a long table",
        ),
        Binding(
            "less_than_sign",
            "page(-1)",
            "Previous page",
            show=False,
            id="results.previous_page",
            tooltip=f"The {PAGE_ROWS} rows before",
        ),
    ]

    class RowChosen(Message):
        """A row was chosen, by its number in the table."""

        def __init__(self, table: Table, row: int) -> None:
            super().__init__()
            self.table, self.row = table, row

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.shown: Table | None = None
        self.order = Order()
        self._orders: dict[str, Order] = {}
        self._view: View | None = None
        self._first = 0
        self._looks: tuple[int, bool] = (0, False)

    def compose(self) -> ComposeResult:
        """Title, rows; legend and notes below."""
        yield Static(classes="title", markup=False)
        yield Sheet()
        yield InkView(classes="notes")

    @property
    def rows(self) -> Sheet:
        """The widget that has the rows."""
        return self.query_one(Sheet)

    @property
    def row(self) -> int | None:
        """The number of the row under the cursor in the table."""
        if self._view is None or not self._view.places:
            return None
        return self._view.places[min(self.rows.cursor, len(self._view.places) - 1)]

    async def show(self, table: Table) -> None:
        """Show a table; where it is the one that stands here, made anew, the cursor stays."""
        same = self.shown is not None and self.shown.name == table.name
        at = self._name_of(self.row) if same else None
        if not same:
            self._first = 0
        self.order = self._orders.get(table.name, Order())
        if self.order.key is not None and all(c.key != self.order.key for c in table.columns):
            self.order = Order()
        self.shown = table
        await self._fill(at)

    def _name_of(self, row: int | None) -> tuple[Value, ...] | None:
        """What tells a row from others, whatever its figures."""
        if self.shown is None or row is None:
            return None
        return tuple(
            self.shown.rows[row][place]
            for place, column in enumerate(self.shown.columns)
            if column.names or column.key in ("attempt", "item", "group", "model_a")
        )

    async def _fill(self, at: tuple[Value, ...] | None = None) -> None:
        """Make the page that is looked at in a thread, and show it."""
        table = self.shown
        if table is None:
            return
        width = self._width()
        self._first = min(self._first, max((len(table.rows) - 1) // PAGE_ROWS * PAGE_ROWS, 0))
        made = await asyncio.to_thread(_made, table, self.order, width, self._first)
        if table is not self.shown:
            return
        self._view, layout, below = made
        self._looks = _looks(width)
        names = [] if at is None else [self._name_of(place) for place in self._view.places]
        self.query_one(".title", Static).update(line(table.title))
        notes = self.query_one(InkView)
        notes.lay(below)
        if at is None:
            notes.scroll_home(animate=False)
        self.rows.lay(layout, names.index(at) if at in names else 0)

    def _width(self) -> int:
        """Its own, or what it will be once it is shown."""
        around = cast("Widget", self.parent).size.width if self.parent is not None else 0
        return self.size.width or around or self.app.size.width

    def sort_by(self, key: str) -> None:
        """Sort by a column; by the same one again the other way round."""
        table = self.shown
        if table is None:
            return
        column = table.columns[table.place(key)]
        self.order = self._orders[table.name] = self.order.toggled(key, column.kind)
        self._first = 0
        self.redraw()

    @work(exclusive=True, group="redraw")
    async def redraw(self) -> None:
        """Show the same table anew: in another order, width or theme."""
        await self._fill(self._name_of(self.row))

    def on_sheet_heading_chosen(self, message: Sheet.HeadingChosen) -> None:
        """Sort by that column; a drawn one has no values of its own."""
        message.stop()
        key = self._view.headings[message.column].key if self._view is not None else None
        if key is not None:
            self.sort_by(key)

    def on_lines_view_chosen(self, message: Sheet.Chosen) -> None:
        """Tell who shows the table."""
        message.stop()
        if self.shown is not None and self.row is not None:
            self.post_message(self.RowChosen(self.shown, self.row))

    def action_page(self, by: int) -> None:
        """Go to another page of a long table."""
        if self.shown is None:
            return
        first = self._first + by * PAGE_ROWS
        if 0 <= first < len(self.shown.rows):
            self._first = first
            self.redraw()

    def on_resize(self, event: events.Resize) -> None:
        """Other columns may fit now."""
        if self._view is not None and _looks(event.size.width) != self._looks:
            self.redraw()


def _looks(width: int) -> tuple[int, bool]:
    """What the shape of a table depends on, so that not every resize makes it anew."""
    return width // 12, level_for(width) > level_for(0)


def _made(table: Table, order: Order, width: int, first: int) -> tuple[View, Layout, list[Line]]:
    """All that is shown of a table, made in a thread."""
    view = view_of(table, order, width, first)
    return view, laid_out(view, width), _below(table, view, width - 4, first)


def _below(table: Table, view: View, width: int, first: int) -> list[Line]:
    """What stands below the rows: which page it is, what marks mean, the notes."""
    lines: list[Line] = []
    if not table.rows:
        lines += paragraph("No rows: there is nothing to tell here, the notes say why.", width)
    elif len(table.rows) > PAGE_ROWS:
        last = first + len(view.rows)
        said = f"Rows {first + 1:,} to {last:,} of {len(table.rows):,}; > and < page."
        lines += paragraph(said, width)
    if view.legend:
        lines += broken(view.legend, width)
    for note in table.notes:
        lines += paragraph(f"• {screen_words(note)}", width)
    return lines
