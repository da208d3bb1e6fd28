"""Correction of p-values that are shown together. Source: STATISTICS, section 5 (Holm 1979)."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """p-values adjusted by Holm's step-down method over one family, in the order given.

    The i-th smallest of m is multiplied by m - i + 1, then made monotone and cut to 1. None (no
    test) stays None and is no member of the family. ValueError for a p outside [0, 1].
    """
    known = [(p, place) for place, p in enumerate(p_values) if p is not None]
    for p, _ in known:
        if not 0 <= p <= 1:
            raise ValueError(f"a p-value must be between 0 and 1, not {p!r}")
    adjusted: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for done, (p, place) in enumerate(sorted(known)):
        largest = max(largest, min(1.0, (len(known) - done) * p))
        adjusted[place] = largest
    return adjusted
