"""The list of cells that are answered by hand, of which only those in view are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len, set_cell_size

from relaybench.domain.literal import visible
from relaybench.domain.results import Outcome
from relaybench.tui.outcome_marks import SIGNS
from relaybench.tui.widgets.fitting import without_set
from relaybench.tui.widgets.lines_view import LinesView, Piece

if TYPE_CHECKING:
    from relaybench.store.manual import ManualCell

_STYLES: Final = {Outcome.CORRECT: "accent", Outcome.WRONG: "error"}


class CellList(LinesView):
    """Cells, one a line, open ones with a circle and answered ones with their outcome's sign."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.cells: Sequence[ManualCell] = ()
        self.begun: frozenset[object] = frozenset()

    @property
    def line_count(self) -> int:
        """How many cells there are."""
        return len(self.cells)

    @property
    def current(self) -> ManualCell | None:
        """The cell under the cursor, None in an empty list."""
        return self.cells[self.cursor] if self.cells else None

    def show(self, cells: Sequence[ManualCell], at: int, begun: frozenset[object]) -> None:
        """Show other cells; ``begun`` are those with an answer that was typed and not stored."""
        self.cells, self.begun, self.cursor = cells, begun, at
        self.lines_changed()
        self.call_after_refresh(self.show_cursor)

    def line_at(self, number: int) -> list[Piece]:
        """Sign, item, model and repeat."""
        each = self.cells[number]
        sign, style = "○", ""
        if each.cell in self.begun:
            sign, style = "✎", "accent" if each.open else "warning"
        elif each.outcome is not None:
            sign, style = SIGNS[each.outcome], _STYLES.get(each.outcome, "warning")
        form = "" if each.form == "plain" else f" {each.form}"
        right = f"{visible(each.config.label)} r{each.cell.repeat + 1} "
        room = max(self.size.width - 3, 0)
        part = visible(each.item)
        if cell_len(part + form + right) + 1 > room:
            part = without_set(part)
        right = right if cell_len(right) <= room // 2 else f"…{_end(right, room // 2 - 1)}"
        left = set_cell_size(f"{part}{form}", max(room - cell_len(right), 0))
        return [(f" {sign} ", style), (left, "muted" if each.outcome else ""), (right, "muted")]


def _end(text: str, width: int) -> str:
    while text and cell_len(text) > width:
        text = text[1:]
    return text
