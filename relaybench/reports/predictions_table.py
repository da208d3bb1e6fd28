"""What its steps' pass rates predict for a composite, beside what was measured.

A composite's two rates rest on one basis each time: rates of subproblems that were asked alone
count an answer that cannot be parsed as a failure, rates attributed within composites leave it
out, so that the two in one product would mean nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from relaybench.domain.results import Outcome
from relaybench.reports.grid_facts import grid_table, model_cells
from relaybench.reports.run_facts import SIMULATED_COLUMN
from relaybench.reports.step_rates import ALONE, ATTRIBUTED, StepRates, predicted
from relaybench.reports.step_verdicts import composites
from relaybench.reports.tables import (
    EXACT_ONLY,
    NARROW,
    PAGE,
    Column,
    Kind,
    Missing,
    Table,
    Value,
    not_enough,
)
from relaybench.stats.paired import paired
from relaybench.store.grid import GridItem, OutcomeGrid
from relaybench.store.pooling import comparable
from relaybench.store.step_tallies import StepTally

_COLUMNS: Final = (
    SIMULATED_COLUMN,
    Column("model", "Model", Kind.TEXT, "", NARROW, mark="simulated"),
    Column("basis", "Steps' rates", Kind.TEXT, "where they are from", NARROW, names=True),
    Column("n", "n", Kind.WHOLE, "problems", NARROW),
    Column("predicted", "Predicted", Kind.SHARE, "share", NARROW),
    Column("measured", "Measured", Kind.SHARE, "share", NARROW),
    Column(
        "difference",
        "Measured - predicted [95% CI]",
        Kind.DIFFERENCE,
        "difference of shares",
        NARROW,
        low="difference_low",
        high="difference_high",
    ),
    Column("difference_low", "Difference, low end", Kind.DIFFERENCE, "share", EXACT_ONLY),
    Column("difference_high", "Difference, high end", Kind.DIFFERENCE, "share", EXACT_ONLY),
    Column("left_out", "Left out", Kind.WHOLE, "problems on no basis", PAGE),
)
_ALL_EQUAL: Final = Missing("all differences are equal")


@dataclass(slots=True)
class _Pairs:
    """Predicted and measured rates by problem: its forms (plain, encoded …) are no new evidence."""

    by_problem: dict[str, list[tuple[float, float]]] = field(default_factory=dict)

    def add(self, problem: str, predicted: float, measured: float) -> None:
        self.by_problem.setdefault(problem, []).append((predicted, measured))

    def means(self, place: int) -> list[float]:
        """By problem the mean over its forms: of the predicted (0) or the measured rates (1)."""
        return [
            math.fsum(pair[place] for pair in pairs) / len(pairs)
            for pairs in self.by_problem.values()
        ]


def _pair(
    grid: OutcomeGrid, rates: StepRates, item: GridItem, config: str
) -> tuple[str, float, float] | None:
    """Basis, predicted and measured rate of one composite; None where there is no basis."""
    alone = rates.alone(config, [step.use for step in item.steps])
    if alone and (scored := grid.scored(item.digest, config)):
        return ALONE, predicted(alone), math.fsum(scored) / len(scored)
    clear = rates.clear.get((item.digest, config), 0)
    attributed = rates.attributed(config, [step.class_ref for step in item.steps])
    # Where they rest on this item's only answer, their product is that answer.
    if not clear or not attributed or all(rate.n == 1 for rate in attributed):
        return None
    right = grid.cells[item.digest, config].count(Outcome.CORRECT)
    return ATTRIBUTED, predicted(attributed), right / clear


def _cells(pairs: _Pairs) -> dict[str, Value]:
    expected, measured = pairs.means(0), pairs.means(1)
    n = len(expected)
    keys = ("difference", "difference_low", "difference_high")
    cells: dict[str, Value] = {
        "n": n,
        **dict.fromkeys(("predicted", "measured", *keys), not_enough(n)),
    }
    if n:
        cells["predicted"] = math.fsum(expected) / n
        cells["measured"] = math.fsum(measured) / n
    found = paired(measured, expected)
    if found:
        interval = found.interval
        ends = (interval.lo, interval.hi) if interval else (_ALL_EQUAL, _ALL_EQUAL)
        cells.update(zip(keys, (found.diff, *ends), strict=True))
    return cells


def _rows(grid: OutcomeGrid, rates: StepRates) -> Iterator[dict[str, Value]]:
    items = composites(grid)
    for digest, config in grid.configs.items():
        by_basis: dict[str, _Pairs] = {}
        for item in items:
            pair = _pair(grid, rates, item, digest)
            if pair is not None:
                by_basis.setdefault(pair[0], _Pairs()).add(item.problem, *pair[1:])
        told = {problem for pairs in by_basis.values() for problem in pairs.by_problem}
        for basis in [each for each in (ALONE, ATTRIBUTED) if each in by_basis] or [ATTRIBUTED]:
            yield {
                **model_cells(grid, config),
                "basis": basis,
                **_cells(by_basis.get(basis, _Pairs())),
                "left_out": len({item.problem for item in items} - told),
            }


def predictions_table(grid: OutcomeGrid, tallies: Sequence[StepTally]) -> Table:
    """Mean predicted and measured rate of composites, a row a model and basis of the rates.

    A composite is predicted from its instances asked alone if all of them were, otherwise from
    the rates of their classes within composites. No row without composites.
    """
    grid = comparable(grid)
    items = composites(grid)
    rows = list(_rows(grid, StepRates(grid, tallies))) if items else []
    what = "Predicted and measured rates of composites"
    return grid_table(grid, "predictions", what, _COLUMNS, rows, _notes(rows, len(items)))


def _notes(rows: Sequence[dict[str, Value]], items: int) -> list[str]:
    bases = {row["basis"] for row in rows}
    if not items:
        return ["No composites here, so there is nothing to predict."]
    notes = [
        "Predicted is the mean over composites of the product of their steps' pass rates: what "
        "would come out if steps failed independently of one another and being put together cost "
        "nothing. The difference is the mean over the same composites, with the t interval of a "
        "paired comparison (forms of one problem count as one); the steps' rates are taken as "
        "they are, so their own uncertainty is not in it, and nothing is corrected for several "
        "models."
    ]
    if any(row["difference_low"] == _ALL_EQUAL for row in rows):
        notes.append(
            "A difference without an interval is the same for every problem, so that there is no "
            "spread to tell how far off it may be."
        )
    if ALONE in bases:
        notes.append(
            f"{ALONE.capitalize()}: each step's pass@1 where the same subproblem was asked on its "
            "own, against the pass@1 of the composite; answers that cannot be parsed are failures "
            "on both sides. A subproblem alone has neither inputs from others, augmentations, "
            "bloat nor code, so the difference holds what these cost too."
        )
    if ATTRIBUTED in bases:
        notes.append(
            f"{ATTRIBUTED.capitalize()}: the rates of the steps' classes over all composites "
            "here, from the very answers that they are compared with. So the difference only "
            "tests whether steps fail independently (above 0: they fail together). Both sides "
            "are of answers whose parts could all be told apart, so Measured is no pass@1."
        )
        notes.append(
            "Left out are problems whose composites, in every form, have a step without a part in "
            "any answer, have no answer whose parts could be told apart, or have rates that all "
            "rest on their only answer. Ask the subproblems alone to predict from those: "
            "relaybench run library:, then name both runs here."
        )
    return notes
