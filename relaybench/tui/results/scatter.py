"""Score against cost in characters: numbered points, their intervals, the Pareto frontier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from rich.cells import cell_len

from relaybench.domain.literal import visible
from relaybench.reports.figures.figure import CostData, CostPoint
from relaybench.reports.numbers import percent, usd
from relaybench.tui.results.ink import Line, Piece, Role, paragraph, short_names
from relaybench.tui.results.scales import CostScale, Scale, peak

_AXIS: Final = 7  # characters of the axis at the left: "67.5% ┤"
_LEAST_HEIGHT, _MOST_HEIGHT = 9, 28
#: The mark of a point and its role.
_ON, _OFF, _OPEN = ("●", Role.POINT), ("○", Role.PLAIN), ("◇", Role.WARNING)
#: Characters of a legend's entry from which on there are two of them side by side.
_ENTRY: Final = 52


@dataclass(slots=True)
class _Sheet:
    """Characters by column and row from the top; ``taken`` may not be drawn over."""

    width: int
    height: int
    cells: dict[tuple[int, int], Piece] = field(default_factory=dict)
    taken: set[tuple[int, int]] = field(default_factory=set)

    def put(self, x: int, y: int, text: str, role: Role, *, keep: bool = False) -> None:
        """Draw characters from a place on, under what is taken."""
        for number, character in enumerate(text):
            place = (x + number, y)
            if place not in self.taken:
                self.cells[place] = Piece(character, role)
                if keep:
                    self.taken.add(place)

    def free(self, x: int, y: int, length: int) -> bool:
        """Whether a label fits there."""
        inside = x >= 0 and x + length <= self.width and 0 <= y < self.height
        return inside and all((x + n, y) not in self.taken for n in range(length))

    def row(self, y: int) -> Line:
        """One line."""
        blank = Piece(" ")
        return tuple(self.cells.get((x, y), blank) for x in range(self.width))


def scatter(data: CostData, width: int, height: int) -> list[Line]:
    """The plot, and below it who is which number: in about ``height`` lines where that can be."""
    points = data.points
    legend = [*_legend(points, width), *_left_out(data, width)]
    high = min(max(height - len(legend) - 6, _LEAST_HEIGHT), _MOST_HEIGHT)
    sheet = _Sheet(max(width - _AXIS - 1, 12), high)
    top = peak(max((point.share.high or point.share.value for point in points), default=1.0))
    ups = Scale(0.0, top, sheet.height)
    costs = CostScale.of([float(point.usd) for point in points], sheet.width)
    places = [
        (costs.place(float(each.usd)), sheet.height - 1 - ups.place(each.share.value))
        for each in points
    ]
    groups: dict[tuple[int, int], list[int]] = {}
    for number, place in enumerate(places):
        groups.setdefault(place, []).append(number)
    for point, (x, _) in zip(points, places, strict=True):
        _interval(sheet, ups, point, x)
    _frontier(sheet, [place for place, each in zip(places, points, strict=True) if each.frontier])
    for (x, y), numbers in groups.items():
        mark, role = _mark([points[number] for number in numbers])
        sheet.put(x, y, mark, role, keep=True)
    for place, numbers in groups.items():
        _label(sheet, place, numbers)
    return [
        *_framed(sheet, ups, costs),
        *_caption(data, costs, width),
        (),
        *legend,
    ]


def _mark(points: Sequence[CostPoint]) -> tuple[str, Role]:
    if any(point.frontier for point in points):
        return _ON
    return _OPEN if all(point.incomplete for point in points) else _OFF


def _interval(sheet: _Sheet, ups: Scale, point: CostPoint, x: int) -> None:
    if point.share.low is None or point.share.high is None:
        return
    for y in range(ups.place(point.share.low), ups.place(point.share.high) + 1):
        sheet.put(x, sheet.height - 1 - y, "╎", Role.QUIET)


def _frontier(sheet: _Sheet, places: Sequence[tuple[int, int]]) -> None:
    """Steps from the cheapest to the best, and on to the edge."""
    for (x, y), (to_x, to_y) in pairwise(places):
        sheet.put(x, y, "─" * (to_x - x), Role.LINE)
        for between in range(to_y + 1, y):
            sheet.put(to_x, between, "│", Role.LINE)
        if to_y < y:
            sheet.put(to_x, y, "┘", Role.LINE)
    if places:
        x, y = places[-1]
        sheet.put(x, y, "─" * (sheet.width - x), Role.LINE)


def _label(sheet: _Sheet, place: tuple[int, int], numbers: Sequence[int]) -> None:
    """The numbers of points beside their mark, where there is room; else the legend tells."""
    text = ",".join(str(number + 1) for number in numbers)
    if len(text) > 8:
        text = f"{numbers[0] + 1}+{len(numbers) - 1}"
    (x, y), size = place, len(text)
    for at, line in (
        (x + 1, y), (x - size, y), (x, y - 1), (x, y + 1), (x + 1, y - 1), (x + 1, y + 1),
        (x - size, y - 1), (x - size, y + 1),
    ):  # fmt: skip
        if sheet.free(at, line, size):
            sheet.put(at, line, text, Role.STRONG, keep=True)
            return


def _framed(sheet: _Sheet, ups: Scale, costs: CostScale) -> list[Line]:
    named = {sheet.height - 1 - ups.place(ups.high * part / 4): part for part in range(5)}
    lines: list[Line] = []
    for y in range(sheet.height):
        text = f"{ups.high * named[y] * 25:g}% ┤" if y in named else "│"
        lines.append((Piece(text.rjust(_AXIS), Role.QUIET), *sheet.row(y)))
    ticks = costs.ticks()
    rule = ["─"] * sheet.width
    below = [" "] * (sheet.width + 1)
    for at, text in ticks:
        rule[at] = "┬"
        start = max(at - len(text) // 2, 0)
        below[start : start + len(text)] = text
    lines.append((Piece("└".rjust(_AXIS) + "".join(rule), Role.QUIET),))
    lines.append((Piece(" " * _AXIS + "".join(below), Role.QUIET),))
    return lines


def _caption(data: CostData, costs: CostScale, width: int) -> list[Line]:
    what = "Across: cost per scored attempt" if data.per_attempt else "Across: cost of all attempts"
    scale = ", logarithmic" if costs.logarithmic else ""
    marks = "● on the Pareto frontier (─)  ○ not on it  ◇ incomplete  ╎ 95% interval"
    return [*paragraph(f"{what} in USD{scale}. Up: pass@1.", width), *paragraph(marks, width)]


def _legend(points: Sequence[CostPoint], width: int) -> list[Line]:
    """Numbers with names, costs and scores, cheapest first; in two columns where they fit."""
    columns = 2 if width >= 2 * _ENTRY and len(points) > 3 else 1
    size = width // columns - (columns - 1)
    money = [usd(point.usd) for point in points]
    most = max((len(each) for each in money), default=0)
    digits = len(str(len(points)))
    names = max((cell_len(visible(point.model)) for point in points), default=0)
    names = min(names, max(size - digits - most - 26, 6))
    called = short_names([point.model for point in points], names)
    entries: list[Line] = []
    for number, (point, cost) in enumerate(zip(points, money, strict=True), start=1):
        mark, role = _mark([point])
        share = f"{percent(point.share.value)}%"
        if point.share.low is not None and point.share.high is not None:
            share += f" [{percent(point.share.low)}, {percent(point.share.high)}]"
        words = f" {cost.rjust(most)}  {share}"
        entries.append(
            (
                Piece(f"{number:>{digits}} ", Role.STRONG),
                Piece(mark, role),
                Piece(f" {called[number - 1]}"),
                Piece(words.ljust(size - digits - 3 - names)),
            )
        )
    rows = -(-len(entries) // columns)
    lines = []
    for row in range(rows):
        line: Line = ()
        for entry in entries[row::rows]:
            line += entry
        lines.append(line)
    return lines


def _left_out(data: CostData, width: int) -> list[Line]:
    lines: list[Line] = []
    if data.unknown:
        said = f"Cost unknown, so not drawn (never taken as 0): {', '.join(data.unknown)}."
        lines += paragraph(said, width)
    if data.unscored:
        lines += paragraph(f"No scored attempt, so not drawn: {', '.join(data.unscored)}.", width)
    return lines
