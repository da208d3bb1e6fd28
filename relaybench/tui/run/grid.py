"""The grid of a run: items down, models across, each cell its state and age.

Only what is in view is drawn, and only lines that have changed are drawn again. What stands above
the columns and the names of the items do not scroll away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from relaybench.domain.literal import visible
from relaybench.domain.results import Outcome
from relaybench.tui.run.drawing import (
    CAPTIONS,
    bar,
    cell_text,
    item_labels,
    look_of,
    model_lines,
    model_names,
)
from relaybench.workbench.cell_state import CellNow, State, outcome_of

if TYPE_CHECKING:
    from relaybench.workbench.cell_states import CellStates

#: Lines above the items: one for each caption, and a rule.
HEADER: Final = len(CAPTIONS) + 1
#: Cells across a column at least and at most, the space behind it included.
_NARROWEST, _WIDEST = 12, 28
#: Cells across the names of the items at least, and the part of the width that they get at most.
_LABEL, _LABEL_SHARE = 17, 0.3
_KINDS: Final = {
    "$text-success": "success",
    "$text-error": "error",
    "$text-warning": "warning",
    "$text-accent": "accent",
    "$text-muted": "muted",
    "$text-primary": "live",
}


class RunGrid(ScrollView, can_focus=True):
    """Draws ``CellStates``; ``look_again`` is called when something may have changed."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *(f"grid--{kind}" for kind in _KINDS.values()),
        "grid--text",
        "grid--name",
        "grid--label",
        "grid--cursor",
        "grid--line",
    }
    DEFAULT_CSS = """
    RunGrid {
        height: 1fr;
        width: 1fr;
        background: $background;
        scrollbar-size-vertical: 1;
        scrollbar-size-horizontal: 1;
    }
    RunGrid > .grid--text { color: $foreground; }
    RunGrid > .grid--name { color: $foreground; text-style: bold; background: $panel; }
    RunGrid > .grid--label { color: $text-muted; }
    RunGrid > .grid--line { background: $boost; }
    RunGrid > .grid--success { color: $text-success; }
    RunGrid > .grid--error { color: $text-error; }
    RunGrid > .grid--warning { color: $text-warning; }
    RunGrid > .grid--accent { color: $text-accent; text-style: bold; }
    RunGrid > .grid--muted { color: $text-muted; }
    RunGrid > .grid--live { color: $text-primary; }
    RunGrid > .grid--cursor { background: $panel-lighten-2; text-style: underline; }
    RunGrid:focus > .grid--cursor {
        background: $primary;
        color: $text;
        text-style: bold;
    }
    """
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

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.states: CellStates | None = None
        self.row = self.column = self.repeat = 0
        self._labels: list[str] = []
        self._models: list[tuple[str, str]] = []  # label and name
        self._names: list[str] = []
        self._label_width, self._column_width = _LABEL, _NARROWEST
        self._drawn: dict[int, Strip] = {}
        self._styles: dict[tuple[str, bool, bool], Style] = {}
        self._seen: tuple[int, int] = (-1, -1)
        self._figures: tuple[tuple[bool, int, int], list[list[str]]] = ((False, -1, -1), [])

    def show(self, states: CellStates) -> None:
        """Show another grid from its top."""
        self.states = states
        self._figures = ((False, -1, -1), [])
        self.row = self.column = self.repeat = 0
        forms = [(item.form.value if item.form else "") for item in states.items]
        self._labels = [
            visible(label)
            for label in item_labels(
                [(item.set_name, item.name, form)
                 for item, form in zip(states.items, forms, strict=True)]
            )
        ]  # fmt: skip
        self._models = [(config.label, config.name) for config in states.configs]
        self._lay_out()
        self.scroll_to(0, 0, animate=False)
        self._draw_anew()

    def _lay_out(self) -> None:
        """Give every column the same width: all the room there is, but never too little."""
        if self.states is None:
            return
        width = self.size.width
        longest = max((cell_len(label) for label in self._labels), default=0) + 1
        self._label_width = min(max(_LABEL, longest), max(_LABEL, int(width * _LABEL_SHARE)))
        columns = max(1, len(self._models))
        share = (width - self._label_width) // columns
        self._column_width = min(max(share, _NARROWEST), _WIDEST)
        self._names = model_names(self._models, self._column_width - 1)
        self.virtual_size = Size(
            self._label_width + columns * self._column_width, HEADER + len(self._labels)
        )

    def _draw_anew(self) -> None:
        self._drawn.clear()
        self.refresh()

    def notify_style_update(self) -> None:
        """Another theme: nothing that was drawn fits it."""
        self._styles.clear()
        self._drawn.clear()
        super().notify_style_update()

    def on_resize(self, event: events.Resize) -> None:
        """Lay the columns out again."""
        self._lay_out()
        self._draw_anew()

    def watch_scroll_x(self, old_value: float, new_value: float) -> None:
        """Other columns are in view."""
        self._drawn.clear()
        super().watch_scroll_x(old_value, new_value)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Other items are in view."""
        self._drawn.clear()
        super().watch_scroll_y(old_value, new_value)

    def watch_has_focus(self, has_focus: bool) -> None:
        """The cursor looks different with the focus."""
        self._styles.clear()
        self._drawn.clear()
        super().watch_has_focus(has_focus)

    def look_again(self) -> bool:
        """Draw the lines in view that have changed; returns whether there were any."""
        if self.states is None:
            return False
        seen = (self.states.version, int(2 * self.states.clock()))
        if seen == self._seen:
            return False
        self._seen = seen
        width, dirty = self.size.width, []
        for y in range(self.size.height):
            strip = self._line(y)
            if self._drawn.get(y) != strip:
                self._drawn[y] = strip
                dirty.append(Region(0, y, width, 1))
        if dirty:
            self.refresh(*dirty)
        return bool(dirty)

    def render_line(self, y: int) -> Strip:
        """One line in view."""
        strip = self._drawn.get(y)
        if strip is None:
            strip = self._drawn[y] = self._line(y)
        return strip

    def _line(self, y: int) -> Strip:
        width = self.size.width
        states = self.states
        if states is None:
            return Strip.blank(width, self._style("text"))
        if y < HEADER:
            label, segments, shift = self._header(y)
        else:
            row = y - HEADER + self.scroll_offset.y
            if row >= len(self._labels):
                return Strip.blank(width, self._style("text"))
            label, segments, shift = self._item(row)
        room = width - self._label_width
        columns = Strip(segments).crop(shift, shift + room)
        return Strip([label, *columns]).adjust_cell_length(width, self._style("text"))

    def _style(self, kind: str, *, here: bool = False, cursor: bool = False) -> Style:
        """A style; ``here`` in the row of the cursor, ``cursor`` under it. They are kept."""
        key = (kind, here, cursor)
        style = self._styles.get(key)
        if style is None:
            style = self.get_component_rich_style(f"grid--{kind}")
            if here:
                style += self.get_component_rich_style("grid--line", partial=True)
            if cursor:
                style += self.get_component_rich_style("grid--cursor", partial=True)
            self._styles[key] = style
        return style

    def _in_view(self) -> tuple[range, int]:
        """Columns in view, and how many cells of the first are out of it."""
        left = self.scroll_offset.x
        room = max(0, self.size.width - self._label_width)
        first = left // self._column_width
        last = min(len(self._names), -(-(left + room) // self._column_width))
        return range(first, last), left - first * self._column_width

    def _header(self, y: int) -> tuple[Segment, list[Segment], int]:
        columns, shift = self._in_view()
        room = self._column_width - 1
        if y == HEADER - 1:
            muted = self._style("muted")
            rule = [Segment("─" * self._column_width, muted) for _ in columns]
            return Segment("─" * self._label_width, muted), rule, shift
        name = self._style("name")
        label = Segment(
            set_cell_size(CAPTIONS[y], self._label_width),
            name if y == 0 else self._style("label"),
        )
        if y == 0:
            texts = [_fit(self._names[column], room) for column in columns]
            return label, [Segment(f"{text} ", name) for text in texts], shift
        style = self._style("text")
        figures = self._figures_now()
        lines = [figures[column][y - 1] for column in columns]
        return label, [Segment(f"{_fit(text, room)} ", style) for text in lines], shift

    def _figures_now(self) -> list[list[str]]:
        """The lines above all columns, worked out twice a second: intervals take their time."""
        states = self.states
        assert states is not None
        key = (states.ended, int(2 * states.clock()), self._column_width)
        if key != self._figures[0]:
            room = self._column_width - 1
            self._figures = (key, [model_lines(model, room) for model in states.models()])
        return self._figures[1]

    def _item(self, row: int) -> tuple[Segment, list[Segment], int]:
        states = self.states
        assert states is not None
        columns, shift = self._in_view()
        here = row == self.row
        label = Segment(
            _fit(self._labels[row], self._label_width - 1) + " ", self._style("text", here=here)
        )
        clock = states.clock()
        segments: list[Segment] = []
        for column in columns:
            cells = states.at(row, column)
            cursor = here and column == self.column
            manual = states.configs[column].manual
            if len(cells) == 1:
                segments += self._single(cells[0], clock, manual, here, cursor)
            else:
                segments += self._several(cells, manual, here, cursor)
        return label, segments, shift

    def _single(
        self, now: CellNow, clock: float, manual: bool, here: bool, cursor: bool
    ) -> list[Segment]:
        room = self._column_width - 1
        text = cell_text(now, clock, room, manual=manual)
        kind = _KINDS[look_of(now, manual=manual).style]
        return [
            Segment(text.ljust(room), self._style(kind, here=here, cursor=cursor)),
            Segment(" ", self._style("text", here=here)),
        ]

    def _several(
        self, cells: list[CellNow], manual: bool, here: bool, cursor: bool
    ) -> list[Segment]:
        """A sign for each repeat, or a bar where they are too many; and how many are correct."""
        room = self._column_width - 1
        outcomes = [outcome_of(each.state) for each in cells]
        count = f" {outcomes.count(Outcome.CORRECT)}/{sum(each.scored for each in outcomes)}"
        text = self._style("text", here=here)
        if len(cells) + len(count) <= room:
            segments = []
            for repeat, now in enumerate(cells):
                look = look_of(now, manual=manual)
                mark = cursor and repeat == self.repeat
                style = self._style(_KINDS[look.style], here=here, cursor=mark)
                segments.append(Segment(look.sign, style))
            used = len(cells)
        else:
            used = max(1, room - len(count))
            done = sum(each.state.final for each in cells)
            live = any(each.state.under_way or each.state is State.RETRY for each in cells)
            style = self._style("live" if live else "muted", here=here, cursor=cursor)
            segments = [Segment(bar(done, len(cells), used), style)]
        return [*segments, Segment(count.ljust(room - used + 1), text)]

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


def _fit(text: str, room: int) -> str:
    """Text in exactly that many cells; what is cut ends in an ellipsis."""
    if cell_len(text) <= room:
        return set_cell_size(text, room)
    return set_cell_size(text, max(0, room - 1)) + "…"
