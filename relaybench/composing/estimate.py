"""A stated rule of thumb for the number of tokens in a text; never used for billing.

Tokenizers differ by provider and some need the network. The rule: a run of letters counts one
token for every five letters begun, plus one for every change from a small letter to a capital or
back within the word (coded words such as ``AvY`` break up); three digits count one; every other
visible character counts one; single spaces and line breaks count nothing.
"""

from __future__ import annotations

import itertools
import re

_PIECE = re.compile(r"[^\W\d_]+|\d{1,3}|[^\w\s]|_")


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of a text, 0 for an empty one."""
    total = 0
    for piece in _PIECE.findall(text):
        if piece.isalpha():
            total += (len(piece) + 4) // 5 + _case_changes(piece)
        else:
            total += 1
    return total


def _case_changes(word: str) -> int:
    if word.islower() or word.isupper() or (word[1:].islower() and word[0].isupper()):
        return 0
    return sum(a.isupper() != b.isupper() for a, b in itertools.pairwise(word[1:]))
