"""A composite's dependency graph: steps in rows, their wiring, and what was put around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from relaybench.domain.layers import Layers, layered
from relaybench.reports.figures.drawing.graph_stages import draw_stages
from relaybench.reports.figures.drawing.keys import note
from relaybench.reports.figures.drawing.lettering import drawable, shortened, width, wrapped
from relaybench.reports.figures.drawing.sheet import GREY, INK, MARGIN, Sheet
from relaybench.reports.figures.figure import GraphData, GraphInput, GraphStep

_PAD: Final = 0.1  # inside the frame
_INSIDE: Final = 0.06  # inside a box
_GAP: Final = 0.14  # between boxes
_HEAD: Final = 0.1
_PORT: Final = 0.1  # from the middle of a box, where two arrows enter it
_NARROWEST_LETTERS: Final = 15
_WIDEST: Final = 2.1

#: The shade of a step by its domain; the domain's name stands in it too.
_SHADES: Final[Mapping[str, str]] = {
    "visual-reasoning": "#f7ecf3",
    "coding": "#e3eff7",
    "math": "#fdf1d9",
    "information-extraction": "#ddf1ea",
    "problem-solving": "#fae4d4",
    "general-knowledge": "#eaf5fc",
    "data-analysis": "#f9f6d0",
}


@dataclass(frozen=True, slots=True)
class _Box:
    """What stands in a step's box: label, lines of its class, and small lines under them."""

    label: str
    title: tuple[str, ...]
    small: tuple[str, ...]


def draw_graph(sheet: Sheet, data: GraphData) -> None:
    """The frame with all steps, then bloat, encoding and final answer under it."""
    room = sheet.width - 2 * MARGIN - 2 * _PAD
    layout, pitch = _fitting(sheet, data, room)
    wide = pitch - _GAP
    origin = MARGIN + _PAD + (room - layout.width * pitch) / 2
    top = sheet.top
    heading = f"{drawable(data.ref)}: {len(data.steps)} steps"
    y = top + 0.06
    text = shortened(heading, room, sheet.font, bold=True)
    sheet.text(MARGIN + _PAD, y + sheet.line / 2, text, bold=True)
    y += sheet.line + 0.06
    boxes = {step.label: _box(sheet, step, wide) for step in data.steps}
    steps = {step.label: step for step in data.steps}
    feeds = _feeds(data, layout)
    tops, bottoms = _rows(sheet, layout, boxes, feeds, y)
    for number, row in enumerate(layout.rows):
        for slot in row:
            if not slot.passing:
                x = origin + slot.x * pitch - wide / 2
                high = bottoms[number] - tops[number]
                _draw_box(sheet, boxes[slot.label], steps[slot.label], x, tops[number], wide, high)
    _draw_arrows(sheet, layout, feeds, (tops, bottoms), (origin, pitch, wide))
    bottom = bottoms[-1] + _PAD
    sheet.box(
        MARGIN, top, sheet.width - 2 * MARGIN, bottom - top, edge=GREY, rounded=0.06, order=0.5
    )
    sheet.top = bottom
    draw_stages(sheet, data)
    if not all(step.in_answer for step in data.steps):
        note(sheet, "Dashed: feeds other steps, but is no part of the final answer itself.")


def _fitting(sheet: Sheet, data: GraphData, room: float) -> tuple[Layers, float]:
    """The layout with the most boxes in a row whose boxes are wide enough, and their pitch."""
    labels = [step.label for step in data.steps]
    arrows = [(each.source, each.target) for each in data.inputs]
    least = width("n" * _NARROWEST_LETTERS, sheet.font) + _GAP
    best: tuple[Layers, float] | None = None
    for widest in range(max(1, int(room / least)), 0, -1):
        layout = layered(labels, arrows, widest)
        pitch = min(room / layout.width, _WIDEST + _GAP)
        if best is None or pitch > best[1] + 1e-9:
            best = layout, pitch
        if pitch >= least:
            break
    if best is None:
        raise AssertionError("a row holds one box at least")
    return best


def _box(sheet: Sheet, step: GraphStep, wide: float) -> _Box:
    room = wide - 2 * _INSIDE
    label = shortened(drawable(step.label), room * 0.4, sheet.font, bold=True)
    beside = room - width(label, sheet.font, bold=True) - 0.06
    small = wrapped(drawable(step.domain), room, sheet.small, 2)
    if step.augment:
        words = drawable("then " + ", ".join(step.augment))
        small += wrapped(words, room, sheet.small, 3)
    return _Box(label, wrapped(drawable(step.class_name), beside, sheet.font, 3), small)


@dataclass(frozen=True, slots=True)
class _Feed:
    """An arrow into a box: its input, and the x (in box widths) of all it passes, port last."""

    input: GraphInput
    lanes: tuple[float, ...]
    source_x: float


def _feeds(data: GraphData, layout: Layers) -> dict[str, list[_Feed]]:
    """Arrows by the box that they lead to, from left to right."""
    places = {slot.label: slot.x for row in layout.rows for slot in row if not slot.passing}
    lanes = {(arrow.source, arrow.target): arrow.lanes for arrow in layout.arrows}
    found: dict[str, list[_Feed]] = {}
    for each in data.inputs:
        if (each.source, each.target) in lanes:
            feed = _Feed(each, lanes[each.source, each.target], places[each.source])
            found.setdefault(each.target, []).append(feed)
    for feeds in found.values():
        feeds.sort(key=lambda feed: feed.lanes[-1] if feed.lanes else feed.source_x)
    return found


