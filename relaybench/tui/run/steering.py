"""What steers the run that is shown while it goes on: a part of the screen Run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import work

from relaybench.tui.run.asking import ask_calls, ask_to_leave
from relaybench.tui.run.watch import Watch
from relaybench.tui.work_screen import WorkScreen

if TYPE_CHECKING:
    from relaybench.tui.run.live import LiveRun
    from relaybench.workbench.runs.cell_states import CellStates


class Steering(WorkScreen):
    """Pauses, stops and paces the run of its view; without one that goes on nothing happens."""

    @property
    def watch_view(self) -> Watch | None:
        """The view of a run, once there is one."""
        return next(iter(self.query(Watch)), None)

    @property
    def goes_on(self) -> LiveRun | None:
        """The run shown, while it goes on."""
        view = self.watch_view
        return view.goes_on if view is not None else None

    @property
    def shown_states(self) -> CellStates | None:
        """The cells of the run shown."""
        view = self.watch_view
        return view.states if view is not None else None

    def action_retry(self) -> None:
        """Queue failed cells again."""
        if self.goes_on is not None:
            self.goes_on.retry_failed()

    def action_pause(self) -> None:
        """Pause, or go on."""
        live = self.goes_on
        if live is not None:
            (live.resume if live.paused else live.pause)()

    def action_stop(self) -> None:
        """Stop gently."""
        if self.goes_on is not None:
            self.goes_on.stop()

    @work(exclusive=True, group="ask")
    async def action_stop_now(self) -> None:
        """Leave the run at once, after asking."""
        live = self.goes_on
        if live is None:
            return
        if await ask_to_leave(self.app, live.name):
            live.leave()

    def action_faster(self) -> None:
        """One call more at once."""
        if self.goes_on is not None:
            self.goes_on.change_concurrency(1)

    def action_slower(self) -> None:
        """One call less at once."""
        if self.goes_on is not None:
            self.goes_on.change_concurrency(-1)

    @work(exclusive=True, group="ask")
    async def action_lanes(self) -> None:
        """Ask for the calls at once of one provider or of all."""
        live, states = self.goes_on, self.shown_states
        if live is None or states is None:
            return
        wanted = await ask_calls(self.app, {name: now.most for name, now in states.lanes.items()})
        if wanted is not None:
            live.set_concurrency(*wanted)
