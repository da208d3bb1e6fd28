"""Verdicts on the steps of composites, put together by class, instance, domain or position.

Only what a step puts into the final answer can be judged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from relaybench.domain.item import ItemKind
from relaybench.domain.results import Outcome
from relaybench.stats.rates import ScoreSummary, score_summary
from relaybench.store.grid import GridItem, GridStep, OutcomeGrid
from relaybench.store.step_tallies import StepTally


class By(StrEnum):
    """What steps are put together by."""

    CLASS = "class"
    INSTANCE = "instance"
    DOMAIN = "domain"
    POSITION = "position"  # how many steps stand before it in the longest chain that feeds it


#: Position of the steps of an item in which no step is known to feed another.
UNWIRED: Final = "not known"


@dataclass(slots=True)
class Verdicts:
    """Verdicts on the steps of one row: clear ones as [wrong, right] by problem.

    ``unclear`` could not be told, ``unparsed`` are missing for want of a parseable answer.
    """

    clear: dict[str, list[int]] = field(default_factory=dict)
    unclear: int = 0
    unparsed: int = 0

    def add(self, problem: str, tally: StepTally) -> None:
        """Count the verdicts on one step of an item that is a form of that problem."""
        self.unclear += tally.unclear
        if tally.right or tally.wrong:
            counts = self.clear.setdefault(problem, [0, 0])
            counts[0] += tally.wrong
            counts[1] += tally.right

    def take_in(self, other: Verdicts) -> None:
        """Count those of another row too."""
        self.unclear += other.unclear
        self.unparsed += other.unparsed
        for problem, (wrong, right) in other.clear.items():
            counts = self.clear.setdefault(problem, [0, 0])
            counts[0] += wrong
            counts[1] += right

    def rate(self) -> ScoreSummary | None:
        """Mean over problems of the share of right ones; None without a clear verdict."""
        return score_summary(
            [[1.0] * right + [0.0] * wrong for wrong, right in self.clear.values()]
        )


#: Verdicts of one class (or instance …) by config digest.
Group = dict[str, Verdicts]


def composites(grid: OutcomeGrid) -> list[GridItem]:
    """The items of a grid that are composites."""
    return [item for item in grid.items.values() if item.kind is ItemKind.COMPOSITE]


def depths(steps: Sequence[GridStep]) -> dict[str, int] | None:
    """Steps in the longest chain that feeds each step, by label; None where no wiring is known."""
    upstream = {step.label: [label for _, label in step.inputs] for step in steps}
    if not any(upstream.values()):
        return None
    found = dict.fromkeys(upstream, 0)
    for _ in steps:  # a chain has at most as many links; a loop, which lint forbids, ends too
        for label, feeding in upstream.items():
            found[label] = max((found[up] + 1 for up in feeding if up in found), default=0)
    return {label: min(depth, len(found) - 1) for label, depth in found.items()}


def _names(item: GridItem, by: By) -> dict[str, str]:
    """What each step of an item is counted under, by label: those with a part in the answer."""
    steps = [step for step in item.steps if step.in_answer]
    match by:
        case By.CLASS:
            return {step.label: step.class_ref for step in steps}
        case By.INSTANCE:
            return {step.label: step.use for step in steps}
        case By.DOMAIN:
            return {step.label: step.domain for step in steps}
        case By.POSITION:
            found = depths(item.steps)
            return {
                step.label: UNWIRED if found is None else str(found[step.label]) for step in steps
            }


def gather(grid: OutcomeGrid, tallies: Sequence[StepTally], by: By) -> dict[str, Group]:
    """Verdicts by what the steps of composites are counted under, those in the answer only."""
    items = composites(grid)
    names = {item.digest: _names(item, by) for item in items}
    # By item and label: the row's name and the problem, looked up once for each of many tallies.
    places = {
        (item.digest, label): (name, item.problem)
        for item in items
        for label, name in names[item.digest].items()
    }
    groups: dict[str, Group] = {}
    for tally in tallies:
        place = places.get((tally.item, tally.label))
        if place is not None and tally.config in grid.configs:
            name, problem = place
            _verdicts(groups, name, tally.config).add(problem, tally)
    for (item, config), outcomes in grid.cells.items():
        missing = unparsed(outcomes)
        if missing and config in grid.configs:
            for name in names.get(item, {}).values():
                _verdicts(groups, name, config).unparsed += missing
    return groups


def _verdicts(groups: dict[str, Group], name: str, config: str) -> Verdicts:
    group = groups.setdefault(name, {})
    if config not in group:
        group[config] = Verdicts()
    return group[config]


def unparsed(outcomes: Sequence[Outcome]) -> int:
    """How many scored attempts of a cell have no parseable answer."""
    return sum(each.scored and not each.parseable for each in outcomes)
