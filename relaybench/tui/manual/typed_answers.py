"""Answers that were typed or pasted and are not stored yet, each with a file that outlives a crash.

A pasted answer may be gone from the page it came from. What is here is in memory; ``write`` and
``left`` deal with the files, in threads.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from relaybench.workbench.runs.prompt_files import drop_answer, keep_answer, kept_answers

if TYPE_CHECKING:
    from relaybench.domain.results import Cell
    from relaybench.workbench.runs.manual import ManualRun
    from relaybench.workbench.workspace import Workspace

#: The run and the cell that an answer is for.
Key = tuple[str, "Cell"]


class TypedAnswers:
    """Texts by run and cell."""

    def __init__(self) -> None:
        self.texts: dict[Key, str] = {}
        self._kept: dict[Key, str] = {}
        self._looked: set[str] = set()
        self._lock = threading.Lock()

    def put(self, key: Key, text: str) -> None:
        """Take in what stands in the field now; "" is no answer."""
        if text:
            self.texts[key] = text
        else:
            self.texts.pop(key, None)

    def begun(self, run: str) -> frozenset[object]:
        """Cells of a run that have one."""
        return frozenset(cell for name, cell in self.texts if name == run)

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
                    keep_answer(workspace, *key, text)
            for key in [key for key in self._kept if key not in texts]:
                del self._kept[key]
                drop_answer(workspace, *key)

    def left(self, workspace: Workspace, runs: Sequence[ManualRun]) -> dict[Key, str]:
        """What an earlier session left of runs; each is looked at once. Raises OSError."""
        found: dict[Key, str] = {}
        for each in runs:
            run = each.run.name
            if run not in self._looked:
                self._looked.add(run)
                kept = kept_answers(workspace, run, [cell.cell for cell in each.open])
                found |= {(run, cell): text for cell, text in kept.items()}
        return found

    def bring_back(self, left: Mapping[Key, str]) -> list[str]:
        """Take in what an earlier session left, in the loop's thread; returns whose runs it is."""
        new = {key: text for key, text in left.items() if key not in self.texts}
        self._kept.update(new)
        self.texts.update(new)
        return [run for run, _ in new]
