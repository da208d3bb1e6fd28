"""Horizontal bars with intervals: scores, and hallucination rates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from relaybench.reports.figures.captions import in_percent
from relaybench.reports.figures.drawing.lettering import (
    ELLIPSIS,
    drawable,
    name_lines,
    width,
    wrapped,
)
from relaybench.reports.figures.drawing.palette import (
    BLUE,
    PALE_BLUE,
    PALE_ORANGE,
    VERMILLION,
)
from relaybench.reports.figures.drawing.scales import Scale, across_axis, share_ticks
from relaybench.reports.figures.drawing.sheet import GREY, MARGIN, Sheet
from relaybench.reports.figures.figure import HallucinationData, ScoresData, Share

#: The least width of a plot beside its labels, in inches; under that labels stand above bars.
LEAST_PLOT: Final = 1.0
_LABEL_SHARE: Final = 0.36
_GAP: Final = 0.08
HATCH: Final = "/////"


@dataclass(frozen=True, slots=True)
class BarRow:
    """A bar: foreign name, share or None, what stands beside it, and whether it is hatched."""

    name: str
    share: Share | None
    beside: tuple[str, ...]
    hatched: bool


@dataclass(frozen=True, slots=True)
class Rows:
    """Where labels, plot and words beside it stand; ``stacked``: labels above their bars."""

    labels: list[tuple[str, ...]]
    plot: tuple[float, float]
    heights: list[float]
    stacked: bool


def arrange(sheet: Sheet, names: Sequence[str], beside: Sequence[Sequence[str]]) -> Rows:
    """Divide the sheet's width between names, bars and words; heights of rows in inches."""
    inner = sheet.width - 2 * MARGIN
    labels = name_lines(names, inner * _LABEL_SHARE, sheet.font, 3)
    label = max((width(t, sheet.font) for lines in labels for t in lines), default=0.0)
    words = max((width(t, sheet.small) for lines in beside for t in lines), default=0.0)
    left = MARGIN + label + _GAP
    right = sheet.width - MARGIN - words - (_GAP if words else 0)
    above = name_lines(names, inner, sheet.font, 2)
    # Names lose their middle only where they would above their bars too.
    if right - left >= LEAST_PLOT and _shortened(labels, names) <= _shortened(above, names):
        heights = [
            max(len(name) * sheet.line, len(side) * sheet.small_line, sheet.line * 1.3) + 0.08
            for name, side in zip(labels, beside, strict=True)
        ]
        return Rows(labels, (left, right), heights, stacked=False)
    labels = above
    heights = [
        (len(name) + 1) * sheet.line + len(_under(sheet, side)) * sheet.small_line + 0.12
        for name, side in zip(labels, beside, strict=True)
    ]
    return Rows(labels, (MARGIN + 0.04, sheet.width - MARGIN - 0.1), heights, stacked=True)


def _shortened(labels: Sequence[Sequence[str]], names: Sequence[str]) -> int:
    """How many names are not there in full."""
    return sum(
        "".join(lines).count(ELLIPSIS) > drawable(name).count(ELLIPSIS)
        for lines, name in zip(labels, names, strict=True)
    )


def _under(sheet: Sheet, beside: Sequence[str]) -> tuple[str, ...]:
    """What stands beside a bar, as lines under it."""
    if not any(beside):
        return ()
    return wrapped(", ".join(beside), sheet.width - 2 * MARGIN - 0.08, sheet.small, 3)


def draw_scores(sheet: Sheet, data: ScoresData) -> None:
    """Scores with Wilson intervals, best on top."""
    rows = []
    for each in data.rows:
        n = f"n = {each.items:,}"
        if each.scored != each.items:
            n += f" ({each.scored:,} attempts)"
        beside = [in_percent(each.share, "no scored attempt"), n]
        if each.incomplete:
            beside.append(f"incomplete: {each.scored:,} of {each.planned:,}")
        rows.append(BarRow(each.model, each.share, tuple(beside), each.incomplete))
    _draw(sheet, rows, "Pass@1 with 95% interval", BLUE, PALE_BLUE)


def draw_hallucination(sheet: Sheet, data: HallucinationData) -> None:
    """Hallucination rates with Wilson intervals and the parse rate beside, lowest on top."""
    rows = []
    for each in data.rows:
        beside = [in_percent(each.share, "no parseable answer")]
        if each.scored:
            parseable = in_percent(Share(each.parseable / each.scored), "")
            beside.append(f"parseable {parseable} ({each.parseable:,} of {each.scored:,})")
        else:
            beside.append("no scored attempt")
        if each.incomplete:
            beside.append(f"incomplete: {each.scored:,} of {each.planned:,}")
        rows.append(BarRow(each.model, each.share, tuple(beside), each.incomplete))
    title = "Wrong among parseable answers, with 95% interval"
    _draw(sheet, rows, title, VERMILLION, PALE_ORANGE)


def _draw(sheet: Sheet, rows: Sequence[BarRow], title: str, fill: str, pale: str) -> None:
    placed = arrange(sheet, [row.name for row in rows], [row.beside for row in rows])
    scale = Scale(0.0, 1.0, *placed.plot)
    top = sheet.top
    sheet.watermark(scale.start, top, scale.end - scale.start, sum(placed.heights))
    y = top
    for row, labels, high in zip(rows, placed.labels, placed.heights, strict=True):
        middle = y + high / 2
        if placed.stacked:
            middle = _above(sheet, row, labels, y)
        else:
            sheet.lines(scale.start - _GAP, middle, labels, ha="right")
            colour = GREY if row.share is None else "#1a1a1a"
            sheet.lines(scale.end + _GAP, middle, row.beside, sheet.small, colour=colour)
        _bar(sheet, scale, row, middle, (fill, pale))
        y += high
    if not placed.stacked:
        sheet.stroke([(scale.start, top), (scale.start, y)], line=0.8)
    ticks = share_ticks(scale.end - scale.start, sheet.small)
    across_axis(sheet, scale, ticks, top, y, title)


def _above(sheet: Sheet, row: BarRow, labels: Sequence[str], y: float) -> float:
    """Write the name over and the words under a bar; returns the bar's middle."""
    for number, text in enumerate(labels):
        sheet.text(MARGIN + 0.04, y + 0.04 + sheet.line * (number + 0.5), text, halo=True)
    middle = y + 0.04 + sheet.line * (len(labels) + 0.5)
    below = middle + sheet.line / 2
    for number, line in enumerate(_under(sheet, row.beside)):
        at = below + sheet.small_line * (number + 0.5)
        sheet.text(MARGIN + 0.04, at, line, sheet.small, halo=True)
    return middle


def _bar(sheet: Sheet, scale: Scale, row: BarRow, middle: float, fills: tuple[str, str]) -> None:
    thick = sheet.line * 0.8
    ends = (middle - thick * 0.7, middle + thick * 0.7)
    sheet.stroke([(scale.start, ends[0]), (scale.start, ends[1])], line=0.8)
    if row.share is None:
        return
    sheet.box(
        scale.start,
        middle - thick / 2,
        scale(row.share.value) - scale.start,
        thick,
        fill=fills[1] if row.hatched else fills[0],
        edge="#1a1a1a",
        hatch=HATCH if row.hatched else None,
    )
    if row.share.low is not None and row.share.high is not None:
        low, high = scale(row.share.low), scale(row.share.high)
        # White under black: seen on the bar and beside it.
        sheet.stroke([(low, middle), (high, middle)], colour="white", line=2.4)
        sheet.whisker(low, high, middle, cap=thick * 0.5)
