"""Make a workspace with one small example."""

from __future__ import annotations

from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from relaybench.domain.errors import WorkspaceError
from relaybench.toml_files.replace import create_file

#: Names that packages cannot carry as they are.
_RENAMED = {"gitignore": ".gitignore"}


def _files(folder: Traversable, prefix: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for entry in sorted(folder.iterdir(), key=lambda each: each.name):
        name = prefix + _RENAMED.get(entry.name, entry.name)
        if entry.is_dir():
            found.update(_files(entry, f"{name}/"))
        else:
            found[name] = entry.read_text("utf-8")
    return found


def init_workspace(folder: Path) -> list[Path]:
    """Write a new workspace into ``folder``; returns its files.

    Raises WorkspaceError, and writes nothing, where one of the files is there already.
    """
    files = _files(resources.files("relaybench.workbench") / "template")
    if folder.exists() and not folder.is_dir():
        raise WorkspaceError(f"{folder} is a file; name a folder")
    taken = [name for name in files if (folder / name).exists()]
    if taken:
        raise WorkspaceError(
            f"{folder} holds {', '.join(taken[:3])} already; nothing was written. "
            "Name an empty folder."
        )
    for name, text in files.items():
        create_file(folder / name, text)
    (folder / "problems" / "private" / "library").mkdir(parents=True, exist_ok=True)
    (folder / "problems" / "private" / "sets").mkdir(parents=True, exist_ok=True)
    return [folder / name for name in files]
