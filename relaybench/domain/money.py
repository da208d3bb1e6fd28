"""What tokens and tools cost. USD as exact decimals; an unknown price gives no cost, never 0.

Formula: sum over buckets of tokens x USD per million / 10^6, plus uses x fee; nothing is
rounded here (STATISTICS, section 4).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from relaybench.domain.completion import Usage
from relaybench.domain.model import Prices

_MILLION: Final = Decimal(1_000_000)
ZERO: Final = Decimal(0)


@dataclass(frozen=True, slots=True)
class Cost:
    """USD by bucket; a bucket that cannot be known is None, and then so is the total."""

    input: Decimal | None
    cached_input: Decimal | None
    cache_write: Decimal | None
    output: Decimal | None
    tools: Decimal | None

    @property
    def total(self) -> Decimal | None:
        """The sum of all buckets, or None where any is unknown."""
        return sum_known(self._buckets)

    @property
    def known(self) -> Decimal:
        """The sum of the buckets that are known."""
        return sum((each for each in self._buckets if each is not None), ZERO)

    @property
    def _buckets(self) -> tuple[Decimal | None, ...]:
        return (self.input, self.cached_input, self.cache_write, self.output, self.tools)


FREE: Final = Cost(ZERO, ZERO, ZERO, ZERO, ZERO)
UNKNOWN_COST: Final = Cost(None, None, None, None, None)


def sum_known(parts: tuple[Decimal | None, ...]) -> Decimal | None:
    """Add amounts; None as soon as one of them is unknown."""
    total = ZERO
    for part in parts:
        if part is None:
            return None
        total += part
    return total


def bucket_cost(tokens: int, usd_per_million: Decimal | None) -> Decimal | None:
    """Cost of one bucket: 0 for no tokens even at an unknown price, None where it matters."""
    if tokens == 0:
        return ZERO
    return None if usd_per_million is None else tokens * usd_per_million / _MILLION


def _reported_cost(tokens: int | None, usd_per_million: Decimal | None) -> Decimal | None:
    """Cost of a bucket that may not have been reported: unknown then, but 0 at a price of 0."""
    if tokens is None:
        return ZERO if usd_per_million == 0 else None
    return bucket_cost(tokens, usd_per_million)


def _tools_cost(uses: Mapping[str, int], prices: Prices) -> Decimal | None:
    total = ZERO
    for tool, count in uses.items():
        fee = prices.tool_fees.get(tool)
        if fee is None and count:
            return None
        total += count * (fee or ZERO)
    return total


def cost_of(
    usage: Usage, tool_uses: Mapping[str, int], prices: Prices | None, *, billed: bool = True
) -> Cost:
    """Price one call. The tier is chosen by the call's whole input, as providers bill it.

    Input and output that were not reported make their buckets unknown, unless they are free;
    cache buckets that were not reported hold nothing (their tokens are in ``input``). A call that
    was not billed costs nothing, at whatever price.
    """
    if not billed:
        return FREE
    if prices is None or not prices.tiers:
        return UNKNOWN_COST
    tier = prices.tier(usage.input_total or 0)
    long_write = usage.cache_write_1h or 0
    short_write = max(0, (usage.cache_write or 0) - long_write)
    return Cost(
        input=_reported_cost(usage.input, tier.input),
        cached_input=bucket_cost(usage.cached_input or 0, tier.cached_input),
        cache_write=sum_known(
            (
                bucket_cost(short_write, tier.cache_write),
                bucket_cost(long_write, tier.cache_write_1h),
            )
        ),
        output=_reported_cost(_priced_output(usage), tier.output),
        tools=_tools_cost(tool_uses, prices),
    )


def missing_for(
    usage: Usage, tool_uses: Mapping[str, int], prices: Prices | None, *, billed: bool = True
) -> tuple[str, ...]:
    """What the cost of one call lacks, in words; empty where it is known."""
    if cost_of(usage, tool_uses, prices, billed=billed).total is not None:
        return ()
    if prices is None or not prices.tiers:
        return ("no prices",)
    tier = prices.tier(usage.input_total or 0)
    long_write = usage.cache_write_1h or 0
    parts = {
        "input": (usage.input, tier.input),
        "cached_input": (usage.cached_input or 0, tier.cached_input),
        "cache_write": (max(0, (usage.cache_write or 0) - long_write), tier.cache_write),
        "cache_write_1h": (long_write, tier.cache_write_1h),
        "output": (_priced_output(usage), tier.output),
    }
    found = [f"no price for {name}" for name, (n, price) in parts.items() if n and price is None]
    if any(n is None and price != 0 for n, price in parts.values()):
        found.append("no token counts")
    fees = prices.tool_fees
    return (
        *found,
        *(f"no fee for {tool}" for tool, n in tool_uses.items() if n and tool not in fees),
    )


def uncached_cost(
    usage: Usage, tool_uses: Mapping[str, int], prices: Prices | None, *, billed: bool = True
) -> Decimal | None:
    """What a call would have cost in USD had nothing been cached; None where that is unknown.

    Input that was read from a cache or written to one counts at the plain input price then. The
    tier is the same, since it goes by the whole input.
    """
    if not billed:
        return ZERO
    if prices is None or not prices.tiers:
        return None
    tier = prices.tier(usage.input_total or 0)
    return sum_known(
        (
            _reported_cost(None if usage.input is None else usage.input_total, tier.input),
            _reported_cost(_priced_output(usage), tier.output),
            _tools_cost(tool_uses, prices),
        )
    )


def _priced_output(usage: Usage) -> int | None:
    return None if usage.output is None else usage.output + (usage.unattributed or 0)
