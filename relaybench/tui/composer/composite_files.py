"""What the composer does with whole composites: begin, copy and remove them.

Every method asks the user or touches the disk and is to be called in a worker.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from relaybench.domain.errors import EditError
from relaybench.tui.composer.open_composite import OpenComposite
from relaybench.tui.dialogs.confirm import Confirm
from relaybench.tui.draft_files import DraftFiles
from relaybench.workbench.problems.drafts import CompositeDraft

if TYPE_CHECKING:
    from relaybench.workbench.problems.drafts import Draft


class CompositeFiles(DraftFiles[OpenComposite]):
    """Files of the composites that are open in the composer."""

    OF_CLASSES: ClassVar[bool] = False

    def begin(self, draft: Draft, saved: Draft | None = None) -> OpenComposite:
        """A composite as it is to be opened."""
        assert isinstance(draft, CompositeDraft)
        assert isinstance(saved, CompositeDraft | None)
        return OpenComposite(draft, saved)

    async def _ask_name(self, title: str, value: str) -> str | None:
        """Ask for a ``set/name`` that no composite has."""
        from relaybench.workbench.problems.composing import blank_composite

        problems = self._desk.problems

        def check(text: str) -> str | None:
            if self.opened.named(text) is not None:
                return f"there is a composite {text} already"
            try:
                if problems is not None:
                    blank_composite(problems.library, text)
            except EditError as error:
                return str(error)
            return None

        hint = "SET/NAME, as in mine/relay-01. A set is run and scored together."
        return await self.ask(title, value, hint, check)

    async def new(self, set_name: str, *, private: bool) -> OpenComposite | None:
        """Begin a composite; its file is made when it is saved first."""
        from relaybench.workbench.problems.composing import blank_composite
        from relaybench.workbench.problems.drafts import new_composite_draft

        problems = self._desk.problems
        name = await self._ask_name(
            "New private composite" if private else "New composite", f"{set_name}/"
        )
        if name is None or problems is None:
            return None
        blank = blank_composite(problems.library, name)
        draft = new_composite_draft(self._desk.workspace, blank, private=private)
        return self.opened.open(OpenComposite(draft))

    async def duplicate(self, ref: str) -> str | None:
        """Copy a composite with the remarks in its file; returns the copy's name."""
        from relaybench.workbench.problems.composing import duplicate_composite

        each = self.opened.named(ref)
        if each is not None and not await self.saved_first(each, "copy it as it is"):
            return None
        name = await self._ask_name(f"Copy {ref} to", f"{ref}-copy")
        if name is None:
            return None
        await asyncio.to_thread(duplicate_composite, self._desk.workspace, ref, name)
        await self._desk.read_problems()
        return name

    async def delete(self, ref: str) -> bool:
        """Remove a composite and its file; asks first."""
        from relaybench.workbench.problems.composing import delete_composite

        each = self.opened.named(ref)
        is_new = each is not None and each.file.source is None
        details = (
            "It was never saved."
            if is_new
            else "Its file is removed. Runs keep what they sent: prompt, key and answers."
        )
        confirm = Confirm(f"Delete the composite {ref}?", details=details)
        if not await self._screen.app.push_screen_wait(confirm):
            return False
        if not is_new:
            await asyncio.to_thread(delete_composite, self._desk.workspace, ref)
        if each is not None:
            await self.forget(each)
            self.opened.close(each)
        await self._desk.read_problems()
        return True
