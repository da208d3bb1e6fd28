"""Which server tools a provider has, by the names used in models.toml.

A config that does not say which tools it wants has all of its provider's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

#: Tools by provider; the value is what a prompt calls the tool.
SERVER_TOOLS: Final[Mapping[str, Mapping[str, str]]] = {
    "anthropic": {
        "web_search": "web search",
        "web_fetch": "fetching web pages",
        "code_execution": "code execution",
    },
    "openai": {"web_search": "web search", "code_interpreter": "code execution"},
    "google": {
        "google_search": "web search",
        "url_context": "fetching web pages",
        "code_execution": "code execution",
    },
}

#: Tools that can be asked for but are not part of "all tools": they cost apart or overlap others.
EXTRA_TOOLS: Final[Mapping[str, Mapping[str, str]]] = {
    "openai": {"shell": "a shell"},
    "google": {"google_maps": "map search"},
}


#: Whose tools a simulated config has, by the wire format that it asks for.
_WIRES: Final[Mapping[object, str]] = {
    "anthropic": "anthropic",
    "responses": "openai",
    "google": "google",
}


def tool_provider(provider: str, options: Mapping[str, object]) -> str:
    """Whose tools a config has: its provider's, or those of the one that it simulates."""
    if provider != "simulated":
        return provider
    wire = options.get("wire")
    return _WIRES.get(wire, provider) if isinstance(wire, str) else provider


def all_tools(provider: str) -> tuple[str, ...]:
    """Every server tool that a config of this provider has by default; none where unknown."""
    return tuple(SERVER_TOOLS.get(provider, {}))


def known_tools(provider: str) -> tuple[str, ...]:
    """Every tool name that a config of this provider may carry."""
    return (*SERVER_TOOLS.get(provider, {}), *EXTRA_TOOLS.get(provider, {}))


def described(provider: str, tools: Sequence[str]) -> tuple[str, ...]:
    """What a prompt calls these tools, in the order of the provider's list."""
    words = {**SERVER_TOOLS.get(provider, {}), **EXTRA_TOOLS.get(provider, {})}
    known = [words[name] for name in words if name in tools]
    return (*known, *(tool for tool in tools if tool not in words))
