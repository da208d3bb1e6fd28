"""A class that is open in the Library."""

from __future__ import annotations

from relaybench.domain.problem import ProblemClass
from relaybench.tui.keeping import OpenDraft
from relaybench.workbench.problems.drafts import ClassDraft


class OpenClass(OpenDraft[ProblemClass]):
    """A class with its history, and the number of the instance that is looked at."""

    def __init__(self, draft: ClassDraft, saved: ClassDraft | None = None) -> None:
        super().__init__(draft.problem, draft.file, saved.problem if saved else None)
        self._instance = 0

    @property
    def instance(self) -> int:
        """The instance that is looked at; 0 where there is none."""
        return min(self._instance, max(len(self.value.instances) - 1, 0))

    @instance.setter
    def instance(self, number: int) -> None:
        self._instance = number

    @property
    def ref(self) -> str:
        """Its name, ``domain/class``."""
        return self.value.ref

    @property
    def draft(self) -> ClassDraft:
        """The class as it is now, with its file."""
        return ClassDraft(self.value, self.file)
