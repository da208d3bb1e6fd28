"""Which body a model config makes for Google's generateContent, or why it cannot. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Final

from relaybench.domain.errors import SettingRejected
from relaybench.domain.model import ModelConfig
from relaybench.domain.tools import known_tools
from relaybench.providers.google_models import Family, family_of
from relaybench.providers.options import check_names, flag, send_anyway, table, wrong

#: Options that a config of Google may carry.
OPTIONS: Final = (
    "api_version",
    "temperature",
    "safety_settings",
    "include_thoughts",
    "include_server_side_tool_invocations",
    "ignore_blocked_domains",
    "send_anyway",
    "extra_body",
)
#: Settings whose check against what is known of the model can be overridden.
_CHECKED: Final = ("effort", "max_output_tokens")
_TOOL_FIELDS: Final = {
    "google_search": "googleSearch",
    "url_context": "urlContext",
    "code_execution": "codeExecution",
    "google_maps": "googleMaps",
}
_WEB_TOOLS: Final = ("google_search", "url_context")
_THRESHOLDS: Final = (
    "OFF",
    "BLOCK_NONE",
    "BLOCK_ONLY_HIGH",
    "BLOCK_MEDIUM_AND_ABOVE",
    "BLOCK_LOW_AND_ABOVE",
)
#: What extra_body may not set: the prompt must go out byte for byte, and one answer come back.
_RESERVED: Final = frozenset({"model", "contents", "continuationToken"})
_RESERVED_GENERATION: Final = frozenset({"candidateCount"})
_MODEL: Final = re.compile(r"(?:models/|tunedModels/)?[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*")
_TOKENS: Final = re.compile(r"-1|\d{1,9}")


def google_settings(config: ModelConfig) -> dict[str, object]:
    """Everything that the request's body holds besides the contents, with model and API version."""
    check_names(config, OPTIONS)
    if not _MODEL.fullmatch(config.model):
        raise SettingRejected(
            f"model config {config.name!r}: {config.model!r} is no model id of Google's; one "
            "looks like gemini-3.1-pro-preview"
        )
    anyway = send_anyway(config, _CHECKED)
    family = family_of(config.model)
    settings: dict[str, object] = {"model": config.model, "api_version": _api_version(config)}
    if config.instructions is not None:
        settings["systemInstruction"] = {"parts": [{"text": config.instructions}]}
    settings["generationConfig"] = generation = _generation(config, family, anyway)
    tools = _tools(config)
    if tools:
        settings["tools"] = tools
        if flag(config, "include_server_side_tool_invocations", default=family.tool_parts):
            settings["toolConfig"] = {"includeServerSideToolInvocations": True}
    if safety := _safety(config):
        settings["safetySettings"] = safety
    _add_extra_body(config, settings, generation)
    return settings


def _generation(config: ModelConfig, family: Family, anyway: frozenset[str]) -> dict[str, object]:
    generation: dict[str, object] = {}
    if thinking := _thinking(config, family, anyway="effort" in anyway):
        generation["thinkingConfig"] = thinking
    # A limit left out is not always the model's own: at a high level thinking alone may reach it.
    limit = family.output_limit if config.max_output_tokens is None else config.max_output_tokens
    most = family.output_max
    if limit is not None:
        if most is not None and limit > most and "max_output_tokens" not in anyway:
            raise _refused(config, "max_output_tokens", limit, f"at most {most}")
        generation["maxOutputTokens"] = limit
    if "temperature" in config.options:
        temperature = config.options["temperature"]
        if (
            isinstance(temperature, bool)
            or not isinstance(temperature, int | float)
            or not math.isfinite(temperature)
        ):
            raise wrong(config, "temperature", "a number")
        generation["temperature"] = temperature
    return generation


def _thinking(config: ModelConfig, family: Family, *, anyway: bool) -> dict[str, object]:
    thinking: dict[str, object] = {}
    if config.effort is not None:
        thinking |= _effort(config, config.effort, family, anyway=anyway)
    if flag(config, "include_thoughts", default=family.thinks):
        thinking["includeThoughts"] = True
    return thinking


