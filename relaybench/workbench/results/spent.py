"""What a run has cost so far: what a budget counts, and what calls without an answer came to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from relaybench.domain.money import ZERO, sum_known
from relaybench.domain.results import Cell
from relaybench.store.outlines import RunOutline
from relaybench.store.plans import StoredPlan
from relaybench.store.spending import AnswerCosts, Spending
from relaybench.workbench.call_rule import high_cost, middle_cost


@dataclass(frozen=True, slots=True)
class Counted:
    """What a run has cost in USD: ``known``, and ``doubtful`` as the most of what is not known.

    That is ``calls`` which may have been billed and ``answers`` whose cost is unknown.
    """

    known: Decimal = ZERO
    doubtful: Decimal = ZERO
    calls: int = 0
    answers: int = 0

    @property
    def total(self) -> Decimal:
        """What a budget counts."""
        return self.known + self.doubtful


def counted(spending: Spending, stored: StoredPlan) -> Counted:
    """What a budget counts for what a run has done.

    An unknown cost counts as what was set aside for its call: the high end of the rule, or the
    dearest known cost of the config's answers in this run where that is more.
    """
    doubtful = ZERO
    for cell, times in spending.unknown.items():
        config = stored.configs[cell.config]
        expected = high_cost(stored.items[cell.item], config) or ZERO
        doubtful += times * max(expected, spending.dearest.get(cell.config, ZERO))
    answers = spending.unknown.total() - spending.unsaved
    return Counted(spending.known, doubtful, spending.unsaved, answers)


def unsaved_costs(
    calls: Mapping[Cell, int], answers: AnswerCosts, stored: StoredPlan | RunOutline
) -> dict[str, Decimal | None]:
    """What calls without a kept answer are estimated to have cost, in USD by config digest.

    Each counts as the mean of the config's ``answers`` to the same item in this run, else of all
    its answers in this run, else as the middle of the rule; None where no price is known.
    """
    found: dict[str, Decimal | None] = {}
    for cell, times in calls.items():
        known = answers.of_cell.get((cell.item, cell.config))
        known = known or answers.of_config.get(cell.config)
        if known:
            each: Decimal | None = known[1] / known[0]
        else:
            each = middle_cost(stored.items[cell.item], stored.configs[cell.config])
        found[cell.config] = sum_known(
            (found.get(cell.config, ZERO), None if each is None else times * each)
        )
    return found
