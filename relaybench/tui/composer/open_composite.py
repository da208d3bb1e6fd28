"""A composite that is open in the composer."""

from __future__ import annotations

from relaybench.domain.problem import Composite
from relaybench.tui.keeping import OpenDraft
from relaybench.workbench.problems.drafts import CompositeDraft


class OpenComposite(OpenDraft[Composite]):
    """A composite with its history; ``selected`` is the key of the box that is looked at.

    ``place`` is that of its step among the steps: one that is relabelled is another key there.
    """

    def __init__(self, draft: CompositeDraft, saved: CompositeDraft | None = None) -> None:
        super().__init__(draft.composite, draft.file, saved.composite if saved else None)
        self.selected = ""
        self.place = 0

    @property
    def ref(self) -> str:
        """Its name, ``set/name``."""
        return self.value.ref

    @property
    def draft(self) -> CompositeDraft:
        """The composite as it is now, with its file."""
        return CompositeDraft(self.value, self.file)
