"""Keys under a plot: what a mark, a hatch or a number stands for, in columns that fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from relaybench.reports.figures.drawing.lettering import drawable, short_names, width, wrapped
from relaybench.reports.figures.drawing.sheet import MARGIN, Sheet

#: Draws a symbol around a place on the sheet.
Symbol = Callable[[float, float], None]


def draw_key(sheet: Sheet, entries: Sequence[tuple[Symbol, str]], *, symbol: float = 0.2) -> None:
    """Symbols with their foreign texts; ``symbol`` is how wide a symbol may be in inches."""
    if not entries:
        return
    room = sheet.width - 2 * MARGIN
    texts = short_names([text for _, text in entries], room - symbol - 0.06, sheet.small)
    widest = max(width(text, sheet.small) for text in texts) + symbol + 0.2
    columns = max(1, min(int((room + 0.14) / widest), len(texts)))
    rows = -(-len(texts) // columns)
    columns = -(-len(texts) // rows)
    sheet.top += 0.06
    step = max(sheet.small_line, 0.13)
    for index, ((draw, _), text) in enumerate(zip(entries, texts, strict=True)):
        x = MARGIN + index // rows * widest
        y = sheet.top + (index % rows + 0.5) * step
        draw(x + symbol / 2, y)
        sheet.text(x + symbol + 0.05, y, text, sheet.small)
    sheet.top += rows * step


def paragraph(text: str, room: float, size: float, most: int = 12) -> list[str]:
    """A note with foreign names in it, in lines of ``room`` inches."""
    return list(wrapped(drawable(text), room, size, most))


def note(sheet: Sheet, text: str) -> None:
    """Write a note under what is there."""
    sheet.top += 0.04
    sheet.paragraph(paragraph(text, sheet.width - 2 * MARGIN, sheet.small))
