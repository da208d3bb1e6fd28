"""What the Library screen does with files: saving, renaming, copying, removing, recovering.

Every method that asks the user or touches the disk is to be called in a worker; what goes wrong is
raised, except where said. After a change of files they are read again, and everyone is told.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from relaybench.domain.errors import RelaybenchError, StaleFileError, UsageError
from relaybench.tui.dialogs.ask import Ask
from relaybench.tui.dialogs.confirm import Confirm
from relaybench.tui.dialogs.pick import Choice, Pick
from relaybench.tui.library.keeping import OpenClass, OpenClasses

if TYPE_CHECKING:
    from relaybench.tui.work_screen import WorkScreen
    from relaybench.workbench.drafts import ClassDraft
    from relaybench.workbench.saving import Recovery


class ClassFiles:
    """Files of the classes that are open on a screen."""

    def __init__(self, screen: WorkScreen, opened: OpenClasses) -> None:
        self._screen = screen
        self._desk = screen.desk
        self.opened = opened
        self.ours: set[Path] = set()  # files that are being changed from here
        self._disk = asyncio.Lock()

    async def save(self, each: OpenClass) -> bool:
        """Save a class; False where the user left a contest with another change undecided."""
        from relaybench.workbench.saving import save_draft

        if each.contested and not await self.settle(each):
            return False
        if not each.changed:
            return True
        draft = each.draft
        try:
            async with self._disk:
                saved = await asyncio.to_thread(save_draft, draft)
        except StaleFileError:
            await self._desk.read_problems()
            if each.contested:
                return await self.settle(each) and await self.save(each)
            raise
        each.saved(saved, draft.problem)
        await self._desk.read_problems()
        return True

    async def settle(self, each: OpenClass) -> bool:
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
                    Choice("both", f"{theirs}, keep mine aside", "u in the tree finds it again"),
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
            if each.kept != each.problem:
                await self._keep(each)

    async def _keep(self, each: OpenClass, *, aside: bool = False) -> None:
        from relaybench.workbench.saving import keep_recovery

        async with self._disk:
            if each.changed:
                draft = each.draft
                await asyncio.to_thread(keep_recovery, draft, aside=aside)
                each.kept = draft.problem

    def keep_all_now(self) -> None:
        """The same at once and in this thread: the application is going down."""
        from relaybench.workbench.saving import keep_recovery

        for each in self.opened.changed:
            if each.kept != each.problem:
                with contextlib.suppress(RelaybenchError):  # one must not cost the others
                    keep_recovery(each.draft)
                    each.kept = each.problem

    async def forget(self, each: OpenClass) -> None:
        """Remove the recovery file of a class whose changes were let go."""
        from relaybench.workbench.saving import drop_recovery

        async with self._disk:
            await asyncio.to_thread(drop_recovery, each.file.path)
            each.kept = None

    async def found(self) -> list[Recovery]:
        """Unsaved work on classes that earlier sessions left behind."""
        from relaybench.workbench.saving import recoveries

        everything = await asyncio.to_thread(recoveries, self._desk.workspace)
        return [
            each
            for each in everything
            if each.of_class
            and not ((known := self.opened.by_path.get(each.path)) and known.kept is not None)
        ]

    async def offer(self, recovery: Recovery) -> OpenClass | None:
        """Ask about unsaved work; returns the class where it was restored."""
        from relaybench.tui.dialogs.recovering import ask_about
        from relaybench.workbench.drafts import ClassDraft
        from relaybench.workbench.saving import forget, recovery_path, restored, set_aside

        answer = await ask_about(self._screen, recovery)
        if answer == "discard":
            await asyncio.to_thread(forget, recovery)
        elif answer == "later":
            await asyncio.to_thread(set_aside, recovery)
        if answer != "restore":
            return None
        draft = await asyncio.to_thread(restored, recovery)
        assert isinstance(draft, ClassDraft)
        each = self.opened.by_path.get(recovery.path)
        if each is not None:
            each.history.do(draft.problem, "restore unsaved work")
        else:
            before = await asyncio.to_thread(_as_saved, draft)
            each = self.opened.add(draft, before.problem if before else None)
        await self._keep(each)
        if recovery.kept_in != recovery_path(recovery.path):
            await asyncio.to_thread(forget, recovery)
        return each

    async def saved_first(self, each: OpenClass, what: str) -> bool:
        """See that a class has no unsaved changes before its file is dealt with; asks."""
        if not each.changed:
            return True
        question = f"{each.ref} has unsaved changes. Save them first, to {what}?"
        if not await self._screen.app.push_screen_wait(
            Confirm(question, yes="Save", variant="primary")
        ):
            return False
        return await self.save(each)

    async def ask_class_name(self, title: str, value: str) -> str | None:
        """Ask for a ``domain/class`` that no class has."""
        from relaybench.workbench.editing import class_name

        problems = self._desk.problems
        taken = set(problems.library.classes) if problems else set()
        taken |= {each.ref for each in self.opened.by_path.values()}

        def check(text: str) -> str | None:
            try:
                domain, class_id = class_name(text)
            except UsageError as error:
                return str(error)
            ref = f"{domain.value}/{class_id}"
            return f"there is a class {ref} already" if ref in taken else None

        return await self._ask(title, value, "DOMAIN/CLASS, as in math/digit-sum", check)

    async def _ask(
        self, title: str, value: str, hint: str, check: Callable[[str], str | None]
    ) -> str | None:
        return await self._screen.app.push_screen_wait(
            Ask(title, value=value, hint=hint, check=check)
        )

    async def ask_instance_name(
        self, each: OpenClass, index: int, typed: str | None = None
    ) -> str | None:
        """Ask for another name of an instance, beginning with what was typed, if anything was."""
        from relaybench.tui.library.changes import misnamed

        old = each.problem.instances[index].id
        others = [one.id for n, one in enumerate(each.problem.instances) if n != index]
        return await self._ask(
            f"Rename {old!r}; composites that use it follow",
            old if typed is None else typed,
            "What runs have sent keeps its name.",
            lambda text: misnamed(text, others),
        )

    def users(self, name: str) -> list[str]:
        """Composites that use a class or an instance, as last read."""
        from relaybench.workbench.editing import users_of

        problems = self._desk.problems
        return users_of(problems.library, name) if problems else []

    async def new(self, domain: str, private: bool) -> OpenClass | None:
        """Begin a class; its file is made when it is saved first."""
        from relaybench.workbench.drafts import new_class_draft
        from relaybench.workbench.editing import blank_class

        problems = self._desk.problems
        if problems is None:
            return None
        where = "private class" if private else "class"
        name = await self.ask_class_name(f"New {where}", f"{domain}/")
        if name is None:
            return None
        problem = blank_class(problems.library, name)
        draft = new_class_draft(self._desk.workspace, problem, private=private)
        return self.opened.add(draft)

    async def duplicate_class(self, each: OpenClass) -> Path | None:
        """Copy a class under another name; returns the new file."""
        from relaybench.workbench.editing import duplicate

        if not await self.saved_first(each, "copy it"):
            return None
        name = await self.ask_class_name(f"Copy {each.ref} to", each.ref)
        if name is None:
            return None
        workspace = self._desk.workspace
        edit = await asyncio.to_thread(duplicate, workspace, each.ref, name)
        await self._desk.read_problems()
        return workspace.root / edit.files[0]

    async def rename_class(self, each: OpenClass) -> Path | None:
        """Rename a class and what refers to it; returns the new file."""
        from relaybench.workbench.editing import rename

        if not await self.saved_first(each, "rename it"):
            return None
        name = await self.ask_class_name(
            f"Rename {each.ref}; composites that use it follow", each.ref
        )
        if name is None:
            return None
        workspace = self._desk.workspace
        edit = await asyncio.to_thread(rename, workspace, each.ref, name)
        self.opened.close(each)
        await self._desk.read_problems()
        self._screen.notice(f"{each.ref} is now {edit.target} in {len(edit.files) - 1} files.")
        return workspace.root / edit.files[0]

    async def rename_instance(self, each: OpenClass, index: int, new: str) -> bool:
        """Rename an instance in all files that use it; False: nothing refers to it yet.

        Then the name can be changed in the class alone.
        """
        from relaybench.workbench.editing import rename

        target = f"{each.ref}:{each.problem.instances[index].id}"
        if each.file.source is None or not self.users(target):
            return False
        if not await self.saved_first(each, "rename an instance that composites use"):
            return True
        self.ours.add(each.file.path)
        try:
            edit = await asyncio.to_thread(rename, self._desk.workspace, target, new)
            await self._desk.read_problems()
        finally:
            self.ours.discard(each.file.path)
        self._screen.notice(f"{target} is now {edit.target} in {len(edit.files)} files.")
        return True

    async def remove_class(self, each: OpenClass) -> bool:
        """Remove a class with its file, or one that was never saved; asks."""
        from relaybench.workbench.editing import delete

        self.refuse_used(each.ref)
        count = len(each.problem.instances)
        question = f"Remove {each.ref} with its {count} instances? This cannot be undone."
        if not await self._screen.app.push_screen_wait(Confirm(question, yes="Remove")):
            return False
        if each.file.source is not None:
            await asyncio.to_thread(delete, self._desk.workspace, each.ref)
        await self.forget(each)
        self.opened.close(each)
        await self._desk.read_problems()
        return True

    def refuse_used(self, name: str) -> None:
        """Raise UsageError, naming the composites, where some use a class or an instance."""
        users = self.users(name)
        if users:
            raise UsageError(
                f"{name} is used by {', '.join(users)}. Give those composites another instance "
                "first, or retire it (t)"
            )

    async def edit_outside(self, path: Path, each: OpenClass | None) -> None:
        """Edit a file in the user's own editor, and read it again."""
        from relaybench.tui.external_editor import edit_outside

        if each is not None and not await self.saved_first(each, "edit its file"):
            return
        try:
            await edit_outside(self._screen.workbench, path)
        finally:
            await self._desk.read_problems()


def _as_saved(draft: ClassDraft) -> ClassDraft | None:
    from relaybench.workbench.drafts import reread

    if draft.file.source is None:
        return None
    try:
        return reread(draft, draft.file.source)
    except RelaybenchError:
        return None
