"""Which fees for tools a config may meet, by the names that providers' responses are read to."""

from __future__ import annotations

import re
from typing import Final

from relaybench.domain.model import ANTHROPIC, GOOGLE, OPENAI, ModelConfig
from relaybench.domain.tools import tool_provider

#: Up to Gemini 2 a grounded prompt is charged, from Gemini 3 on each search.
_PER_PROMPT: Final = re.compile(r"gemini-[012](?:[.\-]|$)")


def met_fees(config: ModelConfig) -> tuple[str, ...]:
    """Names of the fees that a config's tools may cost; none where no tool is known."""
    found: list[str] = []
    match tool_provider(config.provider, config.options):
        case provider if provider == ANTHROPIC:
            found = [name for name in ("web_search", "web_fetch") if name in config.tools]
        case provider if provider == OPENAI:
            found = ["web_search"] if "web_search" in config.tools else []
            if {"code_interpreter", "shell"} & set(config.tools):
                found.append(f"container_{config.options.get('container_memory', '4g')}")
        case provider if provider == GOOGLE:
            per_prompt = _PER_PROMPT.search(config.model) is not None
            if "google_search" in config.tools:
                found = ["google_search_prompt" if per_prompt else "google_search"]
            if "google_maps" in config.tools:
                found.append("google_maps")
    return tuple(found)


def missing_fees(config: ModelConfig) -> tuple[str, ...]:
    """Those of a config's fees that its prices do not name; all where it has no prices."""
    known = config.prices.tool_fees if config.prices else {}
    return tuple(name for name in met_fees(config) if name not in known)
