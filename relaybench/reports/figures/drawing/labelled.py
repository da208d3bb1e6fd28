"""Names beside points: written out where there is room for all of them, else numbers and a key."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from relaybench.reports.figures.drawing.keys import Symbol
from relaybench.reports.figures.drawing.lettering import drawable, short_names, told_apart, width
from relaybench.reports.figures.drawing.placement import Rect, place
from relaybench.reports.figures.drawing.sheet import GREY, Sheet

#: From this distance (inches) a line leads from a label to its point.
_LEADER_FROM: Final = 0.05
#: Names are cut to this share of the plot's width.
_NAME_SHARE: Final = 0.46


def label_points(
    sheet: Sheet,
    room: Rect,
    points: Sequence[tuple[float, float]],
    names: Sequence[str],
    hard: Sequence[Rect],
    soft: Sequence[Rect],
    radius: float,
    *,
    numbered: bool = True,
) -> list[tuple[Symbol, str]]:
    """Write foreign names beside their points; returns the key where they became numbers.

    Where there is no free room for all names and they are not ``numbered``, none is written.
    """
    if not points:
        return []
    size, high = sheet.small, sheet.small_line * 0.86
    full = told_apart([drawable(name) for name in dict.fromkeys(names)])
    whole = dict(zip(dict.fromkeys(names), full, strict=True))
    for share in (0.9, _NAME_SHARE):
        texts = short_names(names, (room.right - room.left) * share, size)
        if texts != [whole[name] for name in names]:
            break  # better a key with whole names than names without their middle
        sizes = [(width(text, size) + 0.04, high) for text in texts]
        placed = place(points, sizes, room, [*hard, *soft], (), radius)
        if placed is not None:
            _write(sheet, points, texts, placed, radius)
            return []
    if not numbered:
        return []
    groups = _together(points, radius)
    numbers = [_ranges([index + 1 for index in group]) for group in groups]
    middles = [points[group[0]] for group in groups]
    sizes = [(width(text, size, bold=True) + 0.04, high) for text in numbers]
    for around, shunned, crossing in ((hard, soft, False), ((), (), True)):
        placed = place(middles, sizes, room, around, shunned, radius, crossing=crossing)
        if placed is not None:
            _write(sheet, middles, numbers, placed, radius, bold=True)
            break
    right = number_room(sheet, len(names)) / 2 - 0.02
    return [
        (partial(_number, sheet, str(number), right), name)
        for number, name in enumerate(names, start=1)
    ]


def _together(points: Sequence[tuple[float, float]], radius: float) -> list[list[int]]:
    """Points by index, those that lie on one another together."""
    groups: list[list[int]] = []
    for index, (x, y) in enumerate(points):
        for group in groups:
            u, v = points[group[0]]
            if (x - u) ** 2 + (y - v) ** 2 < (radius / 2) ** 2:
                group.append(index)
                break
        else:
            groups.append([index])
    return groups


def _ranges(numbers: Sequence[int]) -> str:
    """``1-3, 7`` for 1, 2, 3 and 7 (rising)."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}\u2013{run[-1]}" for run in runs)


def number_room(sheet: Sheet, count: int) -> float:
    """How wide the numbers of a key are, in inches."""
    return max(0.2, width(str(count), sheet.small, bold=True) + 0.06)


def _number(sheet: Sheet, number: str, right: float, x: float, y: float) -> None:
    sheet.text(x + right, y, number, sheet.small, ha="right", bold=True)


def _write(
    sheet: Sheet,
    points: Sequence[tuple[float, float]],
    texts: Sequence[str],
    placed: Sequence[Rect],
    radius: float,
    *,
    bold: bool = False,
) -> None:
    for (x, y), text, rect in zip(points, texts, placed, strict=True):
        near_x, near_y = rect.nearest(x, y)
        distance = ((near_x - x) ** 2 + (near_y - y) ** 2) ** 0.5
        if distance > radius + _LEADER_FROM:
            sheet.stroke([(x, y), (near_x, near_y)], colour=GREY, line=0.5, order=3.2)
        middle = (rect.top + rect.bottom) / 2
        centre = (rect.left + rect.right) / 2
        sheet.text(centre, middle, text, sheet.small, ha="center", bold=bold, halo=True, order=4.5)
