"""What shared classes do to an interval: composites made of the same classes are not independent.

Source of the formulas: STATISTICS, section 6.
"""

from __future__ import annotations

import math
from typing import Final

from relaybench.domain.model import ModelConfig
from relaybench.reports.grid_facts import grid_table, model_cells
from relaybench.reports.model_columns import CONFIG, MODEL
from relaybench.reports.numbers import listed, shown
from relaybench.reports.run_facts import SIMULATED_COLUMN
from relaybench.reports.tables import (
    EXACT_ONLY,
    NARROW,
    Column,
    Kind,
    Missing,
    Table,
    Value,
    not_enough,
)
from relaybench.stats.clusters import OverlapMean, overlap_clustered
from relaybench.stats.student import t_quantile
from relaybench.store.grid import OutcomeGrid
from relaybench.store.pooling import comparable

#: Below this many effective groups an interval rests on few independent ones.
_FEW: Final = 10
_ALL_EQUAL: Final = Missing("all scores are equal")
_ONE_GROUP: Final = Missing("fewer than 2 independent groups")

_COLUMNS: Final = (
    SIMULATED_COLUMN,
    MODEL,
    Column("items", "Items", Kind.WHOLE, "items with a scored attempt", NARROW),
    Column(
        "pass_at_1",
        "Pass@1 [95% CI] if independent",
        Kind.SHARE,
        "share",
        NARROW,
        low="independent_low",
        high="independent_high",
    ),
    Column("independent_low", "If independent, low end", Kind.SHARE, "share", EXACT_ONLY),
    Column("independent_high", "If independent, high end", Kind.SHARE, "share", EXACT_ONLY),
    Column(
        "allowing",
        "[95% CI] allowing for shared classes",
        Kind.SHARE,
        "share, pass@1 again",
        NARROW,
        low="allowing_low",
        high="allowing_high",
    ),
    Column("allowing_low", "Allowing, low end", Kind.SHARE, "share", EXACT_ONLY),
    Column("allowing_high", "Allowing, high end", Kind.SHARE, "share", EXACT_ONLY),
    Column(
        "effective_groups",
        "Groups",
        Kind.NUMBER,
        "effective independent groups",
        NARROW,
        mark="few",
    ),
    Column("few", "Few", Kind.FLAG, f"whether there are under {_FEW} groups", EXACT_ONLY),
    Column("classes", "Classes", Kind.WHOLE, "different classes", EXACT_ONLY),
    CONFIG,
)


def dependence(grid: OutcomeGrid) -> Table:
    """One row a model: its interval as if items were independent, and allowing for classes."""
    grid = comparable(grid)
    rows = [
        {**model_cells(grid, config), **_cells(grid, config)} for config in grid.configs.values()
    ]
    notes = [
        "Items that have classes of subproblem in common tend to be solved or missed together. The "
        "first interval is of Student's t over items as if they did not; the second also allows "
        "for it, and is never the narrower one. An item counts once, with its attempts' mean.",
        "Groups: how many independent groups of items would overlap as little. Under "
        f"{_FEW} (few) the second interval rests on few of them, and may still be too narrow.",
    ]
    if any(row["allowing"] == _ALL_EQUAL for row in rows):
        notes.append(
            "Where all scores are equal there is no spread to make an interval from; that of the "
            "leaderboard holds there, if items are independent."
        )
    if not shares_classes(grid):
        notes.append("No two of these items have a class in common, as far as is known.")
    if any(item.imported for item in grid.items.values()):
        notes.append("The classes of imported items are not known; they count as having none.")
    what = "Pass@1 allowing for shared classes"
    return grid_table(grid, "dependence", what, _COLUMNS, rows, notes)


def few_groups_notes(table: Table) -> list[str]:
    """What to know of the models in such a table that have few effective groups of items."""
    few = [
        (str(table.value(n, "model")), table.value(n, "items"), table.value(n, "effective_groups"))
        for n in range(len(table.rows))
        if table.value(n, "few") is True
    ]
    if not few:
        return []
    meaning = (
        "Intervals that treat items as independent are too narrow then, and those that allow for "
        "it rest on few groups."
    )
    alike = {(items, shown(Kind.NUMBER, groups)) for _, items, groups in few}
    if len(alike) == 1 and len(few) == len(table.rows):
        items, groups = alike.pop()
        who = f"The {shown(Kind.WHOLE, items)} items"
        said = f"they count as about {groups} independent groups"
    else:
        who = "Items with a scored attempt"
        each = [
            f"{model}: {shown(Kind.WHOLE, items)} as {shown(Kind.NUMBER, groups)}"
            for model, items, groups in few
        ]
        said = f"they count as few independent groups ({listed(each)})"
    return [f"{who} share classes of subproblems so far that {said}. {meaning}"]


def shares_classes(grid: OutcomeGrid) -> bool:
    """Whether any two items have a class in common."""
    seen: set[str] = set()
    for item in grid.items.values():
        if not seen.isdisjoint(item.classes):
            return True
        seen.update(item.classes)
    return False


def _cells(grid: OutcomeGrid, config: ModelConfig) -> dict[str, Value]:
    scores = grid.scores(config.digest)
    classes = [grid.items[item].classes for item in scores]
    means = [math.fsum(each) / len(each) for each in scores.values()]
    found = overlap_clustered(means, classes)
    cells: dict[str, Value] = {
        "items": len(scores),
        "classes": len({name for names in classes for name in names}),
    }
    if found is None or found.iid_se is None:
        empty = [column.key for column in _COLUMNS if column.kind in (Kind.SHARE, Kind.NUMBER)]
        return {**cells, **dict.fromkeys([*empty, "few"], not_enough(len(scores)))}
    cells |= {
        "pass_at_1": found.mean,
        "effective_groups": found.eff_groups,
        "few": found.eff_groups < _FEW,
    }
    if min(means) == max(means):
        # Without a spread Student's t would know the mean without any doubt.
        return {**cells, **dict.fromkeys((*_INDEPENDENT, *_ALLOWING), _ALL_EQUAL)}
    half = t_quantile(found.n - 1) * found.iid_se
    ends = (max(0.0, found.mean - half), min(1.0, found.mean + half))
    return {**cells, **dict(zip(_INDEPENDENT, ends, strict=True)), **_allowing(found)}


_INDEPENDENT: Final = ("independent_low", "independent_high")
_ALLOWING: Final = ("allowing", "allowing_low", "allowing_high")


def _allowing(found: OverlapMean) -> dict[str, Value]:
    if found.kernel_se is None or found.lo is None or found.hi is None:
        return dict.fromkeys(_ALLOWING, _ONE_GROUP)
    return dict(zip(_ALLOWING, (found.mean, found.lo, found.hi), strict=True))
