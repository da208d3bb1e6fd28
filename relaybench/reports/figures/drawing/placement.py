"""Find places for labels beside points, so that nothing overlaps: greedy, the same every time."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

#: How far out a label may go, in inches, and the directions (degrees) tried at each distance.
_RINGS: Final = (0.02, 0.06, 0.12, 0.2, 0.3, 0.42, 0.56, 0.72, 0.9, 1.2, 1.6)
_DIRECTIONS: Final = (0, 180, 90, 270, 45, 135, 315, 225, 20, 160, 340, 200, 70, 110, 250, 290)
_SOFT_COST: Final = 0.4


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle in inches; ``top`` is smaller than ``bottom``."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Rect) -> bool:
        """Whether they share any area."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def within(self, other: Rect) -> bool:
        """Whether it lies in another one."""
        return (
            self.left >= other.left
            and self.right <= other.right
            and self.top >= other.top
            and self.bottom <= other.bottom
        )

    def grown(self, by: float) -> Rect:
        """The same with a margin all around."""
        return Rect(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def nearest(self, x: float, y: float) -> tuple[float, float]:
        """The point of it that is nearest to another."""
        return min(max(x, self.left), self.right), min(max(y, self.top), self.bottom)


Point = tuple[float, float]


def place(
    points: Sequence[Point],
    sizes: Sequence[tuple[float, float]],
    room: Rect,
    hard: Sequence[Rect],
    soft: Sequence[Rect] = (),
    radius: float = 0.05,
    *,
    crossing: bool = False,
) -> list[Rect] | None:
    """Rectangles for the labels of points, or None where there is no room for all of them.

    ``sizes`` are width and height of the labels, ``radius`` that of marks. No label lies on
    another one, on a mark or on ``hard``; ``soft`` is shunned only. Lines from labels to their
    points cross no other label and no such line, unless ``crossing`` is allowed.
    """
    marks = [Rect(x - radius, y - radius, x + radius, y + radius) for x, y in points]
    crowd = [sum(math.hypot(x - u, y - v) < 0.6 for u, v in points) for x, y in points]
    order = sorted(range(len(points)), key=lambda i: (-crowd[i], points[i][1], points[i][0], i))
    found: dict[int, Rect] = {}
    for index in order:
        best: tuple[float, Rect] | None = None
        for cost, rect in _candidates(points[index], sizes[index], radius):
            if best is not None and cost >= best[0]:
                break
            if not rect.within(room) or any(rect.overlaps(each) for each in (*marks, *hard)):
                continue
            if any(rect.overlaps(each) for each in found.values()):
                continue
            if not crossing and _crosses(index, rect, points, found):
                continue
            cost += _SOFT_COST * sum(rect.overlaps(each) for each in soft)
            if best is None or cost < best[0]:
                best = cost, rect
        if best is None:
            return None
        found[index] = best[1]
    return [found[index] for index in range(len(points))]


def _candidates(
    point: Point, size: tuple[float, float], radius: float
) -> Iterator[tuple[float, Rect]]:
    """Cost and rectangle, cheapest first."""
    (x, y), (wide, high) = point, size
    for ring in _RINGS:
        for rank, direction in enumerate(_DIRECTIONS):
            angle = math.radians(direction)
            across, down = math.cos(angle), -math.sin(angle)
            reach = radius + ring
            cx = x + across * (reach + wide / 2)
            cy = y + down * (reach + high / 2)
            rect = Rect(cx - wide / 2, cy - high / 2, cx + wide / 2, cy + high / 2)
            yield ring + rank * 0.001, rect


def _crosses(index: int, rect: Rect, points: Sequence[Point], found: dict[int, Rect]) -> bool:
    leader = (points[index], rect.nearest(*points[index]))
    for other, taken in found.items():
        theirs = (points[other], taken.nearest(*points[other]))
        if _meet(*leader, *theirs) or _through(leader, taken) or _through(theirs, rect):
            return True
    return False


def _through(line: tuple[Point, Point], rect: Rect) -> bool:
    corners = [
        (rect.left, rect.top),
        (rect.right, rect.top),
        (rect.right, rect.bottom),
        (rect.left, rect.bottom),
    ]
    return any(_meet(*line, corners[i - 1], corners[i]) for i in range(4))


def _meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two line segments cross (touching ends do not count)."""

    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0
