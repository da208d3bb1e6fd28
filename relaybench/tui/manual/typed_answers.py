"""Answers that were typed or pasted and are not stored yet, each with a file that outlives a crash.

A pasted answer may be gone from the page it came from. What is here is in memory; ``write``,
``look``, ``overtaken`` and ``set_aside`` deal with files and results, in threads.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from relaybench.domain.errors import RelaybenchError
from relaybench.workbench.runs.prompt_files import (
    answer_stored,
    drop_answer,
    keep_answer,
    keep_pasted,
    set_answer_aside,
    take_left,
)

if TYPE_CHECKING:
    from relaybench.domain.results import Cell
    from relaybench.store.manual import ManualCell
    from relaybench.workbench.runs.manual import ManualRun
    from relaybench.workbench.workspace import Workspace

#: The name of what was pasted before there was a cell.
_PASTED: Final = "an answer pasted before its cell was there (it goes into .prompts/)"


@dataclass(frozen=True, slots=True)
class Key:
    """What an answer is for; runs of two results files may have the same name.

    ``called`` names the cell for a person.
    """

    database: Path
    run: str
    cell: Cell
    called: str = field(default="", compare=False)

    def place(self, workspace: Workspace) -> Workspace:
        """The workspace with the results file that holds the cell."""
        return replace(workspace, database=self.database)


def key_of(database: Path, run: str, cell: ManualCell) -> Key:
    """The key of a cell of a run, called by its item and model."""
    form = "" if cell.form == "plain" else f" {cell.form}"
    called = f"{cell.item}{form} by {cell.config.label} r{cell.cell.repeat + 1} (run {run})"
    return Key(database, run, cell.cell, called)


@dataclass(frozen=True, slots=True)
class Overtaken:
    """Answers here whose cells have one by now: the ``same``, or ``others`` with their attempts."""

    same: tuple[Key, ...]
    others: dict[Key, int]


class TypedAnswers:
    """Texts by what they are for, in whichever results file.

    ``pasted`` came before there was a cell that it could go to.
    """

    def __init__(self) -> None:
        self.texts: dict[Key, str] = {}
        self.pasted = ""
        self._pasted_kept = ""
        self._kept: dict[Key, str] = {}  # what the files say
        self._failed: dict[Key, str] = {}  # what could not be written
        self._looked: set[tuple[Path, str]] = set()
        self._back: dict[Key, str] = {}  # found by ``look``, not brought back yet
        self._aside: list[Path] = []
        self._lock = threading.Lock()

    def put(self, key: Key, text: str) -> None:
        """Take in what stands in the field now; "" is no answer."""
        if text:
            self.texts[key] = text
        else:
            self.texts.pop(key, None)

    def begun(self, database: Path, run: str) -> frozenset[object]:
        """Cells of a run that have one."""
        of_run = (key for key in self.texts if (key.database, key.run) == (database, run))
        return frozenset(key.cell for key in of_run)

    @property
    def unsaved(self) -> list[str]:
        """Their names for a person."""
        names = [f"ungraded answer to {key.called}" for key in self.texts]
        return [*names, *([_PASTED] if self.pasted else [])]

    @property
    def unkept(self) -> list[str]:
        """Names of those whose files do not say what is here."""
        names = [f"the answer to {key.called}" for key in self._unwritten]
        return [*names, *([_PASTED] if self.pasted != self._pasted_kept else [])]

    @property
    def _unwritten(self) -> list[Key]:
        return [key for key, text in self.texts.items() if self._kept.get(key) != text]

    @property
    def written(self) -> bool:
        """Whether the files say what is here, as far as they can be written."""
        tried = all(self._failed.get(key) == self.texts[key] for key in self._unwritten)
        return tried and self._kept.keys() <= self.texts.keys()

    def write(self, workspace: Workspace, *, again: bool = False) -> None:
        """Make the files say what is here; what was ``pasted`` only where this is ``again``.

        Raises WorkspaceError and OSError behind the last, for each text once: it is not tried again
        until it changes, or all are to be written ``again``.
        """
        fault: RelaybenchError | OSError | None = None
        with self._lock:
            texts = dict(self.texts)
            for key, text in texts.items():
                if not again and text in (self._kept.get(key), self._failed.get(key)):
                    continue
                try:
                    keep_answer(key.place(workspace), key.run, key.cell, text)
                except (RelaybenchError, OSError) as error:
                    self._failed[key], fault = text, fault or error
                    if again:
                        self._kept.pop(key, None)
                else:
                    self._kept[key] = text
            if again and fault is None and self.pasted != self._pasted_kept:
                keep_pasted(workspace, self.pasted)
                self._pasted_kept = self.pasted
            for key in [key for key in self._kept if key not in texts]:
                del self._kept[key]
                drop_answer(key.place(workspace), key.run, key.cell)
        if fault is not None:
            raise fault

    def set_aside(self, workspace: Workspace, key: Key) -> Path:
        """Keep one in a file that stays; returns where. Raises WorkspaceError and OSError."""
        with self._lock:
            path = set_answer_aside(key.place(workspace), key.run, key.cell, self.texts[key])
            self._kept.pop(key, None)
            return path

    def look(self, workspace: Workspace, runs: Sequence[ManualRun]) -> None:
        """Find what sessions that are over left of runs; each is looked at once.

        Raises StoreError and OSError.
        """
        database = workspace.database
        with self._lock:
            for each in runs:
                run = each.run.name
                if (database, run) in self._looked:
                    continue
                keys = {cell.cell: key_of(database, run, cell) for cell in each.cells}
                free = [cell for cell in each.cells if keys[cell.cell] not in self.texts]
                left = take_left(workspace, run, free)
                self._looked.add((database, run))
                self._back |= {keys[cell]: text for cell, text in left.taken.items()}
                self._aside += left.aside

    def bring_back(self) -> tuple[list[Key], list[Path]]:
        """Take in what was found, in the loop's thread.

        Returns what for, and the files of answers whose cells were answered otherwise.
        """
        new, aside = self._back, self._aside
        self._back, self._aside = {}, []
        self._kept.update(new)
        self.texts.update({key: text for key, text in new.items() if key not in self.texts})
        return list(new), aside

    def overtaken(self, workspace: Workspace, runs: Sequence[ManualRun]) -> Overtaken:
        """Those whose cells have an answer by now. Raises StoreError."""
        typed = dict(self.texts)
        of_runs = {key.run for key in typed}
        attempts = {
            Key(workspace.database, each.run.name, cell.cell): cell.attempt
            for each in runs
            if each.run.name in of_runs
            for cell in each.cells
        }
        same: list[Key] = []
        others: dict[Key, int] = {}
        for key, text in typed.items():
            attempt = attempts.get(key)
            if attempt is None:
                continue
            if answer_stored(workspace, attempt) == text:
                same.append(key)
            else:
                others[key] = attempt
        return Overtaken(tuple(same), others)
