"""Write files whole: readers see the old text or the new one, never a part."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from relaybench.domain.errors import WorkspaceError


def create_file(path: Path, text: str) -> None:
    """Write a new file; raises WorkspaceError where one is there already or cannot be made."""
    content = _encoded(path, text)
    made = False
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            made = True
            file.write(content)
    except FileExistsError as error:
        if not os.path.lexists(path):  # a file stands where a folder should
            raise WorkspaceError(
                f"{path} cannot be written: {error.filename} is no folder"
            ) from error
        raise WorkspaceError(f"{path} exists already; it was left as it is") from error
    except OSError as error:
        if made:
            with contextlib.suppress(OSError):
                path.unlink()
        raise WorkspaceError(f"{path} cannot be written: {error.strerror}") from error


def _encoded(path: Path, text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        bad = f"U+{ord(error.object[error.start]):04X}"
        raise WorkspaceError(
            f"{path} cannot be written: {bad} is half a character, which no UTF-8 file can hold"
        ) from error


def replace_file(path: Path, text: str) -> None:
    """Replace a file's content in one step: readers see the old text or the new, never a part.

    Raises WorkspaceError where that is impossible; the old file is then still there.
    """
    content = _encoded(path, text)
    temporary: Path | None = None
    target = Path(os.path.realpath(path))  # a link stays a link
    try:
        with contextlib.suppress(FileNotFoundError):
            path.stat()  # links in a circle are an error, not a file to be made
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix="~")
        temporary = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
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
