"""Everything that is to be said of a model config, name by name, for the command and the screen."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final

from relaybench.catalog.load import Catalog
from relaybench.domain.model import KEY_ENVS, PERSISTENT, ModelConfig, Prices, PriceTier
from relaybench.domain.tool_fees import missing_fees
from relaybench.domain.tools import tool_provider
from relaybench.providers.registry import key_present
from relaybench.store.pings import PingRow
from relaybench.workbench.instructing import switched_off

_BUCKETS: Final = {
    "input": "in",
    "cached_input": "cached",
    "cache_write": "cache write",
    "cache_write_1h": "cache write for an hour",
    "output": "out",
}
KEY_WORDS: Final = {True: "present", False: "missing", None: "not needed"}


def price_text(amount: Decimal | None) -> str:
    """USD per million tokens, two decimals; ``unknown``, never 0, where it is not known."""
    return "unknown" if amount is None else f"{amount:.2f}"


def key_text(config: ModelConfig, environment: Mapping[str, str]) -> str:
    """Whether its key is there, and the variable's name; never the key."""
    word = KEY_WORDS[key_present(config, environment)]
    return f"{word}: {config.key_env}" if config.key_env else word


def harness_text(config: ModelConfig) -> str:
    """Its harness in a few words."""
    if config.harness != PERSISTENT:
        return config.harness
    nudges = "nudge" if config.max_nudges == 1 else "nudges"
    return f"{config.harness}, up to {config.max_nudges} {nudges}"


def ping_text(ping: PingRow | None) -> str:
    """Its last ping in a line; ``never`` where there was none."""
    if ping is None:
        return "never"
    seconds = "" if ping.seconds is None else f", {ping.seconds:.1f} s"
    cost = "unknown" if ping.cost is None else f"${ping.cost:.4f}"
    when = ping.pinged_at[:16].replace("T", " ")
    good = "ok" if ping.ok else "failed"
    return f"{good} on {when} UTC ({ping.outcome}){seconds}, cost {cost}"


def facts_of(
    config: ModelConfig,
    *,
    key: str,
    ping: PingRow | None = None,
    catalog: Catalog | None = None,
) -> dict[str, str]:
    """All settings of a config, its prices with their day and source, its last ping, by name.

    Long texts (nudge, instructions) are left to the caller.
    """
    facts = _settings(config, key) if not config.manual else _manual_settings(config)
    facts |= _price_facts(config)
    if not config.manual:
        facts["last ping"] = ping_text(ping)
    if catalog is not None:
        facts["written in"] = "your models.toml" if config.name in catalog.own else "shipped"
        cohorts = [name for name, members in catalog.cohorts.items() if config.name in members]
        facts["cohorts"] = ", ".join(cohorts) or "none"
    return facts


def _settings(config: ModelConfig, key: str) -> dict[str, str]:
    own = "the provider's own" if config.provider in KEY_ENVS else "none"
    facts = {
        "provider": config.provider,
        "address": config.base_url or own,
        "model": config.model,
        "effort": config.effort or "-",
        "key": key,
        "tools on": ", ".join(config.tools) or "none",
        "tools off": ", ".join(switched_off(config)) or "none",
        "blocked domains": ", ".join(config.blocked_domains) or "none",
        "harness": harness_text(config),
        "continuations": f"at most {config.max_continuations}",
        "output limit": "-"
        if config.max_output_tokens is None
        else f"{config.max_output_tokens:,}",
        "timeouts": f"{config.timeout_s:g} s in all, {config.idle_timeout_s:g} s without a sign",
        "calls at once": str(config.concurrency),
        "options": json.dumps(config.options, default=str) if config.options else "none",
    }
    if tool_provider(config.provider, config.options) not in KEY_ENVS:
        del facts["tools off"], facts["blocked domains"]
    return facts


def _manual_settings(config: ModelConfig) -> dict[str, str]:
    return {
        "provider": f"{config.provider}: answers are pasted by hand, nothing is sent",
        "model": config.model,
        "effort": config.effort or "-",
        "tools on": ", ".join(config.tools) or "not noted",
    }


def _price_facts(config: ModelConfig) -> dict[str, str]:
    prices = config.prices
    if prices is None:
        return {"prices": "unknown, so its costs are unknown, never 0"}
    first, *more = prices.tiers
    facts = {"prices": f"{_amounts(first, config)}, as of {_day(prices)}, {_source(prices)}"}
    if prices.as_of and (old := (datetime.now(UTC).date() - prices.as_of).days) > 0:
        facts["price age"] = f"{old:,} day{'' if old == 1 else 's'}"
    for tier in more:
        facts[f"above {tier.above:,}"] = _amounts(tier, config)
    if prices.tool_fees:
        fees = (f"{tool} ${fee.normalize():f}" for tool, fee in prices.tool_fees.items())
        facts["tool fees"] = f"{', '.join(fees)} a use"
    if fees_missing := missing_fees(config):
        facts["fees unknown"] = f"{', '.join(fees_missing)}: answers that use them cost unknown"
    return facts


def _amounts(tier: PriceTier, config: ModelConfig) -> str:
    """Prices by bucket; what few providers charge stands there only where it is known."""
    always = ("input", "cached_input", "output")
    return ", ".join(
        f"{word} {price_text(getattr(tier, name))}"
        for name, word in _BUCKETS.items()
        if name in always or getattr(tier, name) is not None
    )


def _day(prices: Prices) -> str:
    return prices.as_of.isoformat() if prices.as_of else "-"


def _source(prices: Prices) -> str:
    return f"{prices.source} ({prices.note})" if prices.note else prices.source or "-"


def price_columns(config: ModelConfig) -> Sequence[str]:
    """In, cached, out (USD per million tokens), day and source, as a list shows them."""
    prices = config.prices
    if prices is None:
        return ["unknown", "unknown", "unknown", "-", "-"]
    first = prices.tiers[0]
    amounts = [price_text(each) for each in (first.input, first.cached_input, first.output)]
    return [*amounts, _day(prices), _source(prices)]
