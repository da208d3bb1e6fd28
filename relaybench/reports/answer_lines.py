"""An answer below its key, column by column, with a line of marks under what differs.

Marks are characters, so that nothing hangs on colour: ``^`` another character, ``-`` one of the
key that is missing, ``+`` one too many; none stands under a character that is the same. What does
not print is spelled out, and takes more cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from relaybench.domain.literal import visible
from relaybench.grading.difference import Change, Segment, clusters
from relaybench.reports.plain_format import text_width

OTHER: Final = "^"
MISSING: Final = "-"
EXTRA: Final = "+"
#: What stands where one side has nothing.
FILLER: Final = "░"
#: Characters of an equal piece that are shown before and after a difference, and of a changed one.
_CONTEXT: Final = 240
_MOST_CHANGED: Final = 2_000

#: A piece of a line, and whether it differs.
Piece = tuple[str, bool]


@dataclass(frozen=True, slots=True)
class AlignedRow:
    """Three lines that stand below each other: key, answer, and marks ("" where all is equal)."""

    key: tuple[Piece, ...]
    answer: tuple[Piece, ...]
    marks: str


@dataclass(frozen=True, slots=True)
class _Column:
    key: str
    answer: str
    mark: str


def aligned(
    segments: Sequence[Segment], width: int, cells: Callable[[str], int] = text_width
) -> list[AlignedRow]:
    """Rows of at most ``width`` cells; ``cells`` measures a text in them.

    Long equal pieces lose their middle, long changed ones their end, and say how much.
    """
    rows: list[AlignedRow] = []
    line: list[_Column] = []
    used = 0
    for column in _columns(segments, cells):
        size = cells(column.key)
        if line and used + size > width:
            rows.append(_row(line))
            line, used = [], 0
        line.append(column)
        used += size
    if line:
        rows.append(_row(line))
    return rows


def _columns(segments: Sequence[Segment], cells: Callable[[str], int]) -> Iterator[_Column]:
    place = 0
    while place < len(segments):
        each = segments[place]
        place += 1
        if each.change is Change.EQUAL:
            yield from (_Column(text, text, " " * cells(text)) for text in _equal(each.text))
            continue
        gone, more = (each.text, "") if each.change is Change.MISSING else ("", each.text)
        if gone and place < len(segments) and segments[place].change is Change.EXTRA:
            more = segments[place].text
            place += 1
        yield from _changed(_shortened(gone), _shortened(more), cells)


def _equal(text: str) -> Iterator[str]:
    left_out = len(text) - 2 * _CONTEXT
    if left_out < _CONTEXT:
        yield from map(visible, clusters(text))
        return
    yield from map(visible, clusters(text[:_CONTEXT]))
    yield f" … {left_out:,} equal characters … "
    yield from map(visible, clusters(text[-_CONTEXT:]))


def _shortened(text: str) -> list[str]:
    shown = [visible(each) for each in clusters(text[:_MOST_CHANGED])]
    left_out = len(text) - _MOST_CHANGED
    return [*shown, f" … {left_out:,} more characters"] if left_out > 0 else shown


def _changed(
    gone: Sequence[str], more: Sequence[str], cells: Callable[[str], int]
) -> Iterator[_Column]:
    for place in range(max(len(gone), len(more))):
        key, answer = "".join(gone[place : place + 1]), "".join(more[place : place + 1])
        mark = OTHER if key and answer else MISSING if key else EXTRA
        if key == answer:  # of texts that have little in common
            mark = " "
        size = max(cells(key), cells(answer))
        yield _Column(
            key + (" " * (size - cells(key)) if key else FILLER * size),
            answer + (" " * (size - cells(answer)) if answer else FILLER * size),
            mark * size,
        )


def _row(line: Sequence[_Column]) -> AlignedRow:
    marks = "".join(column.mark for column in line).rstrip()
    return AlignedRow(
        key=tuple(_pieces((column.key, column.mark) for column in line)),
        answer=tuple(_pieces((column.answer, column.mark) for column in line)),
        marks=marks,
    )


def _pieces(columns: Iterable[tuple[str, str]]) -> Iterator[Piece]:
    texts: list[str] = []
    before = False
    for text, mark in columns:
        differs = bool(mark.strip())
        if texts and differs is not before:
            yield "".join(texts), before
            texts = []
        before = differs
        texts.append(text)
    if texts:
        yield "".join(texts), before


def line_text(pieces: Sequence[Piece]) -> str:
    """A line without what is said of its pieces."""
    return "".join(text for text, _ in pieces)
