"""The server tools of a request to Anthropic, in the versions that the model takes. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from relaybench.domain.errors import SettingRejected
from relaybench.domain.model import ModelConfig
from relaybench.providers.anthropic_models import NEWEST_TOOLS, ClaudeFacts
from relaybench.providers.options import unfit

#: Options of a config that are about its tools.
TOOL_OPTIONS: Final = ("tool_versions", "max_uses", "allowed_callers", "user_location")

_WEB: Final = ("web_search", "web_fetch")
_PLACE: Final = ("city", "region", "country", "timezone")
_DATE: Final = re.compile(r"_(\d{8})$")
#: From here on the web tools run code, and only code execution from here on goes with them.
_WEB_WITH_CODE: Final = "20260209"
_CODE_FOR_WEB: Final = "20260120"


def anthropic_tools(
    config: ModelConfig, facts: ClaudeFacts | None, anyway: frozenset[str]
) -> list[dict[str, object]]:
    """The ``tools`` of a request; empty where the config has none. Raises SettingRejected."""
    _check_names(config)
    asked = _versions(config)
    defaults = NEWEST_TOOLS if facts is None else facts.tools
    versions = {name: asked.get(name, defaults[name]) for name in config.tools}
    if "tools" not in anyway:
        _check_together(config, versions)
    uses = _max_uses(config)
    callers = _allowed_callers(config)
    place = _user_location(config)
    tools: list[dict[str, object]] = []
    for name, version in versions.items():
        tool: dict[str, object] = {"type": version, "name": name}
        if name in uses:
            tool["max_uses"] = uses[name]
        if name in _WEB:
            if config.blocked_domains:
                tool["blocked_domains"] = list(config.blocked_domains)
            if callers:
                tool["allowed_callers"] = callers
        if name == "web_search" and place:
            tool["user_location"] = place
        tools.append(tool)
    return tools


def _check_names(config: ModelConfig) -> None:
    unknown = [name for name in config.tools if name not in NEWEST_TOOLS]
    if unknown:
        raise SettingRejected(
            f"model config {config.name!r}: provider {config.provider!r} has no tool "
            f"{', '.join(map(repr, unknown))}; it has {', '.join(NEWEST_TOOLS)}"
        )


def _versions(config: ModelConfig) -> dict[str, str]:
    versions = _table(config, "tool_versions", tuple(NEWEST_TOOLS))
    found: dict[str, str] = {}
    for name, version in versions.items():
        if not isinstance(version, str) or not re.fullmatch(rf"{name}_\d{{8}}", version):
            raise unfit(
                config,
                f"tool_versions.{name}",
                version,
                f'a version such as "{NEWEST_TOOLS[name]}"',
            )
        found[name] = version
    return found


def _check_together(config: ModelConfig, versions: Mapping[str, str]) -> None:
    code = versions.get("code_execution")
    new_web = [v for n, v in versions.items() if n in _WEB and _date(v) >= _WEB_WITH_CODE]
    if code is not None and new_web and _date(code) < _CODE_FOR_WEB:
        raise SettingRejected(
            f"model config {config.name!r}: {code} cannot be used next to {new_web[0]}, which "
            f"needs code_execution_{_CODE_FOR_WEB} or later; change options.tool_versions, or "
            'write options.send_anyway = ["tools"] to send it all the same'
        )


def _date(version: str) -> str:
    found = _DATE.search(version)
    return found.group(1) if found else ""


def _max_uses(config: ModelConfig) -> dict[str, int]:
    found: dict[str, int] = {}
    for name, number in _table(config, "max_uses", _WEB).items():
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            raise unfit(config, f"max_uses.{name}", number, "a whole number from 1 on")
        found[name] = number
    return found


def _allowed_callers(config: ModelConfig) -> list[str]:
    if "allowed_callers" not in config.options:
        return []
    value = config.options["allowed_callers"]
    if not isinstance(value, list | tuple) or not value or not all(map(_is_text, value)):
        raise unfit(config, "allowed_callers", value, 'a list such as ["direct"]')
    _check_used(config, "allowed_callers", _WEB)
    return [str(each) for each in value]


def _user_location(config: ModelConfig) -> dict[str, object]:
    if "user_location" not in config.options:
        return {}
    value = config.options["user_location"]
    place = dict(value) if isinstance(value, Mapping) else {}
    if not place or not all(name in _PLACE and _is_text(place[name]) for name in place):
        raise unfit(config, "user_location", value, f"a table of texts ({', '.join(_PLACE)})")
    _check_used(config, "user_location", ("web_search",))
    return {"type": "approximate", **place}


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def _table(config: ModelConfig, option: str, names: tuple[str, ...]) -> Mapping[str, object]:
    value = config.options.get(option, {})
    if not isinstance(value, Mapping) or not all(name in names for name in value):
        raise unfit(config, option, value, f"a table by tool ({', '.join(names)})")
    for name in value:
        _check_used(config, f"{option}.{name}", (name,))
    return value


def _check_used(config: ModelConfig, option: str, tools: tuple[str, ...]) -> None:
    if not set(tools) & set(config.tools):
        raise SettingRejected(
            f"model config {config.name!r}: options.{option} has no effect, since the config does "
            f"not have {' or '.join(tools)}; take it out, or add the tool"
        )
