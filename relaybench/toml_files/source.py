"""One problem file as read from disk: its text, its data, and where every key stands."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from relaybench.domain.finding import Fault, Finding, KeyPath, dotted
from relaybench.domain.item import text_digest
from relaybench.toml_files.positions import key_lines, line_of


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
        text = read_text(path)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return Finding(
            shown, 0, "", "unreadable", f"cannot be read: {reason}", "check its permissions"
        )
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
    try:
        data = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        return _syntax_finding(shown, text, str(error))
    except RecursionError:
        return _syntax_finding(shown, text, "values are nested too deeply")
    return SourceFile(path, shown, text, data, key_lines(text))


def _syntax_finding(shown: str, text: str, message: str) -> Finding:
    at = re.search(r"\(at line (\d+), column (\d+)\)", message)
    line = int(at.group(1)) if at else text.count("\n") + (not text.endswith("\n"))
    reason = re.sub(r"\s*\(at .*\)$", "", message)
    where = f" at column {at.group(2)}" if at else " at the end of the file"
    return Finding(
        shown,
        line,
        "",
        "toml",
        f"not valid TOML{where}: {reason[:1].lower()}{reason[1:]}",
        "mend the line; strings need quotes, text with backslashes needs single quotes",
    )
