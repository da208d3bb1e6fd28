"""The grid of a run under cursor and mouse; ``grid_view`` draws it."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.message import Message

from relaybench.tui.run.grid_view import HEADER, GridView


class RunGrid(GridView):
    """The grid, with a cursor that goes to every cell and every repeat in it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1, 0)", "Up", show=False, id="grid.up", tooltip="Item above"),
        Binding("down,j", "move(1, 0)", "Down", show=False, id="grid.down", tooltip="Item below"),
        Binding("left,h", "move(0, -1)", "Left", show=False, id="grid.left",
                tooltip="Repeat or model before"),
        Binding("right,l", "move(0, 1)", "Right", show=False, id="grid.right",
                tooltip="Next repeat or model"),
        Binding("pageup", "page(-1)", "Page up", show=False, id="grid.pageup",
                tooltip="A page up"),
        Binding("pagedown", "page(1)", "Page down", show=False, id="grid.pagedown",
                tooltip="A page down"),
        Binding("home", "move(-1000000, 0)", "First", show=False, id="grid.home",
                tooltip="First item"),
        Binding("end", "move(1000000, 0)", "Last", show=False, id="grid.end",
                tooltip="Last item"),
        Binding("enter", "choose", "Open", id="grid.open",
                tooltip="Open the attempt, or what was tried for an open cell"),
    ]  # fmt: skip

    class Moved(Message):
        """The cursor stands on another cell."""

    class Chosen(Message):
        """A cell is to be opened."""

        def __init__(self, row: int, column: int, repeat: int) -> None:
            super().__init__()
            self.row, self.column, self.repeat = row, column, repeat

    def _redraw_row(self, row: int) -> None:
        y = row - self.scroll_offset.y + HEADER
        if HEADER <= y < self.size.height:
            self._drawn.pop(y, None)
            self.refresh(Region(0, y, self.size.width, 1))

    def go(self, row: int, column: int, repeat: int) -> None:
        """Put the cursor on a cell, and that into view."""
        states = self.states
        if states is None or not self._labels or not self._names:
            return
        before = self.row
        self.row = min(max(row, 0), len(self._labels) - 1)
        self.column = min(max(column, 0), len(self._names) - 1)
        self.repeat = min(max(repeat, 0), states.repeats - 1)
        self._redraw_row(before)
        self._redraw_row(self.row)
        rows = max(1, self.size.height - HEADER)
        top, left = self.scroll_offset.y, self.scroll_offset.x
        if not top <= self.row < top + rows:
            top = self.row if self.row < top else self.row - rows + 1
        room = self.size.width - self._label_width
        start = self.column * self._column_width
        if not left <= start <= left + room - self._column_width:
            left = start if start < left else start + self._column_width - room
        if (left, top) != (self.scroll_offset.x, self.scroll_offset.y):
            self.scroll_to(max(0, left), max(0, top), animate=False)
        self.post_message(self.Moved())

    def action_move(self, rows: int, steps: int) -> None:
        """Move by rows, and by cells within an item: repeats first, then models."""
        states = self.states
        if states is None:
            return
        place = self.column * states.repeats + self.repeat + steps
        place = min(max(place, 0), len(self._names) * states.repeats - 1)
        column, repeat = divmod(place, states.repeats)
        self.go(self.row + rows, column, repeat)

    def action_page(self, pages: int) -> None:
        """Move by what is in view."""
        self.go(self.row + pages * max(1, self.size.height - HEADER - 1), self.column, self.repeat)

    def action_choose(self) -> None:
        """Open the cell under the cursor."""
        if self.states is not None and self._labels and self._names:
            self.post_message(self.Chosen(self.row, self.column, self.repeat))

    def on_click(self, event: events.Click) -> None:
        """Put the cursor there; on the cell that has it already, open that."""
        states, x, y = self.states, event.x, event.y
        if states is None or y < HEADER or x < self._label_width:
            return
        row = y - HEADER + self.scroll_offset.y
        column, inside = divmod(x - self._label_width + self.scroll_offset.x, self._column_width)
        if row >= len(self._labels) or column >= len(self._names):
            return
        repeat = min(inside, states.repeats - 1)
        if (row, column, repeat) == (self.row, self.column, self.repeat):
            self.action_choose()
        else:
            self.go(row, column, repeat)
