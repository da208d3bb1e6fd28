"""A composite that is open in the composer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from relaybench.domain.problem import Composite
from relaybench.tui.keeping import OpenDraft
from relaybench.workbench.drafts import CompositeDraft, DraftFile

if TYPE_CHECKING:
    from relaybench.library.load import LoadedComposite


class OpenComposite(OpenDraft[Composite]):
    """A composite with its history; ``selected`` is the key of the box that is looked at."""

    def __init__(self, draft: CompositeDraft, saved: Composite | None = None) -> None:
        super().__init__(draft.composite, draft.file, saved)
        self.selected = ""

    @property
    def ref(self) -> str:
        """Its name, ``set/name``."""
        return self.value.ref

    @property
    def draft(self) -> CompositeDraft:
        """The composite as it is now, with its file."""
        return CompositeDraft(self.value, self.file)


def opened_from(loaded: LoadedComposite) -> OpenComposite:
    """Open a composite of a file."""
    source = loaded.source
    file = DraftFile(source.path, source.shown, loaded.private, source)
    return OpenComposite(CompositeDraft(loaded.composite, file))
