"""Answers that were typed or pasted and are not stored yet, each with a file that outlives a crash.

A pasted answer may be gone from the page it came from. What is here is in memory; ``write`` and
``left`` deal with the files, in threads.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from relaybench.workbench.runs.prompt_files import drop_answer, keep_answer, kept_answers

if TYPE_CHECKING:
    from relaybench.domain.results import Cell
    from relaybench.workbench.runs.manual import ManualRun
    from relaybench.workbench.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Key:
    """What an answer is for; runs of two results files may have the same name."""

    database: Path
    run: str
    cell: Cell

    def place(self, workspace: Workspace) -> Workspace:
        """The workspace with the results file that holds the cell."""
        return replace(workspace, database=self.database)


class TypedAnswers:
    """Texts by what they are for, in whichever results file."""

    def __init__(self) -> None:
        self.texts: dict[Key, str] = {}
        self._kept: dict[Key, str] = {}
        self._looked: set[tuple[Path, str]] = set()
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
    def written(self) -> bool:
        """Whether the files say what is here."""
        return self.texts == self._kept

    def write(self, workspace: Workspace) -> None:
        """Make the files say what is here.

        Raises WorkspaceError and OSError, for each text once: it is not tried again until it
        changes.
        """
        with self._lock:
            texts = dict(self.texts)
            for key, text in texts.items():
                if self._kept.get(key) != text:
                    self._kept[key] = text
                    keep_answer(key.place(workspace), key.run, key.cell, text)
            for key in [key for key in self._kept if key not in texts]:
                del self._kept[key]
                drop_answer(key.place(workspace), key.run, key.cell)

    def left(self, workspace: Workspace, runs: Sequence[ManualRun]) -> dict[Key, str]:
        """What an earlier session left of runs; each is looked at once. Raises OSError."""
        found: dict[Key, str] = {}
        for each in runs:
            database, run = workspace.database, each.run.name
            if (database, run) not in self._looked:
                self._looked.add((database, run))
                kept = kept_answers(workspace, run, [cell.cell for cell in each.open])
                found |= {Key(database, run, cell): text for cell, text in kept.items()}
        return found

    def bring_back(self, left: Mapping[Key, str]) -> list[str]:
        """Take in what an earlier session left, in the loop's thread; returns whose runs it is."""
        new = {key: text for key, text in left.items() if key not in self.texts}
        self._kept.update(new)
        self.texts.update(new)
        return [key.run for key in new]
