"""A table as aligned text for terminals: no colour, no markup, nothing raw."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from relaybench.domain.literal import visible
from relaybench.reports.display import Display, display
from relaybench.reports.tables import WIDE, Table

_GAP = "  "
#: No column of words is made narrower than this many characters.
_NARROWEST = 8
#: Longer words are cut before numbers are wrapped.
_LONG_WORD = 18


def text_width(text: str) -> int:
    """How many terminal cells a text of visible characters takes."""
    if text.isascii():
        return len(text)
    width = 0
    for character in text:
        if unicodedata.east_asian_width(character) in "WF":
            width += 2
        elif unicodedata.category(character) not in ("Mn", "Me"):
            width += 1
    return width


def _cut(word: str, width: int) -> Iterator[str]:
    """Pieces of a word, each at most that wide (2 at least, so that every character fits)."""
    piece = ""
    for character in word:
        if piece and text_width(piece + character) > width:
            yield piece
            piece = ""
        piece += character
    yield piece


def _words(text: str, numeric: bool) -> list[str]:
    """Where a text may be broken: at spaces, but never inside of an interval."""
    return re.split(r"(?<!,) ", text) if numeric else text.split(" ")


def wrapped(text: str, width: int, *, numeric: bool = False) -> list[str]:
    """Lines of at most ``width`` terminal cells, broken at spaces where there are any.

    Spaces inside a line stay as they are; the one at a break goes. Longer words are cut, but
    never those of a numeric cell.
    """
    lines: list[str] = []
    line: str | None = None
    for word in _words(text, numeric):
        joined = word if line is None else f"{line} {word}"
        if text_width(joined) <= width:
            line = joined
            continue
        if line is not None:
            lines.append(line)
        *full, line = [word] if numeric else _cut(word, width)
        lines += full
    return [*lines, line or ""]


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + len(_GAP) * max(len(widths) - 1, 0)


@dataclass(frozen=True, slots=True)
class _Floors:
    """Widths by column, from the roomiest down."""

    natural: list[int]  # nothing is wrapped
    unwrapped: list[int]  # only headings are
    words: list[int]  # rows of words too
    least: list[int]  # intervals stand below their values

    @classmethod
    def of(cls, view: Display) -> _Floors:
        """Measure a table."""
        natural, unwrapped, words, least = [], [], [], []
        for place, heading in enumerate(view.headings):
            numeric = view.numeric[place]
            cells = [row[place] for row in view.rows]
            head = max(map(text_width, heading.split(" ")))
            longest = max(
                [head, *(text_width(word) for cell in cells for word in _words(cell, numeric))]
            )
            natural.append(max(map(text_width, [heading, *cells])))
            unwrapped.append(max([head, *map(text_width, cells)]))
            words.append(unwrapped[-1] if numeric else min(longest, _LONG_WORD))
            least.append(longest if numeric else min(longest, _NARROWEST))
        return cls(natural, unwrapped, words, least)

    def fit(self, room: int | None) -> list[int]:
        """Widths that fit, the widest columns giving way first; or else the narrowest there are.

        Numbers are never cut: better too wide than misread.
        """
        widths = list(self.natural)
        if room is None:
            return widths
        for floor in (self.unwrapped, self.words, self.least):
            while _total(widths) > room:
                yielding = [place for place, wide in enumerate(widths) if wide > floor[place]]
                if not yielding:
                    break
                widths[max(yielding, key=lambda place: widths[place])] -= 1
        return widths


def _lines(cells: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> Iterator[str]:
    blocks = [
        wrapped(cell, width, numeric=right)
        for cell, width, right in zip(cells, widths, numeric, strict=True)
    ]
    for number in range(max((len(block) for block in blocks), default=0)):
        parts = []
        for block, width, right in zip(blocks, widths, numeric, strict=True):
            text = block[number] if number < len(block) else ""
            space = " " * (width - text_width(text))
            parts.append(space + text if right else text + space)
        yield _GAP.join(parts).rstrip()


def _view(table: Table, level: int) -> Display:
    view = display(table, level, terminal=True)
    return Display(
        headings=tuple(map(visible, view.headings)),
        numeric=view.numeric,
        rows=tuple(tuple(map(visible, row)) for row in view.rows),
        left_out=view.left_out,
        begins=view.begins,
        names=view.names,
    )


def _groups(view: Display) -> list[list[int]]:
    """Columns that belong together, without those that name the row."""
    groups: list[list[int]] = []
    for place, names in enumerate(view.names):
        if names:
            continue
        if view.begins[place] or not groups:
            groups.append([])
        groups[-1].append(place)
    return groups


def _blocks(view: Display, width: int | None) -> list[list[int]]:
    """Columns to stand side by side, block below block, each with those that name the row.

    A block breaks before a group of columns that does not fit, and inside of a group only where
    it would not fit in a block of its own.
    """
    if width is None:
        return [list(range(len(view.headings)))]
    needs = _Floors.of(view).unwrapped
    names = [place for place, each in enumerate(view.names) if each]
    for place in names:  # a long name is wrapped instead
        needs[place] = min(needs[place], max(_LONG_WORD, width // (2 + len(names))))

    def fits(places: Sequence[int]) -> bool:
        return _total([needs[place] for place in places]) <= width

    blocks = [list(names)]
    for group in _groups(view):
        if fits([*blocks[-1], *group]):
            blocks[-1] += group
            continue
        if len(blocks[-1]) > len(names):
            blocks.append(list(names))
        for place in group:
            if len(blocks[-1]) > len(names) and not fits([*blocks[-1], place]):
                blocks.append(list(names))
            blocks[-1].append(place)
    return blocks


def _part(view: Display, places: Sequence[int]) -> Display:
    return Display(
        headings=tuple(view.headings[place] for place in places),
        numeric=tuple(view.numeric[place] for place in places),
        rows=tuple(tuple(row[place] for place in places) for row in view.rows),
        left_out=0,
        begins=tuple(view.begins[place] for place in places),
        names=tuple(view.names[place] for place in places),
    )


def _grid(view: Display, width: int | None) -> Iterator[str]:
    widths = _Floors.of(view).fit(width)
    rule = "─" * _total(widths)
    yield from _lines(view.headings, widths, view.numeric)
    yield rule
    for row in view.rows:
        yield from _lines(row, widths, view.numeric)
    yield rule


def plain_table(table: Table, width: int | None = None, level: int | None = None) -> str:
    """Title, table and notes as text of at most ``width`` terminal cells (None: any width).

    All columns are shown: where they do not fit side by side, in blocks one below the other.
    ``level`` shows only the columns of that level.
    """
    view = _view(table, WIDE if level is None else level)
    lines = _paragraph(table.title, width)
    for places in _blocks(view, width):
        lines += ["", *_grid(_part(view, places), width)]
    if view.left_out:
        what = "column is" if view.left_out == 1 else "columns are"
        why = "not shown" if level is not None else "left out, having nothing to say here"
        lines += _paragraph(f"{view.left_out} more {what} {why}; csv and json have all.", width)
    for note in table.notes:
        lines += _paragraph(f"- {visible(note)}", width, indent="  ")
    return "\n".join(lines) + "\n"


def _paragraph(text: str, width: int | None, indent: str = "") -> list[str]:
    if width is None:
        return [visible(text)]
    first, *rest = wrapped(visible(text), max(width - len(indent), 2))
    return [first, *(indent + line for line in rest)]
