"""Near misses: wrong answers that differ from the key only where the eye hardly sees it.

They stay wrong (grading is ``==``), but are shown for review with the difference in words.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final

_HIDDEN_CATEGORIES: Final = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})
#: Characters that show nothing although their category is that of a letter, mark or symbol:
#: grapheme joiner, Hangul fillers, Khmer inherent vowels, Mongolian variation selectors, blank
#: Braille, variation selectors.
_HIDDEN: Final = frozenset(
    map(
        chr,
        (
            0x034F,
            *(0x115F, 0x1160, 0x3164, 0xFFA0),
            *(0x17B4, 0x17B5),
            *(0x180B, 0x180C, 0x180D, 0x180F),
            0x2800,
            *range(0xFE00, 0xFE10),
            *range(0xE0100, 0xE01F0),
        ),
    )
)
_MOST_NAMED: Final = 3


def is_hidden(character: str) -> bool:
    """Whether a character is white space or invisible."""
    return character in _HIDDEN or unicodedata.category(character) in _HIDDEN_CATEGORIES


def _shown(text: str) -> str:
    return "".join(character for character in text if not is_hidden(character))


def fold(text: str) -> str:
    """The text without letter case, Unicode form, white space and invisible characters.

    NFKD, ``str.casefold`` and NFKC in turn until nothing changes (the Unicode standard's
    compatibility caseless match, 3.13 D146), with hidden characters taken out before and after.
    """
    while True:
        decomposed = unicodedata.normalize("NFKD", _shown(text)).casefold()
        folded = _shown(unicodedata.normalize("NFKC", decomposed))
        if folded == text:
            return folded
        text = folded


def is_near_miss(answer: str, key: str) -> bool:
    """Whether a wrong answer equals the key once both are folded."""
    return answer != key and fold(answer) == fold(key)


def describe(answer: str, key: str) -> str:
    """Name the difference between an answer and the key it nearly hits.

    Positions count characters of the answer (of the key where a character is missing) from 1.
    """
    if answer.casefold() == key.casefold():
        return "differs only in letter case"
    if unicodedata.normalize("NFC", answer) == unicodedata.normalize("NFC", key):
        return "differs only in Unicode form (composed or decomposed characters)"
    if _shown(answer) == _shown(key):
        return _hidden_differences(answer, key)
    if unicodedata.normalize("NFKC", answer) == unicodedata.normalize("NFKC", key):
        return f"differs only in compatible forms of characters: {_first_difference(answer, key)}"
    return (
        "differs only in letter case, Unicode form or invisible characters: "
        f"{_first_difference(answer, key)}"
    )


def _name(character: str) -> str:
    name = unicodedata.name(character, "")
    return f"U+{ord(character):04X} {name}".rstrip()


def _first_difference(answer: str, key: str) -> str:
    for position, (mine, right) in enumerate(zip(answer, key, strict=False), 1):
        if mine != right:
            return f"{_name(mine)} at position {position} where the key has {_name(right)}"
    position = min(len(answer), len(key)) + 1
    if len(answer) > len(key):
        return f"{_name(answer[position - 1])} at position {position}"
    return f"{_name(key[position - 1])} missing, at position {position} of the key"


def _gaps(text: str) -> Iterator[tuple[int, str]]:
    """The runs of hidden characters before each shown one and at the end, with positions."""
    start = 0
    for position, character in enumerate(text):
        if not is_hidden(character):
            yield start, text[start:position]
            start = position + 1
    yield start, text[start:]


def _hidden_differences(answer: str, key: str) -> str:
    found: list[str] = []
    for (at, mine), (key_at, right) in zip(_gaps(answer), _gaps(key), strict=True):
        if mine == right:
            continue
        for offset in range(max(len(mine), len(right))):
            extra, missing = mine[offset : offset + 1], right[offset : offset + 1]
            if extra == missing:
                continue
            if extra and missing:
                place = f"at position {at + offset + 1} where the key has {_name(missing)}"
                found.append(f"{_name(extra)} {place}")
            elif extra:
                found.append(f"{_name(extra)} at position {at + offset + 1}")
            else:
                place = f"at position {key_at + offset + 1} of the key"
                found.append(f"{_name(missing)} missing, {place}")
    more = len(found) - _MOST_NAMED
    return "; ".join(found[:_MOST_NAMED]) + (f"; and {more} more" if more > 0 else "")
