"""Change several problem files together: all of them, or none."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from relaybench.domain.errors import ProblemError, RelaybenchError, StaleFileError, WorkspaceError
from relaybench.domain.finding import Finding
from relaybench.toml_files.replace import create_file, replace_file
from relaybench.toml_files.source import parse_source, read_text


@dataclass(frozen=True, slots=True)
class Rewrite:
    """One file's text before and after; None where there is no file then."""

    path: Path
    shown: str
    before: str | None
    after: str | None


def rewrite(changes: Sequence[Rewrite]) -> None:
    """Make all changes, or none: new files first, removals last.

    Before the first is written, every file is looked at: one that is no longer as it was read is
    a StaleFileError, one that could not be read afterwards a ProblemError. Where writing fails,
    what was written is taken back, and the WorkspaceError says so.
    """
    for each in changes:
        _look_at(each)
    done: list[Rewrite] = []
    try:
        for each in sorted(changes, key=lambda change: (change.after is None, change.before or "")):
            _carry_out(each)
            done.append(each)
    except (RelaybenchError, OSError) as error:
        left = [each.shown for each in reversed(done) if not _taken_back(each)]
        state = f"; these files are changed all the same: {', '.join(left)}" if left else ""
        raise WorkspaceError(f"{error}; nothing was changed{state}") from error


def _look_at(change: Rewrite) -> None:
    if change.before is None:
        if os.path.lexists(change.path):
            raise WorkspaceError(f"{change.shown} exists already; nothing was changed")
    else:
        try:
            current = read_text(change.path)
        except (OSError, UnicodeDecodeError):
            current = None
        if current != change.before:
            raise StaleFileError(
                f"{change.shown} was changed on disk since it was read; nothing was changed. "
                "Load it again and repeat the change."
            )
    if change.after is not None:
        source = parse_source(change.path, change.shown, change.after)
        if isinstance(source, Finding):
            raise ProblemError(f"{change.shown} could not be read afterwards", [source])


def _carry_out(change: Rewrite) -> None:
    if change.after is None:
        try:
            change.path.unlink()
        except OSError as error:
            raise WorkspaceError(f"{change.path} cannot be removed: {error.strerror}") from error
    elif change.before is None:
        create_file(change.path, change.after)
    else:
        replace_file(change.path, change.after)


def _taken_back(change: Rewrite) -> bool:
    """Undo one change; says whether that worked."""
    with contextlib.suppress(RelaybenchError, OSError):
        if change.before is None:
            change.path.unlink()
        else:
            replace_file(change.path, change.before)
        return True
    return False
