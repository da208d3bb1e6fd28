"""Where boxes, arrows and their heads stand, in cells: rows from ``domain.layers``, columns here.

Boxes are as wide as their texts ask for and the room allows; one with many inputs is as wide as
their names. An arrow comes straight down wherever the box that it feeds lies under it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from rich.cells import cell_len

from relaybench.domain.graph import find_cycle
from relaybench.domain.layers import Layers, Slot, layered, spread
from relaybench.tui.composer.canvas import fitted
from relaybench.tui.composer.graph_values import Feed, Graph, StepBox
from relaybench.tui.composer.routing import Net

NARROWEST: Final = 20
WIDEST: Final = 30
_GAP: Final = 3  # between boxes
_LANE: Final = 5  # of an arrow that passes a row
_NAME: Final = 18  # the longest that an input's name is shown


@dataclass(slots=True)
class Row:
    """A row of boxes as key -> (left, width), and of passing arrows as source -> column."""

    boxes: dict[str, tuple[int, int]] = field(default_factory=dict)
    lanes: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Layout:
    """All places. ``ports``: the column of each arrow's head by (target, slot).

    ``channels`` holds what runs between a row and the next.
    """

    rows: list[Row]
    ports: dict[tuple[str, str], int]
    channels: list[list[Net]]
    width: int


def shown_name(feed: Feed) -> str:
    """An input's name as it stands beside its arrow."""
    return ("!" if feed.wrong else "") + fitted(feed.slot, _NAME)


def without_loops(graph: Graph) -> tuple[dict[str, list[Feed]], tuple[str, ...]]:
    """The arrows into each box that can be drawn downward, and one loop if there was any.

    Arrows from boxes that do not exist are left out; so is one arrow of every loop.
    """
    keys = {step.key for step in graph.steps}
    feeds = {step.key: [each for each in step.feeds if each.source in keys] for step in graph.steps}
    first: tuple[str, ...] = ()
    while loop := find_cycle({key: [each.source for each in into] for key, into in feeds.items()}):
        first = first or loop
        feeds[loop[1]] = [each for each in feeds[loop[1]] if each.source != loop[0]]
    return feeds, first


def lay_out(graph: Graph, feeds: Mapping[str, Sequence[Feed]], room: int) -> Layout:
    """Place everything, within ``room`` cells across wherever that can be."""
    layers, sizes, pitch = _fitting(graph, feeds, room)
    layout = Layout([], {}, [], _width(layers, sizes, pitch))
    for slots in layers.rows:
        tops = _tops(layout.rows[-1], feeds) if layout.rows else {}
        row, lefts = _row(slots, sizes, pitch, layout.width, tops)
        _choose_lanes(row, lefts, tops)
        _choose_ports(row, feeds, tops, layout.ports)
        if layout.rows:
            layout.channels.append(_nets(row, feeds, tops, layout.ports))
        layout.rows.append(row)
    return layout


def _natural(step: StepBox) -> int:
    """The width that a box would like to have."""
    title = cell_len(fitted(step.label, 8)) + 1 + cell_len(fitted(step.class_name, WIDEST))
    detail = cell_len(fitted(step.instance, WIDEST)) + 4
    return max(title, detail) + 4


def _needed(feeds: Sequence[Feed]) -> int:
    """The width that the names of its inputs need above a box."""
    return sum(cell_len(shown_name(feed)) + 4 for feed in feeds) + 2


