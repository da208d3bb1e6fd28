"""Domain values as rows and back: items, model configs, prices, usage, costs."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any, Final

from relaybench.domain.completion import Usage
from relaybench.domain.item import Item, ItemKind, ItemStep
from relaybench.domain.model import NUDGE, ModelConfig, Prices, PriceTier
from relaybench.domain.money import Cost, cost_of, uncached_cost
from relaybench.store.schema import PICO
from relaybench.store.text import pack, unpack, unpack_or_none

USAGE_COLUMNS: Final = (
    "input",
    "cached_input",
    "cache_write",
    "output",
    "reasoning",
    "cache_write_1h",
    "unattributed",
)
COST_COLUMNS: Final = (
    "cost_input",
    "cost_cached_input",
    "cost_cache_write",
    "cost_output",
    "cost_tools",
)
#: What a call was charged by bucket, and what it would have cost had nothing been cached.
CHARGE_COLUMNS: Final = (*COST_COLUMNS, "cost_uncached")
_LARGEST: Final = 2**63 - 1
_PRICE_FIELDS: Final = ("input", "cached_input", "cache_write", "cache_write_1h", "output")


def reported(table: str) -> str:
    """SQL that says whether a row of attempts or of calls has token counts, so was billed.

    Calls without any and without an answer (refused connections, 429s) cost nothing as far as
    is known.
    """
    return f"COALESCE({', '.join(f'{table}.{name}' for name in USAGE_COLUMNS)}) IS NOT NULL"


def charged(table: str) -> str:
    """SQL that says whether a row of attempts has been charged for anything, known or not."""
    return f"({table}.answered = 1 OR {table}.turn_count > 0 OR {reported(table)})"


def to_json(value: object) -> str:
    """JSON in one fixed form; lone surrogates are escaped, so that it is always plain text."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"), sort_keys=True, default=str)


def item_row(item: Item) -> dict[str, Any]:
    """An item's columns."""
    steps = [
        {
            "label": step.label,
            "use": step.use,
            "domain": step.domain,
            "answer": step.answer,
            "in_answer": step.in_answer,
            "inputs": [list(pair) for pair in step.inputs],
            "augment": list(step.augment),
        }
        for step in item.steps
    ]
    return {
        "digest": item.digest,
        "set_name": pack(item.set_name),
        "name": pack(item.name),
        "kind": item.kind.value,
        "step_count": len(item.steps),
        "domains": to_json(list(item.domains)),
        "encoded": int(item.encoded),
        "encoding_seed": None if item.encoding_seed is None else str(item.encoding_seed),
        "bloat_characters": item.bloat_characters,
        "substitutions": item.substitutions,
        "dictionary_size": item.dictionary_size,
        "characters": len(item.prompt),
        "estimated_tokens": item.estimated_tokens,
        "prompt_sha256": item.prompt_sha256,
        "separator": pack(item.separator),
        "steps": to_json(steps),
        "key": pack(item.key),
        "prompt": pack(item.prompt),
    }


def steps_of(text: str) -> tuple[ItemStep, ...]:
    """An item's steps from their column."""
    return tuple(
        ItemStep(
            label=step["label"],
            use=step["use"],
            domain=step["domain"],
            answer=step["answer"],
            in_answer=step["in_answer"],
            inputs=tuple((name, label) for name, label in step.get("inputs", ())),
            augment=tuple(step.get("augment", ())),
        )
        for step in json.loads(text)
    )


def item_of(row: sqlite3.Row) -> Item:
    """An item from its columns."""
    seed = row["encoding_seed"]
    return Item(
        set_name=unpack(row["set_name"]),
        name=unpack(row["name"]),
        kind=ItemKind(row["kind"]),
        prompt=unpack(row["prompt"]),
        key=unpack(row["key"]),
        separator=unpack(row["separator"]),
        steps=steps_of(row["steps"]),
        domains=tuple(json.loads(row["domains"])),
        encoded=bool(row["encoded"]),
        encoding_seed=None if seed is None else int(seed),
        bloat_characters=row["bloat_characters"],
        substitutions=row["substitutions"],
        dictionary_size=row["dictionary_size"],
        estimated_tokens=row["estimated_tokens"],
    )


