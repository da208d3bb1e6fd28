"""Which body a model config makes for Anthropic's Messages API, or why it cannot. Pure.

Whatever the model's facts rule out is refused by name before anything is spent, unless the
config lists it in ``options.send_anyway``: then it is sent as asked.

When the cache is used (``options.cache``, "auto" by default)
    Writing to the cache costs 1.25 times the input price (5 minutes; twice the price for an
    hour), reading 0.1 times. A prompt that is processed n times costs n without the cache and
    1.25 + 0.1 (n - 1) with it, so it pays from the second time on, and costs a quarter more where
    there is none. One request without server tools is processed once: "auto" leaves the cache off.
    With server tools the provider processes the whole context anew after each round of tools,
    within the same request, and reads it from the cache if the request has a mark; continuations
    of a paused turn read it too: "auto" sets the mark. The mark is the top-level one, which the
    provider puts on the last block that can carry it and moves on with the conversation.
    A persistent harness without tools is left off as well: most of its turns outlive 5 minutes.
    Repeats of a prompt read it only when one begins after another and within the lifetime, which
    depends on the run: whoever knows that it holds asks for "5m" or "1h".
"""

from __future__ import annotations

from typing import Final

from relaybench.domain.errors import SettingRejected
from relaybench.domain.model import ModelConfig
from relaybench.providers.anthropic_models import (
    ADAPTIVE,
    BETWEEN_TOOLS,
    DISABLED,
    ENABLED,
    ClaudeFacts,
    facts_of,
)
from relaybench.providers.anthropic_tools import TOOL_OPTIONS, anthropic_tools
from relaybench.providers.options import check_names, choice, flag, not_taken, send_anyway, unfit

#: Options that a config of this provider may carry.
OPTIONS: Final = (
    "thinking",
    "thinking_display",
    "budget_tokens",
    "cache",
    *TOOL_OPTIONS,
    "api_key_header",
    "send_anyway",
)
#: What ``options.send_anyway`` may list.
OVERRIDES: Final = ("effort", "thinking", "max_output_tokens", "tools")
#: Sampling settings, which this version of the API (2026-10-21) refuses for every model.
_SAMPLING: Final = ("temperature", "top_p", "top_k")

_UNSET: Final = "unset"  # no word on thinking: some proxies do not know the field

#: Tokens of a fixed thinking budget's request that are left to the answer: a quarter, at most.
ANSWER_TOKENS: Final = 16_000
_SMALLEST_BUDGET: Final = 1024


def anthropic_settings(config: ModelConfig) -> dict[str, object]:
    """Everything that the request carries besides the messages.

    All of it is the body but ``api_key_header``, which says that the key also goes out as
    X-Api-Key. Raises SettingRejected.
    """
    _check_sampling(config)
    check_names(config, OPTIONS)
    anyway = send_anyway(config, OVERRIDES)
    facts = facts_of(config.model)
    settings: dict[str, object] = {"model": config.model, "stream": True}
    settings["max_tokens"] = limit = _max_tokens(config, facts, anyway)
    if config.instructions is not None:
        settings["system"] = config.instructions
    thinking = _thinking(config, facts, anyway, limit)
    if thinking:
        settings["thinking"] = thinking
    if config.effort is not None:
        _check_effort(config, facts, anyway, thinking)
        settings["output_config"] = {"effort": config.effort}
    tools = anthropic_tools(config, facts, anyway)
    if tools:
        settings["tools"] = tools
    cache = choice(config, "cache", ("auto", "off", "5m", "1h"))
    if cache == "auto":
        cache = "5m" if tools else "off"
    if cache != "off":
        settings["cache_control"] = {"type": "ephemeral", "ttl": cache}
    if flag(config, "api_key_header", default=False):
        settings["api_key_header"] = True
    return settings


def _check_sampling(config: ModelConfig) -> None:
    for name in _SAMPLING:
        if name in config.options:
            raise SettingRejected(
                f"model config {config.name!r}: Anthropic's API takes no {name} any more; "
                f"take options.{name} out"
            )


