"""A model that costs nothing: its cost is known even where its server counts no tokens."""

from __future__ import annotations

from decimal import Decimal

from relaybench.domain.completion import Usage
from relaybench.domain.model import Prices, PriceTier
from relaybench.domain.money import cost_of

FREE = Prices((PriceTier(input=Decimal(0), output=Decimal(0), cached_input=Decimal(0)),))
PRICED = Prices((PriceTier(input=Decimal(0), output=Decimal(1)),))


def test_uncounted_tokens_of_a_free_model_cost_nothing() -> None:
    assert cost_of(Usage(), {}, FREE).total == 0
    assert cost_of(Usage(), {}, PRICED).total is None
    assert cost_of(Usage(), {}, None).total is None
