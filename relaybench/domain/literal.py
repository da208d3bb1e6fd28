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


#: What takes no room at all, and may say what nobody sees: zero-width spaces, tag characters.
_UNSEEN: Final = re.compile("[\u200b\u2060-\u2064\ufeff\U000e0000-\U000e007f]")
#: More marks on one character than any script has; terminals hang on a million of them.
_MOST_MARKS: Final = 32
_STACK: Final = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u064b-\u065f\u1ab0-\u1aff\u1dc0-\u1dff"
    "\u200c\u200d\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\U000e0100-\U000e01ef]"
    f"{{{_MOST_MARKS + 1},}}"
)


def readable(text: str) -> str:
    """As ``literal``; what is not seen is spelled out too, and heaps of marks are counted."""
    if text.isascii():
        return literal(text)
    seen = _UNSEEN.sub(lambda match: _escape(match[0]), literal(text))
    return _STACK.sub(
        lambda match: f"{match[0][:_MOST_MARKS]}(+{len(match[0]) - _MOST_MARKS:,} combining)", seen
    )
