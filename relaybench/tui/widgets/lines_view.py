"""A list of lines of any length: only those in view are drawn, one has the cursor.

For trees and tables of thousands of rows, where a widget or a stored strip for each would be felt.
"""

from __future__ import annotations

from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from relaybench.tui.widgets.bars import show_bar_at_once

#: A piece of a line and its style: "", ``strong``, ``here``, or a component: ``muted``, ``accent``,
#: ``error``, ``warning``, ``away``, ``cursor``.
Piece = tuple[str, str]


_PLAIN_STYLES: Final = {
    "": Style.null(),
    "strong": Style(bold=True),
    "here": Style(bold=True, underline=True),
}


class LinesView(ScrollView, can_focus=True):
    """Base: a subclass says how many lines there are, how wide they are, and what is on each."""

    DEFAULT_CSS = """
    LinesView {
        height: 1fr;
        width: 1fr;
        background: $background;
        scrollbar-size: 1 1;
        & > .lines--muted { color: $text-muted; }
        & > .lines--accent { color: $text-accent; }
        & > .lines--error { color: $text-error; }
        & > .lines--warning { color: $text-warning; }
        & > .lines--away { background: $panel-lighten-1; }
        & > .lines--cursor { background: $primary; color: $text; text-style: bold; }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "lines--muted",
        "lines--accent",
        "lines--error",
        "lines--warning",
        "lines--away",
        "lines--cursor",
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Up", show=False, id="lines.up", tooltip="One line up"),
        Binding("down,j", "move(1)", "Down", show=False, id="lines.down", tooltip="One line down"),
        Binding("pageup", "page(-1)", "Page up", show=False, id="lines.pageup",
                tooltip="One page up"),
        Binding("pagedown", "page(1)", "Page down", show=False, id="lines.pagedown",
                tooltip="One page down"),
        Binding("home,ctrl+home", "move(-1000000)", "First", show=False, id="lines.home",
                tooltip="To the first line"),
        Binding("end,ctrl+end", "move(1000000)", "Last", show=False, id="lines.end",
                tooltip="To the last line"),
        Binding("enter", "choose", "Open", show=False, id="lines.enter",
                tooltip="Open what has the cursor"),
    ]  # fmt: skip
    #: Lines at the top that do not scroll, such as a table's head.
    HEAD: ClassVar[int] = 0

    class Moved(Message):
        """The cursor went to another line."""

        def __init__(self, view: LinesView, number: int) -> None:
            super().__init__()
            self.view, self.number = view, number

        @property
        def control(self) -> LinesView:
            """The view."""
            return self.view

    class Chosen(Message):
        """Enter or a click on the line that has the cursor."""

        def __init__(self, view: LinesView, number: int) -> None:
            super().__init__()
            self.view, self.number = view, number

        @property
        def control(self) -> LinesView:
            """The view."""
            return self.view

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.cursor = 0
        self._base = Style()

    @property
    def line_count(self) -> int:
        """How many lines there are, without the head."""
        raise NotImplementedError

    @property
    def line_width(self) -> int:
        """Cells of the widest line; 0: as wide as the view."""
        return 0

    def line_at(self, number: int) -> list[Piece]:
        """What is on a line; text fit to be shown."""
        raise NotImplementedError

    def head_at(self, number: int) -> list[Piece]:
        """What is on a line of the head."""
        raise NotImplementedError

    def lines_changed(self) -> None:
        """Draw anew after the lines have changed; the cursor stays within them."""
        self.virtual_size = Size(self.line_width, self.line_count + self.HEAD)
        show_bar_at_once(self)
        self.cursor = max(min(self.cursor, self.line_count - 1), 0)
        self.refresh()

    def go_to(self, number: int, *, tell: bool = True) -> None:
        """Move the cursor to a line and bring it into view."""
        number = max(min(number, self.line_count - 1), 0)
        moved = number != self.cursor
        self.cursor = number
        self.show_cursor()
        self.refresh()
        if moved and tell:
            self.post_message(self.Moved(self, number))

    def show_cursor(self) -> None:
        """Scroll so that the line of the cursor is in view."""
        height = max(self.scrollable_content_region.height - self.HEAD, 1)
        top = int(self.scroll_y)
        if self.cursor < top:
            self.scroll_to(y=self.cursor, animate=False, immediate=True, force=True)
        elif self.cursor >= top + height:
            y = self.cursor - height + 1
            self.scroll_to(y=y, animate=False, immediate=True, force=True)

    def action_move(self, by: int) -> None:
        """Move the cursor by some lines."""
        self.go_to(self.cursor + by)

    def action_page(self, by: int) -> None:
        """Move the cursor by a page."""
        self.go_to(self.cursor + by * max(self.scrollable_content_region.height - self.HEAD - 1, 1))

    def action_choose(self) -> None:
        """Open what has the cursor."""
        if self.line_count:
            self.post_message(self.Chosen(self, self.cursor))

    def on_click(self, event: events.Click) -> None:
        """A click moves the cursor; one on its line opens that."""
        number = event.y - self.HEAD + int(self.scroll_y)
        if event.y < self.HEAD or number >= self.line_count:
            return
        if self.clicked(number, event.x + int(self.scroll_x)):
            return
        if number == self.cursor:
            self.action_choose()
        else:
            self.go_to(number)

    def clicked(self, number: int, x: int) -> bool:
        """A subclass's own answer to a click at a cell of a line; True: that was all."""
        return False

    def style_of(self, name: str) -> Style:
        """The style of a piece of a line; "" for the view's own."""
        # Each component is matched against all rules whenever the screen is: few, then.
        plain = _PLAIN_STYLES.get(name)
        return plain if plain is not None else self.get_component_rich_style(f"lines--{name}")

    @property
    def cursor_style(self) -> str:
        """How what has the cursor looks: otherwise while the keys go elsewhere."""
        return "cursor" if self.has_focus else "away"

    def on_focus(self) -> None:
        """The cursor shows whether the keys go here."""
        self.refresh()

    def on_blur(self) -> None:
        """The cursor shows whether the keys go here."""
        self.refresh()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Rows of the view; the style below them all is worked out once."""
        self._base = self.rich_style
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """A row of the view."""
        width = self.size.width
        base = self._base
        number = y - self.HEAD + int(self.scroll_y)
        if y >= self.HEAD and number >= self.line_count:
            return Strip.blank(width, base)
        pieces = self.head_at(y) if y < self.HEAD else self.line_at(number)
        segments = [Segment(text, base + self.style_of(style)) for text, style in pieces]
        strip = Strip(segments).extend_cell_length(int(self.scroll_x) + width, base)
        if y < self.HEAD:
            strip = _over(strip, _PLAIN_STYLES["strong"])
        elif number == self.cursor and not self.draws_cursor:
            strip = _over(strip, self.style_of(self.cursor_style))
        return strip.crop(int(self.scroll_x), int(self.scroll_x) + width)

    #: A subclass that draws the cursor itself.
    draws_cursor: ClassVar[bool] = False

    def reveal(self, x: int, width: int) -> None:
        """Scroll sideways so that some cells are in view."""
        left, room = int(self.scroll_x), self.size.width
        if x < left or x + width > left + room:
            target = x if x < left or width >= room else x + width - room
            self.scroll_to(x=target, animate=False, immediate=True, force=True)

    def region_of(self, number: int, x: int, width: int) -> Region:
        """Where some cells of a line stand in the view."""
        y = number - int(self.scroll_y) + self.HEAD
        return Region(x - int(self.scroll_x), y, width, 1)


def _over(strip: Strip, style: Style) -> Strip:
    """A strip with a style laid over that of its segments."""
    return Strip([Segment(each.text, (each.style or Style()) + style) for each in strip])
