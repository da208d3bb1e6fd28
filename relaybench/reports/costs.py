"""What a run cost by model: price, tokens and cost of every bucket, as papers print it.

Costs are the sums that were stored call by call, never tokens times price once more: tiers,
long-lived cache writes and calls without token counts would make that another number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from relaybench.domain.model import PriceTier
from relaybench.domain.results import Outcome
from relaybench.reports.cost_notes import (
    cost_notes,
    estimate_notes,
    price_notes,
    price_source_notes,
)
from relaybench.reports.model_columns import MODEL
from relaybench.reports.run_facts import (
    SIMULATED_COLUMN,
    Simulated,
    base_tier,
    cache_rate,
    how_simulated,
    output_tokens,
    pending,
    simulated_notes,
    title,
    tokens,
)
from relaybench.reports.tables import (
    EXACT_ONLY,
    NARROW,
    PAGE,
    UNKNOWN,
    Column,
    Kind,
    Missing,
    Table,
    Value,
    as_row,
)
from relaybench.store.cost_facts import CostFacts
from relaybench.store.plans import RunRow
from relaybench.store.results import ConfigResult


@dataclass(frozen=True, slots=True)
class _Bucket:
    key: str
    heading: str

    def columns(self) -> tuple[Column, ...]:
        return (
            Column(
                f"{self.key}_price",
                f"{self.heading} ($/M)",
                Kind.PRICE,
                "USD per million",
                PAGE,
                begins=True,
            ),
            Column(f"{self.key}_tokens", f"{self.heading} tokens", Kind.TOKENS, "tokens", PAGE),
            Column(f"{self.key}_usd", f"{self.heading} ($)", Kind.USD, "USD", NARROW),
        )

    def values(
        self, price: Decimal | None, count: int | Missing, cost: Decimal | None
    ) -> dict[str, Value]:
        shown: Decimal | Missing = UNKNOWN if cost is None else cost
        if isinstance(count, Missing) and not cost:
            shown = count  # nothing was charged for what nobody reported: that is not 0 either
        return {
            f"{self.key}_price": UNKNOWN if price is None else price,
            f"{self.key}_tokens": count,
            f"{self.key}_usd": shown,
        }


_NOT_ESTIMATED: Final = Missing("not estimated")
_INPUT: Final = _Bucket("input", "Input")
_CACHED: Final = _Bucket("cached_input", "Cached input")
_WRITE: Final = _Bucket("cache_write", "Cache write")
_OUTPUT: Final = _Bucket("output", "Output")


_TOTALS: Final = (
    Column("total_usd", "Total ($)", Kind.USD, "USD", NARROW),
    Column("uncached_usd", "Nothing cached ($)", Kind.USD, "USD had nothing been cached", PAGE),
    Column("cache_rate", "Cache rate", Kind.SHARE, "share of input tokens from a cache", PAGE),
    Column("unsaved_calls", "Unsaved calls", Kind.WHOLE, "calls without a kept answer", EXACT_ONLY),
    Column("unsaved_usd", "Unsaved ($)", Kind.USD, "USD, estimated, in no cost", EXACT_ONLY),
    Column("estimate_low_usd", "Estimate, low", Kind.USD, "USD, before the run", EXACT_ONLY),
    Column("estimate_high_usd", "Estimate, high", Kind.USD, "USD, before the run", EXACT_ONLY),
    Column("repriced", "Repriced", Kind.WHOLE, "times", EXACT_ONLY),
)


def _wrote_cache(result: ConfigResult) -> bool:
    return bool(result.usage.cache_write or result.cost.cache_write)


def _used_tools(result: ConfigResult) -> bool:
    # Unknown with all other prices known: a tool whose fee nobody knows was used.
    priced = result.config.prices is not None and bool(result.config.prices.tiers)
    return bool(result.cost.tools) or (priced and result.cost.tools is None)


def _columns(results: Sequence[ConfigResult]) -> tuple[Column, ...]:
    columns = [
        SIMULATED_COLUMN,
        MODEL,
        *_INPUT.columns(),
        *_CACHED.columns(),
    ]
    if any(map(_wrote_cache, results)):
        columns += _WRITE.columns()
    columns += _OUTPUT.columns()
    if any(map(_used_tools, results)):
        columns.append(Column("tools_usd", "Tools ($)", Kind.USD, "USD", NARROW))
    columns += _TOTALS
    columns.append(Column("config", "Config", Kind.TEXT, "name in models.toml", begins=True))
    return tuple(columns)


def _values(result: ConfigResult, how: Simulated) -> dict[str, Value]:
    tier: PriceTier = base_tier(result.config)
    usage, cost = result.usage, result.cost
    return {
        "simulated": how.of(result.config),
        "model": result.config.label,
        "config": result.config.name,
        **_INPUT.values(tier.input, tokens(usage.input), cost.input),
        **_CACHED.values(tier.cached_input, tokens(usage.cached_input), cost.cached_input),
        **_WRITE.values(tier.cache_write, tokens(usage.cache_write), cost.cache_write),
        **_OUTPUT.values(tier.output, output_tokens(usage), cost.output),
        "tools_usd": UNKNOWN if cost.tools is None else cost.tools,
        "total_usd": UNKNOWN if cost.total is None else cost.total,
        "uncached_usd": UNKNOWN if result.uncached is None else result.uncached,
        "cache_rate": cache_rate(result),
        **_fact_values(result.facts),
    }


def _fact_values(facts: CostFacts) -> dict[str, Value]:
    low, high = facts.estimate or (_NOT_ESTIMATED, _NOT_ESTIMATED)
    return {
        "unsaved_calls": facts.unsaved_calls,
        "unsaved_usd": UNKNOWN if facts.unsaved_usd is None else facts.unsaved_usd,
        "estimate_low_usd": UNKNOWN if low is None else low,
        "estimate_high_usd": UNKNOWN if high is None else high,
        "repriced": len(facts.replaced),
    }


def cost_table(run: RunRow, results: Sequence[ConfigResult]) -> Table:
    """Price (USD per million, base tier), tokens and cost (USD) by bucket; configs in plan order.

    Cache writes and tool fees have columns only where a model has any.
    """
    configs = [result.config for result in results]
    how = how_simulated([run], configs)
    columns = _columns(results)
    notes = simulated_notes(how, configs)
    open_cells = [
        result.config.label for result in results if result.count(Outcome.ERROR) or pending(result)
    ]
    if open_cells:
        notes.append(
            f"Incomplete, so the cost of the whole is not known yet: {', '.join(open_cells)}."
        )
    notes += estimate_notes(results) + cost_notes(results)
    notes += price_notes(results) + price_source_notes(results)
    return Table(
        name="costs",
        title=title("Costs", [run], how),
        columns=columns,
        rows=tuple(as_row(columns, _values(result, how)) for result in results),
        notes=tuple(notes),
        simulated=how.any,
    )
