"""Fenced code blocks of a text, found by a CommonMark parser and read back from the text itself.

The parser (markdown-it-py, raw HTML off, block structure only) never sees the text but a *mask*
of it: the same lines and columns, line endings as LF, and every character that cannot take part
in block structure (not ASCII, or a control character) as ``x``. So what the parser would change
(NUL, lone CR, tabs) or choke on (lone surrogates) is safe: the mask says where a block stands,
the content comes from the original.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

_LINE_END: Final = re.compile(r"\r\n?|\n")
_NOT_STRUCTURE: Final = re.compile(r"[^\n\t -~]")


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block: its stripped content, where that stands, and how it was found.

    ``span`` holds character offsets into the text (end exclusive; start = end for an empty
    block); ``mended`` says that the second, tolerant reading had to mend one of its fences.
    """

    content: str
    span: tuple[int, int]
    closed: bool
    mended: bool


class Reading:
    """The fenced blocks that one parser finds in one text.

    A rule of the parser may add to a token's ``meta``: ``closed``, ``mended``, ``tail`` (how many
    characters at the end of the last content line are not content) and ``inline`` (the content
    stands on the opening line).
    """

    def __init__(self, text: str, parser: MarkdownIt) -> None:
        """Parse; ``text`` may be anything that is a ``str``."""
        self._text = text
        self._starts = [0]
        self._ends: list[int] = []
        for match in _LINE_END.finditer(text):
            self._ends.append(match.start())
            self._starts.append(match.end())
        self._ends.append(len(text))
        # The closing LF spares the parser its special cases for a last line without one.
        mask = _NOT_STRUCTURE.sub("x", _LINE_END.sub("\n", text)) + "\n"
        self._mask_lines = mask.split("\n")
        self._tokens = [token for token in parser.parse(mask) if token.type == "fence"]

    def __len__(self) -> int:
        """How many blocks there are, empty ones included."""
        return len(self._tokens)

    def from_the_end(self) -> Iterator[Block]:
        """Read the blocks, the last one first."""
        return (self._block(token) for token in reversed(self._tokens))

    def _block(self, token: Token) -> Block:
        first, end = token.map or (0, 0)
        rows = token.content.split("\n")[:-1]
        if not token.meta.get("inline", False):
            first += 1
        tail = int(token.meta.get("tail", 0))
        content, span = self._content(first, rows, tail)
        return Block(
            content=content,
            span=span,
            # An end fence is one line more than the content; without one there is no such line.
            closed=bool(token.meta.get("closed", first + len(rows) < end)),
            mended=bool(token.meta.get("mended", False)),
        )

    def _content(self, first: int, rows: list[str], tail: int) -> tuple[str, tuple[int, int]]:
        """Find each row of masked content in its line and read the original there."""
        pieces: list[str] = []
        places: list[int] = []  # where each piece stands in the text
        for number, row in enumerate(rows, first):
            cut = tail if number == first + len(rows) - 1 else 0
            line = self._mask_lines[number]
            line = line[: len(line) - cut]
            # A tab that is partly indentation comes back as the spaces that are left of it:
            # these have no place in the text. What follows them stands after that tab.
            pad = 0
            while not line.endswith(row[pad:]):
                pad += 1
            start = self._starts[number] + len(line) - len(row) + pad
            stop = self._ends[number] - cut
            pieces += (" " * pad, self._text[start:stop])
            places += (start, start)
            if number < first + len(rows) - 1:
                line_end = self._text[stop : self._starts[number + 1]]
                pieces.append("\n" if line_end == "\r\n" else line_end)
                places.append(stop)
        raw = "".join(pieces)
        content = raw.strip()
        if not content:
            where = self._starts[first] if first < len(self._starts) else len(self._text)
            return "", (where, where)
        lead = len(raw) - len(raw.lstrip())
        return content, (
            _place(pieces, places, lead),
            _place(pieces, places, lead + len(content) - 1) + 1,
        )


def _place(pieces: list[str], places: list[int], offset: int) -> int:
    """Where the character at ``offset`` of the joined pieces stands in the text."""
    for piece, place in zip(pieces, places, strict=True):
        if offset < len(piece):
            return place + offset
        offset -= len(piece)
    raise ValueError("offset outside of the content")
