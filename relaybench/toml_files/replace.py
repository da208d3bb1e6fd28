"""Write files whole: readers see the old text or the new one, never a part."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from relaybench.domain.errors import WorkspaceError


def create_file(path: Path, text: str) -> None:
    """Write a new file; raises WorkspaceError where one is there already or cannot be made."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="") as file:
            file.write(text)
    except FileExistsError as error:
        raise WorkspaceError(f"{path} exists already; it was left as it is") from error
    except OSError as error:
        raise WorkspaceError(f"{path} cannot be written: {error.strerror}") from error


def replace_file(path: Path, text: str) -> None:
    """Replace a file's content in one step: readers see the old text or the new, never a part.

    Raises WorkspaceError where that is impossible; the old file is then still there.
    """
    temporary: Path | None = None
    target = path.resolve()  # a link stays a link
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix="~")
        temporary = Path(name)
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            temporary.chmod(target.stat().st_mode & 0o777)
        else:
            temporary.chmod(0o644)
        temporary.replace(target)
    except OSError as error:
        if temporary:
            with contextlib.suppress(OSError):
                temporary.unlink()
        raise WorkspaceError(f"{path} cannot be written: {error.strerror}") from error
