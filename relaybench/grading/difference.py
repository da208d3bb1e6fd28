"""Where an answer and its key differ, step by step, in characters as people see them.

Pure, and bounded in time whatever the lengths: characters are compared first, then words, and
texts that are too long for either are shown as one missing and one extra.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Final

from relaybench.grading.near_miss import fold, is_hidden

#: The most pairs of units that are compared: some 0.1 s.
_MOST_PAIRS: Final = 250_000
#: Longer texts are taken character by character, marks apart: to look at each would take long.
_LONG: Final = 20_000
#: Less than this share in common is another text, not a changed one; only its ends are compared.
_LEAST_ALIKE: Final = 0.4
#: Longer pieces are seen to differ; their names would only be noise.
_MOST_NAMED: Final = 8
_JOINER: Final = "\u200d"
_FLAGS: Final = range(0x1F1E6, 0x1F200)
_SKIN: Final = range(0x1F3FB, 0x1F400)


class Change(StrEnum):
    """What became of a piece of the key in the answer."""

    EQUAL = "equal"
    MISSING = "missing"  # in the key, not in the answer
    EXTRA = "extra"  # in the answer, not in the key


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of the key, of the answer, or of both."""

    change: Change
    text: str


@dataclass(frozen=True, slots=True)
class PartDifference:
    """One step's part of the key against the answer's; ``label`` None: the whole of both.

    ``right`` None: it cannot be told. ``answer`` None: nothing can be set against this part.
    """

    label: str | None
    key: str
    answer: str | None
    right: bool | None
    segments: tuple[Segment, ...]


def clusters(text: str) -> list[str]:
    """The text in characters as people see them: each with its marks, joiners and modifiers.

    A simple form of the Unicode standard's grapheme clusters (UAX 29); CR LF stays together.
    """
    found: list[str] = []
    for character in text:
        if found and _goes_on(found[-1], character):
            found[-1] += character
        else:
            found.append(character)
    return found


def _goes_on(before: str, character: str) -> bool:
    code = ord(character)
    if before[-1] == "\r":
        return character == "\n"
    if is_hidden(before[-1]) and before[-1] != _JOINER and not _is_selector(before[-1]):
        return False
    if unicodedata.category(character) in ("Mn", "Mc", "Me") or character == _JOINER:
        return True
    if before[-1] == _JOINER and len(before) > 1:
        return code > 0x2000
    if code in _FLAGS:
        return len(before) == 1 and ord(before) in _FLAGS
    return code in _SKIN


def _is_selector(character: str) -> bool:
    return 0xFE00 <= ord(character) <= 0xFE0F


def differences(answer: str, key: str) -> tuple[Segment, ...]:
    """The key and the answer as one row of segments: equal, missing, extra, in order.

    What is missing stands before what came in its place. Takes at most some tenths of a second.
    """
    if answer == key:
        return (Segment(Change.EQUAL, key),) if key else ()
    long = max(len(answer), len(key)) > _LONG
    mine, right = (list(answer), list(key)) if long else (clusters(answer), clusters(key))
    front = _common(mine, right)
    back = _common(mine[front:][::-1], right[front:][::-1])
    middle_mine, middle_right = mine[front : len(mine) - back], right[front : len(right) - back]
    begin, end = right[:front], right[len(right) - back :]
    middle = list(_middle(middle_mine, middle_right))
    alike = sum(len(each.text) for each in middle if each.change is Change.EQUAL)
    alike += sum(map(len, begin)) + sum(map(len, end))
    little = alike < _LEAST_ALIKE * max(len(answer), len(key))
    if little and (long or fold(answer) != fold(key)):
        middle = [*_piece(Change.MISSING, middle_right), *_piece(Change.EXTRA, middle_mine)]
    return tuple(_joined([*_piece(Change.EQUAL, begin), *middle, *_piece(Change.EQUAL, end)]))


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _piece(change: Change, units: Sequence[str]) -> list[Segment]:
    text = "".join(units)
    return [Segment(change, text)] if text else []


def _middle(mine: list[str], right: list[str]) -> Iterator[Segment]:
    if len(mine) * len(right) > _MOST_PAIRS:
        mine, right = _words(mine), _words(right)
    if len(mine) * len(right) > _MOST_PAIRS:
        yield from _piece(Change.MISSING, right)
        yield from _piece(Change.EXTRA, mine)
        return
    yield from _aligned(mine, right)


