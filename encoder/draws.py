"""Seeded draws that come out the same on every machine and every version of Python.

``random.shuffle``, ``sample`` and ``choice`` have changed between versions and promise
nothing, and ``random.Random(-1)`` equals ``random.Random(1)``. So the numbers here are the
SHAKE-256 digests (FIPS 202) of a purpose, the seed and a counter, cut into 64-bit big-endian
integers.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from hashlib import shake_256
from itertools import count
from typing import TypeVar

T = TypeVar("T")

_SPAN = 1 << 64
_BLOCK = struct.Struct(">128Q")


def _stream(key: bytes) -> Iterator[int]:
    for counter in count():
        yield from _BLOCK.unpack(shake_256(b"%s%d" % (key, counter)).digest(_BLOCK.size))


class Draws:
    """An endless stream of draws, fixed by a purpose (what they are for) and a seed."""

    def __init__(self, purpose: str, seed: int) -> None:
        """Start the stream; two purposes never share draws, and any integer is a seed."""
        # Hexadecimal: Python refuses to write very long integers in decimal.
        self._numbers = _stream(f"{purpose}:{seed:x}:".encode("ascii"))

    def below(self, bound: int) -> int:
        """Draw an integer from 0 to ``bound - 1``, each equally likely."""
        number = next(self._numbers)
        # The last few numbers would make small results likelier. The first comparison is
        # nearly always false and saves the division in the second.
        while number >= _SPAN - bound and number >= _SPAN - _SPAN % bound:
            number = next(self._numbers)
        return number % bound

    def pick(self, choices: Sequence[T]) -> T:
        """Draw one of ``choices``, which must not be empty."""
        return choices[self.below(len(choices))]

    def sample(self, things: Iterable[T], size: int) -> list[T]:
        """Return ``size`` of the things (all, if there are fewer) in a drawn order."""
        # Fisher and Yates, stopped early.
        rest = list(things)
        below = self.below
        for first in range(min(size, len(rest) - 1)):
            other = first + below(len(rest) - first)
            rest[first], rest[other] = rest[other], rest[first]
        return rest[:size]

    def shuffled(self, things: Iterable[T]) -> list[T]:
        """Return all the things in a drawn order."""
        order = list(things)
        return self.sample(order, len(order))
