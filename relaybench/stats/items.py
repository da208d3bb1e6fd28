"""Item analysis: which items tell strong models from weak ones, and which tell the reverse.

Discrimination is the corrected item-total correlation of classical test theory (Henrysson 1963).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

LEAST_CONFIGS: Final = 4  # a correlation over fewer says nothing
#: From this mean score on an item counts as solved.
SOLVED: Final = 0.5
_ROUNDING: Final = 1e-9  # less than this is no spread, and no correlation


@dataclass(frozen=True, slots=True)
class ItemStatistic:
    """How one item fared with the ``configs`` model configs that have a score on it.

    ``mean`` is over configs. ``discrimination`` is in [-1, 1], or None where undefined.
    ``inverted``: weaker configs solve it and stronger ones don't. ``none`` and ``all``: no
    config has any point on it, every config has all.
    """

    item: str
    configs: int
    mean: float
    discrimination: float | None
    inverted: bool
    none: bool
    all: bool


def _correlation(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Pearson's correlation of two samples of one length; None where either has no spread."""
    mean_x, mean_y = math.fsum(x) / len(x), math.fsum(y) / len(y)
    square_x = math.fsum((value - mean_x) ** 2 for value in x)
    square_y = math.fsum((value - mean_y) ** 2 for value in y)
    if math.sqrt(square_x) < _ROUNDING or math.sqrt(square_y) < _ROUNDING:
        return None
    product = math.fsum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    found = product / math.sqrt(square_x) / math.sqrt(square_y)
    return max(-1.0, min(1.0, found)) if abs(found) >= _ROUNDING else 0.0


def _weaker_solve(scores: Sequence[float], abilities: Sequence[float]) -> bool:
    """Whether those who solve it (at least half of the points) are weaker than the others."""
    pairs = list(zip(scores, abilities, strict=True))
    solvers = [ability for score, ability in pairs if score >= SOLVED]
    others = [ability for score, ability in pairs if score < SOLVED]
    if not solvers or not others:
        return False
    return math.fsum(solvers) / len(solvers) < math.fsum(others) / len(others)


def item_statistics(scores: Mapping[str, Mapping[str, float]]) -> dict[str, ItemStatistic]:
    """Statistics of every item that has a score, from item -> config -> mean score in [0, 1].

    Discrimination correlates the item's scores with each config's mean over the *other* items
    that it has; None for fewer than 4 configs that have other items, or no spread on either
    side. ``inverted`` needs a discrimination below 0, and solvers (mean score at least 1/2) of
    lower mean ability than the others. ValueError for scores outside [0, 1].
    """
    by_config: dict[str, list[float]] = {}
    for row in scores.values():
        for config, score in row.items():
            if not 0 <= score <= 1:
                raise ValueError(f"a score must be between 0 and 1, not {score!r}")
            by_config.setdefault(config, []).append(score)
    totals = {config: math.fsum(found) for config, found in by_config.items()}
    statistics: dict[str, ItemStatistic] = {}
    for item, row in scores.items():
        if not row:
            continue
        others = {config: len(by_config[config]) - 1 for config in row}
        known = [(score, config) for config, score in row.items() if others[config]]
        abilities = [(totals[config] - score) / others[config] for score, config in known]
        own = [score for score, _ in known]
        found = _correlation(own, abilities) if len(known) >= LEAST_CONFIGS else None
        statistics[item] = ItemStatistic(
            item=item,
            configs=len(row),
            mean=math.fsum(row.values()) / len(row),
            discrimination=found,
            inverted=found is not None and found < 0 and _weaker_solve(own, abilities),
            none=all(score == 0 for score in row.values()),
            all=all(score == 1 for score in row.values()),
        )
    return statistics
