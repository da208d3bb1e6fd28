"""A layered layout of a dependency graph: rows from the top, ordered so that few arrows cross.

Pure geometry in widths of one box, for any way of drawing. After Sugiyama, Tagawa and Toda
(1981): longest-path layers, lanes for arrows that pass a layer, barycentre sweeps; then places
across by least squares in which order and distances stay. The same graph gives the same layout.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from relaybench.domain.graph import dependency_order

#: How wide the lane of a passing arrow is, in boxes.
LANE: Final = 0.2
_SWEEPS: Final = 12
#: How much more a lane pulls than a box: long arrows should be straight.
_LANE_PULL: Final = 4.0

#: A box, or (True) a lane of the arrows that leave the box of that label.
_Key = tuple[str, bool]
_Rows = list[list[_Key]]
_Links = list[list[tuple[_Key, _Key]]]


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a row: the box of ``label``, or (``passing``) a lane of the arrows from it.

    ``x`` is its centre in box widths from the left edge.
    """

    label: str
    passing: bool
    x: float


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow, and the x of every lane that it takes through the rows between, from the top."""

    source: str
    target: str
    lanes: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Layers:
    """Rows of slots from left to right, the top row first. ``width`` is in box widths.

    Every arrow leads from a row to one further down; ``crossings`` counts pairs that cross.
    """

    rows: tuple[tuple[Slot, ...], ...]
    arrows: tuple[Arrow, ...]
    width: float
    crossings: int


def layered(
    labels: Sequence[str], arrows: Iterable[tuple[str, str]], widest: int | None = None
) -> Layers:
    """Lay out boxes and the arrows (source, target) between them; unknown labels are ignored.

    ``widest`` is the most boxes in a row: further ones move down. Raises
    ``graphlib.CycleError`` for a loop, ValueError for ``widest`` below 1.
    """
    if widest is not None and widest < 1:
        raise ValueError(f"a row holds at least one box, not {widest}")
    known = set(labels)
    pairs = sorted(
        {(a, b) for a, b in arrows if a in known and b in known},
        key=lambda pair: (labels.index(pair[0]), labels.index(pair[1])),
    )
    layer = _layers(labels, pairs, widest)
    rows, links = _rows_and_links(labels, pairs, layer)
    rows = _ordered(rows, links)
    places, width = _places(rows, links)
    return Layers(
        rows=tuple(
            tuple(Slot(label, passing, places[number, (label, passing)]) for label, passing in row)
            for number, row in enumerate(rows)
        ),
        arrows=tuple(
            Arrow(
                source,
                target,
                tuple(
                    places[row, (source, True)] for row in range(layer[source] + 1, layer[target])
                ),
            )
            for source, target in pairs
        ),
        width=width,
        crossings=_crossings(rows, links),
    )


def _layers(
    labels: Sequence[str], pairs: Sequence[tuple[str, str]], widest: int | None
) -> dict[str, int]:
    upstream: dict[str, list[str]] = {label: [] for label in labels}
    for source, target in pairs:
        upstream[target].append(source)
    layer: dict[str, int] = {}
    held: dict[int, int] = {}
    for label in dependency_order(labels, upstream):
        number = max((layer[up] + 1 for up in upstream[label]), default=0)
        while widest is not None and held.get(number, 0) >= widest:
            number += 1
        layer[label] = number
        held[number] = held.get(number, 0) + 1
    return layer


def _rows_and_links(
    labels: Sequence[str], pairs: Sequence[tuple[str, str]], layer: Mapping[str, int]
) -> tuple[_Rows, _Links]:
    """Rows with lanes, and what is joined between each row and the next.

    All arrows from one box share their lane, so that a row has a lane for a box at most.
    """
    depth = max(layer.values(), default=-1) + 1
    rows: _Rows = [[(each, False) for each in labels if layer[each] == n] for n in range(depth)]
    links: _Links = [[] for _ in range(max(depth - 1, 0))]
    for source in labels:
        targets = [target for each, target in pairs if each == source]
        last = max((layer[target] for target in targets), default=0)
        for row in range(layer[source] + 1, last):
            rows[row].append((source, True))
        for row in range(layer[source], last):
            here = (source, row > layer[source])
            if row + 1 < last:
                links[row].append((here, (source, True)))
            links[row] += [
                (here, (target, False)) for target in targets if layer[target] == row + 1
            ]
    return rows, links


def _crossings(rows: _Rows, links: _Links) -> int:
    count = 0
    for number, joined in enumerate(links):
        upper = {key: place for place, key in enumerate(rows[number])}
        lower = {key: place for place, key in enumerate(rows[number + 1])}
        ends = [(upper[a], lower[b]) for a, b in joined]
        for index, (a, b) in enumerate(ends):
            count += sum((a - c) * (b - d) < 0 for c, d in ends[:index])
    return count


def _ordered(rows: _Rows, links: _Links) -> _Rows:
    """The best order that barycentre sweeps and then swaps of neighbours find."""
    best, fewest = [list(row) for row in rows], _crossings(rows, links)
    for sweep in range(_SWEEPS):
        if fewest == 0:
            return best
        down = sweep % 2 == 0
        numbers = range(1, len(rows)) if down else range(len(rows) - 2, -1, -1)
        for number in numbers:
            near = _neighbours(links, number, down)
            other = {key: i for i, key in enumerate(rows[number - 1 if down else number + 1])}
            own = {key: i for i, key in enumerate(rows[number])}
            middle = {
                key: sum(other[each] for each in near[key]) / len(near[key])
                if near.get(key)
                else float(own[key])
                for key in rows[number]
            }
            rows[number].sort(key=lambda key, at=middle: at[key])  # type: ignore[misc]
        count = _crossings(rows, links)
        if count < fewest:
            best, fewest = [list(row) for row in rows], count
    return _swapped(best, links, fewest)


def _swapped(rows: _Rows, links: _Links, fewest: int) -> _Rows:
    better = True
    while better and fewest:
        better = False
        for row in rows:
            for left in range(len(row) - 1):
                row[left], row[left + 1] = row[left + 1], row[left]
                count = _crossings(rows, links)
                if count < fewest:
                    fewest, better = count, True
                else:
                    row[left], row[left + 1] = row[left + 1], row[left]
    return rows


def _neighbours(links: _Links, row: int, above: bool) -> dict[_Key, list[_Key]]:
    found: dict[_Key, list[_Key]] = {}
    if above and row > 0:
        for upper, lower in links[row - 1]:
            found.setdefault(lower, []).append(upper)
    elif not above and row < len(links):
        for upper, lower in links[row]:
            found.setdefault(upper, []).append(lower)
    return found


def _size(key: _Key) -> float:
    return LANE if key[1] else 1.0


def _places(rows: _Rows, links: _Links) -> tuple[dict[tuple[int, _Key], float], float]:
    """The centre of every slot by row, and the width of all."""
    width = max((sum(map(_size, row)) for row in rows), default=0.0)
    places: dict[tuple[int, _Key], float] = {}
    for number, row in enumerate(rows):
        left = (width - sum(map(_size, row))) / 2
        for key in row:
            places[number, key] = left + _size(key) / 2
            left += _size(key)
    for sweep in range(_SWEEPS):
        down = sweep % 2 == 1  # from below first: what feeds a box stands over it
        numbers = range(1, len(rows)) if down else range(len(rows) - 2, -1, -1)
        for number in numbers:
            near = _neighbours(links, number, down)
            beside = number - 1 if down else number + 1
            wanted, pulls = [], []
            for key in rows[number]:
                joined = near.get(key, [])
                weights = [_LANE_PULL if key[1] or each[1] else 1.0 for each in joined]
                total = sum(weights)
                wanted.append(
                    sum(w * places[beside, each] for w, each in zip(weights, joined, strict=True))
                    / total
                    if joined
                    else places[number, key]
                )
                pulls.append(total or 0.1)
            sizes = [_size(key) for key in rows[number]]
            for key, x in zip(rows[number], spread(wanted, sizes, width, pulls), strict=True):
                places[number, key] = x
    return places, width


def spread(
    wanted: Sequence[float], sizes: Sequence[float], width: float, weights: Sequence[float]
) -> list[float]:
    """Centres as near as can be to those wanted, in their order, without overlap, in 0-width.

    Least squares by pooling adjacent violators. Where the sizes add up to more than the width,
    they begin at 0 and go over it.
    """
    if not sizes:
        return []
    offsets = [0.0]
    for left, right in pairwise(sizes):
        offsets.append(offsets[-1] + (left + right) / 2)
    pools: list[tuple[float, float, int]] = []  # mean, weight, members
    for want, offset, weight in zip(wanted, offsets, weights, strict=True):
        pool = (want - offset, weight, 1)
        while pools and pools[-1][0] >= pool[0]:
            mean, heavy, members = pools.pop()
            total = heavy + pool[1]
            pool = ((mean * heavy + pool[0] * pool[1]) / total, total, members + pool[2])
        pools.append(pool)
    low = sizes[0] / 2
    high = max(low, width - sizes[-1] / 2 - offsets[-1])
    levels = [min(max(mean, low), high) for mean, _, members in pools for _ in range(members)]
    return [level + offset for level, offset in zip(levels, offsets, strict=True)]
