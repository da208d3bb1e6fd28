"""Scores with drawn intervals and outcomes as stacked bars, a row a model, in one line of text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from relaybench.reports.figures.figure import SEGMENTS, OutcomesData, Share
from relaybench.tui.results.ink import Line, Piece, Role, name_width, short_names
from relaybench.tui.results.scales import Scale, peak, share_axis

#: The mark of a value, and that of one that attempts are still missing of.
COMPLETE: Final = "●"
INCOMPLETE: Final = "○"
_GRID: Final = "·"
_LEFT, _RIGHT, _BETWEEN = "├", "┤", "─"
#: The letter of an outcome and what fills the rest of its part of a bar.
_FILL: Final = {
    "correct": ("C", "█"),
    "wrong": ("W", "▒"),
    "unparseable": ("U", "░"),
    "refused": ("R", "="),
    "truncated": ("T", "/"),
    "stalled": ("S", "~"),
    "open": ("·", "·"),
}


def interval(share: Share | None, scale: Scale, *, incomplete: bool = False) -> Line:
    """A value and its interval on a scale: ``·  ├──●───┤ · ``; the grid alone for none."""
    cells = [" "] * scale.cells
    for part in range(5):
        cells[scale.place(scale.low + (scale.high - scale.low) * part / 4)] = _GRID
    if share is None:
        return (Piece("".join(cells), Role.QUIET),)
    at = scale.place(share.value)
    low = high = at
    if share.low is not None and share.high is not None:
        low, high = scale.place(share.low), scale.place(share.high)
    drawn = [_BETWEEN] * (high - low + 1)
    drawn[0], drawn[-1] = _LEFT, _RIGHT
    mark = INCOMPLETE if incomplete else COMPLETE
    return (
        Piece("".join(cells[:low]), Role.QUIET),
        Piece("".join(drawn[: at - low]), Role.LINE),
        Piece(mark, Role.WARNING if incomplete else Role.POINT),
        Piece("".join(drawn[at - low + 1 :]), Role.LINE),
        Piece("".join(cells[high + 1 :]), Role.QUIET),
    )


@dataclass(frozen=True, slots=True)
class ForestRow:
    """A row of a forest plot: who, what, and what stands beside it in words."""

    name: str
    share: Share | None
    words: str
    incomplete: bool = False


def forest(
    rows: Sequence[ForestRow],
    width: int,
    *,
    name_cells: int | None = None,
    word_cells: int | None = None,
    scale: Scale | None = None,
) -> list[Line]:
    """Rows of values with intervals on one axis, which stands above and below them.

    Widths and scale may be given where several plots share them.
    """
    words = max((len(row.words) for row in rows), default=0) if word_cells is None else word_cells
    names = name_cells or _name_cells([row.name for row in rows], width, words)
    scale = scale or forest_scale(rows, width, names, words)
    axis: Line = (Piece(" " * (names + 1)), *share_axis(scale))
    lines = [axis]
    for row, name in zip(rows, short_names([row.name for row in rows], names), strict=True):
        mark = "*" if row.incomplete else " "
        lines.append(
            (
                Piece(name),
                Piece(mark, Role.WARNING),
                *interval(row.share, scale, incomplete=row.incomplete),
                Piece(f" {row.words.rjust(words)}", Role.PLAIN if row.share else Role.QUIET),
            )
        )
    return [*lines, axis]


def _name_cells(names: Sequence[str], width: int, words: int) -> int:
    """Cells for names beside a drawing of 8 cells at least and words."""
    return min(name_width(names, width), max(width - words - 10, 4))


def forest_scale(rows: Sequence[ForestRow], width: int, names: int, words: int) -> Scale:
    """The scale that all rows have a place on."""
    ends = [row.share.high or row.share.value for row in rows if row.share]
    return Scale(0.0, peak(max(ends, default=1.0)), max(width - names - words - 2, 8))


@dataclass(frozen=True, slots=True)
class DumbbellRow:
    """Two shares of one model, of which the first is never above the second; None: undefined."""

    name: str
    ends: tuple[float, float] | None
    words: str
    incomplete: bool = False


def dumbbells(rows: Sequence[DumbbellRow], width: int) -> list[Line]:
    """Two shares a row, joined by a line: ``●`` the first, ``◇`` the second."""
    words = max((len(row.words) for row in rows), default=0)
    names = _name_cells([row.name for row in rows], width, words)
    scale = Scale(0.0, 1.0, max(width - names - words - 2, 8))
    axis: Line = (Piece(" " * (names + 1)), *share_axis(scale))
    lines = [axis]
    for row, name in zip(rows, short_names([row.name for row in rows], names), strict=True):
        lines.append(
            (
                Piece(name),
                Piece("*" if row.incomplete else " ", Role.WARNING),
                *_dumbbell(row.ends, scale),
                Piece(f" {row.words.rjust(words)}"),
            )
        )
    return [*lines, axis]


def _dumbbell(ends: tuple[float, float] | None, scale: Scale) -> Line:
    grid = interval(None, scale)[0].text
    if ends is None:
        return (Piece(grid, Role.QUIET),)
    first, second = (scale.place(value) for value in ends)
    if first == second:  # the hollow mark would hide the full one
        marks: Line = (Piece("◈", Role.POINT),)
    else:
        line = "═" * (second - first - 1)
        marks = (Piece("●", Role.POINT), Piece(line, Role.LINE), Piece("◇", Role.SECOND))
    return (Piece(grid[:first], Role.QUIET), *marks, Piece(grid[second + 1 :], Role.QUIET))


def shared_out(counts: Sequence[int], cells: int) -> list[int]:
    """Cells for each count, in proportion; what is not 0 has one at least where there is room."""
    total = sum(counts)
    if not total:
        return [0] * len(counts)
    parts = [max(count * cells // total, 1) if count else 0 for count in counts]
    while sum(parts) > cells:
        place = max(range(len(parts)), key=lambda each: parts[each])
        parts[place] -= 1
    while sum(parts) < cells:
        short = [count * cells / total - part for count, part in zip(counts, parts, strict=True)]
        parts[max(range(len(parts)), key=lambda each: short[each])] += 1
    return parts


def outcome_bar(counts: Sequence[int], cells: int) -> Line:
    """Counts in the order of ``SEGMENTS`` as one stacked bar: ``C█████W▒▒▒U░``."""
    pieces = []
    for segment, part in zip(SEGMENTS, shared_out(counts, cells), strict=True):
        letter, fill = _FILL[segment]
        if part:
            pieces.append(Piece(letter + fill * (part - 1), Role(segment)))
    drawn = sum(len(piece.text) for piece in pieces)
    return (*pieces, Piece(" " * (cells - drawn)))


def outcome_legend(segments: Sequence[str] = SEGMENTS) -> Line:
    """What the letters and patterns of bars mean."""
    pieces = []
    for segment in segments:
        letter, fill = _FILL[segment]
        mark = letter if letter == fill else letter + fill
        pieces += [Piece(mark, Role(segment)), Piece(f" {segment}  ", Role.QUIET)]
    return tuple(pieces)


def outcome_bars(data: OutcomesData, width: int) -> list[Line]:
    """A bar a model, as long as it has attempts planned, with how many are correct of how many."""
    names = name_width([row.model for row in data.rows], width)
    most = max((sum(row.counts) for row in data.rows), default=0)
    words = [f"{row.counts[0]:,} of {sum(row.counts):,}" for row in data.rows]
    room = max((len(each) for each in words), default=0)
    cells = max(width - names - room - 2, 8)
    lines: list[Line] = []
    called = short_names([row.model for row in data.rows], names)
    for row, name, said in zip(data.rows, called, words, strict=True):
        own = round(sum(row.counts) / most * cells) if most else 0
        lines.append(
            (
                Piece(f"{name} "),
                *outcome_bar(row.counts, own),
                Piece(" " * (cells - own)),
                Piece(f" {said.rjust(room)}"),
            )
        )
    used = [
        name for place, name in enumerate(SEGMENTS) if any(row.counts[place] for row in data.rows)
    ]
    return [*lines, (), *broken(outcome_legend(used), width)]


def broken(line: Line, width: int) -> list[Line]:
    """A legend in lines of that width; a mark stays with its word."""
    lines: list[Line] = []
    current: list[Piece] = []
    used = 0
    for mark, word in zip(line[::2], line[1::2], strict=True):
        size = len(mark.text) + len(word.text)
        if current and used + size > width:
            lines.append(tuple(current))
            current, used = [], 0
        current += [mark, word]
        used += size
    return [*lines, tuple(current)] if current else lines
