"""Accuracy over time, with the line at which a benchmark is saturated: a panel for each series."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import pairwise
from typing import Final

from relaybench.reports.figures.drawing.cost_plot import up_axis_room
from relaybench.reports.figures.drawing.days import REACH, columns, in_columns
from relaybench.reports.figures.drawing.keys import Symbol, draw_key, note
from relaybench.reports.figures.drawing.labelled import label_points
from relaybench.reports.figures.drawing.lettering import drawable, width, wrapped
from relaybench.reports.figures.drawing.palette import edge_of, marking
from relaybench.reports.figures.drawing.placement import Rect
from relaybench.reports.figures.drawing.scales import Scale, across_axis, date_ticks, up_axis
from relaybench.reports.figures.drawing.sheet import GREY, INK, MARGIN, Sheet
from relaybench.reports.figures.figure import OverTimeData, TimePoint, TimeSeries
from relaybench.reports.numbers import percent

_MARK: Final = 5.5
_RADIUS: Final = _MARK / 72 / 2 + 0.01
_SATURATED: Final = (4.0, 3.0)


@dataclass(frozen=True, slots=True)
class _Placed:
    point: TimePoint
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class _Panel:
    """Where a series is drawn: sides, ends, and the scales of days and of shares."""

    left: float
    right: float
    top: float
    bottom: float
    across: Scale
    ups: Scale


def draw_over_time(sheet: Sheet, data: OverTimeData) -> None:
    """Marks by day in a panel for each series, with a stepped line of its best score so far."""
    days = sorted({point.when for series in data.series for point in series.points})
    looks = {model: marking(index) for index, model in enumerate(data.models)}
    unsaid = False
    for series in data.series:
        unsaid |= not _draw_panel(sheet, series, days, looks, data.saturation)
    entries = _key(sheet, data, looks)
    if unsaid:
        entries.append((partial(_saturation_symbol, sheet), _saturated(data.saturation)))
    draw_key(sheet, entries, symbol=0.26)
    if any(series.published for series in data.series):
        note(sheet, "Hollow: published by others, not measured here.")
    if any(point.incomplete for series in data.series for point in series.points):
        note(sheet, "\u2020 incomplete: attempts are still open.")


def _draw_panel(
    sheet: Sheet,
    series: TimeSeries,
    days: Sequence[date],
    looks: Mapping[str, tuple[str, str]],
    level: float,
) -> bool:
    """Draw one series under what is there; returns whether its line of saturation has a name."""
    room = sheet.width - 2 * MARGIN
    for text in wrapped(drawable(series.title), room, sheet.font, 3, bold=True):
        sheet.text(MARGIN, sheet.top + sheet.line / 2, text, bold=True)
        sheet.top += sheet.line
    high = min(max(sheet.width * 0.42, 2.1), 3.8)
    left, right, top = up_axis_room(sheet), sheet.width - MARGIN - 0.1, sheet.top + sheet.line * 1.2
    ups = Scale(0.0, 1.0, top + high, top + 0.06)
    sheet.watermark(left, top, right - left, high)
    up_axis(sheet, ups, (left, right), "Accuracy with 95% interval")
    across = _days_axis(sheet, days, (left, right), (top, top + high))
    sheet.top += 0.06
    panel = _Panel(left, right, top, top + high, across, ups)
    placed, shifted = _placed(series, panel)
    marks = [Rect(p.x, p.y, p.x, p.y).grown(_RADIUS) for p in placed]
    intervals = [
        Rect(each.x - 0.02, ups(share.high) - 0.12, each.x + 0.02, ups(share.low))
        for each in placed
        if (share := each.point.share).low is not None and share.high is not None
    ]
    line = _record_line(sheet, series, panel)
    said = _saturation(sheet, level, panel, [*marks, *intervals, *line])
    # What set a record lies over the others.
    for each in sorted(placed, key=lambda each: each.point in series.records):
        _point(sheet, each, ups, looks[each.point.model], hollow=series.published)
    names = _names(series, shifted)
    named = [each for each in placed if each.point in names]
    label_points(
        sheet,
        Rect(left + 0.02, top + 0.05, right + 0.08, panel.bottom - 0.02),
        [(each.x, each.y) for each in named],
        [names[each.point] for each in named],
        [
            *(mark for mark, each in zip(marks, placed, strict=True) if each not in named),
            *([said] if said else ()),
            Rect(left, ups(level) - 0.01, right, ups(level) + 0.01),
        ],
        [*line, *intervals],
        _RADIUS,
        numbered=False,
    )
    return said is not None


def _names(series: TimeSeries, shifted: frozenset[date]) -> dict[TimePoint, str]:
    """Names of records: a model's once, and the date where it cannot be read from the axis."""
    found: dict[TimePoint, str] = {}
    met: set[str] = set()
    for record in series.records:
        words = [record.when.isoformat()] if record.when in shifted else []
        if record.model not in met:
            words.append(record.model)
        met.add(record.model)
        if words:
            found[record] = " ".join(words)
    return found


