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
_SHORT: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _escape(character: str) -> str:
    code = ord(character)
    if character in _SHORT:
        return _SHORT[character]
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def literal(text: str) -> str:
    """Running text: control characters as ``\\x1b``; tabs, line feeds and all else stay."""
    return _UNSAFE.sub(lambda match: _escape(match[0]), text)


def visible(text: str, keep: str = "") -> str:
    """A text on one line and in full view: everything that does not print as an escape.

    That takes in zero-width and odd spaces, which may be all that two answers differ by.
    ``keep`` stays as it is.
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() or each in keep else _escape(each) for each in text)
