"""Base of the screens that edit problem files: saving, undo, recovery, changes from outside."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic

from textual import work

from relaybench.domain.errors import UsageError
from relaybench.tui.draft_files import DraftFiles
from relaybench.tui.keeping import O, OpenDrafts
from relaybench.tui.work_screen import WorkScreen

if TYPE_CHECKING:
    from textual.timer import Timer

    from relaybench.toml_files.source import SourceFile
    from relaybench.tui.desk import Desk, Problems

#: Seconds without a change until unsaved work is kept.
KEEP_AFTER_S: Final = 2.0


class DraftScreen(WorkScreen, Generic[O]):
    """Has several drafts open, one of them current; a subclass says how they look."""

    files: DraftFiles[O]

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.opened: OpenDrafts[O] = OpenDrafts()
        self.current: O | None = None
        self._asked: set[tuple[Path, str]] = set()
        self._settling = False
        self._recovered = False
        self.unsaved_work_offered = asyncio.Event()
        self._keeping: Timer | None = None

    @abstractmethod
    def turn_to(self, each: O | None) -> None:
        """Show another of those that are open."""

    @abstractmethod
    def changed(self) -> None:
        """The current one was changed: show it, and keep it before long."""

    @abstractmethod
    def after_files(self) -> None:
        """Show what work on files has changed."""

    # What is read

    def follow(self, problems: Problems, found: Mapping[Path, tuple[Any, SourceFile]]) -> list[O]:
        """Files were read again; returns those that show another value now.

        What has unsaved work stays as it is: ``ask_about_files`` is to be called when all is shown.
        """
        moved = self.opened.compare(found)
        self.drop_closed()
        if problems.outside:
            for each in moved:
                self.notice(f"{each.file.shown} was changed outside, and read again.")
        return moved

    def drop_closed(self) -> None:
        """Let go of the current one where it is open no more."""
        if self.current is not None and self.current.file.path not in self.opened.by_path:
            self.current = None

    def ask_about_files(self) -> None:
        """Offer what an earlier session left, once; ask whose changes stand."""
        if not self._recovered:
            self._recovered = True
            self.offer_recoveries()
        self._ask_about_contests()

    def on_screen_resume(self) -> None:
        """Ask what came up while another screen or a dialog was in front."""
        self._ask_about_contests()

    def _ask_about_contests(self) -> None:
        if self.is_current and not self._settling and self._unasked is not None:
            self._settling = True
            self._settle_contests()

    @property
    def _unasked(self) -> tuple[O, tuple[Path, str]] | None:
        for each in self.opened.contested:
            about = (each.file.path, each.theirs[1].digest if each.theirs else "")
            if about not in self._asked:
                return each, about
        return None

    @work(group="contests")
    async def _settle_contests(self) -> None:
        try:
            while (unasked := self._unasked) is not None:
                each, about = unasked
                self._asked.add(about)
                with self.reporting(f"{each.ref} is still unsaved"):
                    await self.files.settle(each)
                self.after_files()
        finally:
            self._settling = False

    @work(exclusive=True, group="recoveries")
    async def offer_recoveries(self, *, told: bool = False) -> None:
        """Offer what an earlier session left unsaved; ``told``: say where there is nothing."""
        try:
            await self._offer_recoveries(told)
        finally:
            self.unsaved_work_offered.set()

    async def _offer_recoveries(self, told: bool) -> None:
        with self.reporting("Unsaved work could not be looked for"):
            found = await self.files.found()
            for recovery in found:
                with self.reporting(f"{recovery.shown} could not be restored"):
                    each = await self.files.offer(recovery)
                    if each is not None:
                        self.turn_to(each)
            if told and not found:
                self.notice("There is no unsaved work of an earlier session.")
            if not told:
                await self.after_offers()

    async def after_offers(self) -> None:
        """What an earlier session left has been offered: anything more to be asked."""

    def action_recover(self) -> None:
        """Offer unsaved work that was left behind or kept aside."""
        self.offer_recoveries(told=True)

    # Saving

    @work(group="save")
    async def action_save(self) -> None:
        """Save the current one, finished or not."""
        each = self.current
        if each is None or not each.changed:
            self.notice("There is nothing unsaved here.")
            return
        with self.reporting(f"{each.ref} could not be saved"):
            if await self.files.save(each):
                errors = await self.errors_in(each)
                with_errors = f", with {errors} error{'s' * (errors > 1)} in it" if errors else ""
                self.notice(
                    f"{each.file.shown} is saved{with_errors}.",
                    "warning" if errors else "information",
                )
        self.after_files()

    async def errors_in(self, each: O) -> int:
        """How many errors ``check`` finds in one that was saved."""
        return 0

    def unsaved(self) -> list[str]:
        """Names of what has unsaved changes."""
        return [each.ref for each in self.opened.changed]

    async def save_all(self) -> None:
        """Save them all; raises what goes wrong, UsageError for what the user left undecided."""
        try:
            for each in self.opened.changed:
                if not await self.files.save(each):
                    raise UsageError(f"{each.ref} is still unsaved")
        finally:
            self.after_files()

    # Keeping

    def keep_later(self) -> None:
        """Write recovery files when nothing has changed for a while."""
        if self._keeping is not None:
            self._keeping.stop()
        self._keeping = self.set_timer(KEEP_AFTER_S, self._keep)

    @work(exclusive=True, group="keep")
    async def _keep(self) -> None:
        with self.reporting("Unsaved work could not be kept in a recovery file"):
            await self.files.keep_all()

    def on_unmount(self) -> None:
        """What was undone is no unsaved work to be offered at the next start."""
        self.files.forget_undone_now()

    def keep_recovery(self) -> None:
        """Write recovery files at once: the application is going down."""
        self.files.keep_all_now()

    def unkept(self) -> list[str]:
        """What could not be written into recovery files."""
        changed = self.files.opened.changed
        return [each.draft.file.shown for each in changed if each.kept != each.value]

    # History

    def action_undo(self) -> None:
        """Take the last change back."""
        self._step_history(back=True)

    def action_redo(self) -> None:
        """Do again what was undone."""
        self._step_history(back=False)

    def _step_history(self, *, back: bool) -> None:
        if self.current is None:
            return
        history = self.current.history
        what = history.undoes if back else history.redoes
        if not what:
            self.notice("There is nothing to undo." if back else "There is nothing to redo.")
            return
        (history.undo if back else history.redo)()
        self.notice(f"{'Undone' if back else 'Done again'}: {what}.")
        self.changed()

    def action_revert(self) -> None:
        """Go back to what is saved; that can be undone."""
        if self.current is not None and self.current.history.changed:
            self.current.revert()
            self.notice("Back to what is saved; ^z brings your changes back.")
            self.changed()
