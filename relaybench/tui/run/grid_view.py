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
from textual.geometry import Region, Size
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
from relaybench.tui.widgets.fitting import both_ends, fitted
from relaybench.workbench.runs.cell_state import CellNow, State, outcome_of

if TYPE_CHECKING:
    from relaybench.workbench.runs.cell_states import CellStates

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


class GridView(ScrollView, can_focus=True):
    """Draws ``CellStates``; ``look_again`` is called when something may have changed.

    ``row``, ``column`` and ``repeat`` say where the cursor is.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *(f"grid--{kind}" for kind in _KINDS.values()),
        "grid--text",
        "grid--name",
        "grid--label",
        "grid--cursor",
        "grid--line",
    }
    DEFAULT_CSS = """
    GridView {
        height: 1fr;
        width: 1fr;
        background: $background;
        scrollbar-size-vertical: 1;
        scrollbar-size-horizontal: 1;
    }
    GridView > .grid--text { color: $foreground; }
    GridView > .grid--name { color: $foreground; text-style: bold; background: $panel; }
    GridView > .grid--label { color: $text-muted; }
    GridView > .grid--line { background: $boost; }
    GridView > .grid--success { color: $text-success; }
    GridView > .grid--error { color: $text-error; }
    GridView > .grid--warning { color: $text-warning; }
    GridView > .grid--accent { color: $text-accent; text-style: bold; }
    GridView > .grid--muted { color: $text-muted; }
    GridView > .grid--live { color: $text-primary; }
    GridView > .grid--cursor { background: $panel-lighten-2; text-style: underline; }
    GridView:focus > .grid--cursor {
        background: $primary;
        color: $text;
        text-style: bold;
    }
    """

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
        """Show another grid from its top; the same one anew where it stands."""
        before, self.states = self.states, states
        if before is not None and _alike(before, states):
            self._figures = ((False, -1, -1), [])
            self._seen = (-1, -1)
            self.look_again()
            return
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
        spare = width - self._label_width - columns * self._column_width
        self._label_width += min(max(0, longest - self._label_width), max(0, spare))
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
            texts = [fitted(self._names[column], room) for column in columns]
            return label, [Segment(f"{text} ", name) for text in texts], shift
        style = self._style("text")
        figures = self._figures_now()
        lines = [figures[column][y - 1] for column in columns]
        return label, [Segment(f"{fitted(text, room)} ", style) for text in lines], shift

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
            fitted(both_ends(self._labels[row], self._label_width - 1), self._label_width - 1)
            + " ",
            self._style("text", here=here),
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


def _alike(one: CellStates, other: CellStates) -> bool:
    """Whether two states are of the same cells."""
    return (one.run.id, one.run.created_at, one.repeats, one.items, one.configs) == (
        other.run.id,
        other.run.created_at,
        other.repeats,
        other.items,
        other.configs,
    )