def _effort(config: ModelConfig, effort: str, family: Family, *, anyway: bool) -> dict[str, object]:
    word = effort.strip().lower()
    if family.budget_range is not None:
        budget = int(word) if _TOKENS.fullmatch(word) else family.budgets.get(word)
        least, most = family.budget_range
        taken = budget in family.budgets.values() or least <= (budget or 0) <= most
        if budget is not None and (taken or anyway):
            return {"thinkingBudget": budget}
        if not anyway:
            words = _listed(tuple(family.budgets))
            raise _refused(config, "effort", effort, f"{words}, or {least} to {most} tokens")
    elif not anyway:
        if not family.thinks:
            raise _refused(config, "effort", effort, "none (it does not think)")
        if family.levels and word not in family.levels:
            raise _refused(config, "effort", effort, _listed(family.levels))
    return {"thinkingLevel": word.upper()}


def _tools(config: ModelConfig) -> list[dict[str, object]]:
    unknown = [tool for tool in config.tools if tool not in _TOOL_FIELDS]
    if unknown:
        raise SettingRejected(
            f"model config {config.name!r}: provider {config.provider!r} has no tool called "
            f"{', '.join(map(repr, unknown))}; there are {', '.join(known_tools('google'))}"
        )
    # No field of this API keeps a domain out: excludeDomains belongs to Vertex AI alone.
    ignored = flag(config, "ignore_blocked_domains", default=False)
    if config.blocked_domains and not ignored and set(_WEB_TOOLS) & set(config.tools):
        raise SettingRejected(
            f"model config {config.name!r}: Google cannot keep domains out of its searches "
            f"(blocked_domains: {', '.join(config.blocked_domains)}); take "
            f"{' and '.join(_WEB_TOOLS)} out of tools, or set "
            "options.ignore_blocked_domains = true to search everywhere"
        )
    return [{field: {}} for tool, field in _TOOL_FIELDS.items() if tool in config.tools]


def _safety(config: ModelConfig) -> list[dict[str, object]]:
    asked = table(config, "safety_settings", "a table of category and threshold")
    for category, threshold in asked.items():
        if not str(category).startswith("HARM_CATEGORY_") or threshold not in _THRESHOLDS:
            raise wrong(
                config,
                "safety_settings",
                f'a table such as {{ HARM_CATEGORY_HARASSMENT = "OFF" }}, each threshold one of '
                f"{', '.join(_THRESHOLDS)}",
            )
    return [{"category": category, "threshold": asked[category]} for category in asked]


def _add_extra_body(
    config: ModelConfig, settings: dict[str, object], generation: dict[str, object]
) -> None:
    for name, value in _camel_case(config, table(config, "extra_body")).items():
        if name == "generationConfig" and isinstance(value, Mapping):
            within = _camel_case(config, value)
            for inner in within:
                if inner in _RESERVED_GENERATION or inner in generation:
                    raise _own(config, f"generationConfig.{inner}")
            generation |= within
        elif name in _RESERVED or name in settings:
            raise _own(config, name)
        else:
            settings[name] = value


def _camel_case(config: ModelConfig, fields: Mapping[str, object]) -> dict[str, object]:
    """The fields by the names that relaybench sends; the API takes them with underscores too."""
    named: dict[str, object] = {}
    for name, value in fields.items():
        first, *others = name.split("_")
        camel = first + "".join(word[:1].upper() + word[1:] for word in others)
        if camel in named:
            raise _own(config, name)
        named[camel] = value
    return named


def _api_version(config: ModelConfig) -> str:
    # v1 lacks preview models and some of their settings.
    version = config.options.get("api_version", "v1beta")
    if not isinstance(version, str) or not re.fullmatch(r"v\d[a-z0-9]*", version):
        raise wrong(config, "api_version", "a version such as v1beta")
    return version


def _listed(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]


def _refused(config: ModelConfig, setting: str, value: object, takes: str) -> SettingRejected:
    return SettingRejected(
        f"model config {config.name!r}: {config.model} takes {setting} {takes}, not {value!r}; to "
        f'send it all the same, add options.send_anyway = ["{setting}"]'
    )


def _own(config: ModelConfig, name: str) -> SettingRejected:
    return SettingRejected(
        f"model config {config.name!r}: options.extra_body sets {name!r}, which relaybench sends "
        "itself or never sends; take it out of extra_body"
    )
