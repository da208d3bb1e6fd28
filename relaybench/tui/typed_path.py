"""A path as a user types it: half of one at every key, with `~` for a home folder."""

from __future__ import annotations

from pathlib import Path

from relaybench.domain.errors import UsageError


def typed_path(text: str, root: Path) -> Path:
    """The path that is meant, below ``root`` where it begins with neither `/` nor `~`.

    Raises UsageError for the home folder of a user whom this machine does not know, and for what
    can be no path.
    """
    if not text.strip():
        raise UsageError("a file or folder is needed")
    if "\0" in text:
        raise UsageError("a path cannot hold the character NUL")
    try:
        return root / Path(text).expanduser()
    except RuntimeError as error:  # which is how pathlib says it
        user = text.partition("/")[0]
        raise UsageError(f"{user}: no such user here; ./{user} is a folder of that name") from error
