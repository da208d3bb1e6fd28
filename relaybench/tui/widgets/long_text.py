"""A text of any size, read only: only the rows in view are drawn, and the rest is counted later.

The first rows stand at once; what lies below them is broken into rows in a thread. `/` searches.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections.abc import Sequence
from itertools import islice, pairwise
from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style as ContentStyle
from textual.widgets import Input

from relaybench.tui.widgets.bars import show_bar_at_once
from relaybench.tui.widgets.wrapping import (
    Marked,
    Row,
    ShownText,
    places_of,
    prepared,
    rows_of,
)

#: Rows that are broken at once, before the first drawing.
_AT_ONCE: Final = 400
#: Seconds after a key before the search starts.
_TYPING_S: Final = 0.05


class LongTextBody(ScrollView, can_focus=True):
    """The rows of a text. Styles of marks are Textual styles such as ``bold $error``."""

    ALLOW_SELECT = True
    DEFAULT_CSS = """
    LongTextBody { height: 1fr; width: 1fr; scrollbar-gutter: stable; }
    LongTextBody:focus { background: $boost; }
    """

    class Indexed(Message):
        """All rows are known now."""

    def __init__(self) -> None:
        super().__init__()
        self._shown = prepared("")
        self._found: Sequence[Marked] = ()
        self._rows: list[Row] = [(0, 0, 0)]
        self._width = 0
        self._base = Style()

    def show(self, text: str | ShownText, marks: Sequence[Marked] = ()) -> None:
        """Show another text from its top; ``marks`` are offsets into ``text`` as it is given."""
        self._shown = prepared(text, marks) if isinstance(text, str) else text
        self._found = ()
        self._break(keep_place=False)

    @property
    def shown(self) -> ShownText:
        """The text with its lines and marks."""
        return self._shown

    @property
    def _lines(self) -> Sequence[str]:
        return self._shown.lines

    @property
    def _starts(self) -> Sequence[int]:
        return self._shown.starts

    @property
    def text(self) -> str:
        """The text as it is shown."""
        return "\n".join(self._lines)

    def on_resize(self, event: events.Resize) -> None:
        """Break the rows anew for another width; the text at the top stays there."""
        if self.scrollable_content_region.width != self._width:
            self._break(keep_place=True)

    def _break(self, *, keep_place: bool) -> None:
        self._width = self.scrollable_content_region.width
        if self._width <= 0:
            return
        top = self._rows[min(int(self.scroll_y), len(self._rows) - 1)]
        rows = list(islice(rows_of(self._lines, self._width), _AT_ONCE))
        whole = rows[-1][0] == len(self._lines) - 1 and rows[-1][2] == len(self._lines[-1])
        place = (top[0], top[1]) if keep_place else (0, 0)
        self._take_rows(rows, place)
        if not whole:
            self._break_rest(self._lines, self._width, place)

    @work(exclusive=True, group="rows")
    async def _break_rest(self, lines: Sequence[str], width: int, place: tuple[int, int]) -> None:
        rows = await asyncio.to_thread(lambda: list(rows_of(lines, width)))
        if lines is self._lines and width == self._width:
            self._take_rows(rows, place if place > (0, 0) else None)
            self.post_message(self.Indexed())

    def _take_rows(self, rows: list[Row], place: tuple[int, int] | None) -> None:
        self._rows = rows
        self.virtual_size = Size(self._width, len(rows))
        show_bar_at_once(self)
        if place is not None:
            self.scroll_to(0, self._row_at(*place), animate=False, force=True)
        self.refresh()

    def _row_at(self, line: int, column: int) -> int:
        return max(bisect_left(self._rows, (line, column + 1, 0)) - 1, 0)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Rows of the view; the style below them all is worked out once."""
        self._base = self.rich_style
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """The row at ``y`` of the view."""
        number = y + int(self.scroll_offset.y)
        width = self.size.width
        if number >= len(self._rows):
            return Strip.blank(width, self._base)
        line, start, end = self._rows[number]
        strip = Strip(self._segments(line, start, end, number))
        return strip.adjust_cell_length(width, self._base).apply_offsets(0, number)

    def _segments(self, line: int, start: int, end: int, row: int) -> list[Segment]:
        text = self._lines[line][start:end]
        base = self._base
        first = self._starts[line] + start
        cuts = [
            (mark.start - first, mark.end - first, mark.style)
            for mark in self._marks_in(first, first + len(text))
        ]
        selection = self.text_selection
        span = selection.get_span(row) if selection else None
        if span is not None:
            last = len(text) if span[1] < 0 else span[1]
            cuts.append((span[0], last, "selection"))
        if not cuts:
            return [Segment(text, base)]
        borders = sorted({0, len(text), *(min(max(p, 0), len(text)) for c in cuts for p in c[:2])})
        segments = []
        for left, right in pairwise(borders):
            style = base
            for begin, stop, name in cuts:
                if begin <= left and right <= stop:
                    style += self._style(name)
            segments.append(Segment(text[left:right], style))
        return segments

    def _marks_in(self, first: int, last: int) -> list[Marked]:
        found = []
        for marks in (self._shown.marks, self._found):
            index = max(bisect_left(marks, first, key=lambda mark: mark.end), 0)
            for mark in islice(marks, index, None):
                if mark.start >= last:
                    break
                found.append(mark)
        return found

    def _style(self, name: str) -> Style:
        if name == "selection":
            return self.screen.get_component_rich_style("screen--selection")
        # Over the widget's own: $text-muted is a contrast to what it stands on.
        return (self.visual_style + ContentStyle.parse(name, self.app.theme_variables)).rich_style

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The text that the mouse selected, as it is shown."""
        rows = "\n".join(self._lines[line][start:end] for line, start, end in self._rows)
        return selection.extract(rows), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """Draw again with another selection."""
        self.refresh()

    def take_found(self, found: Sequence[Marked]) -> None:
        """Mark what a search has found."""
        self._found = found
        self.refresh()

    def go_to_offset(self, offset: int) -> None:
        """Scroll to a place of the shown text."""
        line = max(bisect_left(self._starts, offset + 1) - 1, 0)
        row = self._row_at(line, offset - self._starts[line])
        self.scroll_to_region(
            Region(0, row, 1, 1), animate=False, force=True, center=True, immediate=True
        )

    def go_to_mark(self, number: int) -> None:
        """Scroll to a place that was found, counted from 0."""
        self.go_to_offset(self._found[number].start)


class LongText(Vertical):
    """A windowed read-only text with a search line. Give it text by ``show``."""

    DEFAULT_CSS = """
    LongText { height: 1fr; width: 1fr; }
    LongText > Input { dock: bottom; height: 1; border: none; padding: 0 1; display: none; }
    LongText > Input.-open { display: block; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "search", "Search", id="text.search", tooltip="Search in this text"),
        Binding(
            "escape",
            "close_search",
            "Close search",
            show=False,
            id="text.close-search",
            tooltip="Leave the search",
        ),
    ]

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._body = LongTextBody()
        self._field: Input | None = None
        self._at = -1
        self._count = 0

    def compose(self) -> ComposeResult:
        """The text; the search line comes when it is asked for."""
        yield self._body

    @property
    def body(self) -> LongTextBody:
        """The rows themselves."""
        return self._body

    @property
    def text(self) -> str:
        """The text as it is shown."""
        return self._body.text

    def show(self, text: str | ShownText, marks: Sequence[Marked] = ()) -> None:
        """Show another text from its top; ``marks`` are offsets into ``text``.

        Megabytes are better ``prepared`` in a thread and given so.
        """
        self._body.show(text, marks)
        self.border_subtitle = ""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Escape closes the search only where one is open, else it goes on to the screen."""
        if action == "close_search":
            return self._field is not None and self._field.has_class("-open")
        return True

    def action_search(self) -> None:
        """Open the search line."""
        if self._field is None:
            self._field = Input(placeholder="search; Enter goes on, Esc leaves", compact=True)
            self.mount(self._field)
        self._field.add_class("-open")
        self._field.focus()
        self.refresh_bindings()

    def action_close_search(self) -> None:
        """Close the search line and take the marks away."""
        if self._field is None:
            return
        self._field.remove_class("-open")
        self.search("")
        self.border_subtitle = ""
        self._body.focus()
        self.refresh_bindings()

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self.search(event.value)

    @work(exclusive=True, group="search")
    async def search(self, words: str) -> None:
        """Mark all places of some words, and go to the first; in a thread, for it may take long."""
        await asyncio.sleep(_TYPING_S if words else 0)
        shown = self._body.shown
        found = await asyncio.to_thread(places_of, shown, words, "bold $text on $warning")
        if shown is not self._body.shown:
            return
        self._body.take_found(found)
        self._count, self._at = len(found), -1
        if words:
            self._next()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._next()

    def _next(self) -> None:
        if not self._count:
            self.border_subtitle = "not found"
            return
        self._at = (self._at + 1) % self._count
        self._body.go_to_mark(self._at)
        self.border_subtitle = f"{self._at + 1} of {self._count}"
