"""What one call may take before anything is known of it: a rule, for estimates and for budgets."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from relaybench.domain.completion import Usage
from relaybench.domain.item import Item
from relaybench.domain.model import ModelConfig
from relaybench.domain.money import cost_of, sum_known
from relaybench.store.outlines import OutlineItem

LOW_OUTPUT: Final = 500
HIGH_OUTPUT: Final = 32_000
#: How far the true number of input tokens may lie above the estimated one.
INPUT_MARGIN: Final = Decimal("1.5")


def low_cost(item: Item | OutlineItem, config: ModelConfig) -> Decimal | None:
    """Expected cost of one call at the low end, nothing cached; None where a price is unknown."""
    usage = Usage(input=item.estimated_tokens, output=low_output(config))
    return cost_of(usage, {}, config.prices).total


def high_cost(item: Item | OutlineItem, config: ModelConfig) -> Decimal | None:
    """Expected cost of one call at the high end: what a budget sets aside for it."""
    usage = Usage(input=int(item.estimated_tokens * INPUT_MARGIN), output=high_output(config))
    return cost_of(usage, {}, config.prices).total


def middle_cost(item: Item | OutlineItem, config: ModelConfig) -> Decimal | None:
    """The middle between both ends of the rule."""
    ends = sum_known((low_cost(item, config), high_cost(item, config)))
    return None if ends is None else ends / 2


def high_output(config: ModelConfig) -> int:
    """Output tokens of one call at the high end: its limit, where it has one."""
    return config.max_output_tokens or HIGH_OUTPUT


def low_output(config: ModelConfig) -> int:
    """Output tokens of one call at the low end."""
    return min(LOW_OUTPUT, high_output(config))
