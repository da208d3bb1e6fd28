"""The one way in which reports write files: beside their places, made durable, then moved there.

A write that is interrupted or fails leaves every old file whole and nothing beside it; what a
killed process left there goes with the next write into the folder.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, Final, TypeVar

from relaybench.domain.errors import UsageError

#: What is not in place yet, with the number of the process that writes it.
_TEMPORARY: Final = re.compile(r"\..+\.relaybench-([1-9][0-9]{0,8})\.tmp")


#: Is told what is being done; what it raises stops the writing, which leaves nothing behind.
Told = Callable[[str], None]
_Record = TypeVar("_Record")
#: Records between two words on how many there were.
_TOLD_EVERY: Final = 200


def silent(_: str) -> None:
    """Tell nobody."""


def told_of(records: Iterable[_Record], what: str, told: Told) -> Iterator[_Record]:
    """The records, telling now and then how many of ``what`` there were."""
    for number, record in enumerate(records):
        if number % _TOLD_EVERY == 0:
            told(f"{what} {number:,}")
        yield record


class FilesBeside:
    """Files that are written beside their places in a folder and all put there at the end.

    ``told`` is told the name of each that is begun.
    """

    def __init__(self, folder: Path, told: Told = silent) -> None:
        self._folder = folder
        self._told = told
        self._open = ExitStack()
        self._names: list[str] = []
        self._streams: list[BinaryIO] = []

    def __enter__(self) -> FilesBeside:
        """Make the folder where it is not there, and clear what dead processes left in it."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(OSError):
            _clear(self._folder)
        return self

    def __exit__(self, *_: object) -> None:
        """Remove what was not put in place."""
        # Closing writes what is buffered, which fails once more where the disk is full.
        with contextlib.suppress(OSError):
            self._open.close()
        for name in self._names:
            with contextlib.suppress(OSError):
                self._beside(name).unlink()

    def _beside(self, name: str) -> Path:
        return self._folder / f".{name}.relaybench-{os.getpid()}.tmp"

    def opened(self, name: str) -> BinaryIO:
        """Open a file for bytes; it is closed by ``put_in_place``."""
        self._told(name)
        path = self._beside(name)
        with contextlib.suppress(FileNotFoundError):
            path.unlink()  # left by a dead process that had our number
        self._names.append(name)  # first: it is removed even if we are interrupted right here
        stream = self._open.enter_context(path.open("x+b"))
        self._streams.append(stream)
        return stream

    def put_in_place(self, first: str | None = None, stale: Sequence[str] = ()) -> list[Path]:
        """Make all files durable, remove stale ones, then move each to its place.

        ``first`` is moved before the others. Returns the paths in the order of writing, ``first``
        first.
        """
        for stream in self._streams:
            stream.flush()
            os.fsync(stream.fileno())
        self._open.close()
        for name in stale:
            (self._folder / name).unlink(missing_ok=True)
        names = sorted(self._names, key=lambda name: name != first)
        for name in names:
            os.replace(self._beside(name), self._folder / name)
        return [self._folder / name for name in names]


def _clear(folder: Path) -> None:
    for name in os.listdir(folder):
        found = _TEMPORARY.fullmatch(name)
        if found and is_plain(folder / name) and _is_dead(int(found[1])):
            (folder / name).unlink(missing_ok=True)


def _is_dead(process: int) -> bool:
    if os.name != "posix":
        return False  # there, asking whether a process lives would end it
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except OSError:
        pass  # it belongs to somebody else
    return False


def write_file(path: Path, parts: Iterable[str], told: Told = silent) -> None:
    """Write one file of UTF-8 text, part by part in flat memory. OSError where the disk refuses."""
    with FilesBeside(path.parent, told) as files:
        stream = files.opened(path.name)
        for part in told_of(parts, "part", told):
            stream.write(part.encode("utf-8"))
        files.put_in_place()


def check_folder(folder: Path, what: str = "the export") -> None:
    """Raise UsageError where a path for ``what`` is something else than a folder."""
    if folder == Path("-"):
        raise UsageError(f"{what} cannot go to stdout (-); choose a folder, such as results")
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; choose a folder for {what}")


def check_file(path: Path, what: str, example: str, is_ours: Callable[[Path], bool]) -> None:
    """Raise UsageError where ``what`` must not be written: a folder, a link, a foreign file.

    ``example`` is a name for the file; ``is_ours`` is asked of a plain file that is there.
    """
    if path == Path("-"):
        raise UsageError(f"the {what} cannot go to stdout by -; name a file, such as {example}")
    if path.is_dir():
        raise UsageError(f"{path} is a folder; name a file in it, such as {path / example}")
    if not path.parent.is_dir():
        raise UsageError(f"there is no folder {path.parent}; make it first, or name another file")
    if path.is_symlink():
        raise UsageError(
            f"{path} is a link to {os.readlink(path)}; nothing was written: name the file itself, "
            "or another one"
        )
    if os.path.lexists(path) and not (is_plain(path) and is_ours(path)):
        raise UsageError(
            f"{path} is there already and no {what} of relaybench; nothing was written: "
            "name another file, or remove it"
        )


def is_plain(path: Path) -> bool:
    """Whether it is a file of its own, no link and no folder."""
    return path.is_file() and not path.is_symlink()
