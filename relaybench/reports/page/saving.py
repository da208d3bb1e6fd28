"""Write a page beside its place and move it there when it is whole; never over a foreign file."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from relaybench.domain.errors import UsageError
from relaybench.reports.page.frame import MARKER

_HEAD: Final = 2_000  # bytes in which the marker of a page of ours stands


def check_place(path: Path) -> None:
    """Raise UsageError where a page must not be written: a folder, a link, a foreign file."""
    if path.is_dir():
        raise UsageError(f"{path} is a folder; name a file in it, such as {path / 'report.html'}")
    if not path.parent.is_dir():
        raise UsageError(f"there is no folder {path.parent}; make it first, or name another file")
    if not os.path.lexists(path):
        return
    if path.is_symlink() or not path.is_file() or not _is_ours(path):
        raise UsageError(
            f"{path} is there already and no report of relaybench; nothing was written: "
            "name another file, or remove it"
        )


def _is_ours(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return MARKER.encode() in stream.read(_HEAD)
    except OSError:
        return False


def save(path: Path, parts: Iterable[str]) -> None:
    """Write a page piece by piece, in flat memory, and move it to its place once it is durable.

    Raises UsageError for a place that must not be written to, OSError where the disk refuses; what
    was there before is whole then.
    """
    check_place(path)
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with contextlib.suppress(FileNotFoundError):
        beside.unlink()  # left by a dead process that had our number
    try:
        with beside.open("x", encoding="utf-8", newline="") as stream:
            for part in parts:
                stream.write(part)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(beside, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            beside.unlink()
