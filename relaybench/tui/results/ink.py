"""Lines of text with roles instead of colours: what plots and bars are drawn with.

Nothing here knows a widget. A role says what a piece of text is for; the screen gives it a colour,
and where there is none the characters say the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rich.cells import cell_len, chop_cells, set_cell_size

from relaybench.domain.literal import visible
from relaybench.tui.widgets.fitting import both_ends


class Role(StrEnum):
    """What a piece of a drawing is for."""

    PLAIN = "plain"
    STRONG = "strong"
    QUIET = "quiet"
    LINE = "line"
    POINT = "point"
    SECOND = "second"
    WARNING = "warning"
    CORRECT = "correct"
    WRONG = "wrong"
    UNPARSEABLE = "unparseable"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    STALLED = "stalled"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Piece:
    """Text of one role; what foreign text it holds has been spelled out."""

    text: str
    role: Role = Role.PLAIN


#: One line of a drawing.
Line = tuple[Piece, ...]

_ELLIPSIS: Final = "…"


def width_of(line: Iterable[Piece]) -> int:
    """How many terminal cells a line takes."""
    return sum(cell_len(piece.text) for piece in line)


def text_of(lines: Iterable[Line]) -> str:
    """A drawing as bare text, without spaces at the ends of lines."""
    return "\n".join("".join(piece.text for piece in line).rstrip() for line in lines)


def name_in(name: str, width: int) -> str:
    """A foreign name in exactly so many cells."""
    return set_cell_size(both_ends(visible(name), width), width)


def short_names(names: Sequence[str], width: int) -> list[str]:
    """Names in so many cells each, of which no two different ones look alike where that can be.

    What such names begin with alike gives way then, not their middle.
    """
    found = [name_in(name, width) for name in names]
    alike: dict[str, list[int]] = {}
    for place, text in enumerate(found):
        alike.setdefault(text, []).append(place)
    for places in alike.values():
        group = {names[place] for place in places}
        if len(group) < 2:
            continue
        same = _alike_until([visible(name) for name in group])
        for place in places:
            rest = visible(names[place])[max(same - 2, 0) :]
            if cell_len(rest) > width - 1:
                rest = chop_cells(rest, max(width - 2, 1))[0] + _ELLIPSIS
            found[place] = name_in(_ELLIPSIS + rest, width)
    return found


def _alike_until(names: Sequence[str]) -> int:
    """How many characters all these names begin with alike."""
    first, last = min(names), max(names)
    pairs = enumerate(zip(first, last, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(first), len(last)))


def name_width(names: Sequence[str], width: int) -> int:
    """Cells for a column of names in a drawing of that width: what they need, a third at most."""
    longest = max((cell_len(visible(name)) for name in names), default=0)
    return min(longest, max(10, width // 3))


def paragraph(text: str, width: int, role: Role = Role.QUIET) -> list[Line]:
    """A text of ours and others in lines of that width, broken at spaces."""
    lines: list[Line] = []
    line = ""
    for word in visible(text).split(" "):
        for part in chop_cells(word, max(width, 2)) or [""]:
            joined = f"{line} {part}" if line else part
            if line and cell_len(joined) > width:
                lines.append((Piece(line, role),))
                joined = part
            line = joined
    return [*lines, (Piece(line, role),)]
