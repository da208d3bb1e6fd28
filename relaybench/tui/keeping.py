"""What is open in an editor: what was changed, what is saved, what came from outside.

Nothing here touches the disk; ``draft_files`` saves, and tells how it went.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from relaybench.workbench.problems.drafts import Draft, DraftFile
from relaybench.workbench.problems.history import History

if TYPE_CHECKING:
    from relaybench.toml_files.source import SourceFile

V = TypeVar("V")


class OpenDraft(ABC, Generic[V]):
    """A value with its history since it was opened, and its file as last read or saved."""

    def __init__(self, value: V, file: DraftFile, saved: V | None = None) -> None:
        self.file = file
        self.history: History[V] = History(value if saved is None else saved)
        self.history.do(value, "restore unsaved work")
        self.kept: V | None = None  # what its recovery file says
        self.theirs: tuple[V, SourceFile] | None = None  # the file as somebody else changed it
        self.gone = False  # somebody removed or broke the file
        self.saving = False  # it is being saved: what its file says now is ours

    @property
    def value(self) -> V:
        """It as it is now."""
        return self.history.value

    @property
    @abstractmethod
    def ref(self) -> str:
        """Its name."""

    @property
    @abstractmethod
    def draft(self) -> Draft:
        """It as it is now, with its file."""

    @property
    def changed(self) -> bool:
        """Whether something is not saved."""
        return self.history.changed or self.file.source is None

    @property
    def contested(self) -> bool:
        """Whether somebody else has changed the file while there is unsaved work."""
        return self.changed and (self.theirs is not None or self.gone)

    def saved(self, value: V, file: DraftFile, asked: V) -> None:
        """It was saved; ``asked`` is what was to be, ``value`` what the file says now."""
        self.file = file
        self.history.saved(value, asked=asked)
        self.theirs, self.gone, self.kept = None, False, None

    def take_theirs(self) -> None:
        """Let go of unsaved work for what is in the file now."""
        if self.theirs is not None:
            self._read(*self.theirs)

    def keep_mine(self) -> None:
        """Keep unsaved work on top of what is in the file now: saving will go through."""
        if self.theirs is not None:
            value, source = self.theirs
            self.file = replace(self.file, source=source)
            self.history.saved(value, asked=value)
        elif self.gone:
            self.file = replace(self.file, source=None)
        self.theirs, self.gone = None, False

    def revert(self) -> None:
        """Let go of unsaved work; it can be undone."""
        self.history.do(self.history.last_saved, "revert")

    def _read(self, value: V, source: SourceFile) -> None:
        self.file = replace(self.file, source=source)
        self.history = History(value)
        self.theirs, self.gone, self.kept = None, False, None

    def compare(self, found: tuple[V, SourceFile] | None) -> bool:
        """Hold it against its file as just read; says whether it now shows another value.

        Without unsaved work it follows the file. With unsaved work it is contested.
        """
        source = self.file.source
        if self.saving:
            return False
        if found is None:
            self.gone, self.theirs = source is not None, None
            return False
        if source is not None and found[1].digest == source.digest:
            self.theirs, self.gone = None, False
            return False
        if self.changed:
            self.theirs, self.gone = found, False
            return False
        self._read(*found)
        return True


O = TypeVar("O", bound=OpenDraft[Any])  # noqa: E741


class OpenDrafts(Generic[O]):
    """All that are open on a screen, by file."""

    def __init__(self) -> None:
        self.by_path: dict[Path, O] = {}

    def open(self, each: O) -> O:
        """Open another one; returns the one whose file it is where that is open already."""
        return self.by_path.setdefault(each.file.path, each)

    def close(self, each: O) -> None:
        """Let go of one and of what is not saved of it."""
        self.by_path.pop(each.file.path, None)

    def compare(self, found: Mapping[Path, tuple[Any, SourceFile]]) -> list[O]:
        """Hold all against the files as just read; returns those that show another value now.

        What has neither unsaved work nor a file any more is closed.
        """
        moved = []
        for path, each in list(self.by_path.items()):
            if each.compare(found.get(path)):
                moved.append(each)
            elif each.gone and not each.changed:
                self.close(each)
        return moved

    @property
    def changed(self) -> list[O]:
        """Those with unsaved work."""
        return [each for each in self.by_path.values() if each.changed]

    @property
    def contested(self) -> list[O]:
        """Those with unsaved work whose file somebody else has changed."""
        return [each for each in self.by_path.values() if each.contested]

    def named(self, ref: str) -> O | None:
        """The open one of that name."""
        return next((each for each in self.by_path.values() if each.ref == ref), None)