def _days_axis(
    sheet: Sheet, days: Sequence[date], sides: tuple[float, float], ends: tuple[float, float]
) -> Scale:
    """Draw the axis of days."""
    (left, right), (top, bottom) = sides, ends
    first, last = (days[0], days[-1]) if days else (date(2026, 1, 1), date(2026, 1, 1))
    if first == last:
        ticks = [(day, day.isoformat()) for day in days]
        scale = Scale(first.toordinal() - 1, last.toordinal() + 1, left, right)
    else:
        most = max(2, int((right - left) / (width("2026-11-30", sheet.small) * 1.35)))
        ticks = date_ticks(first, last, most)
        # Marks of the first and the last day stand side by side within the plot.
        edge = min(0.08 + REACH, (right - left) * 0.2)
        scale = Scale(first.toordinal(), last.toordinal(), left + edge, right - edge)
    named = [(scale(day.toordinal()), text) for day, text in ticks]
    if first != last and not any(
        other - x > width(text, sheet.small) * 1.1 for (x, text), (other, _) in pairwise(named)
    ):
        named = [(scale(day.toordinal()), day.isoformat()) for day in (first, last)]
    across_axis(sheet, Scale(left, right, left, right), named, top, bottom, "Date (UTC)")
    return scale


def _placed(series: TimeSeries, panel: _Panel) -> tuple[list[_Placed], frozenset[date]]:
    """Points in columns beside their days, and the days whose columns are beside their date."""
    counts = Counter(point.when for point in series.points)
    if not counts:
        return [], frozenset()
    found = columns(counts, panel.across)
    placed = []
    for day, places in sorted(found.by_day.items()):
        own = [point for point in series.points if point.when == day]
        heights = [panel.ups(point.share.value) for point in own]
        for point, x, y in zip(own, in_columns(heights, places, _MARK / 72), heights, strict=True):
            placed.append(_Placed(point, x, y))
    return placed, found.shifted


def _record_line(sheet: Sheet, series: TimeSeries, panel: _Panel) -> list[Rect]:
    """Draw the best score so far at the true dates; returns where the line runs."""
    days = {point.when for point in series.points}
    line: list[tuple[float, float]] = []
    for record in series.records:
        x, y = panel.across(record.when.toordinal()), panel.ups(record.share.value)
        line += [(x, line[-1][1]), (x, y)] if line else [(x, y)]
    if not line or len(days) < 2:
        return []  # nothing can be seen of a change
    line.append((panel.across(max(days).toordinal()), line[-1][1]))
    sheet.stroke(line, colour=INK, line=1.2, order=2.5)
    return [
        Rect(min(a, c), min(b, d), max(a, c), max(b, d)).grown(0.01)
        for (a, b), (c, d) in pairwise(line)
    ]


def _saturation(sheet: Sheet, level: float, panel: _Panel, marks: Sequence[Rect]) -> Rect | None:
    """Draw the line of saturation and, where it hides nothing, its name; returns its place."""
    left, right, y = panel.left, panel.right, panel.ups(level)
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


def _point(sheet: Sheet, each: _Placed, ups: Scale, look: tuple[str, str], *, hollow: bool) -> None:
    share = each.point.share
    if share.low is not None and share.high is not None:
        ends = [(each.x, ups(share.low)), (each.x, ups(share.high))]
        sheet.stroke(ends, colour="#a6a6a6", line=0.8, order=2.0)
        if each.point.incomplete:
            sheet.dagger(each.x, ends[1][1] - 0.07)
    _symbol(sheet, *look, hollow, each.x, each.y)


def _key(
    sheet: Sheet, data: OverTimeData, looks: Mapping[str, tuple[str, str]]
) -> list[tuple[Symbol, str]]:
    drawn = {point.model for series in data.series for point in series.points}
    hollow = all(series.published for series in data.series)
    entries: list[tuple[Symbol, str]] = [
        (partial(_symbol, sheet, *looks[model], hollow), model)
        for model in data.models
        if model in drawn
    ]
    if all(len({point.when for point in series.points}) < 2 for series in data.series):
        return entries
    return [*entries, (partial(_best_symbol, sheet), "best score so far")]


def _symbol(sheet: Sheet, fill: str, marker: str, hollow: bool, x: float, y: float) -> None:
    edge = edge_of(fill) if hollow else INK
    sheet.mark(x, y, marker, fill="white" if hollow else fill, edge=edge, size=_MARK)


def _saturation_symbol(sheet: Sheet, x: float, y: float) -> None:
    sheet.stroke([(x - 0.13, y), (x + 0.13, y)], line=1.0, dash=_SATURATED)


def _best_symbol(sheet: Sheet, x: float, y: float) -> None:
    sheet.stroke([(x - 0.13, y), (x + 0.13, y)], line=1.2)
