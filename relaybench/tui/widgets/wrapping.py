"""Break a text into rows of a width, fast enough for megabytes; words are kept whole where can be.

Pure: no widget in it. A row is a slice (start, end) of one line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from rich.cells import get_character_cell_size

from relaybench.domain.literal import readable

#: Rows: (number of the line, start, end).
Row = tuple[int, int, int]


def rows_of(lines: Sequence[str], width: int, first: int = 0) -> Iterator[Row]:
    """All rows of the lines from ``first`` on; an empty line is one empty row."""
    for number in range(first, len(lines)):
        line = lines[number]
        if line.isascii():
            if len(line) <= width:
                yield number, 0, len(line)
            else:
                yield from _ascii_rows(number, line, width)
        else:
            yield from _wide_rows(number, line, width)


def _ascii_rows(number: int, line: str, width: int) -> Iterator[Row]:
    start, whole = 0, len(line)
    while whole - start > width:
        space = line.rfind(" ", start + 1, start + width + 1)
        end = start + width if space < 0 else space
        yield number, start, end
        start = end if space < 0 else space + 1
    yield number, start, whole


def _wide_rows(number: int, line: str, width: int) -> Iterator[Row]:
    """Rows by the cells that characters take: East Asian ones two, combining ones none."""
    start, used, space = 0, 0, -1
    for place, character in enumerate(line):
        size = 1 if character < "\x7f" else get_character_cell_size(character)
        if used + size > width and place > start:
            if character == " ":
                yield number, start, place
                start, used, space = place + 1, 0, -1
                continue
            end, begin = (space, space + 1) if space > start else (place, place)
            yield number, start, end
            used = sum(get_character_cell_size(each) for each in line[begin:place])
            start, space = begin, -1
        if character == " ":
            space = place
        used += size
    yield number, start, len(line)


@dataclass(frozen=True, slots=True)
class Marked:
    """A part of a text, by offsets (end exclusive), and the style that it is shown in."""

    start: int
    end: int
    style: str


def shown_text(text: str, marks: Sequence[Marked] = ()) -> tuple[str, list[Marked]]:
    """A text as it is shown, with what cannot be seen spelled out, and its marks moved along.

    Marks must be in order and must not overlap.
    """
    if not marks:
        return readable(text).expandtabs(4), []
    pieces: list[str] = []
    moved: list[Marked] = []
    place = length = 0
    for mark in marks:
        before = readable(text[place : mark.start]).replace("\t", "    ")
        inside = readable(text[mark.start : mark.end]).replace("\t", "    ")
        pieces += [before, inside]
        length += len(before)
        moved.append(Marked(length, length + len(inside), mark.style))
        length += len(inside)
        place = mark.end
    pieces.append(readable(text[place:]).replace("\t", "    "))
    return "".join(pieces), moved


@dataclass(frozen=True, slots=True)
class ShownText:
    """A text that is ready to be shown: its lines, where each starts, and its marks."""

    lines: Sequence[str]
    starts: Sequence[int]
    marks: Sequence[Marked]


def prepared(text: str, marks: Sequence[Marked] = ()) -> ShownText:
    """Make a text ready to be shown; for megabytes better done in a thread."""
    shown, moved = shown_text(text, marks)
    lines = shown.split("\n")
    starts = list(accumulate((len(each) + 1 for each in lines[:-1]), initial=0))
    return ShownText(lines, starts, moved)


def places_of(shown: ShownText, words: str, style: str, most: int = 50_000) -> list[Marked]:
    """Where some words stand, whatever their case: the first so many places, in order."""
    wanted = words.casefold()
    found: list[Marked] = []
    for number, each in enumerate(shown.lines if wanted else ()):
        folded = each.casefold()
        if len(folded) != len(each):  # places would not fit
            folded = each.lower() if len(each.lower()) == len(each) else each
        place = folded.find(wanted)
        while place >= 0:
            if len(found) == most:
                return found
            start = shown.starts[number] + place
            found.append(Marked(start, start + len(wanted), style))
            place = folded.find(wanted, place + len(wanted))
    return found
