"""What happens to a composite after its steps are wired: bloat, encoding, the final answer."""

from __future__ import annotations

from typing import Final

from relaybench.reports.figures.drawing.lettering import drawable, wrapped
from relaybench.reports.figures.drawing.sheet import GREY, INK, MARGIN, Sheet
from relaybench.reports.figures.figure import GraphData

_GAP: Final = 0.26
_DOWN: Final = 0.24
_INSIDE: Final = 0.06
_WIDEST: Final = 2.1


def draw_stages(sheet: Sheet, data: GraphData) -> None:
    """Boxes from left to right under the frame, joined by arrows."""
    stages = _stages(data)
    room = sheet.width - 2 * MARGIN
    wide = min(_WIDEST, (room - _GAP * (len(stages) - 1)) / len(stages))
    left = MARGIN + (room - wide * len(stages) - _GAP * (len(stages) - 1)) / 2
    texts = [
        (
            wrapped(title, wide - 2 * _INSIDE, sheet.font, 2),
            wrapped(drawable(words), wide - 2 * _INSIDE, sheet.small, 4),
        )
        for title, words in stages
    ]
    high = max(len(title) * sheet.line + len(words) * sheet.small_line for title, words in texts)
    high += 2 * _INSIDE
    top = sheet.top + _DOWN
    middle = left + wide / 2
    sheet.stroke([(middle, sheet.top), (middle, top - 0.02)], line=0.9)
    sheet.head(middle, top)
    for index, (title, words) in enumerate(texts):
        x = left + index * (wide + _GAP)
        last = index == len(texts) - 1
        sheet.box(x, top, wide, high, fill="white", edge=INK, line=1.4 if last else 0.8)
        used = len(title) * sheet.line + len(words) * sheet.small_line
        y = top + (high - used) / 2
        sheet.lines(x + wide / 2, y + len(title) * sheet.line / 2, title, ha="center")
        y += len(title) * sheet.line + len(words) * sheet.small_line / 2
        sheet.lines(x + wide / 2, y, words, sheet.small, ha="center", colour=GREY)
        if not last:
            end = x + wide + _GAP
            sheet.stroke([(x + wide, top + high / 2), (end - 0.02, top + high / 2)], line=0.9)
            sheet.head(end, top + high / 2, right=True)
    sheet.top = top + high


def _stages(data: GraphData) -> list[tuple[str, str]]:
    stages: list[tuple[str, str]] = []
    if data.bloat_characters:
        stages.append(("Context bloat", f"{data.bloat_characters:,} characters"))
    if data.encoded:
        stages.append(("Encoding", "each word a code"))
    answer = [step.label for step in data.steps if step.in_answer]
    stages.append(("Final answer", ", ".join(answer)))
    return stages
