"""The table of model configs, with ticks that are numbered in the order of a cohort."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import Binding, BindingType
from textual.message import Message

from relaybench.domain.literal import visible
from relaybench.tui.models.model_rows import COLUMNS, Column, ModelRow
from relaybench.tui.widgets.fitting import fitted
from relaybench.tui.widgets.lines_view import LinesView, Piece

if TYPE_CHECKING:
    from relaybench.store.pings import PingRow

#: Cells across from which all columns are there.
_ROOMY: Final = 112


class ModelTable(LinesView):
    """Configs, a line each; ``ticked`` are names in the order in which they were ticked."""

    HEAD: ClassVar[int] = 1
    COMPONENT_CLASSES: ClassVar[set[str]] = {"lines--success"}
    DEFAULT_CSS = """
    ModelTable > .lines--success { color: $text-success; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "space",
            "tick",
            "Tick",
            id="models.tick",
            tooltip="Tick or untick the model, for a cohort or a ping",
        ),
    ]

    class Ticked(Message):
        """Ticks have changed."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.ticked: list[str] = []
        self.pinging: set[str] = set()
        self.rows: Sequence[ModelRow] = ()

    @property
    def line_count(self) -> int:
        """How many configs there are."""
        return len(self.rows)

    @property
    def current(self) -> str | None:
        """Name of the config under the cursor."""
        return self.rows[self.cursor].config.name if self.rows else None

    def show(self, rows: Sequence[ModelRow], at: str | None = None) -> None:
        """Show other rows; the cursor goes to the config ``at``, or stays at its own."""
        names = [row.config.name for row in rows]
        wanted = at if at in names else self.current
        self.rows = rows
        self.cursor = names.index(wanted) if wanted in names else self.cursor
        self.lines_changed()
        self.show_cursor()

    def take_ping(self, name: str, ping: PingRow) -> None:
        """A ping of a config has come."""
        self.pinging.discard(name)
        self.rows = [
            replace(row, ping=ping) if row.config.name == name else row for row in self.rows
        ]
        self.refresh()

    def head_at(self, number: int) -> list[Piece]:
        """The headings."""
        return [(_fit(column.heading, column.width), "") for column in self._columns()]

    def line_at(self, number: int) -> list[Piece]:
        """The cells of a config."""
        row = self.rows[number]
        name = row.config.name
        tick = self.ticked.index(name) + 1 if name in self.ticked else None
        cells = row.cells(tick=tick, pinging=name in self.pinging)
        shown = [(*cells[column.key], column.width) for column in self._columns()]
        return [(_fit(text, width), style) for text, style, width in shown]

    def _columns(self) -> list[Column]:
        roomy = self.size.width >= _ROOMY
        return [each for each in COLUMNS if each.always or roomy]

    def tick(self, names: Sequence[str]) -> None:
        """Make these the ticked ones, in this order."""
        self.ticked = list(names)
        self.refresh()
        self.post_message(self.Ticked())

    def action_tick(self) -> None:
        """Tick or untick the model under the cursor."""
        name = self.current
        if name is None:
            return
        if name in self.ticked:
            self.tick([each for each in self.ticked if each != name])
        else:
            self.tick([*self.ticked, name])

    def clicked(self, number: int, x: int) -> bool:
        """A click on the place of the tick ticks."""
        if x > COLUMNS[0].width:
            return False
        self.go_to(number)
        self.action_tick()
        return True


def _fit(text: str, width: int) -> str:
    """A text in exactly so many cells and a space, with a sign where it goes on."""
    return f" {fitted(visible(text), width)} "
