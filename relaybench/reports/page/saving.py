"""A page as a file: it replaces an earlier page of ours, never a foreign file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from relaybench.reports.files_beside import Told, check_file, silent, write_file
from relaybench.reports.page.frame import MARKER

_HEAD: Final = 2_000  # bytes in which the marker of a page of ours stands


def check_place(path: Path) -> None:
    """Raise UsageError where a page must not be written: a folder, a link, a foreign file."""
    check_file(path, "report", "report.html", _is_ours)


def save(path: Path, parts: Iterable[str], told: Told = silent) -> None:
    """Write a page piece by piece, in flat memory.

    Raises UsageError for a place that must not be written to, OSError where the disk refuses; what
    was there before is whole then.
    """
    check_place(path)
    write_file(path, parts, told)


def _is_ours(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return MARKER.encode() in stream.read(_HEAD)
    except OSError:
        return False
