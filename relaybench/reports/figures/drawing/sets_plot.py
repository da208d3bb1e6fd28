"""Accuracy across sets and benchmarks: a band for each, a mark for each model."""

from __future__ import annotations

from functools import partial
from typing import Final

from relaybench.reports.figures.drawing.bars import arrange
from relaybench.reports.figures.drawing.keys import Symbol, draw_key, note
from relaybench.reports.figures.drawing.lettering import width
from relaybench.reports.figures.drawing.palette import edge_of, marking
from relaybench.reports.figures.drawing.scales import Scale, across_axis, share_ticks
from relaybench.reports.figures.drawing.sheet import GREY, MARGIN, PALE, Sheet
from relaybench.reports.figures.figure import SetsData
from relaybench.reports.numbers import percent

#: The widest number beside a mark.
_WIDEST: Final = "100.0%\u2020"


def draw_sets(sheet: Sheet, data: SetsData) -> None:
    """Bands of sets in their order; in each the models, best on top, with their intervals."""
    if not data.groups:
        sheet.paragraph(["No set has a scored attempt yet."])
        return
    names = [group.title for group in data.groups]
    placed = arrange(sheet, names, [(_WIDEST,)] * len(names))
    scale = Scale(0.0, 1.0, *placed.plot)
    if placed.stacked:
        scale = Scale(0.0, 1.0, placed.plot[0], placed.plot[1] - width(_WIDEST, sheet.small) - 0.1)
    step = max(sheet.small_line, 0.12)
    top = y = sheet.top
    above = [len(lines) * sheet.line if placed.stacked else 0.0 for lines in placed.labels]
    heights = [
        max(step * len(group.points), 0.0 if placed.stacked else len(lines) * sheet.line)
        + extra
        + 0.12
        for group, lines, extra in zip(data.groups, placed.labels, above, strict=True)
    ]
    sheet.watermark(scale.start, top, scale.end - scale.start, sum(heights))
    looks = {model: marking(index) for index, model in enumerate(data.models)}
    for number, (group, lines, high, extra) in enumerate(
        zip(data.groups, placed.labels, heights, above, strict=True)
    ):
        if number:
            sheet.stroke([(MARGIN, y), (sheet.width - MARGIN, y)], colour=PALE, line=0.8)
        if placed.stacked:
            for row, text in enumerate(lines):
                sheet.text(MARGIN, y + 0.04 + sheet.line * (row + 0.5), text, halo=True)
        else:
            sheet.lines(scale.start - 0.08, y + high / 2, lines, ha="right")
        start = y + extra + (high - extra - step * len(group.points)) / 2
        for row, point in enumerate(group.points):
            middle = start + step * (row + 0.5)
            fill, marker = looks[point.model]
            share = point.share
            if share.low is not None and share.high is not None:
                sheet.whisker(
                    scale(share.low), scale(share.high), middle, cap=0.05, colour="#8c8c8c"
                )
            hollow = group.published
            sheet.mark(
                scale(share.value),
                middle,
                marker,
                fill="white" if hollow else fill,
                edge=edge_of(fill) if hollow else "#1a1a1a",
                size=6.0,
            )
            text = f"{percent(share.value)}%"
            if point.incomplete:
                text += "\u2020"
            sheet.text(scale.end + 0.08, middle, text, sheet.small, colour=GREY)
        y += high
    sheet.stroke([(scale.start, top), (scale.start, y)], line=0.8)
    ticks = share_ticks(scale.end - scale.start, sheet.small)
    across_axis(sheet, scale, ticks, top, y, "Accuracy with 95% interval")
    drawn = {point.model for group in data.groups for point in group.points}
    entries: list[tuple[Symbol, str]] = [
        (partial(_symbol, sheet, *looks[model]), model) for model in data.models if model in drawn
    ]
    draw_key(sheet, entries, symbol=0.16)
    if any(group.published for group in data.groups):
        note(sheet, "Hollow: published by others, not measured here.")
    if any(point.incomplete for group in data.groups for point in group.points):
        note(sheet, "\u2020 incomplete: attempts are still open.")


def _symbol(sheet: Sheet, fill: str, marker: str, x: float, y: float) -> None:
    sheet.mark(x, y, marker, fill=fill, size=6.0)
