"""Stacked horizontal bars: how many answers of each model had which outcome."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from relaybench.domain.layers import spread
from relaybench.reports.figures.drawing.bars import arrange
from relaybench.reports.figures.drawing.keys import Symbol, draw_key
from relaybench.reports.figures.drawing.lettering import width
from relaybench.reports.figures.drawing.palette import SEGMENT_LOOK
from relaybench.reports.figures.drawing.scales import Scale, across_axis, linear_ticks
from relaybench.reports.figures.drawing.sheet import GREY, INK, MARGIN, Sheet
from relaybench.reports.figures.figure import SEGMENTS, ModelOutcomes, OutcomesData


def draw_outcomes(sheet: Sheet, data: OutcomesData) -> None:
    """Outcomes with their numbers in the segments, or under those too narrow for them."""
    most = max((sum(row.counts) for row in data.rows), default=0) or 1
    placed = arrange(sheet, [row.model for row in data.rows], [()] * len(data.rows))
    right = sheet.width - MARGIN - 0.12
    scale = Scale(0.0, float(most), placed.plot[0], right)
    heights = [
        high + (sheet.small_line if _narrow(sheet, scale, row) else 0.0)
        for row, high in zip(data.rows, placed.heights, strict=True)
    ]
    top = y = sheet.top
    sheet.watermark(scale.start, top, scale.end - scale.start, sum(heights))
    for row, labels, high, plain in zip(
        data.rows, placed.labels, heights, placed.heights, strict=True
    ):
        middle = y + plain / 2
        if placed.stacked:
            for number, text in enumerate(labels):
                at = y + 0.04 + sheet.line * (number + 0.5)
                sheet.text(MARGIN + 0.04, at, text, halo=True)
            middle = y + 0.04 + sheet.line * (len(labels) + 0.5)
        else:
            sheet.lines(scale.start - 0.08, middle, labels, ha="right")
        _bar(sheet, scale, row, middle)
        y += high
    sheet.stroke([(scale.start, top), (scale.start, y)], line=0.8)
    count = max(2, int((scale.end - scale.start) / (width(f"{most:,}", sheet.small) * 2.2)))
    ticks = [each for each in linear_ticks(most, min(count, 7)) if each == int(each)]
    across_axis(sheet, scale, [(each, f"{each:,.0f}") for each in ticks], top, y, "Attempts")
    used = [
        segment
        for index, segment in enumerate(SEGMENTS)
        if index < 2 or any(row.counts[index] for row in data.rows)
    ]
    draw_key(sheet, [(_symbol(sheet, segment), _word(segment)) for segment in used], symbol=0.26)


def _word(segment: str) -> str:
    return {"wrong": "wrong (parseable)", "correct": "correct (parseable)"}.get(segment, segment)


def _symbol(sheet: Sheet, segment: str) -> Symbol:
    return partial(_patch, sheet, segment)


def _patch(sheet: Sheet, segment: str, x: float, y: float) -> None:
    fill, hatch = SEGMENT_LOOK[segment]
    sheet.box(
        x - 0.13, y - 0.05, 0.26, 0.1, fill=fill, edge=INK, hatch=hatch, dashed=segment == "open"
    )


def _fits(sheet: Sheet, scale: Scale, count: int) -> bool:
    return width(f"{count:,}", sheet.small) + 0.06 <= scale(count) - scale.start


def _narrow(sheet: Sheet, scale: Scale, row: ModelOutcomes) -> bool:
    return any(count and not _fits(sheet, scale, count) for count in row.counts)


def _bar(sheet: Sheet, scale: Scale, row: ModelOutcomes, middle: float) -> None:
    thick = sheet.line * 1.05
    before = 0
    outside: list[tuple[float, str]] = []
    for segment, count in zip(SEGMENTS, row.counts, strict=True):
        if not count:
            continue
        left, right = scale(before), scale(before + count)
        before += count
        fill, hatch = SEGMENT_LOOK[segment]
        sheet.box(
            left,
            middle - thick / 2,
            right - left,
            thick,
            fill=fill,
            edge=INK,
            hatch=hatch,
            dashed=segment == "open",
        )
        text, centre = f"{count:,}", (left + right) / 2
        if not _fits(sheet, scale, count):
            outside.append((centre, text))
        elif hatch is None:
            colour = "white" if segment == "correct" else INK
            sheet.text(centre, middle, text, sheet.small, ha="center", colour=colour)
        else:
            sheet.text(centre, middle, text, sheet.small, ha="center", halo=True)
    if not before:
        sheet.text(scale.start + 0.06, middle, "no attempt", sheet.small, colour=GREY)
    _numbers_under(sheet, scale, outside, middle + thick / 2)


def _numbers_under(
    sheet: Sheet, scale: Scale, numbers: Sequence[tuple[float, str]], y: float
) -> None:
    """Numbers of narrow segments, each as near as can be under its own, with a line to it."""
    sizes = [width(text, sheet.small) + 0.05 for _, text in numbers]
    wanted = [x - scale.start for x, _ in numbers]
    room = sheet.width - MARGIN - scale.start
    for (x, text), at in zip(numbers, spread(wanted, sizes, room, [1.0] * len(sizes)), strict=True):
        sheet.stroke([(x, y), (scale.start + at, y + 0.05)], line=0.6)
        under = y + 0.05 + sheet.small_line * 0.45
        sheet.text(scale.start + at, under, text, sheet.small, ha="center")
