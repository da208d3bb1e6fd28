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
from textual.message import Message
from textual.strip import Strip

from relaybench.tui.results.colours import rich_styles
from relaybench.tui.results.ink import Line, Role
from relaybench.tui.results.table_view import Layout
from relaybench.tui.widgets.lines_view import LinesView

#: Cells by which left and right scroll.
_ACROSS = 8


class Sheet(LinesView):
    """A heading that stays on top, rows below it, one of them under the cursor."""

    DEFAULT_CSS = """
    Sheet {
        height: auto;
        max-height: 75%;
        & > .lines--head { background: $panel; color: $foreground; text-style: bold; }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"lines--head"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "across(-1)", "Columns before", show=False, id="sheet.left",
                tooltip="Scroll to the columns before"),
        Binding("right", "across(1)", "More columns", show=False, id="sheet.right",
                tooltip="Scroll to more columns"),
        Binding("enter", "choose", "Attempts", show=False, id="sheet.choose",
                tooltip="The attempts of this model, or at this item"),
    ]  # fmt: skip
    HEAD = 1

    class HeadingChosen(Message):
        """A column's heading was clicked; ``column`` counts from 0."""

        def __init__(self, column: int) -> None:
            super().__init__()
            self.column = column

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._layout: Layout | None = None
        self._styles: dict[Role, Style] = {}

    @property
    def line_count(self) -> int:
        """How many rows there are."""
        return len(self._layout.rest) - 1 if self._layout is not None else 0

    @property
    def line_width(self) -> int:
        """Cells across all columns."""
        layout = self._layout
        return layout.fixed_width + layout.rest_width if layout is not None else 0

    def lay(self, layout: Layout, cursor: int = 0) -> None:
        """Show these lines."""
        self._layout = layout
        self._styles = {}
        self.cursor = cursor
        self.lines_changed()
        self.refresh(layout=True)
        self.call_after_refresh(self.show_cursor)

    def notify_style_update(self) -> None:
        """Another theme, other colours."""
        super().notify_style_update()
        self._styles = {}

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
            over = self.style_of("head")
        elif number - 1 == self.cursor:
            over = self.style_of(self.cursor_style)
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

    def action_across(self, by: int) -> None:
        """Show other columns."""
        self.scroll_relative(x=by * _ACROSS, animate=False)

    def on_click(self, event: events.Click) -> None:
        """The heading sorts; what a click on a row does is the base's."""
        if event.y == 0 and self._layout is not None:
            column = self._layout.column_at(event.x, round(self.scroll_x))
            if column is not None:
                self.post_message(self.HeadingChosen(column))
