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

    Raises UsageError for unknown names, for what is no number, and for one out of bounds.
    """
    style = Style()
    for setting in " ".join(settings).replace(",", " ").split():
        name, _, text = setting.partition("=")
        if name not in _BOUNDS:
            raise UsageError(
                f"there is no style {setting!r}; write {'=…, '.join(_BOUNDS)}=… (in "
                f"{'; '.join(_UNITS.values())})"
            )
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
    return style
