"""What configs say beside the prompt: which tools are allowed where not all are on."""

from __future__ import annotations

from dataclasses import replace

from relaybench.catalog.load import Catalog
from relaybench.composing.style import Style
from relaybench.composing.tool_words import tool_instructions
from relaybench.domain.model import ModelConfig
from relaybench.domain.tools import all_tools, tool_provider


def with_instructions(config: ModelConfig, style: Style) -> ModelConfig:
    """The config with a sentence on its tools before its own instructions, where one is needed.

    It becomes part of the config, and so of its digest: another wording is another config.
    """
    said = tool_instructions(tool_provider(config.provider, config.options), config.tools, style)
    if said is None:
        return config
    own = config.instructions
    return replace(config, instructions=said if own is None else f"{said}\n\n{own}")


def switched_off(config: ModelConfig) -> tuple[str, ...]:
    """The tools of its provider that a config does not have."""
    every = all_tools(tool_provider(config.provider, config.options))
    return tuple(tool for tool in every if tool not in config.tools)


def instructed(catalog: Catalog, style: Style) -> Catalog:
    """A catalog whose configs say which tools are allowed."""
    models: dict[str, ModelConfig] = {}
    own_prices = dict(catalog.own_prices)
    for name, config in catalog.models.items():
        models[name] = with_instructions(config, style)
        prices = catalog.own_prices.get(config.digest)
        if prices is not None:
            own_prices[models[name].digest] = prices
    return replace(catalog, models=models, own_prices=own_prices)
