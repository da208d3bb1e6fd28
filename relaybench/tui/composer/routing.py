"""Tracks for arrows between two rows of boxes, so that none runs on top of another.

A net is all that leaves one place upward of a channel: it comes down at ``top`` and goes on at
each of ``bottoms``. Columns of different nets differ, so that any order of their tracks can be
drawn; the order that crosses least is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_PASSES: Final = 6


@dataclass(frozen=True, slots=True)
class Net:
    """What one source sends through a channel: columns in cells."""

    source: str
    top: int
    bottoms: tuple[int, ...]

    @property
    def span(self) -> tuple[int, int]:
        """Its leftmost and rightmost column."""
        return min(self.top, *self.bottoms), max(self.top, *self.bottoms)

    def shifted(self, by: int) -> Net:
        """The same, so many columns to the right."""
        return Net(self.source, self.top + by, tuple(each + by for each in self.bottoms))

    @property
    def straight(self) -> bool:
        """Whether it needs no track."""
        return self.bottoms == (self.top,)


def tracks(nets: Sequence[Net]) -> dict[str, int]:
    """For each net that is not straight its track, 0 the uppermost."""
    order = _ordered([net for net in nets if not net.straight])
    found: dict[str, int] = {}
    for place, net in enumerate(order):
        above = [found[each.source] for each in order[:place] if _touch(each, net)]
        found[net.source] = max(above, default=-1) + 1
    return found


def _touch(one: Net, other: Net) -> bool:
    """Whether two nets on one track would run into each other, or look as if they did."""
    (left, right), (start, end) = one.span, other.span
    return left <= end + 1 and start <= right + 1


def _crossings(upper: Net, lower: Net) -> int:
    low, high = lower.span
    left, right = upper.span
    count = sum(low < column < high for column in upper.bottoms)
    return count + (left < lower.top < right)


def _ordered(nets: list[Net]) -> list[Net]:
    """Each net in turn to the place where it crosses least, until nothing gets better."""
    order = sorted(nets, key=lambda net: net.span)
    for _ in range(_PASSES):
        before = list(order)
        for net in before:
            rest = [each for each in order if each is not net]
            costs = [
                sum(_crossings(each, net) for each in rest[:place])
                + sum(_crossings(net, each) for each in rest[place:])
                for place in range(len(rest) + 1)
            ]
            at = min(range(len(costs)), key=costs.__getitem__)
            if costs[at] < costs[order.index(net)]:
                order = [*rest[:at], net, *rest[at:]]
        if order == before:
            break
    return order
