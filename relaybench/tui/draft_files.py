"""What an editor does with its files: saving, settling contests, keeping unsaved work.

Every method that asks the user or touches the disk is to be called in a worker; what goes wrong is
raised, except where said. After a change of files they are read again, and everyone is told.
"""

from __future__ import annotations

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Generic

from relaybench.domain.errors import RelaybenchError, StaleFileError
from relaybench.tui.dialogs.ask import Ask
from relaybench.tui.dialogs.confirm import Confirm
from relaybench.tui.dialogs.pick import Choice, Pick
from relaybench.tui.keeping import O, OpenDrafts

if TYPE_CHECKING:
    from relaybench.domain.problem import Composite, ProblemClass
    from relaybench.tui.work_screen import WorkScreen
    from relaybench.workbench.problems.drafts import Draft
    from relaybench.workbench.problems.saving import Recovery


class DraftFiles(ABC, Generic[O]):
    """Files of what is open on a screen: of classes, or else of composites."""

    OF_CLASSES: ClassVar[bool]

    def __init__(self, screen: WorkScreen, opened: OpenDrafts[O]) -> None:
        self._screen = screen
        self._desk = screen.desk
        self.opened = opened
        self._disk = asyncio.Lock()

    @abstractmethod
    def begin(self, draft: Draft, saved: Draft | None = None) -> O:
        """A draft as it is to be opened; ``saved`` is what its file says."""

    async def save(self, each: O) -> bool:
        """Save one; False where the user left a contest with another change undecided."""
        if each.contested and not await self.settle(each):
            return False
        if not each.changed:
            return True
        draft, asked = each.draft, each.value
        try:
            async with self._disk:
                each.saving = True
                try:
                    saved = await asyncio.to_thread(_saved, draft)
                    each.saved(_value(saved), saved.file, asked)
                finally:
                    each.saving = False
        except StaleFileError:
            await self._desk.read_problems(outside=True)
            if each.contested:
                return await self.settle(each) and await self.save(each)
            raise
        await self._desk.read_problems()
        return True

    async def saved_first(self, each: O, what: str) -> bool:
        """See that one has no unsaved changes before its file is dealt with; asks."""
        if not each.changed:
            return True
        question = f"{each.ref} has unsaved changes. Save them first, to {what}?"
        confirm = Confirm(question, yes="Save", variant="primary")
        return await self._screen.app.push_screen_wait(confirm) and await self.save(each)

    async def settle(self, each: O) -> bool:
        """Ask whose change of a file is to stand; False where the user leaves it open."""
        shown = each.file.shown
        what = "was removed, or can no longer be read" if each.gone else "was changed outside"
        theirs = "Let mine go" if each.gone else "Take theirs"
        mine = "Save it as a new file later" if each.gone else "saving then replaces theirs"
        aside = "u in the list at the left finds it again"
        answer = await self._screen.app.push_screen_wait(
            Pick(
                f"{shown} {what} while you have unsaved changes.",
                [
                    Choice("mine", "Keep mine", mine),
                    Choice("theirs", theirs, "your unsaved changes go"),
                    Choice("both", f"{theirs}, keep mine aside", aside),
                ],
                typed_ahead=False,
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
        """Write recovery files of unsaved work, and remove those of what has none any more."""
        for each in list(self.opened.by_path.values()):
            if each.changed and each.kept != each.value:
                await self._keep(each)
            elif not each.changed and each.kept is not None:
                await self.forget(each)

    async def _keep(self, each: O, *, aside: bool = False) -> None:
        from relaybench.workbench.problems.saving import keep_recovery

        async with self._disk:
            if each.changed:
                draft, value = each.draft, each.value
                await asyncio.to_thread(keep_recovery, draft, aside=aside)
                each.kept = value

    def keep_all_now(self) -> None:
        """The same at once and in this thread: the application is going down."""
        from relaybench.workbench.problems.saving import keep_recovery

        for each in self.opened.changed:
            if each.kept != each.value:
                with contextlib.suppress(RelaybenchError):  # one must not cost the others
                    keep_recovery(each.draft)
                    each.kept = each.value

    def forget_undone_now(self) -> None:
        """Remove, at once, recovery files of what has no unsaved work: the screen is going."""
        from relaybench.workbench.problems.saving import drop_recovery

        for each in self.opened.by_path.values():
            if not each.changed and each.kept is not None:
                drop_recovery(each.file.path)

    async def forget(self, each: O) -> None:
        """Remove the recovery file of one whose changes were let go."""
        from relaybench.workbench.problems.saving import drop_recovery

        async with self._disk:
            await asyncio.to_thread(drop_recovery, each.file.path)
            each.kept = None

    async def found(self, *, elsewhere: bool = False) -> list[Recovery]:
        """Unsaved work that earlier sessions left behind, or that was kept aside.

        ``elsewhere``: what another screen has to offer, composites instead of classes.
        """
        from relaybench.workbench.problems.saving import recoveries, recovery_path

        everything = await asyncio.to_thread(recoveries, self._desk.workspace)
        ours = {
            recovery_path(path)
            for path, each in self.opened.by_path.items()
            if each.kept is not None
        }
        return [
            each
            for each in everything
            if (each.of_class is self.OF_CLASSES) is not elsewhere and each.kept_in not in ours
        ]

    async def offer(self, recovery: Recovery) -> O | None:
        """Ask about unsaved work; returns it, opened, where it was restored."""
        from relaybench.tui.dialogs.recovering import ask_about
        from relaybench.workbench.problems.saving import forget, recovery_path, restored, set_aside

        answer = await ask_about(self._screen, recovery)
        if answer == "discard":
            await asyncio.to_thread(forget, recovery)
        elif answer == "later":
            await asyncio.to_thread(set_aside, recovery)
        if answer != "restore":
            return None
        draft = await asyncio.to_thread(restored, recovery)
        each = self.opened.by_path.get(recovery.path)
        if each is not None:
            each.history.do(_value(draft), "restore unsaved work")
        else:
            saved = await asyncio.to_thread(_as_saved, draft)
            each = self.opened.open(self.begin(draft, saved))
        await self._keep(each)
        if recovery.kept_in != recovery_path(recovery.path):
            await asyncio.to_thread(forget, recovery)
        return each

    async def ask(
        self, title: str, value: str, hint: str, check: Callable[[str], str | None]
    ) -> str | None:
        """Ask for a name; ``check`` says what is wrong with one."""
        return await self._screen.app.push_screen_wait(
            Ask(title, value=value, hint=hint, check=check)
        )


def _saved(draft: Draft) -> Draft:
    from relaybench.workbench.problems.drafts import ClassDraft
    from relaybench.workbench.problems.saving import save_draft

    if isinstance(draft, ClassDraft):
        return save_draft(draft)
    return save_draft(draft)


def _value(draft: Draft) -> ProblemClass | Composite:
    from relaybench.workbench.problems.drafts import ClassDraft

    return draft.problem if isinstance(draft, ClassDraft) else draft.composite


def _as_saved(draft: Draft) -> Draft | None:
    """What the file of a draft says; None where there is none that can be read."""
    from relaybench.workbench.problems.drafts import ClassDraft, reread

    source = draft.file.source
    if source is None:
        return None
    with contextlib.suppress(RelaybenchError):
        if isinstance(draft, ClassDraft):
            return reread(draft, source)
        return reread(draft, source)
    return None