def _rows(
    sheet: Sheet,
    layout: Layers,
    boxes: Mapping[str, _Box],
    feeds: Mapping[str, Sequence[_Feed]],
    y: float,
) -> tuple[list[float], list[float]]:
    """Tops and bottoms of rows: room for arrows to cross, then for their names."""
    tops, bottoms = [], []
    for number, row in enumerate(layout.rows):
        own = [slot.label for slot in row if not slot.passing]
        if number:
            names = max((len(feeds.get(label, ())) for label in own), default=0)
            y += _crossing_room(layout, number) + (names * sheet.small_line + _HEAD if names else 0)
        tops.append(y)
        y += max(
            (
                len(boxes[label].title) * sheet.line
                + len(boxes[label].small) * sheet.small_line
                + 2 * _INSIDE
                for label in own
            ),
            default=0.1,
        )
        bottoms.append(y)
    return tops, bottoms


def _crossing_room(layout: Layers, row: int) -> float:
    """Height above a row's names in which arrows change their place."""
    return min(0.16 + 0.03 * len(layout.rows[row]) + 0.03 * len(layout.rows[row - 1]), 0.5)


def _draw_box(
    sheet: Sheet, box: _Box, step: GraphStep, x: float, y: float, wide: float, high: float
) -> None:
    sheet.box(
        x,
        y,
        wide,
        high,
        fill=_SHADES.get(step.domain, "#f2f2f2"),
        edge=INK,
        line=0.8,
        dashed=not step.in_answer,
        rounded=0.04,
    )
    text = len(box.title) * sheet.line + len(box.small) * sheet.small_line
    at = y + (high - text) / 2
    sheet.text(x + _INSIDE, at + sheet.line / 2, box.label, bold=True)
    beside = x + _INSIDE + width(box.label, sheet.font, bold=True) + 0.06
    for line in box.title:
        sheet.text(beside, at + sheet.line / 2, line)
        at += sheet.line
    for line in box.small:
        sheet.text(x + _INSIDE, at + sheet.small_line / 2, line, sheet.small, colour="#404040")
        at += sheet.small_line


def _draw_arrows(
    sheet: Sheet,
    layout: Layers,
    feeds: Mapping[str, Sequence[_Feed]],
    ys: tuple[Sequence[float], Sequence[float]],
    across: tuple[float, float, float],
) -> None:
    tops, bottoms = ys
    origin, pitch, wide = across
    row_of = {
        slot.label: number
        for number, row in enumerate(layout.rows)
        for slot in row
        if not slot.passing
    }
    for row in layout.rows:
        for slot in row:
            own = feeds.get(slot.label, ()) if not slot.passing else ()
            if not own:
                continue
            centre, top = origin + slot.x * pitch, tops[row_of[slot.label]]
            names = [drawable(feed.input.name) for feed in own]
            ports = _ports(sheet, names, centre, wide)
            for feed, port in zip(own, ports, strict=True):
                first = row_of[feed.input.source]
                xs = [origin + each * pitch for each in (feed.source_x, *feed.lanes)]
                points = [(xs[0], bottoms[first])]
                for step, x in enumerate([*xs[1:], port]):
                    number = first + step + 1
                    bend = bottoms[number - 1] + _crossing_room(layout, number)
                    points += [(x, bend), (x, bottoms[number] if x != port else tops[number])]
                points[-1] = (port, top)
                sheet.curve(points)
                sheet.head(*points[-1])
            y = top - _HEAD - sheet.small_line
            _name_arrows(sheet, names, ports, centre + wide / 2, wide, y)


def _sides(sheet: Sheet, names: Sequence[str], wide: float) -> bool:
    """Whether the names of two arrows have room left and right of them, on one line."""
    room = wide / 2 - _PORT - 0.04
    return len(names) == 2 and all(width(name, sheet.small) <= room for name in names)


def _ports(sheet: Sheet, names: Sequence[str], centre: float, wide: float) -> list[float]:
    """Where arrows enter a box: around its middle, or from its left on, for names' sake."""
    if len(names) == 1:
        return [centre]
    if _sides(sheet, names, wide):
        return [centre - _PORT, centre + _PORT]
    step = min(0.3, wide * 0.55 / max(len(names), 1))
    return [centre - wide / 2 + 0.12 + step * index for index in range(len(names))]


def _name_arrows(
    sheet: Sheet, names: Sequence[str], ports: Sequence[float], right: float, wide: float, y: float
) -> None:
    """Write inputs' names beside their arrows, one under the other where there are several.

    ``y`` is where the lowest line begins, ``right`` the right edge of the box.
    """
    if _sides(sheet, names, wide):
        middle = y + sheet.small_line / 2
        sheet.text(ports[0] - 0.04, middle, names[0], sheet.small, ha="right", order=3.0)
        sheet.text(ports[1] + 0.04, middle, names[1], sheet.small, order=3.0)
        return
    for index, (name, port) in enumerate(zip(names, ports, strict=True)):
        middle = y - sheet.small_line * (len(names) - index - 1.5)
        if len(names) == 1 and width(name, sheet.small) > right - port - 0.04:
            text = shortened(name, wide, sheet.small)
            sheet.text(port, middle, text, sheet.small, ha="center", halo=True, order=3.0)
            return
        text = shortened(name, right - port - 0.04, sheet.small)
        sheet.text(port + 0.04, middle, text, sheet.small, halo=len(names) > 1, order=3.0)
