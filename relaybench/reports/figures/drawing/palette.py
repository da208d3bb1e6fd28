"""Colours that colour-blind people tell apart (Okabe and Ito, 2008), with marks beside them.

No colour stands alone: shades differ in grey too, and marks, hatches or words say the same.
"""

from __future__ import annotations

from typing import Final

BLUE: Final = "#0072B2"
SKY: Final = "#56B4E9"
ORANGE: Final = "#E69F00"
VERMILLION: Final = "#D55E00"
GREEN: Final = "#009E73"
PURPLE: Final = "#CC79A7"
YELLOW: Final = "#F0E442"
BLACK: Final = "#1a1a1a"
#: A light blue for bars that are hatched, so that the hatch is seen.
PALE_BLUE: Final = "#b9d9ec"
PALE_ORANGE: Final = "#f4d9bf"

_FILLS: Final = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILLION, YELLOW, BLACK)
_MARKS: Final = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "*", "h", "d")
_EDGES: Final = dict(zip(_FILLS, _FILLS, strict=True)) | {YELLOW: "#8a7f00", SKY: "#2b7fb3"}


def marking(index: int) -> tuple[str, str]:
    """Colour and marker of the thing of that index (from 0); 104 pairs before one comes again."""
    return _FILLS[index % len(_FILLS)], _MARKS[index % len(_MARKS)]


def edge_of(fill: str) -> str:
    """A colour for the outline of a hollow mark, dark enough on white."""
    return _EDGES.get(fill, fill)


#: Fill, hatch and whether the outline is dashed, by segment of a bar of outcomes.
SEGMENT_LOOK: Final[dict[str, tuple[str, str | None]]] = {
    "correct": (BLUE, None),
    "wrong": (ORANGE, "////"),
    "unparseable": ("#e3e3e3", None),
    "refused": (PURPLE, "xxxx"),
    "truncated": (SKY, "||||"),
    "stalled": (YELLOW, "...."),
    "open": ("#ffffff", None),
}
