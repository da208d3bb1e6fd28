"""What a run will take: cells, tokens and money, from low to high, by a stated rule.

The rule, until past calls can tell: input is the prompt's estimated tokens, and 1.5 times as many
at the high end, since tokenizers differ; output is 500 tokens at the low end and the config's
output limit (or 32,000 tokens where it has none) at the high end. Server tools can add input that
no rule foresees.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from relaybench.domain.completion import Usage
from relaybench.domain.item import Item
from relaybench.domain.model import ModelConfig
from relaybench.domain.money import ZERO, cost_of, sum_known
from relaybench.store.plans import StoredPlan
from relaybench.store.spending import Spending

LOW_OUTPUT: Final = 500
HIGH_OUTPUT: Final = 32_000
#: How far the true number of input tokens may lie above the estimated one.
INPUT_MARGIN: Final = Decimal("1.5")


@dataclass(frozen=True, slots=True)
class Estimate:
    """One config's share of a run; costs in USD, None where a price is unknown."""

    config: ModelConfig
    cells: int
    input_tokens: int
    output_low: int
    output_high: int
    cost_low: Decimal | None
    cost_high: Decimal | None


def low_cost(item: Item, config: ModelConfig) -> Decimal | None:
    """Expected cost of one call at the low end, nothing cached; None where a price is unknown."""
    usage = Usage(input=item.estimated_tokens, output=_low_output(config))
    return cost_of(usage, {}, config.prices).total


def high_cost(item: Item, config: ModelConfig) -> Decimal | None:
    """Expected cost of one call at the high end: what a budget sets aside for it."""
    usage = Usage(input=int(item.estimated_tokens * INPUT_MARGIN), output=_high_output(config))
    return cost_of(usage, {}, config.prices).total


def _high_output(config: ModelConfig) -> int:
    return config.max_output_tokens or HIGH_OUTPUT


def _low_output(config: ModelConfig) -> int:
    return min(LOW_OUTPUT, _high_output(config))


def estimate(config: ModelConfig, items: Sequence[Item]) -> Estimate:
    """Estimate one config's cells, given an item for each."""
    return Estimate(
        config=config,
        cells=len(items),
        input_tokens=sum(item.estimated_tokens for item in items),
        output_low=_low_output(config) * len(items),
        output_high=_high_output(config) * len(items),
        cost_low=_sum(low_cost(item, config) for item in items),
        cost_high=_sum(high_cost(item, config) for item in items),
    )


def _sum(costs: Iterable[Decimal | None]) -> Decimal | None:
    return sum_known(tuple(costs))


def total(estimates: Sequence[Estimate]) -> tuple[Decimal | None, Decimal | None]:
    """Cost of a whole run, low and high; None where any config's is unknown."""
    return _sum(e.cost_low for e in estimates), _sum(e.cost_high for e in estimates)


def counted(spending: Spending, stored: StoredPlan) -> Decimal:
    """USD that a budget counts for what a run has done: unknown costs as high as expected."""
    total_usd = spending.known
    for cell, times in spending.unknown.items():
        config = stored.configs[cell.config]
        total_usd += times * (high_cost(stored.items[cell.item], config) or ZERO)
    return total_usd
