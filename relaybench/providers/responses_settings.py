"""Which body a model config makes for OpenAI's Responses API, or why it cannot. Pure.

Whatever the model's facts rule out is refused by name before anything is spent, unless the
config lists it in ``options.send_anyway``: then it is sent as asked.

Long efforts run in the background (``options.background``): the work then outlives a broken
connection, and its result can be asked for again. That needs ``store``, which is off otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from relaybench.domain.errors import SettingRejected
from relaybench.domain.model import PERSISTENT, ModelConfig
from relaybench.providers.openai_models import GptFacts, facts_of
from relaybench.providers.openai_tools import TOOL_OPTIONS, openai_tools
from relaybench.providers.options import (
    check_names,
    choice,
    flag,
    not_taken,
    number,
    send_anyway,
    table,
    wrong,
)

#: Options that a config of this provider may carry.
OPTIONS: Final = (
    "background",
    "reasoning_summary",
    "verbosity",
    "max_tool_calls",
    "service_tier",
    "temperature",
    *TOOL_OPTIONS,
    "extra_body",
    "send_anyway",
)
#: What ``options.send_anyway`` may list.
OVERRIDES: Final = ("effort", "max_output_tokens", "temperature", "tools", "verbosity")
#: Efforts for which the work runs in the background unless the config says otherwise.
LONG_EFFORTS: Final = frozenset({"high", "xhigh", "max"})
_SUMMARIES: Final = ("auto", "concise", "detailed", "none")
_TIERS: Final = ("auto", "default", "flex", "scale", "priority", "fast", "ultrafast")
#: What extra_body may not set: the prompt goes out byte for byte to the model planned, and what
#: has a setting of its own is checked, priced and shown under that.
_RESERVED: Final = frozenset(
    {
        "background",
        "conversation",
        "include",
        "input",
        "instructions",
        "max_output_tokens",
        "max_tool_calls",
        "model",
        "previous_response_id",
        "prompt",
        "reasoning",
        "service_tier",
        "store",
        "stream",
        "stream_options",
        "temperature",
        "text",
        "tools",
    }
)


def responses_settings(config: ModelConfig) -> dict[str, object]:
    """Everything that the request's body holds besides the input. Raises SettingRejected."""
    check_names(config, OPTIONS)
    anyway = send_anyway(config, OVERRIDES)
    facts = facts_of(config.model)

    def known(setting: str) -> GptFacts | None:
        """The facts that a setting must keep to: none where the config says so."""
        return None if setting in anyway else facts

    settings: dict[str, object] = {"model": config.model}
    if _in_background(config):
        settings["background"] = settings["store"] = True
    else:
        settings["store"], settings["stream"] = False, True
    if config.instructions is not None:
        settings["instructions"] = config.instructions
    _check_effort(config, known("effort"))
    reasoning = _reasoning(config, facts)
    if reasoning:
        settings["reasoning"] = reasoning
    if config.max_output_tokens is not None:
        _check_max_output(config, known("max_output_tokens"), config.max_output_tokens)
        settings["max_output_tokens"] = config.max_output_tokens
    if "temperature" in config.options:
        settings["temperature"] = _temperature(config, known("temperature"))
    if "verbosity" in config.options:
        settings["text"] = {"verbosity": _verbosity(config, known("verbosity"))}
    if "service_tier" in config.options:
        settings["service_tier"] = choice(config, "service_tier", _TIERS)
    settings |= _tool_settings(config, known("tools"))
    include = _include(config, reasons=bool(reasoning) if facts is None else facts.reasons)
    if include:
        settings["include"] = include
    return settings | _extra_body(config, settings)


def _in_background(config: ModelConfig) -> bool:
    return flag(config, "background", default=config.effort in LONG_EFFORTS)


def _check_effort(config: ModelConfig, facts: GptFacts | None) -> None:
    if facts is None or config.effort is None or config.effort in facts.efforts:
        return
    why = f"takes effort {', '.join(facts.efforts)}, not {config.effort!r}"
    if not facts.reasons:
        why = "takes no effort: it is no reasoning model"
    raise not_taken(config, "effort", why, "change effort" if facts.reasons else "take effort out")


def _reasoning(config: ModelConfig, facts: GptFacts | None) -> dict[str, object]:
    summary = choice(config, "reasoning_summary", _SUMMARIES)
    reasoning: dict[str, object] = {}
    if config.effort is not None:
        reasoning["effort"] = config.effort
    elif facts is not None and not facts.reasons:
        if config.options.get("reasoning_summary", "none") != "none":
            raise SettingRejected(
                f"model config {config.name!r}: options.reasoning_summary has no effect, since "
                f"model {config.model!r} is no reasoning model; take it out"
            )
        return {}
    elif facts is None and "reasoning_summary" not in config.options:
        return {}  # it may be no reasoning model, which would refuse any word on that
    if summary != "none":
        reasoning["summary"] = summary
    return reasoning


def _check_max_output(config: ModelConfig, facts: GptFacts | None, asked: int) -> None:
    if facts is not None and asked > facts.max_output:
        why = f"gives at most {facts.max_output} output tokens, not {asked}"
        cure = f"set max_output_tokens = {facts.max_output} or less"
        raise not_taken(config, "max_output_tokens", why, cure)


def _temperature(config: ModelConfig, facts: GptFacts | None) -> float:
    asked = number(config, "temperature")
    if facts is not None and facts.reasons and config.effort != "none":
        why = "takes no temperature: it is a reasoning model"
        raise not_taken(config, "temperature", why, "take options.temperature out")
    return asked


def _verbosity(config: ModelConfig, facts: GptFacts | None) -> str:
    asked = choice(config, "verbosity", ("medium", "low", "high"))
    if facts is not None and not facts.verbosity and asked != "medium":
        why = f"takes verbosity medium only, not {asked!r}"
        raise not_taken(config, "verbosity", why, "take options.verbosity out")
    return asked


def _tool_settings(config: ModelConfig, facts: GptFacts | None) -> dict[str, object]:
    tools = openai_tools(config)
    if facts is not None and config.effort == "minimal" and "web_search" in config.tools:
        why = "cannot search the web at effort 'minimal'"
        raise not_taken(config, "tools", why, "change effort, or take web_search out of tools")
    settings: dict[str, object] = {"tools": tools} if tools else {}
    if "max_tool_calls" in config.options:
        asked = config.options["max_tool_calls"]
        if isinstance(asked, bool) or not isinstance(asked, int) or asked < 1:
            raise wrong(config, "max_tool_calls", "a whole number of 1 or more")
        if not tools:
            raise SettingRejected(
                f"model config {config.name!r}: options.max_tool_calls has no effect without "
                "tools; take it out"
            )
        settings["max_tool_calls"] = asked
    return settings


def _include(config: ModelConfig, *, reasons: bool) -> list[str]:
    """What the response holds beyond the usual."""
    include = []
    if "web_search" in config.tools:
        include.append("web_search_call.action.sources")
    if "code_interpreter" in config.tools:
        include.append("code_interpreter_call.outputs")
    # A later turn gives the reasoning back to the model; what was not stored must carry it.
    if reasons and (config.harness == PERSISTENT or not _in_background(config)):
        include.append("reasoning.encrypted_content")
    return include


def _extra_body(config: ModelConfig, settings: Mapping[str, object]) -> dict[str, object]:
    extra = table(config, "extra_body")
    for name in extra:
        if name in _RESERVED or name in settings:
            raise SettingRejected(
                f"model config {config.name!r}: options.extra_body sets {name!r}, which relaybench "
                "sends itself; take it out of extra_body"
            )
    return dict(extra)
