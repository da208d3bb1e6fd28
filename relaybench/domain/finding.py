"""What is wrong with a problem file, where, and how to mend it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """An error keeps a composite from being run; a warning does not."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One thing that is wrong with one place of one file.

    ``file`` is the path as the user would type it, ``line`` counts from 1 (0: the whole file),
    ``key`` is a dotted TOML path such as ``instances[2].answer``, ``code`` a stable short name
    for machines, ``problem`` says what is wrong and ``mend`` what to do about it.
    """

    file: str
    line: int
    key: str
    code: str
    problem: str
    mend: str
    severity: Severity = Severity.ERROR


#: A place in a TOML file: table names, indexes of arrays, keys.
KeyPath = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """A finding that does not yet know its file: made by rules, placed by the library."""

    path: KeyPath
    code: str
    problem: str
    mend: str
    severity: Severity = Severity.ERROR


def dotted(path: KeyPath) -> str:
    """Write a key path as ``steps[2].inputs.upper``."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text
