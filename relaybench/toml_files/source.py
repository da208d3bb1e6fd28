"""One problem file as read from disk: its text, its data, and where every key stands."""

from __future__ import annotations

import errno
import re
import stat
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Final

from relaybench.domain.finding import Fault, Finding, KeyPath, dotted
from relaybench.domain.item import text_digest
from relaybench.toml_files.positions import key_lines, last_pair, line_of, unclosed

#: Largest file that is read, and deepest nesting of tables and lists; nobody writes more by hand.
MAX_BYTES: Final = 10_000_000
MAX_DEPTH: Final = 40

_MENDS: Final = {
    errno.ENOENT: "it is a link to nothing: remove it or mend the link",
    errno.ELOOP: "its links lead in a circle: remove it or mend the link",
    errno.EISDIR: "rename the folder, or move it elsewhere",
}
_CLOSE: Final = {
    "string": "close it with the quotes that opened it",
    "list": "close it with ]",
    "table": "close it with }",
}
#: What int and Decimal refuse: thousands of digits, and exponents without end.
_VAST_NUMBER: Final = re.compile(r"[0-9][0-9_]{4000,}|[eE][+-]?[0-9_]{15,}")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that is valid TOML. ``shown`` is its path as a user would type it."""

    path: Path
    shown: str
    text: str
    data: Mapping[str, object]
    lines: Mapping[KeyPath, int]

    @property
    def digest(self) -> str:
        """Hash of the text as read, to notice changes on disk before saving."""
        return text_digest(self.text)

    def place(self, faults: Iterable[Fault]) -> list[Finding]:
        """Give faults their file and line."""
        return [
            Finding(
                self.shown,
                line_of(self.lines, fault.path),
                dotted(fault.path),
                fault.code,
                fault.problem,
                fault.mend,
                fault.severity,
            )
            for fault in faults
        ]


def read_text(path: Path) -> str:
    """Read a file as UTF-8 without touching its line ends. Raises OSError, UnicodeDecodeError."""
    return path.read_bytes().decode("utf-8")


def read_source(path: Path, shown: str) -> SourceFile | Finding:
    """Read a TOML file; where that is impossible, a finding says at which line and why."""
    try:
        if stat.S_ISFIFO(path.stat().st_mode):  # reading it would wait for ever
            return Finding(shown, 0, "", "unreadable", "is a pipe, not a file", "remove it")
        if (size := path.stat().st_size) > MAX_BYTES:
            problem = f"has {size:,} bytes; at most {MAX_BYTES:,} are read"
            return Finding(shown, 0, "", "too-large", problem, "split it, or move it elsewhere")
        text = read_text(path)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        mend = _MENDS.get(error.errno or 0, "check its permissions")
        return Finding(shown, 0, "", "unreadable", f"cannot be read: {reason}", mend)
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        byte = f"0x{error.object[error.start]:02x}"
        return Finding(
            shown,
            line,
            "",
            "not-utf8",
            f"byte {byte} is not UTF-8 text",
            "save the file as UTF-8",
        )
    return parse_source(path, shown, text)


def parse_source(path: Path, shown: str, text: str) -> SourceFile | Finding:
    """Read a text as the file at ``path`` that it is, or is to become; see ``read_source``."""
    if text.startswith("\ufeff"):
        return _syntax_finding(
            shown, 1, "the file begins with a byte order mark", "save it as UTF-8 without BOM"
        )
    try:
        data = tomllib.loads(text, parse_float=Decimal)
        lines = key_lines(text)
    except tomllib.TOMLDecodeError as error:
        return _toml_finding(shown, text, str(error))
    except (ValueError, ArithmeticError):
        number = _VAST_NUMBER.search(text)
        line = text.count("\n", 0, number.start()) + 1 if number else 1
        return _syntax_finding(shown, line, "a number is too large", "put it in quotes")
    except RecursionError:
        lines = {}
        data = None
    deepest = max(lines, key=len, default=())
    if data is None or len(deepest) > MAX_DEPTH:
        line = lines.get(deepest, 0)  # 0: it could not even be read so far
        return _syntax_finding(
            shown, line, f"values are nested more than {MAX_DEPTH} deep", "nest them less"
        )
    return SourceFile(path, shown, text, data, lines)


def _toml_finding(shown: str, text: str, message: str) -> Finding:
    """Say in words of ours what tomllib refuses, at the line where the author must look."""
    text = text.replace("\r\n", "\n")  # as tomllib counts
    at = re.search(r"\(at line (\d+), column (\d+)\)", message)
    line = int(at.group(1)) if at else text.count("\n") + (not text.endswith("\n"))
    reason = re.sub(r"\s*\(at .*\)$", "", message)
    if reason == "Cannot overwrite a value":
        before = sum(len(each) + 1 for each in text.split("\n")[: line - 1])
        end = before + int(at.group(2)) - 1 if at else len(text)
        path, first, again = last_pair(text[:end])
        if path and first != again:
            problem = f"{dotted(path)} is given twice, first in line {first}"
            return _syntax_finding(shown, again, problem, "take one of them out", dotted(path))
    if not at and (found := unclosed(text)):
        what, begin = found
        problem = f"not valid TOML: the {what} that begins here is never closed"
        return _syntax_finding(shown, begin, problem, _CLOSE[what])
    where = f" at column {at.group(2)}" if at else " at the end of the file"
    return _syntax_finding(
        shown,
        line,
        f"not valid TOML{where}: {reason[:1].lower()}{reason[1:]}",
        "mend the line; strings need quotes, text with backslashes needs single quotes",
    )


def _syntax_finding(shown: str, line: int, problem: str, mend: str, key: str = "") -> Finding:
    return Finding(shown, line, key, "toml", problem, mend)
