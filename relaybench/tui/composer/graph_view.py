"""The dependency graph on screen: one box is selected, arrow keys and the mouse move on."""

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
from textual.style import Style as ContentStyle

from relaybench.tui.composer.graph_values import Direction, Drawing, Part, Run
from relaybench.tui.widgets.bars import show_bar_at_once

_EMPTY: Final = Drawing(0, (), ())
#: The selected box has a double frame, so that no colour is needed to see it.
_DOUBLE: Final = str.maketrans("┌─┐│└┘┬├┄┆", "╔═╗║╚╝╤╟═║")
#: How parts look, in words of the theme. Not component classes: those cost at every switch.
_LOOKS: Final = {
    "frame": "$text-muted",
    "label": "bold $text-accent",
    "title": "bold",
    "detail": "$text-muted",
    "domain": "$text-secondary",
    "answer": "$text-success",
    "problem": "bold $text-error",
    "arrow": "$text-muted",
    "head": "",
    "input": "italic $text-primary",
    "wrong": "bold $text-error",
    "near": "bold $text-accent",
    "selected": "bold $text-accent",
    "away": "bold",
}


class GraphView(ScrollView, can_focus=True):
    """A drawing that scrolls. What is drawn is decided elsewhere, in a thread."""

    DEFAULT_CSS = """
    GraphView {
        height: 1fr;
        width: 1fr;
        background: $background;
        scrollbar-gutter: stable;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(
                direction.value,
                f"go('{direction.value}')",
                direction.value.capitalize(),
                show=False,
                id=f"graph.{direction.value}",
                tooltip=f"To the next box, {direction.value}",
            )
            for direction in Direction
        ),
        Binding("enter", "choose", "Look into", show=False, id="graph.choose",
                tooltip="Go to the inspector of the selected box"),
        Binding("pageup", "page(-1)", "Page up", show=False, id="graph.pageup",
                tooltip="Scroll the graph up"),
        Binding("pagedown", "page(1)", "Page down", show=False, id="graph.pagedown",
                tooltip="Scroll the graph down"),
        Binding("home", "end(0)", "First", show=False, id="graph.home",
                tooltip="To the first box"),
        Binding("end", "end(-1)", "Last", show=False, id="graph.end", tooltip="To the last box"),
    ]  # fmt: skip

    class Selected(Message):
        """Another box is selected."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    class Chosen(Message):
        """Enter on the selected box, or a click on it."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    class RoomChanged(Message):
        """There is another width to draw in."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._room = 0
        self._drawing = _EMPTY
        self._styles: dict[str, Style] = {}
        self.selected = ""

    @property
    def drawing(self) -> Drawing:
        """What is drawn."""
        return self._drawing

    def show(self, drawing: Drawing, selected: str) -> None:
        """Show another drawing; the selected box comes into view."""
        if drawing == self._drawing and selected == self.selected:
            return
        self._drawing = drawing
        self.virtual_size = Size(drawing.width, drawing.height)
        show_bar_at_once(self)
        self.select(selected)
        self.refresh()

    def select(self, key: str, *, tell: bool = False) -> None:
        """Mark a box and bring it into view; a key that is not there marks none."""
        self.selected = key
        box = self._drawing.box(key)
        if box is not None:
            around = Region(box.x + self._shift, box.y - 1, box.width, box.height + 2)
            self.scroll_to_region(around, animate=False, force=True, immediate=True)
        self.refresh()
        if tell:
            self.post_message(self.Selected(key))

    @property
    def _shift(self) -> int:
        """A drawing that is narrower than the view stands in its middle."""
        return max((self.room - self._drawing.width) // 2, 0)

    def action_go(self, direction: str) -> None:
        """Select the next box in a direction; where there is none, scroll to the edge."""
        found = self._drawing.neighbour(self.selected, Direction(direction))
        if found != self.selected:
            self.select(found, tell=True)
        elif direction == Direction.UP:
            self.scroll_home(animate=False, immediate=True)
        elif direction == Direction.DOWN:
            self.scroll_end(animate=False, immediate=True)

    def action_end(self, place: int) -> None:
        """Select the first box (0) or the last one (-1)."""
        if self._drawing.boxes:
            self.select(self._drawing.boxes[place].key, tell=True)

    def action_page(self, by: int) -> None:
        """Scroll by most of the view."""
        step = max(self.size.height - 2, 1)
        self.scroll_relative(y=by * step, animate=False, immediate=True)

    def action_choose(self) -> None:
        """Look into the selected box."""
        if self._drawing.box(self.selected) is not None:
            self.post_message(self.Chosen(self.selected))

    def on_click(self, event: events.Click) -> None:
        """Select the box under the mouse; on the selected one look into it."""
        x = event.x + int(self.scroll_x) - self._shift
        key = self._drawing.at(x, event.y + int(self.scroll_y))
        if key is None:
            return
        if key == self.selected:
            self.action_choose()
        else:
            self.select(key, tell=True)

    def on_resize(self) -> None:
        """Ask for another drawing where the width has changed."""
        if self.room != self._room:
            self._room = self.room
            self.post_message(self.RoomChanged())

    @property
    def room(self) -> int:
        """The width to draw in, beside the scrollbar; 0 while it is not shown."""
        return self.scrollable_content_region.width

    def on_focus(self) -> None:
        """The selected box shows whether the keys go here."""
        self.refresh()

    def on_blur(self) -> None:
        """The selected box shows whether the keys go here."""
        self.refresh()

    def notify_style_update(self) -> None:
        """Forget styles of another theme."""
        super().notify_style_update()
        self._styles.clear()

    def _style(self, name: str) -> Style:
        if name not in self._styles:
            looks = ContentStyle.parse(_LOOKS[name], self.app.theme_variables)
            self._styles[name] = looks.rich_style
        return self._styles[name]

    def _segment(self, run: Run, base: Style) -> Segment:
        if run.part is Part.BLANK:
            return Segment(run.text, base)
        style, text = base + self._style(run.part.value), run.text
        mine = run.owner == self.selected
        if mine and run.part is Part.FRAME:
            text = text.translate(_DOUBLE)
            style = base + self._style("selected" if self.has_focus else "away")
        elif mine and run.part in (Part.ARROW, Part.HEAD, Part.INPUT):
            style += self._style("near")
        if run.wrong:
            style += self._style("wrong")
        return Segment(text, style)

    def render_line(self, y: int) -> Strip:
        """A row of the view."""
        base, width = self.rich_style, self.size.width
        number, left = y + int(self.scroll_y), int(self.scroll_x)
        if number >= self._drawing.height:
            return Strip.blank(width, base)
        segments = [Segment(" " * self._shift, base)] if self._shift else []
        segments += [self._segment(run, base) for run in self._drawing.rows[number]]
        return Strip(segments).crop_extend(left, left + width, base)
