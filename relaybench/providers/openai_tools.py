"""The server tools of a request to OpenAI's Responses API, and what is billed for them. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from relaybench.domain.errors import SettingRejected
from relaybench.domain.model import ModelConfig
from relaybench.domain.tools import known_tools
from relaybench.providers.options import choice, wrong
from relaybench.providers.pieces import Json, listing, mapping

#: Options of a config that are about its tools, and the tools that each is for.
TOOL_OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "container_memory": ("code_interpreter", "shell"),
    "search_context_size": ("web_search",),
    "user_location": ("web_search",),
}
_MEMORY: Final = ("4g", "1g", "16g", "64g")
_PLACE: Final = ("city", "region", "country", "timezone")
#: What the readers call a container, whose price goes by its size.
_CONTAINER: Final = "container"


def openai_tools(config: ModelConfig) -> list[dict[str, object]]:
    """The ``tools`` of a request; empty where the config has none. Raises SettingRejected."""
    known = known_tools(config.provider)
    unknown = [name for name in config.tools if name not in known]
    if unknown:
        raise SettingRejected(
            f"model config {config.name!r}: provider {config.provider!r} has no tool "
            f"{', '.join(map(repr, unknown))}; it has {', '.join(known)}"
        )
    for option, tools in TOOL_OPTIONS.items():
        if option in config.options and not set(tools) & set(config.tools):
            raise SettingRejected(
                f"model config {config.name!r}: options.{option} has no effect without the tool "
                f"{' or '.join(tools)}; take it out, or add the tool"
            )
    if config.blocked_domains and "web_search" not in config.tools:
        raise SettingRejected(
            f"model config {config.name!r}: blocked_domains is for the tool web_search, which this "
            "config does not have; take it out, or add the tool"
        )
    return [_tool(config, name) for name in known if name in config.tools]


def container_memory(config: ModelConfig) -> str:
    """How large a container the config asks for."""
    return choice(config, "container_memory", _MEMORY)


def _tool(config: ModelConfig, name: str) -> dict[str, object]:
    match name:
        case "code_interpreter":
            container = {"type": "auto", "memory_limit": container_memory(config)}
            return {"type": name, "container": container}
        case "shell":
            place = {"type": "container_auto", "memory_limit": container_memory(config)}
            return {"type": name, "environment": place}
    tool: dict[str, object] = {"type": name}
    if "search_context_size" in config.options:
        tool["search_context_size"] = choice(
            config, "search_context_size", ("low", "medium", "high")
        )
    if "user_location" in config.options:
        tool["user_location"] = {"type": "approximate", **_user_location(config)}
    if config.blocked_domains:
        tool["filters"] = {"blocked_domains": list(config.blocked_domains)}
    return tool


def _user_location(config: ModelConfig) -> dict[str, str]:
    asked = config.options["user_location"]
    place = asked if isinstance(asked, Mapping) else {None: None}
    if not all(name in _PLACE and isinstance(value, str) for name, value in place.items()):
        keys = ", ".join(_PLACE)
        raise wrong(config, "user_location", f"a table of texts with no other keys than {keys}")
    return dict(place)


def billed_uses(config: ModelConfig, fees: Mapping[str, int], body: Json) -> dict[str, int]:
    """What is billed for tools, under the names that the price list has.

    A container is named with its size. Where the response does not state how many searches are
    billed, its search calls count; opening a page that was found is free.
    """
    billed = with_searches(fees, body)
    containers = billed.pop(_CONTAINER, 0)
    if containers:
        billed[f"{_CONTAINER}_{container_memory(config)}"] = containers
    return billed


def with_searches(fees: Mapping[str, int], body: Json) -> dict[str, int]:
    """Billed uses with the searches that a response shows but does not count."""
    billed = dict(fees)
    if not mapping(body.get("tool_usage")):
        searches = sum(map(_is_search, listing(body.get("output"))))
        if searches:
            billed["web_search"] = searches
    return billed


def _is_search(item: object) -> bool:
    call = mapping(item)
    if call.get("type") != "web_search_call":
        return False
    return mapping(call.get("action")).get("type", "search") == "search"
