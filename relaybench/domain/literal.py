"""Text from models and authors, made safe to show: what could command a terminal is spelled out.

The text itself is never changed where it is stored, sent or compared; only a showing of it is.
"""

from __future__ import annotations

import re
from typing import Final

#: C0 but tab and line feed, DEL, C1, bidirectional controls, line separators, lone surrogates.
_UNSAFE: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def _spelled(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def literal(text: str) -> str:
    """Spell out control characters as ``\\x1b``; tabs and line feeds stay."""
    return _UNSAFE.sub(_spelled, text)


def literal_line(text: str) -> str:
    """The same on one line: tabs and line feeds are spelled out too."""
    return literal(text).replace("\t", "\\t").replace("\n", "\\n")
