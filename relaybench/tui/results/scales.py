"""Scales of drawings in characters: where a value falls, and which values the axis names."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from math import ceil, floor, log10
from typing import Final

from relaybench.tui.results.ink import Line, Piece, Role

#: From this ratio of the dearest to the cheapest on, a scale of costs is logarithmic.
_LOG_FROM: Final = 10.0


@dataclass(frozen=True, slots=True)
class Scale:
    """Values from ``low`` to ``high`` on ``cells`` characters."""

    low: float
    high: float
    cells: int

    def place(self, value: float) -> int:
        """The character (from 0) that a value falls on; the ends take what is beyond them."""
        if self.high <= self.low:
            return (self.cells - 1) // 2
        share = (value - self.low) / (self.high - self.low)
        return min(max(round(share * (self.cells - 1)), 0), self.cells - 1)


def peak(highest: float) -> float:
    """Where an axis of shares ends: the next 10% above the highest, 20% at least, never over 1."""
    return min(1.0, max(0.2, ceil(round(highest * 10, 6)) / 10))


def share_axis(scale: Scale) -> Line:
    """An axis of shares in percent as one line: 0%, the middle, the end."""
    line = [" "] * scale.cells
    middle = (scale.low + scale.high) / 2
    texts = [(value, f"{value * 100:g}%") for value in (scale.low, middle, scale.high)]
    free = 0
    for value, text in texts:
        at = scale.place(value)
        at = min(max(at - len(text) // 2, free), scale.cells - len(text))
        if at >= free:
            line[at : at + len(text)] = text
            free = at + len(text) + 1
    return (Piece("".join(line), Role.QUIET),)


@dataclass(frozen=True, slots=True)
class CostScale:
    """Costs in USD on so many characters; logarithmic where they lie far apart.

    ``free`` characters at the left stand for a cost of 0 where the scale is logarithmic.
    """

    scale: Scale
    logarithmic: bool
    free: int

    @classmethod
    def of(cls, costs: list[float], cells: int) -> CostScale:
        """A scale that all costs have a place on."""
        paid = [cost for cost in costs if cost > 0]
        if len(paid) > 1 and max(paid) / min(paid) >= _LOG_FROM:
            free = 4 if len(paid) < len(costs) else 0
            low, high = log10(min(paid)), log10(max(paid))
            pad = (high - low) * 0.06
            return cls(Scale(low - pad, high + pad, cells - free), True, free)
        return cls(Scale(0.0, max(paid, default=1.0) * 1.1, cells), False, 0)

    def place(self, cost: float) -> int:
        """The character that a cost falls on."""
        if not self.logarithmic:
            return self.scale.place(cost)
        return self.free + self.scale.place(log10(cost)) if cost > 0 else 0

    def ticks(self) -> list[tuple[int, str]]:
        """Characters and what stands below them, from left to right, without overlaps."""
        found = [(0, "$0")] if self.free else []
        values = self._log_values() if self.logarithmic else self._values()
        for value in values:
            at, text = self.place(value), _usd(value)
            start = max(at - len(text) // 2, 0)
            ends = found[-1][0] + len(found[-1][1]) // 2 + 2 if found else 0
            if start >= ends and start + len(text) <= self.free + self.scale.cells:
                found.append((at, text))
        return found

    def _values(self) -> list[float]:
        step = 10 ** floor(log10(self.scale.high)) if self.scale.high > 0 else 1.0
        most = max(self.scale.cells // 10, 2)
        for share in (0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 5.0):
            if self.scale.high / (step * share) <= most:
                step *= share
                break
        return [number * step for number in range(int(self.scale.high / step) + 1)]

    def _log_values(self) -> list[float]:
        low, high = self.scale.low, self.scale.high
        powers = [10.0**power for power in range(floor(low), ceil(high) + 1)]
        found = [value for value in powers if low <= log10(value) <= high]
        if len(found) < 3:
            found += [
                part * value
                for value in powers
                for part in (2, 5)
                if low <= log10(part * value) <= high
            ]
        return sorted(found)


def _usd(value: float) -> str:
    number = Decimal(f"{value:.6g}").normalize()
    if number == number.to_integral():
        return f"${number:,.0f}"
    text = f"{number:f}"
    return f"${text if len(text.partition('.')[2]) != 1 else text + '0'}"
