"""Rows of a table, drawn line by line as they come into view.

Textual's DataTable lays out every cell of all rows and columns, seen or not, which holds up the
event loop for a good part of a second where a table is large. Here whole lines are made in a
thread; to draw one is to cut it.
"""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from relaybench.tui.results.colours import rich_styles
from relaybench.tui.results.ink import Line, Role
from relaybench.tui.results.table_view import Layout

#: Cells by which left and right scroll.
_ACROSS = 8


class Sheet(ScrollView, can_focus=True):
    """A heading that stays on top, rows below it, one of them under the cursor."""

    DEFAULT_CSS = """
    Sheet {
        height: auto;
        max-height: 75%;
        scrollbar-size-vertical: 1;
        background: $background;
    }
    Sheet > .sheet--head {
        background: $panel;
        color: $foreground;
        text-style: bold;
    }
    Sheet > .sheet--cursor {
        background: $primary 25%;
        color: $foreground;
    }
    Sheet:focus > .sheet--cursor {
        background: $primary;
        color: $text;
        text-style: bold;
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"sheet--head", "sheet--cursor"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Up", show=False, id="sheet.up", tooltip="One row up"),
        Binding("down,j", "move(1)", "Down", show=False, id="sheet.down", tooltip="One row down"),
        Binding("pageup", "page(-1)", "Page up", show=False, id="sheet.page_up",
                tooltip="One page up"),
        Binding("pagedown", "page(1)", "Page down", show=False, id="sheet.page_down",
                tooltip="One page down"),
        Binding("home,ctrl+home", "move(-1000000)", "First row", show=False, id="sheet.first",
                tooltip="To the first row"),
        Binding("end,ctrl+end", "move(1000000)", "Last row", show=False, id="sheet.last",
                tooltip="To the last row"),
        Binding("left", "across(-1)", "Columns before", show=False, id="sheet.left",
                tooltip="Scroll to the columns before"),
        Binding("right", "across(1)", "More columns", show=False, id="sheet.right",
                tooltip="Scroll to more columns"),
        Binding("enter", "choose", "Attempts", show=False, id="sheet.choose",
                tooltip="The attempts of this model, or at this item"),
    ]  # fmt: skip

    cursor: reactive[int] = reactive(0, repaint=False)

    class HeadingChosen(Message):
        """A column's heading was clicked; ``column`` counts from 0."""

        def __init__(self, column: int) -> None:
            super().__init__()
            self.column = column

    class RowChosen(Message):
        """Enter on a row, or a click on the one under the cursor."""

        def __init__(self, row: int) -> None:
            super().__init__()
            self.row = row

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._layout: Layout | None = None
        self._styles: dict[Role, Style] = {}

    @property
    def row_count(self) -> int:
        """How many rows there are, without the heading."""
        return len(self._layout.rest) - 1 if self._layout is not None else 0

    def lay(self, layout: Layout, cursor: int = 0) -> None:
        """Show these lines."""
        self._layout = layout
        self._styles = {}
        width = layout.fixed_width + layout.rest_width
        self.virtual_size = Size(width, len(layout.rest))
        self.set_reactive(Sheet.cursor, min(max(cursor, 0), max(self.row_count - 1, 0)))
        self._keep_in_view()
        self.refresh(layout=True)

    def notify_style_update(self) -> None:
        """Another theme, other colours."""
        super().notify_style_update()
        self._styles = {}

    def watch_cursor(self) -> None:
        """It is always in view."""
        self._keep_in_view()
        self.refresh()

    def _keep_in_view(self) -> None:
        rows = max(self.scrollable_content_region.height - 1, 1)
        at = round(self.scroll_y)
        if self.cursor < at:
            self.scroll_to(y=self.cursor, animate=False)
        elif self.cursor >= at + rows:
            self.scroll_to(y=self.cursor - rows + 1, animate=False)

    def render_line(self, y: int) -> Strip:
        """One line: the heading, or a row."""
        width = self.scrollable_content_region.width
        layout = self._layout
        scrolled, down = round(self.scroll_x), round(self.scroll_y)
        number = y + down if y else 0
        if layout is None or number >= len(layout.rest):
            return Strip.blank(width, self.rich_style)
        over = None
        if not y:
            over = self.get_component_rich_style("sheet--head")
        elif number - 1 == self.cursor:
            over = self.get_component_rich_style("sheet--cursor")
        rest = self._strip(layout.rest[number], layout.rest_width, over)
        room = max(width - layout.fixed_width, 0)
        rest = rest.crop(scrolled, scrolled + room).extend_cell_length(
            room, over or self.rich_style
        )
        if not layout.fixed_width:
            return rest
        return Strip.join([self._strip(layout.fixed[number], layout.fixed_width, over), rest])

    def _strip(self, line: Line, width: int, over: Style | None) -> Strip:
        if not self._styles:
            self._styles = rich_styles(self.app.theme_variables, self.rich_style)
        if over is not None:
            return Strip([Segment(piece.text, over) for piece in line], width)
        return Strip([Segment(piece.text, self._styles[piece.role]) for piece in line], width)

    def action_move(self, by: int) -> None:
        """Move the cursor."""
        self.cursor = min(max(self.cursor + by, 0), max(self.row_count - 1, 0))

    def action_page(self, by: int) -> None:
        """Move the cursor by what is in view."""
        self.action_move(by * max(self.scrollable_content_region.height - 2, 1))

    def action_across(self, by: int) -> None:
        """Show other columns."""
        self.scroll_relative(x=by * _ACROSS, animate=False)

    def action_choose(self) -> None:
        """Choose the row under the cursor."""
        if self.row_count:
            self.post_message(self.RowChosen(self.cursor))

    def on_click(self, event: events.Click) -> None:
        """The heading sorts; a row gets the cursor, and is chosen where it has it."""
        if self._layout is None:
            return
        if event.y == 0:
            column = self._layout.column_at(event.x, round(self.scroll_x))
            if column is not None:
                self.post_message(self.HeadingChosen(column))
            return
        row = event.y - 1 + round(self.scroll_y)
        if row == self.cursor:
            self.action_choose()
        elif row < self.row_count:
            self.cursor = row
