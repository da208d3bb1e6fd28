"""The screen Attempt: one answer in full, which step went wrong, and what to do about it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.worker import WorkerCancelled

from relaybench.domain.triage import Blame
from relaybench.tui.attempt.attempt_list import AttemptList
from relaybench.tui.attempt.keys import BINDINGS, EXPLAINS
from relaybench.tui.attempt.narrowing import Narrowing, choices, narrowed, step
from relaybench.tui.attempt.one_attempt import OneAttempt
from relaybench.tui.attempt.sources import ListSource
from relaybench.tui.messages import OpenAttempt, OpenTarget
from relaybench.tui.results_reader import CANNOT_READ, ResultsReader, once_read
from relaybench.tui.widgets.empty import Empty
from relaybench.tui.widgets.pane import Pane

if TYPE_CHECKING:
    from relaybench.store.attempt_lists import AttemptEntries
    from relaybench.tui.desk import Desk
    from relaybench.workbench.results.opening import OpenedAttempt

_NOTHING: Final = "No attempts yet"
_NEXT_STEP: Final = "Start a run on the screen Run (F4). Its answers can be read here as they come."


class AttemptScreen(ResultsReader):
    """The list of attempts, and one of them in full."""

    MODE: ClassVar[str] = "attempt"
    EXPLAINS: ClassVar[str] = EXPLAINS
    CSS_PATH = "attempt.tcss"
    AUTO_FOCUS = "AttemptList"
    READ_AFTER_S: ClassVar[float] = 2.0
    BINDINGS: ClassVar[list[BindingType]] = [*BINDINGS]

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.narrowing = Narrowing()
        self._all: AttemptEntries | None = None
        self._runs: Sequence[str] = ()
        self._source = ListSource()
        self._wanted: int | None = None

    def compose_work(self) -> ComposeResult:
        """The list, and beside or below it one attempt with its tabs."""
        with Container(id="work"):
            with Pane("Attempts", id="list"):
                yield AttemptList(id="attempts")
            yield Empty(_NOTHING, _NEXT_STEP, id="nothing")
            yield OneAttempt(id="one")

    @property
    def one(self) -> OneAttempt:
        """The attempt that is shown."""
        return self.query_one(OneAttempt)

    @property
    def opened(self) -> OpenedAttempt | None:
        """What is known of it, None before it is read."""
        return self.one.opened

    def on_mount(self) -> None:
        """No attempt is shown yet."""
        self._show_one(False)

    def read_again(self) -> None:
        """Read the list."""
        self.read_list()

    def open_target(self, target: OpenTarget) -> None:
        """Open an attempt of another screen's list, or of its run."""
        if isinstance(target, OpenAttempt):
            number, among = target.attempt_id, target.among
            if among and number not in among:
                among = (number, *among)
            self.narrowing = Narrowing()
            self._source = ListSource(among=among, attempt=number)
            self._wanted = number
            self.read_list()

    # --- the list ---

    @work(exclusive=True, group="read")
    async def read_list(self) -> None:
        """Read the list again, and keep to the current attempt or go to the one that is wanted."""
        self.stale = False
        workspace = self.desk.workspace
        with self.reading(workspace):
            found = await asyncio.to_thread(self._source.read, workspace)
            current, wanted = self.query_one(AttemptList).current, self._wanted
            self._all, self._runs, self._source = found.entries, found.runs, found.source
            await self._show_list(wanted if wanted is not None else current.id if current else None)
            self._wanted = None

    def show_fault(self) -> None:
        """Say in place of an attempt that there is none to be read."""
        self._show_one(False)
        self.query_one("#nothing", Empty).say(CANNOT_READ, self.told)

    async def _show_list(self, wanted: int | None) -> None:
        attempts, found = self.query_one(AttemptList), self._all
        if found is None:
            return
        shown, at = await asyncio.to_thread(narrowed, found, self.narrowing, wanted)
        attempts.show(shown, at, reasons=self.narrowing.near_misses)
        words = self.narrowing.words() or "all"
        count = f"{len(shown):,} of {len(found):,}"
        self.query_one("#list", Pane).call_it(f"{self._source.title} · {words}", count)
        self._show_one(attempts.current is not None)
        if attempts.current is None:
            self.one.opened = None
            self._say_empty()
        else:
            opening = self.one.open(attempts.current.id)
            if not self.has_read:  # keys wait for the first one
                with contextlib.suppress(WorkerCancelled):
                    await opening.wait()

    def _say_empty(self) -> None:
        nothing = self.query_one("#nothing", Empty)
        if self._all:
            what = f"No attempts here: {self.narrowing.words()}"
            nothing.say(what, "f narrows the list to others, F shows all of them.")
        else:
            others = "\nf shows those of another run." if len(self._runs) > 1 else ""
            nothing.say(_NOTHING, _NEXT_STEP + others)

    @on(AttemptList.Moved)
    def _moved(self) -> None:
        current = self.query_one(AttemptList).current
        if current is not None:
            self.one.open(current.id)

    @on(AttemptList.Chosen)
    def _chosen(self) -> None:
        self.one.text.body.focus()

    def _show_one(self, shown: bool) -> None:
        self.one.display = shown
        self.query_one("#nothing").display = not shown

    # --- actions ---

    def action_tab(self, name: str) -> None:
        """Bring a tab to the front."""
        self.one.go_to_tab(name)

    def action_turn(self, by: int) -> None:
        """Bring the next or previous tab to the front."""
        self.one.turn(by)

    @once_read
    def action_step(self, by: int) -> None:
        """Go to the next or previous attempt of the list."""
        attempts = self.query_one(AttemptList)
        attempts.go_to(attempts.cursor + by)

    @once_read
    def action_wrong(self, by: int) -> None:
        """Go to the next or previous wrong answer of the list."""
        attempts = self.query_one(AttemptList)
        entries = attempts.entries
        place = step(len(entries), attempts.cursor, by, entries.is_wrong) if entries else None
        if place is not None:
            attempts.go_to(place)
        elif attempts.entries:
            self.notice(f"No wrong answer {'below' if by > 0 else 'above'} in this list.")

    @once_read
    @work(exclusive=True, group="ask")
    async def action_narrow(self) -> None:
        """Let the user choose what the list shows."""
        from relaybench.tui.dialogs.pick import Choice, Pick

        found = await asyncio.to_thread(choices, self._all or (), self._runs)
        key = await self.app.push_screen_wait(
            Pick("Show", [Choice(each, words, count) for each, words, count in found])
        )
        if key is None:
            return
        if key.startswith("run:"):
            self._source = ListSource(run=key.removeprefix("run:"))
            self.read_list()
        else:
            self.narrow(self.narrowing.changed(key))

    @work(exclusive=True, group="narrow")
    async def narrow(self, narrowing: Narrowing) -> None:
        """Show other ones of the attempts that were read."""
        self.narrowing = narrowing
        current = self.query_one(AttemptList).current
        await self._show_list(current.id if current else None)

    @once_read
    def action_widen(self) -> None:
        """Show all attempts of the list."""
        self.narrow(Narrowing())

    @once_read
    def action_near_misses(self) -> None:
        """Show near misses alone, or all again."""
        self.narrow(self.narrowing.changed("near:"))

    async def _now(self) -> OpenedAttempt | None:
        """The attempt with the cursor, which may not have been read yet."""
        from relaybench.workbench.results.opening import open_attempt

        current = self.query_one(AttemptList).current
        if current is None:
            return None
        if self.opened is not None and self.opened.detail.row.id == current.id:
            return self.opened
        found: list[OpenedAttempt] = []
        with self.reporting(f"attempt {current.id} cannot be read"):
            opened = await asyncio.to_thread(open_attempt, self.desk.workspace, current.id)
            found.append(opened)
        return found[0] if found else None

    @once_read
    @work(exclusive=True, group="ask")
    async def action_mark(self, blame: str) -> None:
        """Mark whose fault the outcome is."""
        from relaybench.tui.attempt.marking import ask_and_mark

        opened = await self._now()
        if opened and await ask_and_mark(self, opened.detail.row.id, Blame(blame)):
            self._changed()

    @once_read
    @work(exclusive=True, group="ask")
    async def action_unmark(self) -> None:
        """Take the mark back."""
        from relaybench.tui.attempt.marking import unmark

        opened = await self._now()
        if opened and opened.mark is None:
            self.notice("This attempt has no triage mark.")
        elif opened and await unmark(self, opened.detail.row.id):
            self._changed()

    @once_read
    @work(exclusive=True, group="ask")
    async def action_fix_key(self) -> None:
        """Correct the key in its problem file, then grade again."""
        from relaybench.tui.attempt.fixing import fix_key

        opened = await self._now()
        if opened and await fix_key(self, opened):
            self._changed()

    @once_read
    @work(exclusive=True, group="ask")
    async def action_regrade(self) -> None:
        """Grade the run again by corrected keys."""
        from relaybench.tui.attempt.fixing import regrade_run

        opened = await self._now()
        if opened and await regrade_run(self, opened.detail.run):
            self._changed()

    def _changed(self) -> None:
        self.desk.results_changed.publish(None)
        self.read_list()

    @once_read
    @work(exclusive=True, group="copy")
    async def action_copy(self) -> None:
        """Copy the answer."""
        opened = await self._now()
        answer = opened.detail.row.answer if opened else None
        if answer is None:
            self.notice("There is no answer to copy.")
        else:
            # A lone surrogate cannot leave through a terminal.
            self.app.copy_to_clipboard(answer.encode("utf-8", "replace").decode("utf-8"))
            self.notice(f"The answer was copied ({len(answer):,} characters).")

    def action_thinking(self) -> None:
        """Show or hide thinking."""
        self.one.toggle_thinking()

    @once_read
    def action_search(self) -> None:
        """Search in the text in front."""
        if self.opened is not None:
            self.one.text.action_search()

    def action_list(self) -> None:
        """Hide or show the list."""
        self.toggle_class("-no-list")

    def action_to_list(self) -> None:
        """Back to the list."""
        self.remove_class("-no-list")
        self.query_one(AttemptList).focus()
