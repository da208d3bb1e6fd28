"""Which fees for tools a config may meet, by the names that providers' responses are read to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from relaybench.domain.model import ANTHROPIC, GOOGLE, OPENAI, ModelConfig
from relaybench.domain.tools import tool_provider

#: Up to Gemini 2 a grounded prompt is charged, from Gemini 3 on each search.
_PER_PROMPT: Final = re.compile(r"gemini-[012](?:[.\-]|$)")

#: What a response may state of itself that list prices do not hold for; see ``buckets``.
SERVICE_TIERS: Final = ("priority", "flex", "scale", "fast", "ultrafast", "batch")
_SURCHARGES: Final = (
    *(f"service_tier_{tier}" for tier in SERVICE_TIERS),
    "inference_geo_us",
    "tokens_of_another_model",
)
#: Fees that responses of a provider may be charged for. Other providers may name any.
FEES: Final[Mapping[str, tuple[str, ...]]] = {
    ANTHROPIC: ("web_search", "web_fetch", *_SURCHARGES),
    OPENAI: (
        "web_search",
        *(f"container_{size}" for size in ("1g", "4g", "16g", "64g")),
        "file_search",
        *_SURCHARGES,
    ),
    GOOGLE: ("google_search", "google_search_prompt", "google_maps", *_SURCHARGES),
}


def charged_per_prompt(model: str) -> bool:
    """Whether a Gemini model's searches are charged by grounded prompt instead of by query."""
    return _PER_PROMPT.search(model) is not None


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
            per_prompt = charged_per_prompt(config.model)
            if "google_search" in config.tools:
                found = ["google_search_prompt" if per_prompt else "google_search"]
            if "google_maps" in config.tools:
                found.append("google_maps")
    return tuple(found)


def missing_fees(config: ModelConfig) -> tuple[str, ...]:
    """Those of a config's fees that its prices do not name; all where it has no prices."""
    known = config.prices.tool_fees if config.prices else {}
    return tuple(name for name in met_fees(config) if name not in known)
