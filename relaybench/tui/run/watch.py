"""The view of a run: its totals, its grid, and in words what the cell under the cursor does."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.timer import Timer
from textual.widgets import Static

from relaybench.domain.errors import RelaybenchError
from relaybench.tui.run.drawing import in_full
from relaybench.tui.run.grid import RunGrid
from relaybench.tui.run.words import totals
from relaybench.tui.showing import line
from relaybench.workbench.runs.session_words import standing

if TYPE_CHECKING:
    from relaybench.tui.run.live import LiveRun
    from relaybench.workbench.runs.cell_states import CellStates
    from relaybench.workbench.workspace import Workspace

#: Seconds between two looks at a run that goes on: ten redraws a second at most.
_LOOK_EVERY_S: Final = 0.1
#: Seconds between two looks whether a stored run goes on elsewhere.
_STORED_EVERY_S: Final = 2.0


class Watch(Vertical):
    """Shows a run that goes on, or one as it is stored."""

    follows = False  # whether it looks at what changes
    live: LiveRun | None = None
    states: CellStates | None = None
    place: Workspace | None = None  # where the run is stored
    _timer: Timer | None = None
    _slow_timer: Timer | None = None
    _stamp: object = None
    _second: int = -1

    def compose(self) -> ComposeResult:
        """Totals on top, the cell under the cursor at the bottom."""
        yield Static(id="totals")
        yield RunGrid(id="grid")
        yield Static(id="under-cursor")

    def on_mount(self) -> None:
        """Be ready to look at a run that goes on."""
        self._timer = self.set_interval(_LOOK_EVERY_S, self.look, pause=True)
        self._slow_timer = self.set_interval(_STORED_EVERY_S, self.look_into_store, pause=True)

    @property
    def grid(self) -> RunGrid:
        """The grid."""
        return self.query_one(RunGrid)

    @property
    def goes_on(self) -> LiveRun | None:
        """The run shown, while it goes on."""
        return self.live if self.live is not None and self.live.ended is None else None

    def show_live(self, live: LiveRun) -> None:
        """Show a run of this application."""
        self.live, self.states, self.place = live, None, live.workspace
        self.look()

    def show_stored(self, states: CellStates, place: Workspace) -> None:
        """Show a run as it is stored."""
        self.live, self.place, self._stamp = None, place, None
        self._take(states)
        self._say_totals()

    def on_resize(self) -> None:
        """The totals are laid out by the width."""
        self.call_after_refresh(self._say_totals)

    def keep_looking(self, *, seen: bool) -> None:
        """Look again and again while this is ``seen`` and something may change; else rest."""
        if self._timer is None or self._slow_timer is None:
            return
        elsewhere = self.live is None and self.states is not None and self.states.elsewhere
        for timer, needed in (
            (self._timer, self.goes_on is not None or elsewhere),
            (self._slow_timer, self.live is None and self.states is not None),
        ):
            (timer.resume if seen and needed else timer.pause)()
        self.follows = seen and (self.goes_on is not None or elsewhere)

    @work(exclusive=True, group="look-into-store")
    async def look_into_store(self) -> None:
        """Show a stored run anew where another process has done something for it."""
        from relaybench.workbench.runs.watching import watch_again

        states, place = self.states, self.place
        if states is None or place is None:
            return
        try:
            stamp, fresh = await asyncio.to_thread(watch_again, place, states, self._stamp)
        except (RelaybenchError, OSError):
            return  # it is looked for again; what is shown stays
        if self.states is not states:
            return  # another run is shown by now
        self._stamp = stamp
        if fresh is not None:
            self._take(fresh)
            self._say_totals()
            self.keep_looking(seen=True)

    def _take(self, states: CellStates) -> None:
        self.states = states
        self.grid.show(states)
        self._say_cell()

    def look(self) -> None:
        """Draw what has changed since the last look."""
        live = self.live
        if live is not None and live.states is not None and live.states is not self.states:
            self._take(live.states)
        changed = self.grid.look_again()
        states = self.states
        second = int(states.clock()) if states else self._second + 1
        if changed or second != self._second or self.goes_on is None:
            self._second = second
            self._say_totals()
            self._say_cell()

    def _say_totals(self) -> None:
        live, states = self.live, self.states
        label = self.query_one("#totals", Static)
        if states is None:
            label.update(line(f" {live.headline} " if live else ""))
            return
        word = live.word if live is not None else standing(states)
        budget = live.budget if live is not None else None
        width = label.size.width or self.app.size.width
        label.update(totals(states, word, budget, width, simulated=states.run.simulated))

    def _say_cell(self) -> None:
        states, grid = self.states, self.grid
        label = self.query_one("#under-cursor", Static)
        if states is None or not states.items or not states.configs:
            label.update("")
            return
        label.update(
            line(f" {self.title_of(grid.row, grid.column, grid.repeat)}  ", "$text-muted")
            + line(self.state_of(grid.row, grid.column, grid.repeat))
        )

    def title_of(self, row: int, column: int, repeat: int) -> str:
        """Which cell stands there: item, form, model, repeat."""
        states = self.states
        if states is None:
            return ""
        item, config = states.items[row], states.configs[column]
        number = f" #{repeat + 1}" if states.repeats > 1 else ""
        form = f" ({item.form.value})" if item.form and item.form.value != "plain" else ""
        return f"{item.ref}{form} × {config.label}{number}"

    def state_of(self, row: int, column: int, repeat: int) -> str:
        """What a cell does, in a sentence."""
        states = self.states
        if states is None:
            return ""
        now = states.at(row, column)[repeat]
        return in_full(now, states.clock(), manual=states.configs[column].manual)

    @on(RunGrid.Moved)
    def _moved(self) -> None:
        self._say_cell()
