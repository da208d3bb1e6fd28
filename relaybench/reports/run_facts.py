"""Words, tokens and prices of a run's model configs, as the tables show them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final

from relaybench.domain.completion import Usage
from relaybench.domain.model import ModelConfig, PriceTier
from relaybench.domain.results import Outcome
from relaybench.reports.numbers import counted, listed
from relaybench.reports.tables import EXACT_ONLY, NOT_REPORTED, Column, Kind, Missing
from relaybench.stats import rates
from relaybench.store.plans import RunRow
from relaybench.store.results import ConfigResult

#: Stands in every exported row; people see it as a mark behind the model's name.
SIMULATED_COLUMN: Final = Column(
    "simulated", "Simulated", Kind.FLAG, "whether the results are made up", EXACT_ONLY
)
_NO_INPUT: Final = Missing("no input tokens")
_SIMULATED_NOTE: Final = (
    "SIMULATED: {names} answered by the built-in simulator. "
    "These are made-up results: they say nothing about any real model."
)


class Simulated(StrEnum):
    """How much of some results is made up."""

    NONE = "real"
    PARTLY = "partly simulated"
    ALL = "simulated"

    @property
    def any(self) -> bool:
        """Whether anything is made up."""
        return self is not Simulated.NONE

    def of(self, config: ModelConfig | None) -> bool:
        """Whether one model's results are made up; of one that nobody knows, if any are."""
        return self.any if config is None else self is Simulated.ALL or config.simulated


def how_simulated(runs: Iterable[RunRow], configs: Collection[ModelConfig]) -> Simulated:
    """How much of the results of these configs in these runs is made up.

    Where no config is known to be simulated, yet a run calls itself simulated, all of it is.
    """
    made_up = sum(config.simulated for config in configs)
    if not made_up:
        return Simulated.ALL if any(run.simulated for run in runs) else Simulated.NONE
    return Simulated.PARTLY if made_up < len(configs) else Simulated.ALL


def simulated_notes(how: Simulated, configs: Iterable[ModelConfig]) -> list[str]:
    """The note that comes first wherever made-up results stand; none for real ones."""
    if not how.any:
        return []
    names = [config.label for config in configs if config.simulated]
    return [
        _SIMULATED_NOTE.format(names=", ".join(names) if how is Simulated.PARTLY else "all models")
    ]


def title(what: str, runs: Sequence[RunRow], how: Simulated) -> str:
    """A table's title, which says of itself that results are made up."""
    names = listed([run.name for run in runs])
    mark = f" ({how.value})" if how.any else ""
    return f"{what} of {'run' if len(runs) == 1 else 'runs'} {names}{mark}"


def tokens(count: int | None) -> int | Missing:
    """A token count, or that it was not reported."""
    return NOT_REPORTED if count is None else count


def output_tokens(usage: Usage) -> int | Missing:
    """Output tokens as they are priced: with those that a provider's total holds unnamed."""
    if usage.output is None:
        return NOT_REPORTED
    return usage.output + (usage.unattributed or 0)


def cache_rate(result: ConfigResult) -> float | Missing:
    """Cached input over all input tokens, or why there is none."""
    usage = result.usage
    rate = rates.cache_rate(usage.input, usage.cached_input, usage.cache_write)
    reported = usage.input is not None and usage.cached_input is not None
    return rate if rate is not None else _NO_INPUT if reported else NOT_REPORTED


def base_tier(config: ModelConfig) -> PriceTier:
    """The prices of the shortest prompts; all unknown where there are none."""
    if config.prices is None or not config.prices.tiers:
        return PriceTier()
    return min(config.prices.tiers, key=lambda tier: tier.above)


def pending(result: ConfigResult) -> int:
    """Cells that no attempt has settled yet, whether they were begun or not."""
    return max(result.planned - result.scored - result.count(Outcome.ERROR), 0)


def named_counts(results: Sequence[ConfigResult], counts: Mapping[str, int]) -> str:
    """``3 (sim-alpha: 1, sim-beta: 2)`` from counts by config name, zeros left out."""
    by_label = [
        f"{result.config.label}: {counts[result.config.digest]:,}"
        for result in results
        if counts[result.config.digest]
    ]
    return f"{sum(counts.values()):,} ({', '.join(by_label)})"


def unpriced(results: Sequence[ConfigResult]) -> list[str]:
    """Labels of the models whose total cost is unknown."""
    return [result.config.label for result in results if result.cost.total is None]


def uneven_repeats(counts: Iterable[int]) -> list[str]:
    """A note where items have different numbers (each 1 or more) of scored attempts."""
    found = set(counts)
    if len(found) < 2:
        return []
    return [
        f"Repeats are uneven: from {min(found):,} to {max(found):,} scored attempts at an item. "
        "An item counts with the mean of its attempts, however many they are."
    ]


def several_forms_notes(items: int, problems: int) -> list[str]:
    """That so many items are fewer problems in several forms, and what that does to intervals."""
    if problems >= items:
        return []
    return [
        f"The {items:,} items are {counted(problems, 'problem')} in several forms (plain, bloated, "
        "encoded). Forms of one problem are not independent, so intervals over items are narrower "
        f"than {items:,} independent items would justify. relaybench compare counts problems, "
        "relaybench breakdown --by form tells the forms apart, relaybench effects compares them."
    ]
