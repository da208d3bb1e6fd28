"""The classes that are open in the editor: what was typed, what is saved, what came from outside.

Nothing here touches the disk; the screen saves, and tells how it went.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from relaybench.domain.problem import ProblemClass
from relaybench.workbench.drafts import ClassDraft, DraftFile
from relaybench.workbench.history import History

if TYPE_CHECKING:
    from relaybench.library.load import Library, LoadedClass


class OpenClass:
    """A class with its history since it was opened, and its file as last read or saved."""

    def __init__(self, draft: ClassDraft, saved: ProblemClass | None = None) -> None:
        self.file: DraftFile = draft.file
        self.history: History[ProblemClass] = History(saved or draft.problem)
        self.history.do(draft.problem, "restore unsaved work")
        self.kept: ProblemClass | None = None  # what its recovery file says
        self.theirs: LoadedClass | None = None  # the file as somebody else has changed it
        self.gone = False  # somebody removed or broke the file
        self.instance = 0

    @property
    def problem(self) -> ProblemClass:
        """The class as it is now."""
        return self.history.value

    @property
    def ref(self) -> str:
        """Its name, ``domain/class``."""
        return self.problem.ref

    @property
    def draft(self) -> ClassDraft:
        """The class as it is now, with its file."""
        return ClassDraft(self.problem, self.file)

    @property
    def changed(self) -> bool:
        """Whether something is not saved."""
        return self.history.changed or self.file.source is None

    @property
    def contested(self) -> bool:
        """Whether somebody else has changed the file while there is unsaved work."""
        return self.changed and (self.theirs is not None or self.gone)

    def saved(self, draft: ClassDraft, asked: ProblemClass) -> None:
        """It was saved; ``asked`` is the value that was, ``draft`` what the file says now."""
        self.file = draft.file
        self.history.saved(draft.problem, asked=asked)
        self.theirs, self.gone, self.kept = None, False, None

    def take_theirs(self) -> None:
        """Let go of unsaved work for what is in the file now."""
        if self.theirs is not None:
            self._read(self.theirs)

    def keep_mine(self) -> None:
        """Keep unsaved work on top of what is in the file now: saving will go through."""
        if self.theirs is not None:
            self.file = replace(self.file, source=self.theirs.source)
            self.history.saved(self.theirs.problem, asked=self.theirs.problem)
        elif self.gone:
            self.file = replace(self.file, source=None)
        self.theirs, self.gone = None, False

    def revert(self) -> None:
        """Let go of unsaved work; it can be undone."""
        self.history.do(self.history.last_saved, "revert")

    def _read(self, loaded: LoadedClass) -> None:
        self.file = replace(self.file, source=loaded.source)
        self.history = History(loaded.problem)
        self.theirs, self.gone, self.kept = None, False, None

    def compare(self, loaded: LoadedClass | None) -> bool:
        """Hold it against its file as just read; says whether it now shows another text.

        Without unsaved work it follows the file. With unsaved work it is contested.
        """
        source = self.file.source
        if loaded is None:
            self.gone, self.theirs = source is not None, None
            return False
        if source is not None and loaded.source.digest == source.digest:
            self.theirs, self.gone = None, False
            return False
        if self.changed:
            self.theirs, self.gone = loaded, False
            return False
        self._read(loaded)
        return True


@dataclass(slots=True)
class OpenClasses:
    """All that are open, by file."""

    by_path: dict[Path, OpenClass] = field(default_factory=dict)

    def open(self, loaded: LoadedClass) -> OpenClass:
        """The class of a file, opened if it was not yet."""
        path = loaded.source.path
        if path not in self.by_path:
            source = loaded.source
            file = DraftFile(source.path, source.shown, loaded.private, source)
            self.by_path[path] = OpenClass(ClassDraft(loaded.problem, file))
        return self.by_path[path]

    def add(self, draft: ClassDraft, saved: ProblemClass | None = None) -> OpenClass:
        """Open a class that is new, or whose unsaved work was found again."""
        self.by_path[draft.file.path] = OpenClass(draft, saved)
        return self.by_path[draft.file.path]

    def close(self, each: OpenClass) -> None:
        """Let go of a class and of what is not saved of it."""
        self.by_path.pop(each.file.path, None)

    def compare(self, library: Library) -> list[OpenClass]:
        """Hold all against the files as just read; returns those that show another text now.

        What has neither unsaved work nor a file any more is closed.
        """
        loaded = {each.source.path: each for each in library.classes.values()}
        moved = []
        for path, each in list(self.by_path.items()):
            if each.compare(loaded.get(path)):
                moved.append(each)
            elif each.gone and not each.changed:
                del self.by_path[path]
        return moved

    @property
    def changed(self) -> list[OpenClass]:
        """Those with unsaved work."""
        return [each for each in self.by_path.values() if each.changed]

    @property
    def contested(self) -> list[OpenClass]:
        """Those with unsaved work whose file somebody else has changed."""
        return [each for each in self.by_path.values() if each.contested]

    def drafts(self) -> Mapping[str, ClassDraft]:
        """Unsaved work by the name of its file as a user would type it."""
        return {each.file.shown: each.draft for each in self.changed}
