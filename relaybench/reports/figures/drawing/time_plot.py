"""Accuracy over time, with the line at which a benchmark is saturated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import pairwise
from typing import Final

from relaybench.reports.figures.drawing.cost_plot import up_axis_room
from relaybench.reports.figures.drawing.keys import Symbol, draw_key, note
from relaybench.reports.figures.drawing.labelled import label_points
from relaybench.reports.figures.drawing.lettering import width
from relaybench.reports.figures.drawing.palette import edge_of, marking
from relaybench.reports.figures.drawing.placement import Rect
from relaybench.reports.figures.drawing.scales import Scale, across_axis, date_ticks, up_axis
from relaybench.reports.figures.drawing.sheet import GREY, INK, MARGIN, Sheet
from relaybench.reports.figures.figure import OverTimeData, TimePoint, TimeSeries
from relaybench.reports.numbers import percent

#: Marks of one day stand so far apart at most, in inches.
_APART: Final = 0.1
_MARK: Final = 5.5
#: So many points at most have names of their own where marks say the series.
_NAMED: Final = 8
_DASHES: Final[tuple[tuple[float, ...], ...]] = ((), (5, 2), (1.5, 1.5), (5, 2, 1, 2))
_SATURATED: Final = (4.0, 3.0)


@dataclass(frozen=True, slots=True)
class _Placed:
    point: TimePoint
    series: int
    x: float
    y: float


def draw_over_time(sheet: Sheet, data: OverTimeData) -> None:
    """Marks by day; the best score so far of each series as a stepped line."""
    high = min(max(sheet.width * 0.46, 2.3), 4.0)
    left, right, top = up_axis_room(sheet), sheet.width - MARGIN - 0.1, sheet.top + sheet.line * 1.2
    bottom = top + high
    ups = Scale(0.0, 1.0, bottom, top + 0.06)
    sheet.watermark(left, top, right - left, high)
    up_axis(sheet, ups, (left, right), "Accuracy with 95% interval")
    every = [point.when for series in data.series for point in series.points]
    days = sorted(set(every))
    half = _APART * max((every.count(day) for day in days), default=1) / 2
    across = _days_axis(sheet, days, half, (left, right), (top, bottom))
    placed = _placed(data.series, across, ups)
    one = len(data.series) == 1
    models = list(dict.fromkeys(each.point.model for each in placed))
    looks = [marking(models.index(each.point.model) if one else each.series) for each in placed]
    soft = _lines(sheet, data.series, placed, right)
    radius = _MARK / 72 / 2 + 0.01
    marks = [Rect(p.x - radius, p.y - radius, p.x + radius, p.y + radius) for p in placed]
    intervals = [
        Rect(each.x - 0.02, ups(share.high) - 0.12, each.x + 0.02, ups(share.low))
        for each in placed
        if (share := each.point.share).low is not None and share.high is not None
    ]
    said = _saturation(sheet, data.saturation, ups, (left, right), [*marks, *intervals, *soft])
    soft += intervals
    for each, (fill, marker) in zip(placed, looks, strict=True):
        _point(sheet, each, ups, fill, marker, hollow=data.series[each.series].published)
    records = {(i, point) for i, series in enumerate(data.series) for point in _named(series)}
    named = [each for each in placed if (each.series, each.point) in records]
    if not one and len(placed) <= _NAMED:
        named = placed
    room = Rect(left + 0.02, top - 0.02, right + 0.08, bottom - 0.02)
    others = [mark for mark, each in zip(marks, placed, strict=True) if each not in named]
    numbers = label_points(
        sheet,
        room,
        [(each.x, each.y) for each in named],
        [each.point.model for each in named],
        [*others, said] if said else others,
        [*soft, Rect(left, ups(data.saturation) - 0.01, right, ups(data.saturation) + 0.01)],
        radius,
    )
    entries = _key(sheet, data.series, models, one)
    if said is None:
        entries.append((partial(_saturation_symbol, sheet), _saturated(data.saturation)))
    draw_key(sheet, entries, symbol=0.26)
    draw_key(sheet, numbers)
    if any(series.published for series in data.series):
        note(sheet, "Hollow: published by others, not measured here.")
    if any(each.point.incomplete for each in placed):
        note(sheet, "\u2020 incomplete: not all items have a score.")


def _named(series: TimeSeries) -> list[TimePoint]:
    """Records by another model than the one before."""
    found: list[TimePoint] = []
    before = ""
    for record in series.records:
        if record.model != before:
            found.append(record)
        before = record.model
    return found


def _days_axis(
    sheet: Sheet,
    days: Sequence[date],
    half: float,
    sides: tuple[float, float],
    ends: tuple[float, float],
) -> Scale:
    """Draw the axis of days; ``half`` is how far marks of one day reach to each side."""
    (left, right), (top, bottom) = sides, ends
    first, last = (days[0], days[-1]) if days else (date(2026, 1, 1), date(2026, 1, 1))
    if first == last:
        ticks = [(day, day.isoformat()) for day in days]
    else:
        most = max(2, int((right - left) / (width("2026-11-30", sheet.small) * 1.35)))
        ticks = date_ticks(first, last, most)
    # Marks of the first and the last day stand side by side within the plot.
    edge = min(0.12 + half, (right - left) * 0.3)
    scale = Scale(first.toordinal(), last.toordinal(), left + edge, right - edge)
    if first == last:
        scale = Scale(first.toordinal() - 1, last.toordinal() + 1, left, right)
    named = [(scale(day.toordinal()), text) for day, text in ticks]
    across_axis(sheet, Scale(left, right, left, right), named, top, bottom, "Date (UTC)")
    return scale


def _placed(series: Sequence[TimeSeries], across: Scale, ups: Scale) -> list[_Placed]:
    """Points, those of one day side by side around it, as far apart as the next day allows."""
    by_day: dict[date, list[tuple[int, TimePoint]]] = {}
    for number, each in enumerate(series):
        for point in each.points:
            by_day.setdefault(point.when, []).append((number, point))
    days = sorted(by_day)
    xs = {day: across(day.toordinal()) for day in days}
    found = []
    for index, day in enumerate(days):
        near = [abs(xs[day] - xs[other]) for other in days[max(index - 1, 0) : index + 2]]
        gap = min(
            [each for each in near if each]
            or [across.end - across.start + 2 * _APART * len(by_day[day])]
        )
        points = by_day[day]
        apart = min(_APART, gap * 0.8 / len(points))
        for place, (number, point) in enumerate(points):
            x = xs[day] + (place - (len(points) - 1) / 2) * apart
            found.append(_Placed(point, number, x, ups(point.share.value)))
    return found


def _lines(
    sheet: Sheet, series: Sequence[TimeSeries], placed: Sequence[_Placed], right: float
) -> list[Rect]:
    """Draw the best score so far of each series; returns where lines run."""
    soft = []
    for number, each in enumerate(series):
        line: list[tuple[float, float]] = []
        own = {p.point: p for p in placed if p.series == number}
        for record in each.records:
            x, y = own[record].x, own[record].y
            line += [(x, line[-1][1]), (x, y)] if line else [(x, y)]
        if not line or len({p.point.when for p in own.values()}) < 2:
            continue  # nothing can be seen of a change
        end = max(p.x for p in own.values()) + 0.08
        line.append((min(max(end, line[-1][0]), right), line[-1][1]))
        colour = INK if len(series) == 1 else edge_of(marking(number)[0])
        sheet.stroke(line, colour=colour, line=1.2, dash=_DASHES[number % len(_DASHES)], order=2.5)
        soft += [
            Rect(min(a, c), min(b, d), max(a, c), max(b, d)).grown(0.01)
            for (a, b), (c, d) in pairwise(line)
        ]
    return soft


def _saturation(
    sheet: Sheet, level: float, ups: Scale, sides: tuple[float, float], marks: Sequence[Rect]
) -> Rect | None:
    """Draw the line of saturation and, where it hides nothing, its name; returns its place."""
    left, right = sides
    y = ups(level)
    sheet.stroke([(left, y), (right, y)], colour=INK, line=1.0, dash=_SATURATED, order=1.0)
    text = _saturated(level)
    wide, high = width(text, sheet.small), sheet.small_line * 0.9
    step = (right - left - wide - 0.1) / 24
    for number in range(25):
        x = left + 0.06 + step * number
        for top in (y - high - 0.01, y + 0.02):
            place = Rect(x, top, x + wide, top + high)
            if not any(place.overlaps(mark) for mark in marks):
                sheet.text(x, top + high / 2, text, sheet.small, colour=GREY)
                return place
    return None


def _saturated(level: float) -> str:
    return f"saturation ({percent(level).removesuffix('.0')}%)"


def _point(
    sheet: Sheet, each: _Placed, ups: Scale, fill: str, marker: str, *, hollow: bool
) -> None:
    share = each.point.share
    if share.low is not None and share.high is not None:
        ends = [(each.x, ups(share.low)), (each.x, ups(share.high))]
        sheet.stroke(ends, colour="#a6a6a6", line=0.8, order=2.0)
        if each.point.incomplete:
            sheet.dagger(each.x, ends[1][1] - 0.07)
    edge = edge_of(fill) if hollow else INK
    sheet.mark(each.x, each.y, marker, fill="white" if hollow else fill, edge=edge, size=_MARK)


def _key(
    sheet: Sheet, series: Sequence[TimeSeries], models: Sequence[str], one: bool
) -> list[tuple[Symbol, str]]:
    if not one:
        return [
            (partial(_series_symbol, sheet, number, each.published), each.name)
            for number, each in enumerate(series)
        ]
    hollow = series[0].published
    entries: list[tuple[Symbol, str]] = [
        (partial(_symbol, sheet, *marking(number), hollow), model)
        for number, model in enumerate(models)
    ]
    if len({point.when for point in series[0].points}) < 2:
        return entries
    return [*entries, (partial(_best_symbol, sheet), "best score so far")]


def _symbol(sheet: Sheet, fill: str, marker: str, hollow: bool, x: float, y: float) -> None:
    edge = edge_of(fill) if hollow else INK
    sheet.mark(x, y, marker, fill="white" if hollow else fill, edge=edge, size=_MARK)


def _series_symbol(sheet: Sheet, number: int, hollow: bool, x: float, y: float) -> None:
    fill, marker = marking(number)
    dash = _DASHES[number % len(_DASHES)]
    sheet.stroke([(x - 0.13, y), (x + 0.13, y)], colour=edge_of(fill), line=1.2, dash=dash)
    _symbol(sheet, fill, marker, hollow, x, y)


def _saturation_symbol(sheet: Sheet, x: float, y: float) -> None:
    sheet.stroke([(x - 0.13, y), (x + 0.13, y)], line=1.0, dash=_SATURATED)


def _best_symbol(sheet: Sheet, x: float, y: float) -> None:
    sheet.stroke([(x - 0.13, y), (x + 0.13, y)], line=1.2)
