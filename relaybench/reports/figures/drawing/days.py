"""Where the marks of days stand on an axis of time: beside their date, never past another day's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Final

from relaybench.domain.layers import spread
from relaybench.reports.figures.drawing.scales import Scale

#: Marks stand at most so far from their date, in inches: about three marks.
REACH: Final = 0.26
#: How many columns of marks a day may have, and how far apart they are in inches; best first.
_WAYS: Final = ((5, 0.1), (4, 0.1), (3, 0.1), (2, 0.1), (1, 0.09), (1, 0.06), (1, 0.03), (1, 0.0))
_SHIFTED: Final = 0.02


@dataclass(frozen=True, slots=True)
class Columns:
    """The places of columns of marks by day, in inches; ``shifted`` days are beside their date."""

    by_day: Mapping[date, tuple[float, ...]]
    shifted: frozenset[date]


def columns(counts: Mapping[date, int], across: Scale) -> Columns:
    """Columns for so many marks of each day, around its date, in the order of days.

    Where days are too close together they move apart, within ``REACH``; where that is not
    enough, marks of one day stand in fewer columns, one above the other. A single day has all
    the axis, and a column for each mark.
    """
    days = sorted(counts)
    if len(days) == 1:
        middle, number = across(days[0].toordinal()), counts[days[0]]
        apart = min(0.1, (across.end - across.start) * 0.9 / number)
        return Columns({days[0]: _around(middle, number, apart)}, frozenset())
    true = [across(day.toordinal()) for day in days]
    ways = [0] * len(days)
    while True:
        numbers = [min(counts[day], _WAYS[way][0]) for day, way in zip(days, ways, strict=True)]
        aparts = [_WAYS[way][1] for way in ways]
        sizes = [number * apart for number, apart in zip(numbers, aparts, strict=True)]
        centres = _centres(true, sizes)
        far = [
            at
            for at, centre, size in zip(true, centres, sizes, strict=True)
            if abs(at - centre) + size / 2 > REACH
        ]
        if not far:
            break
        # Days that push one another away have fewer columns; others keep theirs.
        ways = [
            min(way + any(abs(at - x) < 2 * REACH for x in far), len(_WAYS) - 1)
            for way, at in zip(ways, true, strict=True)
        ]
    by_day = {
        day: _around(centre, number, apart)
        for day, centre, number, apart in zip(days, centres, numbers, aparts, strict=True)
    }
    moved = [at for at, centre in zip(true, centres, strict=True) if abs(at - centre) > _SHIFTED]
    # The middle one of three days is where it was, but who knows that.
    shifted = (
        day
        for day, at in zip(days, true, strict=True)
        if any(abs(at - other) < 2 * REACH for other in moved)
    )
    return Columns(by_day, frozenset(shifted))


def _around(centre: float, number: int, apart: float) -> tuple[float, ...]:
    return tuple(centre + (place - (number - 1) / 2) * apart for place in range(number))


def _centres(true: Sequence[float], sizes: Sequence[float]) -> list[float]:
    if all(
        right - left >= (a + b) / 2
        for (left, right), (a, b) in zip(pairwise(true), pairwise(sizes), strict=True)
    ):
        return list(true)
    # Room on both sides, so that the ends of the axis push nothing.
    start = true[0] - sum(sizes)
    room = true[-1] - true[0] + 2 * sum(sizes)
    return [start + at for at in spread([x - start for x in true], sizes, room, [1.0] * len(true))]


def in_columns(heights: Sequence[float], places: Sequence[float], size: float) -> list[float]:
    """For each mark at its height one of the places, so that marks of ``size`` hide few others."""
    taken: list[list[float]] = [[] for _ in places]
    found = []
    for number, height in enumerate(heights):
        order = [(number + turn) % len(places) for turn in range(len(places))]
        best = min(
            order,
            key=lambda at: (sum(abs(height - other) < size for other in taken[at]), len(taken[at])),
        )
        taken[best].append(height)
        found.append(places[best])
    return found
