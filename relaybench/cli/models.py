"""The command that lists models, cohorts and prices."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING

import click

from relaybench.cli.output import columns, data, data_json, plural, say, terminal_width
from relaybench.domain.literal import literal, visible

if TYPE_CHECKING:
    from relaybench.catalog.load import Catalog
    from relaybench.cli.main import Place
    from relaybench.domain.model import ModelConfig


#: Cells across from which the list shows all its columns.
_ROOMY = 125


@click.command(short_help="List models, cohorts, prices, and whether keys are present.")
@click.argument("names", nargs=-1, metavar="[MODEL]...")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.pass_obj
def models(place: Place, names: tuple[str, ...], form: str) -> None:
    """List models and cohorts, with prices and whether their key is present (never the key).

    With MODEL names: all settings of those, such as tools, harness and instructions.
    """
    from relaybench.providers.registry import key_present

    workspace = place.workspace
    catalog = workspace.catalog()
    shown = {each.name: each for each in catalog.choose((), names)} if names else catalog.models
    states = {
        name: {True: "present", False: "missing", None: "not needed"}[
            key_present(config, workspace.environment)
        ]
        for name, config in shown.items()
    }
    if form == "json":
        found: dict[str, object] = {
            "models": [_json(each, states[name]) for name, each in shown.items()]
        }
        if not names:
            found["cohorts"] = {name: list(each) for name, each in catalog.cohorts.items()}
        data_json(found)
        return
    keys = {
        name: f"{states[name]}: {config.key_env}" if config.key_env else states[name]
        for name, config in shown.items()
    }
    if names:
        data("\n\n".join(_in_full(config, keys[name]) for name, config in shown.items()))
    else:
        _list(catalog, keys)
    say("\nPrices are USD per million tokens; `unknown` makes a cost unknown, never 0.")


def _list(catalog: Catalog, keys: Mapping[str, str]) -> None:
    rows = [
        ["name", "provider", "model", "effort", "key", "in", "cached", "out", "as of", "source"]
    ]
    for name, config in catalog.models.items():
        row = [name, config.provider, config.model, config.effort or "-", keys[name]]
        rows.append([*row, *_prices(config)])
    width = terminal_width()
    if width < _ROOMY:
        narrow = [[row[0], row[1], row[4], *row[5:8]] for row in rows]
        data(columns(narrow, left=(1, 2)))
    else:
        data(columns(rows, left=(1, 2, 3, 4, 9), width=width))
    data("")
    for name, members in catalog.cohorts.items():
        data(f"cohort {name}: {', '.join(members)}")
    data("")
    for name, config in catalog.models.items():
        data(f"{name}: {'; '.join(_at_work(config))}")
    if width < _ROOMY:
        data("")
        for name, config in catalog.models.items():
            if config.prices:
                data(f"prices of {name}: as of {_prices(config)[3]}, {_prices(config)[4]}")


def _at_work(config: ModelConfig) -> list[str]:
    """Tools, harness and whatever else is not as usual, in a few words."""
    from relaybench.workbench.instructing import switched_off

    words = [f"tools {', '.join(config.tools) or 'none'}"]
    if off := switched_off(config):
        words.append(f"switched off {', '.join(off)}")
    words.append(f"harness {_harness(config)}")
    if config.blocked_domains:
        words.append(f"{plural(len(config.blocked_domains), 'domain')} blocked")
    if config.instructions is not None:
        words.append("instructions")
    return words


def _harness(config: ModelConfig) -> str:
    from relaybench.domain.model import PERSISTENT

    if config.harness != PERSISTENT:
        return config.harness
    return f"{config.harness}, up to {plural(config.max_nudges, 'nudge')}"


def _in_full(config: ModelConfig, key: str) -> str:
    """Every setting of a config, one a line."""
    from relaybench.domain.model import KEY_ENVS, PERSISTENT
    from relaybench.domain.tools import tool_provider
    from relaybench.workbench.instructing import switched_off

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
        "harness": _harness(config),
        "continuations": f"at most {config.max_continuations}",
        "output limit": "-"
        if config.max_output_tokens is None
        else f"{config.max_output_tokens:,}",
        "timeouts": f"{config.timeout_s:g} s in all, {config.idle_timeout_s:g} s without a sign",
        "calls at once": str(config.concurrency),
        "options": json.dumps(config.options, default=str) if config.options else "none",
        "prices": _all_prices(config),
    }
    if tool_provider(config.provider, config.options) not in KEY_ENVS:
        del facts["tools off"], facts["blocked domains"]
    lines = [config.name, *(f"  {name:<16} {visible(value)}" for name, value in facts.items())]
    if config.harness == PERSISTENT:
        lines += _block("nudge", config.nudge)
    lines += _block("instructions", config.instructions or "none")
    return "\n".join(lines)


def _block(name: str, text: str) -> list[str]:
    return [f"  {name}", *(f"    {line}" for line in literal(text).split("\n"))]


def _all_prices(config: ModelConfig) -> str:
    first, cached, out, day, source = _prices(config)
    if config.prices is None:
        return "unknown"
    more = " (more tiers for long prompts)" if len(config.prices.tiers) > 1 else ""
    return f"in {first}, cached {cached}, out {out}{more}, as of {day}, {source}"


def _price(amount: Decimal | None) -> str:
    return "unknown" if amount is None else f"{amount:.2f}"


def _prices(config: ModelConfig) -> list[str]:
    prices = config.prices
    if prices is None:
        return ["unknown", "unknown", "unknown", "-", "-"]
    first = prices.tiers[0]
    return [
        _price(first.input),
        _price(first.cached_input),
        _price(first.output),
        prices.as_of.isoformat() if prices.as_of else "-",
        f"{prices.source} ({prices.note})" if prices.note else prices.source or "-",
    ]


def _json(config: ModelConfig, key: str) -> dict[str, object]:
    from relaybench.workbench.instructing import switched_off

    prices = config.prices
    return {
        "name": config.name,
        **config.identity(),
        "tools_off": list(switched_off(config)),
        "blocked_domains": list(config.blocked_domains),
        "instructions": config.instructions,
        "max_continuations": config.max_continuations,
        "key_env": config.key_env,
        "key": key,
        "prices": prices
        and {
            "tiers": [
                {
                    "above": tier.above,
                    "input": tier.input,
                    "cached_input": tier.cached_input,
                    "cache_write": tier.cache_write,
                    "cache_write_1h": tier.cache_write_1h,
                    "output": tier.output,
                }
                for tier in prices.tiers
            ],
            "tool_fees": dict(prices.tool_fees),
            "as_of": prices.as_of,
            "source": prices.source,
            "note": prices.note,
        },
    }


COMMANDS = (models,)
