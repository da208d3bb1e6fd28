"""Datasette's metadata as a file: never over a foreign one, and never over the results."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Final

from relaybench.domain.errors import UsageError
from relaybench.reports.datasette import TITLE
from relaybench.reports.files_beside import check_file, write_file

_MOST_BYTES: Final = 1 << 20  # ours are some 20 KB
#: What SQLite keeps beside a file, by how the names end.
_SIDE_FILES: Final = ("-wal", "-shm", "-journal")


def save_metadata(path: Path, text: str, database: Path) -> None:
    """Write metadata of a results file, or replace earlier ones.

    Raises UsageError, with nothing written, for the results file itself under whatever name and
    for any place but an earlier file of ours or a free one; OSError where the disk refuses.
    """
    if _belongs_to(path, database):
        raise UsageError(
            f"{path} is the results file itself or belongs to it; nothing was written: "
            "name another file, such as metadata.json"
        )
    check_file(path, "metadata", "metadata.json", _is_ours)
    write_file(path, [text])


def _belongs_to(path: Path, database: Path) -> bool:
    real = os.path.realpath(database)
    if os.path.realpath(path) in {real, *(f"{real}{end}" for end in _SIDE_FILES)}:
        return True
    with contextlib.suppress(OSError):  # one of them is not there
        return os.path.samefile(path, database)
    return False


def _is_ours(path: Path) -> bool:
    try:
        if path.stat().st_size > _MOST_BYTES:
            return False
        document = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return (
        isinstance(document, dict)
        and document.get("title") == TITLE
        and isinstance(document.get("databases"), dict)
    )
