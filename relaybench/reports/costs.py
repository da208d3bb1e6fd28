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
from relaybench.reports.run_facts import (
    SIMULATED_COLUMN,
    base_tier,
    is_simulated,
    named_counts,
    output_tokens,
    pending,
    run_simulated,
    simulated_notes,
    title,
    tokens,
    unpriced,
)
from relaybench.reports.tables import (
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


_INPUT: Final = _Bucket("input", "Input")
_CACHED: Final = _Bucket("cached_input", "Cached input")
_WRITE: Final = _Bucket("cache_write", "Cache write")
_OUTPUT: Final = _Bucket("output", "Output")


def _wrote_cache(result: ConfigResult) -> bool:
    return bool(result.usage.cache_write or result.cost.cache_write)


def _used_tools(result: ConfigResult) -> bool:
    # Unknown with all other prices known: a tool whose fee nobody knows was used.
    priced = result.config.prices is not None and bool(result.config.prices.tiers)
    return bool(result.cost.tools) or (priced and result.cost.tools is None)


def _columns(results: Sequence[ConfigResult]) -> tuple[Column, ...]:
    columns = [
        SIMULATED_COLUMN,
        Column("model", "Model", Kind.TEXT, "", NARROW, mark="simulated"),
        *_INPUT.columns(),
        *_CACHED.columns(),
    ]
    if any(map(_wrote_cache, results)):
        columns += _WRITE.columns()
    columns += _OUTPUT.columns()
    if any(map(_used_tools, results)):
        columns.append(Column("tools_usd", "Tools ($)", Kind.USD, "USD", NARROW))
    columns.append(Column("total_usd", "Total ($)", Kind.USD, "USD", NARROW))
    columns.append(Column("config", "Config", Kind.TEXT, "name in models.toml", begins=True))
    return tuple(columns)


def _values(run: RunRow, result: ConfigResult, any_simulated: bool) -> dict[str, Value]:
    tier: PriceTier = base_tier(result.config)
    usage, cost = result.usage, result.cost
    return {
        "simulated": is_simulated(run, result.config, any_simulated),
        "model": result.config.label,
        "config": result.config.name,
        **_INPUT.values(tier.input, tokens(usage.input), cost.input),
        **_CACHED.values(tier.cached_input, tokens(usage.cached_input), cost.cached_input),
        **_WRITE.values(tier.cache_write, tokens(usage.cache_write), cost.cache_write),
        **_OUTPUT.values(tier.output, output_tokens(usage), cost.output),
        "tools_usd": UNKNOWN if cost.tools is None else cost.tools,
        "total_usd": UNKNOWN if cost.total is None else cost.total,
    }


def cost_notes(results: Sequence[ConfigResult]) -> list[str]:
    """What must be known to read costs: what is unknown, what may be missing, how it is summed."""
    notes = []
    names = unpriced(results)
    if names:
        notes.append(
            f"Cost unknown, never 0, for {', '.join(names)}: a price or a token count is not known."
        )
    unreported = {result.config.digest: result.unreported for result in results}
    if any(unreported.values()):
        notes.append(
            f"Answers without token counts: {named_counts(results, unreported)}. "
            "Token sums and costs lack them. Some servers count tokens only where they do not "
            "stream: options = { stream = false } in models.toml."
        )
    lost = {result.config.digest: result.lost_calls for result in results}
    if any(lost.values()):
        notes.append(
            f"Lost calls: {named_counts(results, lost)}. They were sent and no answer was kept; "
            "the provider may have billed them, and no cost here holds them."
        )
    return notes


def _price_notes(results: Sequence[ConfigResult]) -> list[str]:
    notes = [
        "Costs are the sums of what every call was charged, in full precision; only what is "
        "displayed is rounded, so parts may not add up to their total in the last digit."
    ]
    tiered = [
        f"{each.config.label} (above {', '.join(f'{tier.above:,}' for tier in tiers)} input tokens)"
        for each in results
        if each.config.prices is not None
        and (tiers := [tier for tier in each.config.prices.tiers if tier.above > 0])
    ]
    if tiered:
        notes.append(
            f"Other prices hold for long prompts: {'; '.join(tiered)}. Prices shown are the base "
            "tier; each call was charged by its own tier, so a cost can differ from tokens times "
            "price."
        )
    long_writes = [each.config.label for each in results if each.usage.cache_write_1h]
    if long_writes:
        notes.append(
            "Some cache writes have the one-hour lifetime and its price, which is not shown: "
            f"{', '.join(long_writes)}."
        )
    unattributed = {each.config.digest: each.usage.unattributed or 0 for each in results}
    if any(unattributed.values()):
        notes.append(
            "Output holds tokens that a provider's total counts but its parts do not name: "
            f"{named_counts(results, unattributed)}."
        )
    sources = {
        each.config.label: (each.config.prices.as_of, each.config.prices.source)
        for each in results
        if each.config.prices is not None
    }
    for label, (as_of, source) in sources.items():
        day = as_of.isoformat() if as_of else "an unknown day"
        notes.append(f"Prices of {label}: as of {day}, {source or 'source not given'}.")
    return notes


def cost_table(run: RunRow, results: Sequence[ConfigResult]) -> Table:
    """Price (USD per million, base tier), tokens and cost (USD) by bucket; configs in plan order.

    Cache writes and tool fees have columns only where a model has any.
    """
    configs = [result.config for result in results]
    any_simulated = any(config.simulated for config in configs)
    columns = _columns(results)
    notes = simulated_notes(run, configs)
    open_cells = [
        result.config.label for result in results if result.count(Outcome.ERROR) or pending(result)
    ]
    if open_cells:
        notes.append(
            f"Incomplete, so the cost of the whole is not known yet: {', '.join(open_cells)}."
        )
    notes += cost_notes(results) + _price_notes(results)
    return Table(
        name="costs",
        title=title(run, "Costs", configs),
        columns=columns,
        rows=tuple(as_row(columns, _values(run, result, any_simulated)) for result in results),
        notes=tuple(notes),
        simulated=run_simulated(run, configs),
    )
