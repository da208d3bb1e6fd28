"""The command that lists models, cohorts and prices."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import click

from relaybench.cli.output import columns, data, data_json, say, terminal_width

if TYPE_CHECKING:
    from relaybench.cli.main import Place
    from relaybench.domain.model import ModelConfig


#: Cells across from which the list shows all its columns.
_ROOMY = 125


@click.command(short_help="List models, cohorts, prices, and whether keys are present.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.pass_obj
def models(place: Place, form: str) -> None:
    """List models and cohorts, with prices and whether their key is present (never the key)."""
    from relaybench.providers.registry import key_present

    workspace = place.workspace
    catalog = workspace.catalog()
    states = {
        name: {True: "present", False: "missing", None: "not needed"}[
            key_present(config, workspace.environment)
        ]
        for name, config in catalog.models.items()
    }
    if form == "json":
        data_json(
            {
                "models": [_json(each, states[name]) for name, each in catalog.models.items()],
                "cohorts": {name: list(names) for name, names in catalog.cohorts.items()},
            }
        )
        return
    rows = [["name", "provider", "model", "effort", "key", "in", "cached", "out", "as of"]]
    for name, config in catalog.models.items():
        key = f"{states[name]}: {config.key_env}" if config.key_env else states[name]
        rows.append(
            [name, config.provider, config.model, config.effort or "-", key, *_prices(config)]
        )
    if terminal_width() < _ROOMY:
        rows = [[row[0], row[1], row[4], *row[5:8]] for row in rows]
        data(columns(rows, left=(1, 2)))
    else:
        data(columns(rows, left=(1, 2, 3, 4)))
    data("")
    for name, names in catalog.cohorts.items():
        data(f"cohort {name}: {', '.join(names)}")
    say("\nPrices are USD per million tokens; `unknown` makes a cost unknown, never 0.")


def _price(amount: Decimal | None) -> str:
    return "unknown" if amount is None else f"{amount:.2f}"


def _prices(config: ModelConfig) -> list[str]:
    prices = config.prices
    if prices is None:
        return ["unknown", "unknown", "unknown", "-"]
    first = prices.tiers[0]
    return [
        _price(first.input),
        _price(first.cached_input),
        _price(first.output),
        prices.as_of.isoformat() if prices.as_of else "-",
    ]


def _json(config: ModelConfig, key: str) -> dict[str, object]:
    prices = config.prices
    return {
        "name": config.name,
        **config.identity(),
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
        },
    }


COMMANDS = (models,)
