"""What the Library does with whole classes and names: begin, copy, rename and remove them.

Every method that asks the user or touches the disk is to be called in a worker; what goes wrong is
raised. After a change of files they are read again, and everyone is told.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from relaybench.domain.errors import UsageError
from relaybench.tui.dialogs.confirm import Confirm
from relaybench.tui.draft_files import DraftFiles
from relaybench.tui.library.open_class import OpenClass
from relaybench.workbench.problems.drafts import ClassDraft

if TYPE_CHECKING:
    from relaybench.workbench.problems.drafts import Draft


class ClassFiles(DraftFiles[OpenClass]):
    """Files of the classes that are open on a screen."""

    OF_CLASSES: ClassVar[bool] = True

    def begin(self, draft: Draft, saved: Draft | None = None) -> OpenClass:
        """A class as it is to be opened."""
        assert isinstance(draft, ClassDraft)
        assert isinstance(saved, ClassDraft | None)
        return OpenClass(draft, saved)

    async def ask_class_name(self, title: str, value: str) -> str | None:
        """Ask for a ``domain/class`` that no class has."""
        from relaybench.workbench.problems.editing import class_name

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

        return await self.ask(title, value, "DOMAIN/CLASS, as in math/digit-sum", check)

    async def ask_instance_name(
        self, each: OpenClass, index: int, typed: str | None = None
    ) -> str | None:
        """Ask for another name of an instance, beginning with what was typed, if anything was."""
        from relaybench.tui.library.changes import misnamed

        old = each.value.instances[index].id
        others = [one.id for n, one in enumerate(each.value.instances) if n != index]
        return await self.ask(
            f"Rename {old!r}; composites that use it follow",
            old if typed is None else typed,
            "What runs have sent keeps its name.",
            lambda text: misnamed(text, others),
        )

    def users(self, name: str) -> list[str]:
        """Composites that use a class or an instance, as last read."""
        from relaybench.workbench.problems.editing import users_of

        problems = self._desk.problems
        return users_of(problems.library, name) if problems else []

    async def new(self, domain: str, private: bool) -> OpenClass | None:
        """Begin a class; its file is made when it is saved first."""
        from relaybench.workbench.problems.drafts import new_class_draft
        from relaybench.workbench.problems.editing import blank_class

        problems = self._desk.problems
        if problems is None:
            return None
        where = "private class" if private else "class"
        name = await self.ask_class_name(f"New {where}", f"{domain}/")
        if name is None:
            return None
        problem = blank_class(problems.library, name)
        draft = new_class_draft(self._desk.workspace, problem, private=private)
        return self.opened.open(OpenClass(draft))

    async def duplicate_class(self, each: OpenClass) -> Path | None:
        """Copy a class under another name; returns the new file."""
        from relaybench.workbench.problems.editing import duplicate

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
        from relaybench.workbench.problems.editing import rename

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
        from relaybench.workbench.problems.editing import rename

        target = f"{each.ref}:{each.value.instances[index].id}"
        if not self.users(target):
            return False
        if not await self.saved_first(each, "rename an instance that composites use"):
            return True
        edit = await asyncio.to_thread(rename, self._desk.workspace, target, new)
        await self._desk.read_problems()
        self._screen.notice(f"{target} is now {edit.target} in {len(edit.files)} files.")
        return True

    async def remove_class(self, each: OpenClass) -> bool:
        """Remove a class with its file, or one that was never saved; asks."""
        from relaybench.workbench.problems.editing import delete

        self.refuse_used(each.ref)
        count = len(each.value.instances)
        with_them = f" with its {count} instance{'' if count == 1 else 's'}" if count else ""
        never = " It was never saved." if each.file.source is None else ""
        question = f"Remove {each.ref}{with_them}?{never} This cannot be undone."
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
            await self._desk.read_problems(outside=True)
