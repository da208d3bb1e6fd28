"""What an editor does with its files: saving, settling contests, keeping unsaved work.

Every method that asks the user or touches the disk is to be called in a worker; what goes wrong is
raised, except where said. After a change of files they are read again, and everyone is told.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Generic

from relaybench.domain.errors import StaleFileError
from relaybench.tui.dialogs.pick import Choice, Pick
from relaybench.tui.keeping import O, OpenDrafts

if TYPE_CHECKING:
    from relaybench.tui.work_screen import WorkScreen
    from relaybench.workbench.drafts import Draft
    from relaybench.workbench.saving import Recovery


class DraftFiles(Generic[O]):
    """Files of what is open on a screen."""

    def __init__(self, screen: WorkScreen, opened: OpenDrafts[O]) -> None:
        self._screen = screen
        self._desk = screen.desk
        self.opened = opened
        self._disk = asyncio.Lock()

    async def save(self, each: O) -> bool:
        """Save one; False where the user left a contest with another change undecided."""
        if each.contested and not await self.settle(each):
            return False
        if not each.changed:
            return True
        draft, asked = each.draft, each.value
        try:
            async with self._disk:
                saved = await asyncio.to_thread(_saved, draft)
        except StaleFileError:
            await self._desk.read_problems()
            if each.contested:
                return await self.settle(each) and await self.save(each)
            raise
        each.saved(_value(saved), saved.file, asked)
        await self._desk.read_problems()
        return True

    async def settle(self, each: O) -> bool:
        """Ask whose change of a file is to stand; False where the user leaves it open."""
        shown = each.file.shown
        what = "was removed, or can no longer be read" if each.gone else "was changed outside"
        theirs = "Let mine go" if each.gone else "Take theirs"
        mine = "Save it as a new file later" if each.gone else "saving then replaces theirs"
        answer = await self._screen.app.push_screen_wait(
            Pick(
                f"{shown} {what} while you have unsaved changes.",
                [
                    Choice("mine", "Keep mine", mine),
                    Choice("theirs", theirs, "your unsaved changes go"),
                    Choice("both", f"{theirs}, keep mine aside", "in a recovery file, see ^p"),
                ],
            )
        )
        if answer is None:
            return False
        if answer == "mine":
            each.keep_mine()
            return True
        if answer == "both":
            await self._keep(each, aside=True)
        await self.forget(each)
        if each.gone:
            self.opened.close(each)
        else:
            each.take_theirs()
        return True

    async def keep_all(self) -> None:
        """Write recovery files of all unsaved work that has none yet."""
        for each in self.opened.changed:
            if each.kept != each.value:
                await self._keep(each)

    async def _keep(self, each: O, *, aside: bool = False) -> None:
        from relaybench.workbench.saving import keep_recovery

        async with self._disk:
            if each.changed:
                draft, value = each.draft, each.value
                await asyncio.to_thread(keep_recovery, draft, aside=aside)
                each.kept = value

    def keep_all_now(self) -> None:
        """The same at once and in this thread: the application is going down."""
        from relaybench.workbench.saving import keep_recovery

        for each in self.opened.changed:
            if each.kept != each.value:
                keep_recovery(each.draft)
                each.kept = each.value

    async def forget(self, each: O) -> None:
        """Remove the recovery file of one whose changes were let go."""
        from relaybench.workbench.saving import drop_recovery

        async with self._disk:
            await asyncio.to_thread(drop_recovery, each.file.path)
            each.kept = None

    async def found(self, *, classes: bool) -> list[Recovery]:
        """Unsaved work on classes (or on composites) that earlier sessions left behind."""
        from relaybench.workbench.saving import recoveries

        everything = await asyncio.to_thread(recoveries, self._desk.workspace)
        return [
            each
            for each in everything
            if each.of_class is classes
            and not ((known := self.opened.by_path.get(each.path)) and known.kept is not None)
        ]

    async def offer(self, recovery: Recovery) -> Draft | None:
        """Ask about unsaved work; returns the draft where it is to be restored."""
        from relaybench.tui.dialogs.recovering import ask_about
        from relaybench.workbench.saving import forget, restored

        answer = await ask_about(self._screen, recovery)
        if answer == "discard":
            await asyncio.to_thread(forget, recovery)
        return await asyncio.to_thread(restored, recovery) if answer == "restore" else None

    async def take_in(self, each: O, recovery: Recovery) -> O:
        """Open restored work; it is kept as that of its file from now on."""
        from relaybench.workbench.saving import forget, recovery_path

        self.opened.add(each)
        if recovery.kept_in != recovery_path(recovery.path):
            await self._keep(each)
            await asyncio.to_thread(forget, recovery)
        else:
            each.kept = each.value
        return each


def _saved(draft: Draft) -> Draft:
    from relaybench.workbench.drafts import ClassDraft
    from relaybench.workbench.saving import save_draft

    if isinstance(draft, ClassDraft):
        return save_draft(draft)
    return save_draft(draft)


def _value(draft: Draft) -> object:
    from relaybench.workbench.drafts import ClassDraft

    return draft.problem if isinstance(draft, ClassDraft) else draft.composite
