"""Keep a run under a budget: money is set aside before a call goes out.

A call's true cost is known only when it is back, so the most it is expected to cost is reserved
first. What a config's calls turned out to cost raises later reservations; until the first one is
back nobody knows how far the expectation is off, so under a limit it goes out alone.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal

from relaybench.domain.completion import Completion
from relaybench.domain.errors import ProviderError
from relaybench.domain.model import Prices
from relaybench.domain.money import FREE, UNKNOWN_COST, ZERO, Cost, cost_of


def cost_of_response(completion: Completion, prices: Prices | None) -> Cost:
    """What a response cost; nothing where the provider does not charge for it."""
    fees, billed = completion.tool_fees, completion.billed
    return cost_of(completion.usage, fees, prices, billed=billed)


def cost_of_failure(error: ProviderError, prices: Prices | None) -> Cost:
    """What a failed call cost: nothing where none was charged, unknown where that is not known.

    A call whose response was under way, or never came, may have been billed; work that goes on
    at the provider is charged when it is done.
    """
    if error.handle is not None:
        return FREE
    if error.usage is not None:
        return cost_of(error.usage, error.tool_fees, prices)
    return UNKNOWN_COST if error.may_be_billed else FREE


@dataclass(slots=True)
class Budget:
    """USD that a run may cost in all; ``limit`` None: no limit. ``spent`` counts what is known."""

    limit: Decimal | None = None
    spent: Decimal = ZERO
    reserved: Decimal = ZERO
    dearest: dict[str, Decimal] = field(default_factory=dict)
    under_way: Counter[str] = field(default_factory=Counter)
    tried: set[str] = field(default_factory=set)
    refused: tuple[str, Decimal] | None = None  # the last call without room: config and USD

    @property
    def waits(self) -> bool:
        """Whether a call is under way whose end may make room for another."""
        return self.under_way.total() > 0

    @property
    def left(self) -> Decimal | None:
        """USD that may still be set aside, never below 0; None: no limit."""
        return None if self.limit is None else max(self.limit - self.spent - self.reserved, ZERO)

    def price_of_next(self, config: str, expected: Decimal | None) -> Decimal:
        """What to reserve for the next call of a config."""
        return max(expected or ZERO, self.dearest.get(config, ZERO))

    def reserve(self, config: str, amount: Decimal) -> bool:
        """Set money aside; False, and nothing set aside, where the call must not go out now."""
        if self.limit is not None:
            if self.spent + self.reserved + amount > self.limit:
                self.refused = config, amount
                return False
            if amount and config not in self.tried and self.under_way[config]:
                return False
        self.reserved += amount
        self.under_way[config] += 1
        return True

    def settle(self, config: str, reserved: Decimal, cost: Decimal | None) -> None:
        """Replace a reservation by the true cost; one that stays unknown counts as reserved."""
        self.release(config, reserved)
        self.tried.add(config)
        self.spent += reserved if cost is None else cost
        if cost is not None and cost > self.dearest.get(config, ZERO):
            self.dearest[config] = cost

    def release(self, config: str, reserved: Decimal) -> None:
        """Give a reservation back: nothing was sent."""
        self.reserved -= reserved
        self.under_way[config] -= 1
