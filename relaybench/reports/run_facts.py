"""Words, tokens and prices of a run's model configs, as the tables show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from relaybench.domain.completion import Usage
from relaybench.domain.model import ModelConfig, PriceTier
from relaybench.domain.results import Outcome
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


def is_simulated(run: RunRow, config: ModelConfig | None, any_config: bool) -> bool:
    """Whether a row's results are made up.

    ``any_config`` says whether any config of the run is known to be simulated: where none is,
    yet the run calls itself simulated, all of it is.
    """
    if config is None or not any_config:
        return run.simulated
    return config.simulated


def run_simulated(run: RunRow, configs: Sequence[ModelConfig]) -> bool:
    """Whether anything in a run is made up."""
    return run.simulated or any(config.simulated for config in configs)


def simulated_notes(run: RunRow, configs: Sequence[ModelConfig]) -> list[str]:
    """The note that comes first wherever made-up results stand; none for a real run."""
    if not run_simulated(run, configs):
        return []
    names = [config.label for config in configs if config.simulated]
    mixed = names and len(names) < len(configs)
    return [_SIMULATED_NOTE.format(names=", ".join(names) if mixed else "all models")]


def title(run: RunRow, what: str, configs: Sequence[ModelConfig]) -> str:
    """A table's title, which says of itself that results are made up."""
    mark = ""
    if run_simulated(run, configs):
        real = [config for config in configs if not config.simulated]
        mark = " (partly simulated)" if 0 < len(real) < len(configs) else " (simulated)"
    return f"{what} of run {run.name}{mark}"


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
