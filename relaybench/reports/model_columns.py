"""Columns that many tables have: model, config, and a value with the ends of its interval."""

from __future__ import annotations

from typing import Final

from relaybench.reports.tables import EXACT_ONLY, NARROW, Column, Kind

#: Names the row, together with the first column where that is another one.
MODEL: Final = Column("model", "Model", Kind.TEXT, "", NARROW, mark="simulated", names=True)
CONFIG: Final = Column("config", "Config", Kind.TEXT, "name in models.toml", EXACT_ONLY)


def with_interval(
    key: str,
    heading: str,
    unit: str = "share",
    kind: Kind = Kind.SHARE,
    *,
    mark: str | None = None,
) -> tuple[Column, ...]:
    """A value with its 95% interval, and the columns ``key_low`` and ``key_high`` of the ends."""
    low, high = f"{key}_low", f"{key}_high"
    return (
        Column(key, f"{heading} [95% CI]", kind, unit, NARROW, low=low, high=high, mark=mark),
        Column(low, f"{heading}, low end", kind, unit, EXACT_ONLY),
        Column(high, f"{heading}, high end", kind, unit, EXACT_ONLY),
    )
