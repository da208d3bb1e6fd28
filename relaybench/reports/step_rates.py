"""Pass rates of steps: of subproblems that were asked alone, and of classes within composites.

The two are never mixed in one product: a subproblem asked alone counts an answer that cannot be
parsed as a failure, a rate attributed within composites leaves it out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from relaybench.domain.item import ItemKind
from relaybench.reports.step_verdicts import composites
from relaybench.stats.predictions import product
from relaybench.store.grid import OutcomeGrid
from relaybench.store.step_tallies import StepTally

ALONE: Final = "asked alone"
ATTRIBUTED: Final = "attributed"


@dataclass(slots=True)
class Rate:
    """A mean of shares over items, which grows; ``n`` attempts are behind it."""

    total: float = 0.0
    items: int = 0
    n: int = 0

    def add(self, right: float, n: int) -> None:
        """Count one item with so many right ones of ``n``; nothing for none."""
        if n:
            self.total += right / n
            self.items += 1
            self.n += n

    @property
    def share(self) -> float:
        """The mean; there must be an item."""
        return self.total / self.items


#: Rates by what they are of, for each config digest.
_Rates = dict[str, dict[str, Rate]]


class StepRates:
    """Rates of steps by config: of instances asked alone, of classes within composites.

    ``clear`` says how many answers to an item could be told apart, by item and config: the least
    of its steps' counts, since one part may be clear where another is not.
    """

    def __init__(self, grid: OutcomeGrid, tallies: Sequence[StepTally]) -> None:
        self.clear: dict[tuple[str, str], int] = {}
        self._alone = _asked_alone(grid)
        self._attributed = self._within_composites(grid, tallies)

    def alone(self, config: str, uses: Sequence[str]) -> list[Rate] | None:
        """Rates of ``domain/class:instance`` on their own; None where one is not known."""
        return _all(self._alone.get(config, {}), uses)

    def attributed(self, config: str, class_refs: Sequence[str]) -> list[Rate] | None:
        """Rates of ``domain/class`` within composites; None where one is not known."""
        return _all(self._attributed.get(config, {}), class_refs)

    def _within_composites(self, grid: OutcomeGrid, tallies: Sequence[StepTally]) -> _Rates:
        classes = {
            (item.digest, step.label): step.class_ref
            for item in composites(grid)
            for step in item.steps
            if step.in_answer
        }
        found: _Rates = {config: {} for config in grid.configs}
        for tally in tallies:
            class_ref, rates = classes.get((tally.item, tally.label)), found.get(tally.config)
            if class_ref is None or rates is None:
                continue
            n, cell = tally.right + tally.wrong, (tally.item, tally.config)
            if cell not in self.clear or n < self.clear[cell]:
                self.clear[cell] = n
            if n:
                _rate(rates, class_ref).add(tally.right, n)
        return found


def _asked_alone(grid: OutcomeGrid) -> _Rates:
    found: _Rates = {config: {} for config in grid.configs}
    for item in grid.items.values():
        for config in grid.configs if item.kind is ItemKind.SINGLE else ():
            scores = grid.scored(item.digest, config)
            for step in item.steps if scores else ():
                _rate(found[config], step.use).add(sum(scores), len(scores))
    return found


def _rate(rates: dict[str, Rate], name: str) -> Rate:
    if name not in rates:
        rates[name] = Rate()
    return rates[name]


def _all(rates: Mapping[str, Rate], names: Sequence[str]) -> list[Rate] | None:
    """The rates of all names, None where one is not known or there is no name."""
    try:
        return [rates[name] for name in names] or None
    except KeyError:
        return None


def predicted(rates: Sequence[Rate]) -> float:
    """What a composite of steps with these rates would come to; there must be one at least."""
    found = product([rate.share for rate in rates])
    if found is None:
        raise ValueError("nothing is predicted without steps")
    return found
