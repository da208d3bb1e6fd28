"""What unsaved work that was found changes in the file that it belongs to."""

from __future__ import annotations

import contextlib
from difflib import unified_diff
from typing import Final

from relaybench.toml_files.source import read_text
from relaybench.workbench.problems.saving import Recovery

#: Lines shown around what differs.
_AROUND: Final = 2


def difference(recovery: Recovery) -> str:
    """The lines that differ from the file as it is now, with - for its own and + for the unsaved.

    Where there is no such file, or none that can be read, the whole text is new.
    """
    now = ""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        now = read_text(recovery.path)
    lines = unified_diff(
        _lines(now), _lines(recovery.text), "the file", "unsaved work", n=_AROUND, lineterm=""
    )
    return "\n".join(lines) or "There is no difference to the file."


def _lines(text: str) -> list[str]:
    # Not splitlines: that would hide which of the many kinds of line ends stands in a string.
    return text.removesuffix("\n").split("\n") if text else []
