"""The screen Run: set a run up, watch its grid, steer it, go on with one that has open cells."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType

from relaybench.tui.messages import OpenAttempt, OpenManual, OpenRun, OpenTarget
from relaybench.tui.run.asking import ask_repeats, ask_to_send
from relaybench.tui.run.grid import RunGrid
from relaybench.tui.run.keys import BINDINGS, EXPLAINS
from relaybench.tui.run.run_list import take_notice_away
from relaybench.tui.run.set_up import SetUp
from relaybench.tui.run.steering import Steering
from relaybench.tui.run.watch import Watch

if TYPE_CHECKING:
    from relaybench.store.plans import RunRow
    from relaybench.tui.run.live import LiveRun
    from relaybench.workbench.runs.planning import Proposal, RunOptions
    from relaybench.workbench.workspace import Workspace

#: Actions that make sense in each view.
_SET_UP: Final = frozenset({"start", "grid"})
_WATCH: Final = frozenset(
    {"pause", "stop", "stop_now", "retry", "go_on", "faster", "slower", "lanes", "top_up", "set_up"}
)
_LIVE_ONLY: Final = frozenset({"pause", "stop", "stop_now", "retry", "faster", "slower", "lanes"})


class RunScreen(Steering):
    """Two views: the set-up, and the grid of the run that goes on or of a stored one."""

    MODE: ClassVar[str] = "run"
    CSS_PATH = "run.tcss"
    EXPLAINS: ClassVar[str] = EXPLAINS
    BINDINGS: ClassVar[list[BindingType]] = BINDINGS

    def compose_work(self) -> ComposeResult:
        """The view that is wanted first; the other one is made when it is asked for."""
        if self.desk.run is None:
            yield SetUp(self.desk)
        else:
            yield Watch()

    async def on_mount(self) -> None:
        """Show the run that goes on, if one does."""
        self.desk.run_changed.subscribe(self, lambda _: self._run_changed())
        self.desk.results_changed.subscribe(self, lambda _: self._leave_what_is_left())
        if self.desk.run is not None:
            await self.show_live(self.desk.run)

    def on_screen_resume(self) -> None:
        """Look at the run again while the screen is seen."""
        take_notice_away(self.workbench)
        self._keep_looking()
        if not self.watching:
            self._set_up_shown()

    def on_screen_suspend(self) -> None:
        """Where nobody looks draw nothing; behind a dialog the grid goes on."""
        self._keep_looking()

    def open_target(self, target: OpenTarget) -> None:
        """Show a run by its name, or the set-up."""
        if isinstance(target, OpenRun):
            self.open_run(target.name)

    @work(exclusive=True, group="open")
    async def open_run(self, name: str | None) -> None:
        """Show the run of that name: live where it is the one of this application."""
        live = self.desk.run
        if name is None:
            await self._show(SetUp)
        elif live is not None and live.is_run(name, self.desk.workspace):
            await self.show_live(live)
        else:
            self.show_stored(name)

    @property
    def watching(self) -> bool:
        """Whether the grid is shown."""
        view = self.watch_view
        return view is not None and not view.has_class("hidden")

    @property
    def _has_grid(self) -> bool:
        """Whether there is a grid to go back to: of the results file in use, or one that goes on.

        The demo's is none once the user has gone back to their own results.
        """
        view = self.watch_view
        if view is None:
            return False
        return self.goes_on is not None or view.place in (None, self.desk.workspace)

    def _leave_what_is_left(self) -> None:
        if self.watching and not self._has_grid:
            self.follow()

    @work(exclusive=True, group="open")
    async def follow(self) -> None:
        """Another results file is shown by all: leave the grid of one that is not in it."""
        from relaybench.workbench.runs.watching import stored_runs

        place, live = self.desk.workspace, self.desk.run
        if live is not None and live.ended is None and live.workspace == place:
            await self.show_live(live)
            return
        runs: list[RunRow] = []
        with self.reporting("The runs cannot be listed"):
            runs = await asyncio.to_thread(stored_runs, place)
        newest = next((run.name for run in runs if run.kind == "run"), None)
        if not self.watching or self._has_grid:
            return  # the user, or a run that began, was quicker
        if newest is None:
            await self._show(SetUp)
        else:
            self.show_stored(newest)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what makes sense in this view."""
        if action in _SET_UP or action in _WATCH:
            if self.watching != (action in _WATCH):
                return False
            if action == "grid":
                return self._has_grid
            if action in _LIVE_ONLY:
                return self.goes_on is not None
            if action in ("top_up", "go_on"):
                return self.goes_on is None
        return True

    async def _show(self, kind: type[SetUp] | type[Watch]) -> None:
        """Show one of the two views."""
        if not self.query(kind):
            await self.mount(SetUp(self.desk) if kind is SetUp else Watch(), before="KeyBar")
        for view in self.query("SetUp, Watch"):
            view.set_class(not isinstance(view, kind), "hidden")
        if kind is SetUp:
            self._set_up_shown()
        for first in self.query("#grid" if kind is Watch else "#problems"):
            first.focus()
        self._keep_looking()
        self.refresh_bindings()

    def _set_up_shown(self) -> None:
        for view in self.query(SetUp):
            view.come_back()

    def _keep_looking(self) -> None:
        view = self.watch_view
        if view is not None:
            view.keep_looking(seen=self.is_current and self.watching)

    async def show_live(self, live: LiveRun) -> None:
        """Show a run of this application."""
        await self._show(Watch)
        self.query_one(Watch).show_live(live)
        self._keep_looking()
        self.refresh_bindings()

    @work(exclusive=True, group="stored")
    async def show_stored(self, name: str, place: Workspace | None = None) -> None:
        """Show the grid of a run as it is stored, and follow it where another process sends it."""
        from relaybench.workbench.runs.watching import watch_states

        with self.reporting(f"Run {name} cannot be shown"):
            place = place or self.desk.workspace
            states = await asyncio.to_thread(watch_states, place, name)
            await self._show(Watch)
            self.query_one(Watch).show_stored(states, place)
            self._keep_looking()
            self.refresh_bindings()

    def _run_changed(self) -> None:
        """A run of this application began or ended."""
        view, live = self.watch_view, self.desk.run
        if view is not None and live is not None and view.live is live:
            view.look()
            if live.ended is not None and live.states is None:  # it could not even begin
                self._instead_of(live)
        self._keep_looking()
        self.refresh_bindings()

    @work(exclusive=True, group="open")
    async def _instead_of(self, live: LiveRun) -> None:
        """What to show in the place of a run that has failed before its grid stood."""
        if live.proposal.run is not None:
            self.show_stored(live.name, live.workspace)
        else:
            await self._show(SetUp)

    @on(RunGrid.Chosen)
    def _chosen(self, event: RunGrid.Chosen) -> None:
        self.open_cell(event.row, event.column, event.repeat)

    @work(exclusive=True, group="open-cell")
    async def open_cell(self, row: int, column: int, repeat: int) -> None:
        """Open a cell's attempt; what was tried for it where there is no answer yet."""
        from relaybench.tui.run.cell_page import CellPage
        from relaybench.workbench.runs.watching import attempt_of

        view = self.query_one(Watch)
        states, place = view.states, view.place
        if states is None or place is None:
            return
        cell, name = states.cell(row, column, repeat), states.run.name
        with self.reporting("The cell cannot be opened"):
            attempt = await asyncio.to_thread(attempt_of, place, name, cell)
            if place.database != self.desk.workspace.database:
                self._go_over(place)  # the other screens read one results file
            if attempt is not None and attempt.answered:
                self.post_message(OpenAttempt(attempt.attempt_id))
            elif states.configs[column].manual:
                self.post_message(OpenManual(name, cell.item, cell.config))
            else:
                await self.app.push_screen_wait(CellPage(view, (row, column, repeat), attempt))

    def _go_over(self, place: Workspace) -> None:
        """Let all screens show the results file of the run that is shown here."""
        demo = place.database != self.desk.own_database
        self.desk.work_in(place, demo=demo)
        self.workbench.show_status()
        whose = "the demo's results" if demo else "your own results"
        self.notice(f"All screens show {whose} now, as this run is one of them.")

    @on(SetUp.Start)
    def _start_asked(self) -> None:
        self.start_run()

    @on(SetUp.Resume)
    def _resume_asked(self, event: SetUp.Resume) -> None:
        self.show_stored(event.name)

    def action_start(self) -> None:
        """Start the run as chosen."""
        if self.query_one(SetUp).ready:
            self.start_run()

    @work(exclusive=True, group="start")
    async def start_run(self) -> None:
        """Plan the run anew, ask where it costs, and start it."""
        from relaybench.workbench.runs.run_choice import plan

        with self.reporting("The run cannot start"):
            set_up = self.query_one(SetUp)
            choice = set_up.read()
            if missing := set_up.missing(choice):
                self.notice(f"The run cannot start. {missing}", "error")
                return
            own = self.desk.own  # whatever is shown: the demo's results are the demo's alone
            proposal = await asyncio.to_thread(plan, own, choice)
            await self._begin(own, proposal, choice.options)

    async def _begin(self, place: Workspace, proposal: Proposal, options: RunOptions) -> None:
        from relaybench.tui.run.starting import begin_run
        from relaybench.workbench.runs.running import settle

        if not proposal.cells:
            graded = await asyncio.to_thread(settle, place, proposal)
            late = f"; {graded} answers were graded now" if graded else ""
            self.notice(f"Run {proposal.name}: nothing is left to send{late}")
            self.desk.results_changed.publish(None)
            if proposal.by_hand and place.database != self.desk.workspace.database:
                self._go_over(place)
            if proposal.by_hand:
                self.post_message(OpenManual(proposal.name))
            return
        if not proposal.simulated and not await ask_to_send(self.app, proposal):
            return
        live = begin_run(self.workbench, place, proposal, options)
        if place.database != self.desk.workspace.database:
            self._go_over(place)
        self.desk.run_changed.publish(None)
        await self.show_live(live)

    def action_go_on(self) -> None:
        """Go on with a run that has ended."""
        states = self.shown_states
        if states is not None:
            self.resume_run(states.run.name)

    @work(exclusive=True, group="start")
    async def resume_run(self, name: str, repeats: int | None = None) -> None:
        """Send a run's open cells, and more repeats if asked for."""
        from relaybench.tui.run.resuming import propose_again

        view = self.watch_view
        place = (view.place if view is not None else None) or self.desk.workspace
        with self.reporting(f"Run {name} cannot go on"):
            proposed = await propose_again(self.app, place, name, repeats)
            if proposed is not None:
                await self._begin(place, *proposed)

    @work(exclusive=True, group="ask")
    async def action_top_up(self) -> None:
        """Ask for a higher number of repeats, and send what that adds."""
        states = self.shown_states
        if states is None:
            return
        repeats = await ask_repeats(self.app, states.run.repeats)
        if repeats is not None:
            self.resume_run(states.run.name, repeats)

    async def action_set_up(self) -> None:
        """Go to the set-up; a run that goes on does so."""
        await self._show(SetUp)

    async def action_grid(self) -> None:
        """Go back to the grid."""
        await self._show(Watch)
