"""What a user may change about how figures look."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from relaybench.domain.errors import UsageError

#: Smallest and largest value of each setting.
_BOUNDS: Final = {"width": (2.5, 20.0), "font": (5.0, 20.0), "dpi": (50.0, 600.0)}
_UNITS: Final = {"width": "inches", "font": "points", "dpi": "pixels an inch, of PNG"}
#: Inches of width for a point of letter size: under that words are cut.
_WIDTH_OF_LETTERS: Final = 0.2


@dataclass(frozen=True, slots=True)
class Style:
    """``width`` in inches (3.3 is a column of a paper), ``font`` in points, ``dpi`` of PNG.

    The height follows from what is drawn.
    """

    width: float = 6.5
    font: float = 9.0
    dpi: float = 200.0


def parse_style(settings: Sequence[str]) -> Style:
    """Read ``width=3.3`` and the like, several in one text with spaces or commas too.

    Raises UsageError for unknown names, for what is no number or out of bounds, for a name twice,
    for nothing, and for letters too large for the width.
    """
    style = Style()
    named = " ".join(settings).replace(",", " ").split()
    if settings and not named:
        raise UsageError(f"{settings[0]!r} names no style; write {'=…, '.join(_BOUNDS)}=…")
    met: set[str] = set()
    for setting in named:
        name, _, text = setting.partition("=")
        if name not in _BOUNDS:
            raise UsageError(
                f"there is no style {setting!r}; write {'=…, '.join(_BOUNDS)}=… (in "
                f"{'; '.join(_UNITS.values())})"
            )
        if name in met:
            raise UsageError(f"{setting!r}: {name} stands twice; write it once")
        met.add(name)
        low, high = _BOUNDS[name]
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not low <= value <= high:
            raise UsageError(
                f"{setting!r}: {name} is a number from {low:g} to {high:g} ({_UNITS[name]})"
            )
        style = replace(style, **{name: value})
    least = least_width(style.font)
    if style.width < least:
        raise UsageError(
            f"width={style.width:g} is too narrow for letters of font={style.font:g}: the least "
            f"width for them is {least:g} inches"
        )
    return style


def least_width(font: float) -> float:
    """The least width in inches at which letters of a size in points fit: 12 of them and more."""
    return max(_BOUNDS["width"][0], math.ceil(font * _WIDTH_OF_LETTERS * 10 - 1e-9) / 10)
