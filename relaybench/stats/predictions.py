"""What the pass rates of its steps predict for a composite, if steps fail independently."""

from __future__ import annotations

import math
from collections.abc import Sequence


def product(rates: Sequence[float]) -> float | None:
    """Predicted rate of a composite from the rates of its steps; None without steps.

    P(all steps right) = Π p_i, the law of independent events; the p_i are taken as they are, so
    that their own uncertainty is not in it. Whatever the order of the steps, the result is the
    same to the last digit. ValueError for a rate outside [0, 1].
    """
    if not rates:
        return None
    ordered = sorted(rates)
    found = math.prod(ordered)
    if not (ordered[0] >= 0 and ordered[-1] <= 1 and found >= 0):  # NaN has no place in an order
        raise ValueError(f"rates must be between 0 and 1: {', '.join(map(repr, rates))}")
    return found