def _max_tokens(config: ModelConfig, facts: ClaudeFacts | None, anyway: frozenset[str]) -> int:
    asked = config.max_output_tokens
    if asked is None:
        if facts is None:
            raise SettingRejected(
                f"model config {config.name!r}: the output limit of model {config.model!r} is not "
                "known here; write it down, such as max_output_tokens = 128000"
            )
        return facts.max_output
    if facts is not None and asked > facts.max_output and "max_output_tokens" not in anyway:
        raise not_taken(
            config,
            "max_output_tokens",
            f"gives at most {facts.max_output} output tokens, not {asked}",
            f"set max_output_tokens = {facts.max_output} or less",
        )
    return asked


def _thinking(
    config: ModelConfig, facts: ClaudeFacts | None, anyway: frozenset[str], limit: int
) -> dict[str, object]:
    """What ``thinking`` holds; empty where it is left to the provider."""
    asked = choice(config, "thinking", ("auto", ADAPTIVE, ENABLED, DISABLED, BETWEEN_TOOLS, _UNSET))
    if asked == "auto":
        # The strongest that the model takes; said in so many words, for some models do not think
        # at all unless they are asked to.
        asked = facts.thinking[0] if facts is not None else ADAPTIVE
    elif asked == _UNSET or facts is None or "thinking" in anyway:
        pass  # as asked
    elif asked not in facts.thinking:
        raise not_taken(
            config,
            "thinking",
            f"takes thinking {', '.join(facts.thinking)}, not {asked!r}",
            "change options.thinking",
        )
    thinking: dict[str, object] = {} if asked == _UNSET else {"type": asked}
    display = choice(config, "thinking_display", ("summarized", "omitted"))
    if asked == ADAPTIVE:
        # Newer models leave thinking out of the response unless asked; it costs the same.
        thinking["display"] = display
    elif "thinking_display" in config.options:
        if asked != ENABLED:
            raise _idle(config, "thinking_display", f"thinking {asked!r} shows nothing")
        thinking["display"] = display
    if asked == ENABLED:
        thinking["budget_tokens"] = _budget(config, limit)
    elif "budget_tokens" in config.options:
        raise _idle(config, "budget_tokens", f"thinking {asked!r} takes no budget")
    return thinking


def _budget(config: ModelConfig, limit: int) -> int:
    asked = config.options.get("budget_tokens", limit - min(limit // 4, ANSWER_TOKENS))
    if isinstance(asked, bool) or not isinstance(asked, int):
        raise unfit(config, "budget_tokens", asked, "a whole number")
    if not _SMALLEST_BUDGET <= asked < limit:
        raise SettingRejected(
            f"model config {config.name!r}: a thinking budget of {asked} tokens does not fit; it "
            f"must be {_SMALLEST_BUDGET} or more and below max_output_tokens ({limit}): raise "
            'max_output_tokens to 2048 or more, or set options.thinking = "disabled"'
        )
    return asked


def _check_effort(
    config: ModelConfig,
    facts: ClaudeFacts | None,
    anyway: frozenset[str],
    thinking: dict[str, object],
) -> None:
    if facts is None or "effort" in anyway:
        return
    efforts = facts.efforts
    if not efforts:
        raise not_taken(config, "effort", "takes no effort", "take effort out of the config")
    why = f"takes effort {', '.join(efforts)}, not {config.effort!r}"
    calm = thinking.get("type")
    if facts.calm_off and calm in (DISABLED, BETWEEN_TOOLS):
        efforts = tuple(effort for effort in efforts if effort not in ("xhigh", "max"))
        why = f"with thinking {calm!r} takes effort {', '.join(efforts)}, not {config.effort!r}"
    if config.effort not in efforts:
        raise not_taken(config, "effort", why, "change effort")


def _idle(config: ModelConfig, name: str, why: str) -> SettingRejected:
    return SettingRejected(
        f"model config {config.name!r}: options.{name} has no effect, since {why}; take it out"
    )
