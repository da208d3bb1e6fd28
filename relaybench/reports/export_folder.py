"""A folder that one export fills: all or nothing, and only files that an export made are touched.

Each file is written beside its place and moved there when all of them are whole.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, Final

from relaybench.domain.errors import UsageError

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


class FilesBeside:
    """Files that are written beside their places in a folder and all put there at the end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open = ExitStack()
        self._written: dict[str, BinaryIO] = {}

    def __enter__(self) -> FilesBeside:
        """Make the folder where it is not there."""
        self._folder.mkdir(parents=True, exist_ok=True)
        return self

    def __exit__(self, *_: object) -> None:
        """Remove what was not put in place."""
        self._open.close()
        for name in self._written:
            with contextlib.suppress(FileNotFoundError):
                self._beside(name).unlink()

    def _beside(self, name: str) -> Path:
        return self._folder / f".{name}.{os.getpid()}.tmp"

    def opened(self, name: str) -> BinaryIO:
        """Open a file for bytes; it is closed by ``put_in_place``."""
        path = self._beside(name)
        with contextlib.suppress(FileNotFoundError):
            path.unlink()  # left by a dead process that had our number
        self._written[name] = self._open.enter_context(path.open("x+b"))
        return self._written[name]

    def put_in_place(self, first: str | None = None, stale: Sequence[str] = ()) -> list[Path]:
        """Make all files durable, remove stale ones, then move each to its place.

        ``first`` is moved before the others. Returns the paths in the order of writing, ``first``
        first.
        """
        for stream in self._written.values():
            stream.flush()
            os.fsync(stream.fileno())
        self._open.close()
        for name in stale:
            (self._folder / name).unlink(missing_ok=True)
        names = sorted(self._written, key=lambda name: name != first)
        for name in names:
            os.replace(self._beside(name), self._folder / name)
        return [self._folder / name for name in names]


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


def check_folder(folder: Path) -> None:
    """Raise UsageError where a path is something else than a folder."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; choose a folder for the export")


def is_plain(path: Path) -> bool:
    """Whether it is a file of its own, no link and no folder."""
    return path.is_file() and not path.is_symlink()


def _earlier_files(path: Path) -> Mapping[str, str | None] | None:
    """SHA-256 by name of what an earlier export wrote; None where ``run.json`` is not ours."""
    if not is_plain(path):
        return None
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
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
