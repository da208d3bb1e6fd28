"""Scales: where a value lies on a sheet, and which ticks are shown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from relaybench.reports.figures.drawing.lettering import width, wrapped
from relaybench.reports.figures.drawing.sheet import INK, MARGIN, PALE, Sheet


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps values from ``low`` to ``high`` to places from ``start`` to ``end`` in inches."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Where a value lies."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


#: A tick: its value and what it says.
Tick = tuple[float, str]


def share_ticks(room: float, size: float, *, top: float = 1.0) -> list[Tick]:
    """Ticks in percent that have ``room`` inches in all."""
    for step in (10, 20, 25, 50, 100):
        values = [each for each in range(0, 101, step) if each <= top * 100 + 1e-9]
        texts = [f"{each}%" for each in values]
        if sum(width(text, size) * 1.7 for text in texts) <= room:
            return [(each / 100, text) for each, text in zip(values, texts, strict=True)]
    return [(0.0, "0%"), (1.0, "100%")]


def usd_text(value: float) -> str:
    """An amount at a tick: ``$0.05``, ``$20``, ``$1,000``."""
    text = f"${value:,.10f}".rstrip("0").rstrip(".")
    return f"{text}0" if "." in text and text[-2] == "." else text


def linear_ticks(high: float, most: int) -> list[float]:
    """Round values from 0 to ``high``, at most so many."""
    raw = high / max(most - 1, 1)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(each * power for each in (1, 2, 2.5, 5, 10) if each * power >= raw * 0.999)
    found = [step * number for number in range(int(high / step + 1e-9) + 1)]
    if len(found) > 1:
        return found
    power = 10.0 ** math.floor(math.log10(high))
    return [0.0, max(each * power for each in (1, 2, 5) if each * power <= high * 1.001)]


def log_ticks(low: float, high: float, most: int) -> list[float]:
    """Round values of a logarithmic scale within its ends, at most so many."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    for steps in ((1, 2, 5), (1, 3), (1,)):
        values = [factor * 10.0**power for power in range(first, last + 1) for factor in steps]
        found = [each for each in values if low * 0.999 <= each <= high * 1.001]
        if 2 <= len(found) <= most:
            return found
    found = [10.0**power for power in range(first, last + 1) if low <= 10.0**power <= high]
    return found[:: max(1, math.ceil(len(found) / most))] or [low]


def date_ticks(first: date, last: date, most: int) -> list[tuple[date, str]]:
    """Days to be named between two days, both within: years, months or days, at most so many."""
    days = (last - first).days
    for months in (1, 2, 3, 6, 12, 24, 60, 120):
        found = []
        year, month = first.year, 1
        while (year, month) <= (last.year, last.month):
            day = date(year, month, 1)
            if first <= day <= last:
                found.append((day, f"{year}" if months >= 12 else f"{year}-{month:02}"))
            month += months
            year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
        if len(found) <= most and len(found) >= 2:
            return found
    step = max(1, math.ceil((days + 1) / max(most, 1)))
    if days > 120:
        return [(first, first.isoformat()), (last, last.isoformat())]
    return [
        (day, day.isoformat())
        for number in range(0, days + 1, step)
        if (day := first + timedelta(number))
    ]


def across_axis(
    sheet: Sheet, scale: Scale, ticks: Sequence[Tick], top: float, bottom: float, title: str
) -> None:
    """Draw grid lines, ticks, their names and a title under a plot; moves the sheet's top on."""
    # Half a line of the lowest name of an axis upward may reach under the plot.
    under = bottom + max(0.05, sheet.small_line * 0.52)
    said = -1.0  # where the last name ended
    for value, text in ticks:
        x = scale(value)
        sheet.stroke([(x, top), (x, bottom)], colour=PALE, line=0.5, order=0.5)
        sheet.stroke([(x, bottom), (x, bottom + 0.04)], colour=INK, line=0.7)
        half = width(text, sheet.small) / 2
        x = min(max(x, half + 0.02), sheet.width - half - 0.02)
        if x - half < said + 0.06:
            continue
        said = x + half
        sheet.text(x, under + sheet.small_line / 2, text, sheet.small, ha="center")
    sheet.stroke([(scale.start, bottom), (scale.end, bottom)], line=0.8)
    sheet.top = under + sheet.small_line
    for line in wrapped(title, sheet.width - 2 * MARGIN, sheet.small, 3):
        half = width(line, sheet.small) / 2
        middle = (scale.start + scale.end) / 2
        middle = min(max(middle, half + 0.04), sheet.width - half - 0.04)
        sheet.text(middle, sheet.top + sheet.small_line / 2, line, sheet.small, ha="center")
        sheet.top += sheet.small_line


def up_axis(sheet: Sheet, scale: Scale, sides: tuple[float, float], title: str) -> None:
    """Draw an axis of shares upward, its grid between two sides, and its title above it."""
    left, right = sides
    for step in (10, 20, 25, 50):
        count = int(scale.high * 100 + 1e-9) // step
        if (scale.start - scale.end) / max(count, 1) >= sheet.small_line * 1.3:
            break
    for percent in range(0, int(scale.high * 100 + 1e-9) + 1, step):
        y = scale(percent / 100)
        sheet.stroke([(left, y), (right, y)], colour=PALE, line=0.5, order=0.5)
        sheet.text(left - 0.05, y, f"{percent}%", sheet.small, ha="right")
    sheet.stroke([(left, scale.start), (left, scale.end)], line=0.8)
    room = sheet.width - 2 * MARGIN
    for line in wrapped(title, room, sheet.small, 1):
        sheet.text(MARGIN, scale.end - sheet.line * 0.85, line, sheet.small)
