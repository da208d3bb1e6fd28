"""The command that lists models, cohorts and prices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from relaybench.cli.output import columns, data, data_json, plural, say, terminal_width
from relaybench.domain.literal import literal, visible

if TYPE_CHECKING:
    from relaybench.catalog.load import Catalog
    from relaybench.cli.main import Place
    from relaybench.domain.model import ModelConfig
    from relaybench.store.pings import PingRow


#: Cells across from which the list shows all its columns.
_ROOMY = 125


@click.command()
@click.argument("names", nargs=-1, metavar="[MODEL]...")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.pass_obj
def models(place: Place, names: tuple[str, ...], form: str) -> None:
    """List models and cohorts, with prices and whether their key is present (never the key).

    With MODEL names: all settings of those, such as tools, harness and instructions.
    """
    from relaybench.providers.registry import key_present
    from relaybench.workbench.models.model_facts import KEY_WORDS, key_text
    from relaybench.workbench.models.ping_history import last_pings

    workspace = place.workspace
    catalog = workspace.catalog()
    shown = {each.name: each for each in catalog.choose((), names)} if names else catalog.models
    pings = last_pings(workspace)
    if form == "json":
        found: dict[str, object] = {
            "models": [
                {
                    **_json(each, KEY_WORDS[key_present(each, workspace.environment)]),
                    "last_ping": _ping_json(pings.get(each.digest)),
                }
                for each in shown.values()
            ]
        }
        if not names:
            found["cohorts"] = {name: list(each) for name, each in catalog.cohorts.items()}
        data_json(found)
        return
    keys = {name: key_text(config, workspace.environment) for name, config in shown.items()}
    if names:
        data(
            "\n\n".join(
                _in_full(config, keys[name], pings.get(config.digest), catalog)
                for name, config in shown.items()
            )
        )
    else:
        _list(catalog, keys, pings)
    say("\nPrices are USD per million tokens; `unknown` makes a cost unknown, never 0.")


def _list(catalog: Catalog, keys: Mapping[str, str], pings: Mapping[str, PingRow]) -> None:
    from relaybench.workbench.models.model_facts import ping_text, price_columns

    rows = [
        ["name", "provider", "model", "effort", "key", "in", "cached", "out", "as of", "source"]
    ]
    for name, config in catalog.models.items():
        row = [name, config.provider, config.model, config.effort or "-", keys[name]]
        rows.append([*row, *price_columns(config)])
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
        tried = pings.get(config.digest)
        last = [f"last ping {ping_text(tried)}"] if tried else []
        data(f"{name}: {'; '.join([*_at_work(config), *last])}")
    if width < _ROOMY:
        data("")
        for name, config in catalog.models.items():
            if config.prices:
                day, source = price_columns(config)[3:]
                data(f"prices of {name}: as of {day}, {source}")


def _at_work(config: ModelConfig) -> list[str]:
    """Tools, harness and whatever else is not as usual, in a few words."""
    from relaybench.workbench.instructing import switched_off
    from relaybench.workbench.models.model_facts import harness_text

    words = [f"tools {', '.join(config.tools) or 'none'}"]
    if off := switched_off(config):
        words.append(f"switched off {', '.join(off)}")
    words.append(f"harness {harness_text(config)}")
    if config.blocked_domains:
        words.append(f"{plural(len(config.blocked_domains), 'domain')} blocked")
    if config.instructions is not None:
        words.append("instructions")
    return words


def _ping_json(ping: PingRow | None) -> dict[str, object] | None:
    if ping is None:
        return None
    return {
        "at": ping.pinged_at,
        "ok": ping.ok,
        "outcome": ping.outcome,
        "seconds": ping.seconds,
        "cost_usd": ping.cost,
    }


def _in_full(config: ModelConfig, key: str, ping: PingRow | None, catalog: Catalog) -> str:
    """Every setting of a config, one a line."""
    from relaybench.domain.model import PERSISTENT
    from relaybench.workbench.models.model_facts import facts_of

    facts = facts_of(config, key=key, ping=ping, catalog=catalog)
    lines = [config.name, *(f"  {name:<16} {visible(value)}" for name, value in facts.items())]
    if config.harness == PERSISTENT:
        lines += _block("nudge", config.nudge)
    if not config.manual:
        lines += _block("instructions", config.instructions or "none")
    return "\n".join(lines)


def _block(name: str, text: str) -> list[str]:
    return [f"  {name}", *(f"    {line}" for line in literal(text).split("\n"))]


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