def config_row(config: ModelConfig) -> dict[str, Any]:
    """A model config's columns; the key itself is not part of a config."""
    return {
        "digest": config.digest,
        "name": config.name,
        "label": replace(config, mark="").label,  # a mark is of one run only
        "provider": config.provider,
        "model": config.model,
        "effort": config.effort,
        "tools": to_json(list(config.tools)),
        "harness": config.harness,
        "base_url": config.base_url,
        "key_env": config.key_env,
        "max_output_tokens": config.max_output_tokens,
        "concurrency": config.concurrency,
        "timeout_s": config.timeout_s,
        "idle_timeout_s": config.idle_timeout_s,
        "options": to_json(config.options),
        "simulated": int(config.simulated),
        "instructions": pack(config.instructions),
        "blocked_domains": to_json(list(config.blocked_domains)),
        "max_continuations": config.max_continuations,
        "max_nudges": config.max_nudges,
        "nudge": pack(config.nudge),
    }


def config_of(row: sqlite3.Row, prices: Prices | None = None) -> ModelConfig:
    """A model config from its columns, with the prices of a run where given."""
    return ModelConfig(
        name=row["name"],
        provider=row["provider"],
        model=row["model"],
        effort=row["effort"],
        tools=tuple(json.loads(row["tools"])),
        harness=row["harness"],
        base_url=row["base_url"],
        key_env=row["key_env"],
        max_output_tokens=row["max_output_tokens"],
        concurrency=row["concurrency"],
        timeout_s=row["timeout_s"],
        idle_timeout_s=row["idle_timeout_s"],
        options=json.loads(row["options"]),
        prices=prices,
        instructions=unpack_or_none(row["instructions"]),
        blocked_domains=tuple(json.loads(row["blocked_domains"])),
        max_continuations=row["max_continuations"],
        max_nudges=row["max_nudges"],
        nudge=NUDGE if row["nudge"] is None else unpack(row["nudge"]),
    )


def prices_json(prices: Prices | None) -> str | None:
    """Prices as JSON with decimals as text, so that none is rounded; None for unknown."""
    if prices is None:
        return None
    tiers: list[Mapping[str, object]] = []
    for tier in prices.tiers:
        amounts = {name: getattr(tier, name) for name in _PRICE_FIELDS}
        shown = {name: str(each) for name, each in amounts.items() if each is not None}
        tiers.append({"above": tier.above, **shown})
    fees = {tool: str(fee) for tool, fee in prices.tool_fees.items()}
    note = {"note": prices.note} if prices.note else {}
    return to_json({"tiers": tiers, "tool_fees": fees, **note})


def prices_of(text: str | None, as_of: str | None, source: str) -> Prices | None:
    """Prices from their columns."""
    if text is None:
        return None
    data = json.loads(text)
    tiers = []
    for entry in data["tiers"]:
        amounts = {name: Decimal(entry[name]) for name in _PRICE_FIELDS if name in entry}
        tiers.append(PriceTier(above=entry["above"], **amounts))
    fees = {tool: Decimal(fee) for tool, fee in data["tool_fees"].items()}
    day = date.fromisoformat(as_of) if as_of else None
    return Prices(tuple(tiers), fees, day, source, data.get("note", ""))


def usage_row(usage: Usage) -> dict[str, int | None]:
    """Usage as columns; NULL for what was not reported, or is no number that any model reaches."""
    return {name: _whole(getattr(usage, name)) for name in USAGE_COLUMNS}


def _whole(value: int | None) -> int | None:
    # SQLite holds 64 bits: an answer must not be lost because its token count is nonsense.
    return None if value is None or abs(value) > _LARGEST // 1000 else value


def usage_of(row: sqlite3.Row | Mapping[str, Any]) -> Usage:
    """Usage from its columns."""
    return Usage(**{name: row[name] for name in USAGE_COLUMNS})


def pico(amount: Decimal | None) -> int | None:
    """Dollars as a column of picodollars; None where unknown, or beyond what a column holds."""
    if not amount:
        return None if amount is None else 0
    return _whole(int((amount * PICO).to_integral_value()))


def cost_row(cost: Cost) -> dict[str, int | None]:
    """A cost as columns of picodollars."""
    return {
        "cost_input": pico(cost.input),
        "cost_cached_input": pico(cost.cached_input),
        "cost_cache_write": pico(cost.cache_write),
        "cost_output": pico(cost.output),
        "cost_tools": pico(cost.tools),
    }


def charge_row(
    usage: Usage, tool_uses: Mapping[str, int], prices: Prices | None, *, billed: bool = True
) -> dict[str, int | None]:
    """What one call is charged, as the columns of an attempt (``CHARGE_COLUMNS``)."""
    return {
        **cost_row(cost_of(usage, tool_uses, prices, billed=billed)),
        "cost_uncached": pico(uncached_cost(usage, tool_uses, prices, billed=billed)),
    }


def usd(amount: int | None) -> Decimal | None:
    """Dollars from a column of picodollars, exactly."""
    return None if amount is None else Decimal(amount) / PICO
