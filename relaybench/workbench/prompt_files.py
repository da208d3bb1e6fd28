"""Prompts of manual cells as files, for terminals that do not hand them to the clipboard."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from relaybench.domain.results import Cell
from relaybench.store.manual import ManualCell
from relaybench.toml_files.replace import create_file, replace_file
from relaybench.workbench.manual import prompt_of
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
    folder = _folder(workspace)
    path = folder / f"answer-{_ODD.sub('-', run)[:60]}-{cell.id}.txt"
    replace_file(path, text)
    return path


def _folder(workspace: Workspace) -> Path:
    folder = workspace.root / FOLDER
    ignore = folder / ".gitignore"
    if not ignore.exists():
        create_file(ignore, "*\n")
    return folder
