"""Score against cost, with the Pareto frontier."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import log10
from typing import Final

from relaybench.reports.figures.drawing.keys import Symbol, draw_key, note
from relaybench.reports.figures.drawing.labelled import label_points, number_room
from relaybench.reports.figures.drawing.lettering import width
from relaybench.reports.figures.drawing.placement import Rect
from relaybench.reports.figures.drawing.scales import (
    Scale,
    Tick,
    across_axis,
    linear_ticks,
    log_ticks,
    up_axis,
    usd_text,
)
from relaybench.reports.figures.drawing.sheet import GREY, INK, MARGIN, Sheet
from relaybench.reports.figures.figure import CostData, CostPoint

#: From this ratio of the dearest to the cheapest on, the scale of costs is logarithmic.
_LOG_FROM: Final = 10.0
#: Room for a cost of 0 left of a logarithmic scale, in inches.
_FREE: Final = 0.4
_MARK: Final = 6.0


@dataclass(frozen=True, slots=True)
class _CostAxis:
    place: Callable[[float], float]
    ticks: list[Tick]
    free_until: float | None  # where the part for a cost of 0 ends


def draw_cost(sheet: Sheet, data: CostData) -> None:
    """Points with intervals, the frontier, and a note on models without a known cost."""
    highest = max((point.share.high or point.share.value for point in data.points), default=1.0)
    peak = min(1.0, max(0.2, -(-highest * 10 // 1) / 10))
    high = min(max(sheet.width * 0.52, 2.3), 4.2)
    left, right, top = up_axis_room(sheet), sheet.width - MARGIN - 0.1, sheet.top + sheet.line * 1.2
    bottom = top + high
    ups = Scale(0.0, peak, bottom, top)
    sheet.watermark(left, top, right - left, high)
    up_axis(sheet, ups, (left, right), "Pass@1 with 95% interval")
    axis = _cost_axis(sheet, [float(point.usd) for point in data.points], left, right)
    scale = Scale(0.0, sheet.width, 0.0, sheet.width)
    what = "Cost per scored attempt in USD" if data.per_attempt else "Cost of all attempts in USD"
    across_axis(
        sheet,
        Scale(left, right, left, right),
        [(scale(axis.place(value)), text) for value, text in axis.ticks],
        top,
        bottom,
        what + (", logarithmic" if _is_log(data.points) else ""),
    )
    if axis.free_until is not None:
        x = axis.free_until
        sheet.stroke([(x, top), (x, bottom)], colour=GREY, line=0.7, dash=(1, 2))
    if not data.points:
        words = "no model has a known cost and a score"
        sheet.text((left + right) / 2, top + high / 2, words, sheet.small, ha="center", colour=GREY)
    places = [(axis.place(float(each.usd)), ups(each.share.value)) for each in data.points]
    line = _frontier(data.points, places, right)
    soft = []
    for each, (x, _) in zip(data.points, places, strict=True):
        if each.share.low is not None and each.share.high is not None:
            ends = [(x, ups(each.share.low)), (x, ups(each.share.high))]
            sheet.stroke(ends, colour="#8c8c8c", line=0.9, order=2.0)
            soft.append(Rect(x - 0.02, ends[1][1], x + 0.02, ends[0][1]))
    if len(line) > 1:
        sheet.stroke(line, colour=INK, line=1.2, order=2.5)
        soft += [
            Rect(min(a, c), min(b, d), max(a, c), max(b, d)).grown(0.01)
            for (a, b), (c, d) in pairwise(line)
        ]
    for each, (x, y) in zip(data.points, places, strict=True):
        _mark(sheet, _look(each), x, y)
    room = Rect(left + 0.02, top, right + 0.08, bottom - 0.02)
    names = [each.model for each in data.points]
    numbers = label_points(sheet, room, places, names, (), soft, _MARK / 72 / 2 + 0.02)
    draw_key(sheet, _key(sheet, data.points))
    draw_key(sheet, numbers, symbol=number_room(sheet, len(numbers)))
    if data.unknown:
        note(sheet, f"Cost unknown, not drawn: {', '.join(data.unknown)}.")
    if data.unscored:
        note(sheet, f"No scored attempt, not drawn: {', '.join(data.unscored)}.")


def up_axis_room(sheet: Sheet) -> float:
    """Where a plot begins right of its ticks in percent."""
    return MARGIN + width("100%", sheet.small) + 0.08


def _is_log(points: Sequence[CostPoint]) -> bool:
    paid = [float(point.usd) for point in points if point.usd > 0]
    return len(paid) > 1 and max(paid) / min(paid) >= _LOG_FROM


def _cost_axis(sheet: Sheet, costs: Sequence[float], left: float, right: float) -> _CostAxis:
    paid = [cost for cost in costs if cost > 0]
    most = max(2, int((right - left) / (width("$1,000", sheet.small) * 1.6)))
    if len(paid) > 1 and max(paid) / min(paid) >= _LOG_FROM:
        free = len(paid) < len(costs)
        low, high = log10(min(paid)), log10(max(paid))
        pad = (high - low) * 0.07
        start = left + (_FREE if free else 0)
        logs = Scale(low - pad, high + pad, start, right)
        found = log_ticks(10 ** (low - pad), 10 ** (high + pad), most)
        ticks = [(each, usd_text(each)) for each in found]
        return _CostAxis(
            lambda cost: logs(log10(cost)) if cost > 0 else left + _FREE / 2,
            [(0.0, "$0"), *ticks] if free else ticks,
            start if free else None,
        )
    if not paid:
        return _CostAxis(Scale(-1.0, 1.0, left, right), [(0.0, "$0")] if costs else [], None)
    high = max(paid) * 1.12
    plain = Scale(0.0 if len(paid) == len(costs) else -0.04 * high, high, left, right)
    return _CostAxis(plain, [(each, usd_text(each)) for each in linear_ticks(high, most)], None)


def _frontier(
    points: Sequence[CostPoint], places: Sequence[tuple[float, float]], right: float
) -> list[tuple[float, float]]:
    """Steps from the cheapest model of the frontier to the best one, and on to the edge."""
    line: list[tuple[float, float]] = []
    for each, (x, y) in zip(points, places, strict=True):  # cheapest first
        if each.frontier:
            line += [(x, line[-1][1]), (x, y)] if line else [(x, y)]
    return [*line, (right, line[-1][1])] if line else []


#: Greys, for here no colour is a model's.
_LOOKS: Final = {
    "on the Pareto frontier": ("o", INK),
    "not on the frontier": ("o", "#c4c4c4"),
    "incomplete": ("D", "white"),
}


def _look(point: CostPoint) -> str:
    if point.incomplete:
        return "incomplete"
    return "on the Pareto frontier" if point.frontier else "not on the frontier"


def _mark(sheet: Sheet, look: str, x: float, y: float) -> None:
    marker, fill = _LOOKS[look]
    sheet.mark(x, y, marker, fill=fill, size=_MARK)


def _key(sheet: Sheet, points: Sequence[CostPoint]) -> list[tuple[Symbol, str]]:
    used = {_look(point) for point in points}
    return [(partial(_mark, sheet, look), look) for look in _LOOKS if look in used]
