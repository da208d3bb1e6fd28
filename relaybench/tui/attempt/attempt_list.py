"""The list of attempts: any number of them, of which only the rows in view are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from rich.cells import cell_len, set_cell_size
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.strip import Strip

from relaybench.domain.literal import visible
from relaybench.tui.outcome_marks import COLOURS, SIGNS
from relaybench.tui.widgets.fitting import both_ends, without_set
from relaybench.tui.widgets.lines_view import LinesView, Piece

if TYPE_CHECKING:
    from relaybench.store.attempt_lists import AttemptEntries, AttemptEntry

#: The width from which a row has the outcome's word too.
_ROOMY: Final = 64
#: The fewest cells that a model's name is cut to.
_LEAST: Final = 12


class AttemptList(LinesView, inherit_bindings=False):
    """Attempts, one a row. Letters are left to the screen, which marks faults with them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Up", show=False, id="attempts.up", tooltip="One attempt up"),
        Binding(
            "down", "move(1)", "Down", show=False, id="attempts.down", tooltip="One attempt down"
        ),
        Binding(
            "pageup", "page(-1)", "Page up", show=False, id="attempts.pageup", tooltip="A page up"
        ),
        Binding(
            "pagedown",
            "page(1)",
            "Page down",
            show=False,
            id="attempts.pagedown",
            tooltip="A page down",
        ),
        Binding(
            "home",
            "move(-1000000)",
            "First",
            show=False,
            id="attempts.home",
            tooltip="To the first attempt",
        ),
        Binding(
            "end",
            "move(1000000)",
            "Last",
            show=False,
            id="attempts.end",
            tooltip="To the last attempt",
        ),
        Binding(
            "enter",
            "choose",
            "Read",
            show=False,
            id="attempts.enter",
            tooltip="Go to the text of the attempt",
        ),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {"lines--success"}
    DEFAULT_CSS = """
    AttemptList {
        & > .lines--success { color: $text-success; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.entries: AttemptEntries | tuple[()] = ()
        self.reasons = False
        self._digits = 1
        self._room = 0

    @property
    def current(self) -> AttemptEntry | None:
        """The attempt with the cursor, None in an empty list."""
        return self.entries[self.cursor] if self.cursor < len(self.entries) else None

    @property
    def line_count(self) -> int:
        """How many attempts there are."""
        return len(self.entries)

    def show(self, entries: AttemptEntries, at: int, *, reasons: bool) -> None:
        """Show other attempts; ``reasons``: why each is a near miss, in place of its model."""
        self.entries, self.reasons = entries, reasons
        self._digits = len(str(entries.last))
        self.cursor = at
        self.lines_changed()
        self.call_after_refresh(self.show_cursor)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Rows of the view, as wide as the scroll bar leaves them."""
        self._room = self.scrollable_content_region.width
        return super().render_lines(crop)

    def line_at(self, number: int) -> list[Piece]:
        """Outcome, number, item, model and repeat, flags."""
        entry, width = self.entries[number], self._room
        word = f" {entry.outcome.value:<12}" if width >= _ROOMY else " "
        left: list[Piece] = [
            ("▶" if number == self.cursor else " ", ""),
            (SIGNS[entry.outcome] + word, COLOURS[entry.outcome]),
            (f"{entry.id:>{self._digits}} ", "muted"),
        ]
        mark = f"[{entry.blame.letter}]" if entry.blame else ""
        flags = f" {'~' if entry.near_miss is not None else ' '}{mark:3}"
        room = max(0, width - sum(cell_len(text) for text, _ in left) - len(flags))
        what = f"{visible(entry.item)}{_mark(entry)} "
        model = f"{visible(entry.model)} r{entry.repeat + 1}"
        if self.reasons and entry.near_miss:
            # The list is of near misses: what each differs in comes before all else.
            reason = visible(entry.near_miss).removeprefix("differs only in ")
            part = what if cell_len(what) <= room // 3 else without_set(what)
            names = f"{both_ends(part.rstrip(), room // 2)} {reason}"
            if cell_len(names) + cell_len(model) < room:
                names = set_cell_size(names, room - cell_len(model)) + model
        else:
            names = _shared(what, model, room)
        return [*left, (set_cell_size(names, room), ""), (flags, "accent")]


def _mark(entry: AttemptEntry) -> str:
    """Its form, where that is not plain."""
    return f" {entry.form.mark}" if entry.form and entry.form.mark else ""


def _shared(item: str, model: str, room: int) -> str:
    """Item and model in the room there is: the set goes first, then the middle of the model."""
    name = item if cell_len(item) + cell_len(model) <= room else without_set(item)
    name = both_ends(name, max(room - min(_LEAST, cell_len(model)), 0))
    fitting = both_ends(model, max(_LEAST, room - cell_len(name)))
    return name + " " * (room - cell_len(name) - cell_len(fitting)) + fitting
