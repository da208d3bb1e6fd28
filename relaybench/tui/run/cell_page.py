"""What a cell without an answer does, and what was tried for it: followed while it is read."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar, Final

from textual import work
from textual.content import Content
from textual.widgets import Static

from relaybench.domain.errors import RelaybenchError
from relaybench.tui.dialogs.reading import Reading
from relaybench.tui.run.words import tries
from relaybench.tui.showing import line

if TYPE_CHECKING:
    from relaybench.store.cell_facts import CellAttempt
    from relaybench.tui.run.watch import Watch

#: Seconds between two looks at the cell.
_LOOK_EVERY_S: Final = 1.0


class CellPage(Reading):
    """The cell ``at`` row, column and repeat of a view: its state on top, its calls below."""

    DEFAULT_CSS: ClassVar[str] = "CellPage .question { max-height: 4; }"

    def __init__(self, view: Watch, at: tuple[int, int, int], attempt: CellAttempt | None) -> None:
        """``attempt`` is what was read of it already."""
        self._view, self._at, self._calls = view, at, _calls(attempt)
        self._cell = view.title_of(*at)
        super().__init__(self._cell, self._calls)

    def on_mount(self) -> None:
        """Say what it does, and go on to look."""
        self._say_state()
        self.follow()

    def _say_state(self) -> None:
        lines = [line(self._cell, "bold"), line(self._view.state_of(*self._at))]
        self.query_one(".question", Static).update(Content("\n").join(lines))

    @work(group="lasting")
    async def follow(self) -> None:
        """Look at the cell again and again: its age and its calls go on."""
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            await self.look()

    async def look(self) -> None:
        """Show what the cell does now."""
        from relaybench.workbench.runs.watching import attempt_of

        states, place = self._view.states, self._view.place
        if states is None or place is None:
            return
        self._say_state()
        name, cell = states.run.name, states.cell(*self._at)
        try:
            calls = _calls(await asyncio.to_thread(attempt_of, place, name, cell))
        except (RelaybenchError, OSError):
            return  # it is looked for again; what is shown stays
        if calls != self._calls:
            self._calls = calls
            self.put(calls)


def _calls(attempt: CellAttempt | None) -> str:
    lines = tries(attempt)
    if attempt is not None and attempt.answered:
        lines += ["", "It is answered now: Esc, then Enter on the cell opens the attempt."]
    return "\n".join(lines)
