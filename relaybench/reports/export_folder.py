"""A folder that one export fills: which files of it are ours, and may be replaced or removed."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import BinaryIO, Final

from relaybench.domain.errors import UsageError
from relaybench.reports.files_beside import check_folder, is_plain

#: Marks the folder of an export as ours, and lists every other file of it with its SHA-256.
RUN_FILE: Final = "run.json"
#: Tells an export's files from anybody else's.
MADE_BY: Final = "relaybench export"
#: What the files of an export may be called: nothing hidden, nothing that leads out of the folder.
_PLAIN: Final = re.compile(r"[a-z0-9][a-z0-9_-]*\.(csv|md|tex|json|jsonl)")
#: What exports wrote before ``run.json`` listed it.
_FIRST_FILES: Final = (
    *(f"{name}.{end}" for name in ("leaderboard", "costs") for end in ("csv", "md", "tex", "json")),
    *("attempts.csv", "attempts.jsonl", "responses.jsonl"),
)
_BLOCK: Final = 1 << 20


class HashedText:
    """Writes text as UTF-8 and keeps the SHA-256 of all of it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._digest = hashlib.sha256()

    def write(self, text: str) -> None:
        """Append text."""
        data = text.encode("utf-8")
        self._digest.update(data)
        self._stream.write(data)

    @property
    def sha256(self) -> str:
        """SHA-256 of what was written so far, in hexadecimal."""
        return self._digest.hexdigest()


def stale_files(folder: Path, names: Collection[str], secret: Collection[str]) -> list[str]:
    """Check that a folder may be filled with files of these names, ``run.json`` besides.

    Returns the files of an earlier export that this one would leave behind. Raises UsageError
    where the folder is none, where it holds files of these names that no export made, where a
    file to be left behind is among ``secret`` ones, or was changed since.
    """
    check_names(names)
    check_folder(folder)
    earlier = _earlier_files(folder / RUN_FILE)
    ours = {RUN_FILE, *earlier} if earlier is not None else set()
    there = [name for name in (RUN_FILE, *names) if os.path.lexists(folder / name)]
    stale = [name for name in earlier or {} if name not in names and os.path.lexists(folder / name)]
    odd = [name for name in there + stale if name not in ours or not is_plain(folder / name)]
    if odd:
        raise UsageError(
            f"{folder} holds {', '.join(odd)}, which no export of relaybench made; "
            "nothing was written: choose another folder"
        )
    answers = [name for name in stale if name in secret]
    if answers:
        raise UsageError(
            f"{folder} holds {', '.join(answers)} of an export with answers, which this export "
            "without answers would leave there; nothing was written: choose another folder, or "
            "remove it"
        )
    known = earlier or {}
    changed = [name for name in stale if known[name] != _sha256(folder / name)]
    if changed:
        raise UsageError(
            f"{folder} holds {', '.join(changed)} of an earlier export, which this export does "
            "not replace and somebody changed since; nothing was written: choose another folder, "
            "or remove what you don't need"
        )
    return stale


def check_names(names: Collection[str]) -> None:
    """Raise ValueError, a bug of ours, for names that no file of an export may have."""
    if len(set(names)) != len(names):
        raise ValueError(f"two files of an export have one name: {sorted(names)}")
    for name in names:
        if not _PLAIN.fullmatch(name) or name == RUN_FILE:
            raise ValueError(f"{name!r} cannot be a file of an export")


def _earlier_files(path: Path) -> Mapping[str, str | None] | None:
    """SHA-256 by name of what an earlier export wrote; None where ``run.json`` is not ours."""
    if not is_plain(path):
        return None
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(record, dict) or record.get("made_by") != MADE_BY:
        return None
    files = record.get("files")
    if not isinstance(files, dict):
        return dict.fromkeys(_FIRST_FILES)
    return {name: digest for name, digest in files.items() if _PLAIN.fullmatch(name)}


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
