"""Prompts of manual cells as files, for terminals that do not hand them to the clipboard."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from relaybench.domain.results import Cell
from relaybench.store.manual import ManualCell
from relaybench.toml_files.replace import create_file, replace_file
from relaybench.workbench.runs.manual import prompt_of
from relaybench.workbench.workspace import Workspace

#: A folder of the workspace that keeps itself out of version control: prompts may be private.
FOLDER: Final = ".prompts"
_ODD: Final = re.compile(r"[^A-Za-z0-9._-]+")


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
    """Keep an answer that is not stored in a file beside the prompts; returns where.

    ``relaybench manual RUN … --answer FILE`` stores it. Raises WorkspaceError.
    """
    _folder(workspace)
    path = _answer_path(workspace, run, cell)
    replace_file(path, text)
    return path


def kept_answers(workspace: Workspace, run: str, cells: Iterable[Cell]) -> dict[Cell, str]:
    """Answers of these cells that were kept and not stored. Raises OSError."""
    if not (workspace.root / FOLDER).is_dir():
        return {}
    found: dict[Cell, str] = {}
    for cell in cells:
        path = _answer_path(workspace, run, cell)
        if path.is_file():
            found[cell] = path.read_bytes().decode("utf-8", "replace")
    return found


def drop_answer(workspace: Workspace, run: str, cell: Cell) -> None:
    """Remove a kept answer: it is stored, or its person has taken it back. Raises OSError."""
    _answer_path(workspace, run, cell).unlink(missing_ok=True)


def _answer_path(workspace: Workspace, run: str, cell: Cell) -> Path:
    """One file for each cell of each run of each results file: the demo's may hold equal names."""
    place = os.path.relpath(workspace.database, workspace.root)
    store = hashlib.sha256(place.encode("utf-8", "surrogateescape")).hexdigest()[:6]
    name = f"answer-{_ODD.sub('-', run)[:60]}-{store}-{cell.id}.txt"
    return workspace.root / FOLDER / name


def _folder(workspace: Workspace) -> Path:
    folder = workspace.root / FOLDER
    ignore = folder / ".gitignore"
    if not ignore.exists():
        create_file(ignore, "*\n")
    return folder
