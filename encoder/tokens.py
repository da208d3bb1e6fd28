"""Split text into words, digits, symbols and white space; joining is the exact inverse.

A word is a maximal run of letters, a digit or symbol stands alone, and white space comes in
runs. White space is what ``str.isspace`` says, letters are what :mod:`encoder.letters` says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from encoder.letters import letter_class

# Splits nearly all text rightly, and fast. Its words may also hold what Python counts as
# numeric but not as a digit or a letter (a superscript two, a Roman numeral), and letters
# that are too new to count; `_exact` takes such words apart.
_QUICK = re.compile(r"[^\W\d_]+|\s+|\S")


@cache
def _exact() -> re.Pattern[str]:
    # Compiled on first use: most texts are plain ASCII and never need it.
    return re.compile(f"[{letter_class()}]+|\\s+|\\S")


def split(text: str) -> list[str]:
    """Split ``text`` into tokens and runs of white space, in order and without loss."""
    pieces = _QUICK.findall(text)
    if text.isascii():
        return pieces
    exact = _exact()
    doubtful = (piece for piece in set(pieces) if len(piece) > 1 and not piece.isascii())
    taken_apart = {piece: parts for piece in doubtful if len(parts := exact.findall(piece)) > 1}
    if not taken_apart:
        return pieces
    return [part for piece in pieces for part in taken_apart.get(piece, (piece,))]


def join(pieces: Iterable[str]) -> str:
    """Put the pieces of :func:`split` together again."""
    return "".join(pieces)


def is_space(piece: str) -> bool:
    """Say whether a piece of :func:`split` is white space, which is never encoded."""
    return piece.isspace()