def _fitting(
    graph: Graph, feeds: Mapping[str, Sequence[Feed]], room: int
) -> tuple[Layers, dict[str, int], int]:
    """The layers with the most boxes in a row that have room, widths, and the pitch of boxes."""
    keys = [step.key for step in graph.steps]
    arrows = [(feed.source, key) for key in keys for feed in feeds[key]]
    natural = max((_natural(step) for step in graph.steps), default=NARROWEST)
    for widest in range(max(room // (NARROWEST + _GAP), 1), 0, -1):
        layers = layered(keys, arrows, widest)
        held = max((sum(not slot.passing for slot in row) for row in layers.rows), default=1)
        free = int(room / layers.width) - _GAP if layers.width else room
        width = min(max(natural, NARROWEST), WIDEST, max(free, NARROWEST))
        sizes = {key: max(width, _needed(feeds[key])) for key in keys}
        fits = free >= NARROWEST and _width(layers, sizes, width + _GAP) <= room
        if fits or held == 1:
            break
    return layers, sizes, width + _GAP


def _size(slot: Slot, sizes: Mapping[str, int]) -> int:
    return _LANE if slot.passing else sizes[slot.label] + _GAP


def _width(layers: Layers, sizes: Mapping[str, int], pitch: int) -> int:
    rows = [sum(_size(slot, sizes) for slot in row) for row in layers.rows]
    return max(int(layers.width * pitch), *rows, 0) if rows else 0


def _row(
    slots: Sequence[Slot],
    sizes: Mapping[str, int],
    pitch: int,
    width: int,
    tops: Mapping[str, int],
) -> tuple[Row, dict[str, int]]:
    """Boxes in their places; lanes yet without their column, as source -> left end.

    A lane had best go straight on from where its arrow comes down.
    """
    own = [_size(slot, sizes) for slot in slots]
    middles = spread(
        [tops[slot.label] + 0.5 if slot.passing else slot.x * pitch for slot in slots],
        [float(size) for size in own],
        float(width),
        [4.0 if slot.passing else 1.0 for slot in slots],
    )
    row, lefts, end = Row(), {}, 0
    for slot, size, middle in zip(slots, own, middles, strict=True):
        left = max(end, int(middle - size / 2 + 0.5))
        end = left + size
        if slot.passing:
            lefts[slot.label] = left
        else:
            row.boxes[slot.label] = (left + _GAP // 2, size - _GAP)
    return row, lefts


def _tops(above: Row, feeds: Mapping[str, Sequence[Feed]]) -> dict[str, int]:
    """Columns in which arrows leave a row, by their source."""
    sources = {feed.source for into in feeds.values() for feed in into}
    tops = {key: left + width // 2 for key, (left, width) in above.boxes.items() if key in sources}
    return {**tops, **above.lanes}


def _choose_lanes(row: Row, lefts: Mapping[str, int], tops: Mapping[str, int]) -> None:
    for source, left in lefts.items():
        came = tops[source]
        taken = {column for other, column in tops.items() if other != source}
        free = [each for each in range(left + 1, left + _LANE - 1) if each not in taken]
        row.lanes[source] = min(free or [left + 2], key=lambda each: (abs(each - came), each))


def _choose_ports(
    row: Row,
    feeds: Mapping[str, Sequence[Feed]],
    tops: Mapping[str, int],
    ports: dict[tuple[str, str], int],
) -> None:
    """A column for each head, near where its arrow comes from, with room for its name."""
    for key, (left, width) in row.boxes.items():
        into = sorted(feeds[key], key=lambda feed: tops[feed.source])
        names = [cell_len(shown_name(feed)) for feed in into]
        if len(into) == 1 and left < tops[into[0].source] < left + width - 1 - names[0]:
            ports[key, into[0].slot] = tops[into[0].source]  # straight down
            continue
        sizes = [name + 4.0 for name in names]
        wanted = [
            tops[feed.source] - left - 1 + size / 2 for feed, size in zip(into, sizes, strict=True)
        ]
        end = left + 1
        middles = spread(wanted, sizes, float(width - 2), [1.0] * len(into))
        for feed, size, middle in zip(into, sizes, middles, strict=True):
            column = max(end, left + 1 + int(middle - size / 2 + 0.5))
            others = {each for source, each in tops.items() if source != feed.source}
            while column in others:
                column += 1
            ports[key, feed.slot] = column
            end = column + int(size) - 2


def _nets(
    row: Row,
    feeds: Mapping[str, Sequence[Feed]],
    tops: Mapping[str, int],
    ports: Mapping[tuple[str, str], int],
) -> list[Net]:
    bottoms: dict[str, list[int]] = {}
    for source, column in row.lanes.items():
        bottoms.setdefault(source, []).append(column)
    for key in row.boxes:
        for feed in feeds[key]:
            bottoms.setdefault(feed.source, []).append(ports[key, feed.slot])
    return [
        Net(source, top, tuple(sorted(bottoms[source])))
        for source, top in tops.items()
        if source in bottoms
    ]
