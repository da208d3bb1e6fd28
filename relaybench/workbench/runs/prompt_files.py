"""Prompts of manual cells as files, and pasted answers that are not stored yet.

An answer's file is ``answer-RUN-STORE-CELL.PROCESS.txt``: one for each process, so that two windows
on one workspace leave each other's answers alone. What a process left that lives no more is taken
by one other, by renaming. A file without a process, ``….aside-N.txt``, is nobody's: it stays.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from relaybench.domain.results import Cell
from relaybench.store.attempts import Attempts
from relaybench.store.database import Connection
from relaybench.store.manual import ManualCell
from relaybench.toml_files.replace import create_file, replace_file
from relaybench.workbench.runs.manual import prompt_of
from relaybench.workbench.windows import free_aside, is_others
from relaybench.workbench.workspace import Workspace

#: A folder of the workspace that keeps itself out of version control: prompts may be private.
FOLDER: Final = ".prompts"
_ODD: Final = re.compile(r"[^A-Za-z0-9._-]+")
_OWNED: Final = re.compile(r"(answer-.+)\.(\d+)\.txt")


@dataclass(frozen=True, slots=True)
class Left:
    """What sessions left of a run that are over.

    ``taken`` are answers of open cells, whose files are this process's now. ``aside`` are files of
    answers whose cells were answered otherwise.
    """

    taken: dict[Cell, str]
    aside: tuple[Path, ...]


def write_prompt(workspace: Workspace, cell: ManualCell) -> Path:
    """Write a cell's exact prompt into a file of its own; returns where.

    Raises WorkspaceError where that is impossible.
    """
    folder = _folder(workspace)
    name = _ODD.sub("-", cell.item).strip("-.")[:80]
    path = folder / f"{name}-{cell.cell.item[:8]}.txt"
    replace_file(path, prompt_of(workspace, cell))
    return path


def keep_answer(workspace: Workspace, run: str, cell: Cell, text: str) -> Path:
    """Keep an answer that is not stored in a file of this process; returns where.

    ``relaybench manual RUN … --answer FILE`` stores it. Raises WorkspaceError.
    """
    _folder(workspace)
    path = _own(workspace, run, cell)
    replace_file(path, text)
    return path


def drop_answer(workspace: Workspace, run: str, cell: Cell) -> None:
    """Remove this process's file of an answer: it is stored, or taken back. Raises OSError."""
    _own(workspace, run, cell).unlink(missing_ok=True)


def set_answer_aside(workspace: Workspace, run: str, cell: Cell, text: str) -> Path:
    """Keep an answer for good: neither offered again nor removed. Returns where.

    Raises WorkspaceError and OSError.
    """
    path = keep_answer(workspace, run, cell, text)
    return path.rename(_aside(path))


def keep_pasted(workspace: Workspace, text: str) -> Path:
    """Keep for good what was pasted before there was a cell for it. Raises WorkspaceError."""
    path = _aside(_folder(workspace) / "answer-pasted.0.txt")
    replace_file(path, text)
    return path


def take_left(workspace: Workspace, run: str, cells: Iterable[ManualCell]) -> Left:
    """Take what sessions that are over left of a run's answers; each file goes to one window.

    Of several answers to one open cell the newest is taken, the others stay for the next start.
    What says the same as the answer stored for its cell is removed. Raises StoreError and OSError.
    """
    by_stem: dict[str, list[Path]] = {}
    for path in (workspace.root / FOLDER).glob("answer-*.txt"):
        name = _OWNED.fullmatch(path.name)
        if name and not is_others(int(name[2])):
            by_stem.setdefault(name[1], []).append(path)
    taken: dict[Cell, str] = {}
    aside: list[Path] = []
    for each in cells if by_stem else ():
        own = _own(workspace, run, each.cell)
        for path in sorted(by_stem.get(_stem(workspace, run, each.cell), ()), key=_age):
            with contextlib.suppress(FileNotFoundError):  # another window was quicker
                text = path.read_bytes().decode("utf-8", "replace")
                if each.attempt is None:
                    if each.cell not in taken and (path == own or not own.exists()):
                        path.rename(own)
                        taken[each.cell] = text
                elif text == answer_stored(workspace, each.attempt):
                    path.unlink()
                else:
                    aside.append(path.rename(_aside(path)))
    return Left(taken, tuple(aside))


def answer_stored(workspace: Workspace, attempt: int) -> str:
    """The text of an answered attempt. Raises StoreError."""
    with contextlib.closing(Connection(workspace.database, create=False)) as connection:
        return Attempts(connection).gradable(attempt).text


def _age(path: Path) -> float:
    """What sorts the newest first; a file that is gone comes last."""
    try:
        return -path.stat().st_mtime
    except OSError:
        return 0.0


def _own(workspace: Workspace, run: str, cell: Cell) -> Path:
    name = f"{_stem(workspace, run, cell)}.{os.getpid()}.txt"
    return workspace.root / FOLDER / name


def _aside(path: Path) -> Path:
    """A free name for an answer that no process keeps any more."""
    stem = path.name.rpartition(".txt")[0].rpartition(".")[0]
    return free_aside(path.parent, stem, "txt")


def _stem(workspace: Workspace, run: str, cell: Cell) -> str:
    """One for each cell of each run of each results file: the demo's may hold equal names."""
    place = os.path.relpath(workspace.database, workspace.root)
    store = hashlib.sha256(place.encode("utf-8", "surrogateescape")).hexdigest()[:6]
    return f"answer-{_ODD.sub('-', run)[:60]}-{store}-{cell.id}"


def _folder(workspace: Workspace) -> Path:
    folder = workspace.root / FOLDER
    ignore = folder / ".gitignore"
    if not ignore.exists():
        create_file(ignore, "*\n")
    return folder
