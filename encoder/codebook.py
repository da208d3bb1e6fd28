"""Seeded codes for tokens, with look-alike (case twin) pairs.

A code is three ASCII letters. Codes whose letters differ in capitalisation only are case
twins (``aXy`` and ``AxY``). A codebook is the list of its entries in dictionary order,
which is drawn too, so that it says nothing about the order of the words in the text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product
from math import ceil
from string import ascii_lowercase, ascii_uppercase
from typing import NamedTuple

from encoder.draws import Draws
from encoder.errors import (
    DamagedDictionaryError,
    EncoderError,
    OutOfCodesError,
    SettingError,
    quoted,
)

CAPACITY = 52**3
"""How many codes there are: 140,608."""

_SPELLINGS = 26**3  # codes that differ in more than capitalisation
_CASES = tuple(product((0, 1), repeat=3))  # which letters of a spelling are capitals
# Nearly every family is this small, and a single draw from here is faster than sampling.
_ORDERED_CASES = {size: tuple(permutations(_CASES, size)) for size in (1, 2, 3)}
_CODE = re.compile(r"[A-Za-z]{3}")
_TOKEN = re.compile(r"\S+")
_LINE = re.compile(r"<([A-Za-z]{3})> : (\S+)\r?")  # the \r: a file that was saved on Windows


class Entry(NamedTuple):
    """One line of a dictionary: a code and the token that it stands for."""

    code: str
    token: str


@dataclass(frozen=True, slots=True)
class Codebook:
    """Codes and their tokens in dictionary order.

    Codes are unique. A token may have several codes, of which encoding takes the first.
    """

    entries: tuple[Entry, ...]

    def __post_init__(self) -> None:
        """Refuse what no dictionary line could say, and a code that is given twice."""
        seen: dict[str, int] = {}
        for number, (code, token) in enumerate(self.entries, 1):
            if not _CODE.fullmatch(code):
                raise EncoderError(
                    f"entry {number}: {quoted(code)} is no code; a code is three ASCII letters"
                )
            if not _TOKEN.fullmatch(token):
                raise EncoderError(
                    f"entry {number}: {quoted(token)} is no token; a token is not empty and "
                    "has no white space"
                )
            if seen.setdefault(code, number) != number:
                raise EncoderError(
                    f"entries {seen[code]} and {number} both have the code <{code}>; drop one"
                )

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self.entries)

    @property
    def text(self) -> str:
        """The dictionary as it stands in a prompt: one ``<code> : token`` a line."""
        return "".join([f"<{code}> : {token}\n" for code, token in self.entries])

    @property
    def twins(self) -> int:
        """How many of the codes have a case twin in this codebook."""
        spellings = Counter(code.lower() for code, _ in self.entries)
        return sum(size for size in spellings.values() if size > 1)


def make_codebook(tokens: Iterable[str], *, seed: int, twin_share: float = 0.5) -> Codebook:
    """Draw a code for every distinct token.

    At least ``twin_share`` (0 to 1) of the codes have a case twin, unless there is one token
    only. The order in which the tokens come makes no difference.
    """
    if not 0 <= twin_share <= 1:
        raise SettingError(f"the twin share must be from 0 to 1, not {twin_share}")
    distinct = sorted(set(tokens))
    if len(distinct) > CAPACITY:
        raise OutOfCodesError(
            f"{len(distinct):,} distinct tokens, but there are only {CAPACITY:,} codes; "
            "shorten the text or split it"
        )
    draws = Draws("codebook", seed)
    order = iter(draws.shuffled(distinct))
    sizes = _family_sizes(len(distinct), twin_share)
    spellings = draws.sample(_spellings(), len(sizes))
    entries = [
        Entry(a[i] + b[j] + c[k], next(order))
        for (a, b, c), size in zip(spellings, sizes, strict=True)
        for i, j, k in _some_cases(draws, size)
    ]
    return Codebook(tuple(draws.shuffled(entries)))


@cache
def _spellings() -> tuple[tuple[tuple[str, str], ...], ...]:
    """Return all spellings: for each letter its small and its capital form."""
    return tuple(product(zip(ascii_lowercase, ascii_uppercase, strict=True), repeat=3))


def _some_cases(draws: Draws, size: int) -> Sequence[tuple[int, ...]]:
    if size in _ORDERED_CASES:
        return draws.pick(_ORDERED_CASES[size])
    return draws.sample(_CASES, size)


def _family_sizes(codes: int, twin_share: float) -> list[int]:
    """Say how many codes each spelling gets, so that enough codes have a case twin."""
    twins = ceil(twin_share * codes)
    if twins == 1:
        twins = min(2, codes)  # nobody is a twin alone
    pairs = twins // 2
    sizes = [2] * pairs + [1] * (codes - twins)
    if pairs:
        sizes[0] += twins % 2  # an odd one joins the first pair
    elif twins:
        sizes.append(1)  # the only token there is
    if len(sizes) > _SPELLINGS:
        # Too few spellings: spread the codes evenly. The families that have to grow make
        # more twins than were asked for, never fewer.
        each, over = divmod(codes, _SPELLINGS)
        sizes = [each + (number < over) for number in range(_SPELLINGS)]
    return sizes


def parse_codebook(text: str, *, first_line: int = 1) -> Codebook:
    """Read dictionary lines; messages count lines from ``first_line``.

    Lines end at newlines only: a token may be a separator that ``str.splitlines`` knows.
    """
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    entries: list[Entry] = []
    line_of: dict[str, int] = {}
    for number, line in enumerate(lines, first_line):
        match = _LINE.fullmatch(line)
        if match is None:
            raise DamagedDictionaryError(
                f"line {number} is no dictionary entry: {quoted(line)}; "
                "write it as <code> : token, with three letters in the brackets"
            )
        entry = Entry(match[1], match[2])
        if line_of.setdefault(entry.code, number) != number:
            raise DamagedDictionaryError(
                f"the code <{entry.code}> is on line {line_of[entry.code]} and again on line "
                f"{number}; every code must stand for one token, so remove one of the lines"
            )
        entries.append(entry)
    return Codebook(tuple(entries))