def _words(units: list[str]) -> list[str]:
    return ["".join(word) for _, word in groupby(units, str.isspace)]


def _aligned(mine: Sequence[str], right: Sequence[str]) -> Iterator[Segment]:
    """A longest common subsequence of both, by the table of its lengths."""
    width = len(mine) + 1
    rows = [[0] * width]
    for unit in reversed(right):
        below, row = rows[-1], [0] * width
        for place in range(len(mine) - 1, -1, -1):
            if mine[place] == unit:
                row[place] = below[place + 1] + 1
            else:
                row[place] = max(row[place + 1], below[place])
        rows.append(row)
    rows.reverse()
    at, of = 0, 0
    while at < len(mine) or of < len(right):
        if at < len(mine) and of < len(right) and mine[at] == right[of]:
            yield Segment(Change.EQUAL, right[of])
            at, of = at + 1, of + 1
        elif of < len(right) and (at == len(mine) or rows[of + 1][at] >= rows[of][at + 1]):
            yield Segment(Change.MISSING, right[of])
            of += 1
        else:
            yield Segment(Change.EXTRA, mine[at])
            at += 1


def _joined(segments: Sequence[Segment]) -> Iterator[Segment]:
    """Neighbours of one kind put together; between two equal ones the missing goes first."""
    changed: dict[Change, list[str]] = {Change.MISSING: [], Change.EXTRA: []}
    equal: list[str] = []
    for each in (*segments, None):
        if (each is None or each.change is not Change.EQUAL) and equal:
            yield Segment(Change.EQUAL, "".join(equal))
            equal = []
        if each is None or each.change is Change.EQUAL:
            for change, texts in changed.items():
                yield from _piece(change, texts)
                texts.clear()
        if each is not None:
            (equal if each.change is Change.EQUAL else changed[each.change]).append(each.text)


def part_differences(
    answer: str,
    key: str,
    parts: Sequence[str],
    labels: Sequence[str],
    separator: str,
    steps: Mapping[str, bool | None],
) -> tuple[PartDifference, ...]:
    """Answer against key as a grade's ``steps`` attribute it, a difference for each step.

    Where a step cannot be told, the whole answer stands against the whole key first (``label``
    None), and the parts of the key follow with nothing against them.
    """
    told = bool(labels) and all(steps.get(label) is not None for label in labels)
    answered = answer.split(separator) if separator and len(parts) > 1 else [answer]
    if told and len(answered) == len(parts):
        return tuple(
            PartDifference(label, right, mine, mine == right, differences(mine, right))
            for label, right, mine in zip(labels, parts, answered, strict=True)
        )
    whole = PartDifference(None, key, answer, answer == key, differences(answer, key))
    if len(parts) < 2:
        return (whole,)
    silent = (Segment(Change.EQUAL, part) for part in parts)
    return (
        whole,
        *(
            PartDifference(label, part, None, steps.get(label), (segment,))
            for label, part, segment in zip(labels, parts, silent, strict=True)
        ),
    )


def spelled(segments: Sequence[Segment], most: int = 4) -> tuple[str, ...]:
    """What the eye may not tell apart among segments that differ, by code point and name.

    Given where what is missing or extra holds characters that are invisible or not ASCII; at most
    so many lines.
    """
    lines: list[str] = []
    for place, each in enumerate(segments):
        if each.change is Change.EQUAL:
            continue
        after = segments[place + 1] if place + 1 < len(segments) else None
        if each.change is Change.MISSING and after and after.change is Change.EXTRA:
            if _needs_names(each.text) or _needs_names(after.text):
                lines.append(f"{_named(after.text)} where the key has {_named(each.text)}")
        elif _needs_names(each.text) and not _follows_missing(segments, place):
            word = "missing" if each.change is Change.MISSING else "extra"
            lines.append(f"{word}: {_named(each.text)}")
    more = len(lines) - most
    return (*lines[:most], *([f"and {more} more"] if more > 0 else []))


def _follows_missing(segments: Sequence[Segment], place: int) -> bool:
    return place > 0 and segments[place - 1].change is Change.MISSING


def _needs_names(text: str) -> bool:
    if len(text) > _MOST_NAMED or not text.strip(" "):
        return 0 < len(text) <= _MOST_NAMED
    return any(not each.isascii() or (each != " " and is_hidden(each)) for each in text)


def _named(text: str) -> str:
    return " + ".join(f"U+{ord(each):04X} {unicodedata.name(each, '')}".rstrip() for each in text)
