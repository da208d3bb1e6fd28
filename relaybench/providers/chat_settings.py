"""Which body a model config makes for a chat-completions request, or why it cannot. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from relaybench.domain.errors import SettingRejected
from relaybench.domain.model import ModelConfig
from relaybench.providers.options import check_names, choice, flag, number, table

#: Options that a config of a compatible provider may carry.
OPTIONS: Final = (
    "stream",
    "max_tokens_field",
    "effort_style",
    "temperature",
    "extra_body",
    "tools_in_extra_body",
)
_LIMIT_FIELDS: Final = ("max_tokens", "max_completion_tokens")
_STYLES: Final = ("reasoning_effort", "reasoning", "chat_template")
#: What extra_body may not set: the prompt must go out byte for byte, to the model planned, and one
#: answer come back (others would be paid and not read).
_RESERVED: Final = frozenset({"model", "messages", "stream", "stream_options", "n"})
_NO_THINKING: Final = frozenset({"none", "off"})


def chat_settings(config: ModelConfig) -> dict[str, object]:
    """Everything that the request's body holds besides the messages."""
    check_names(config, OPTIONS)
    _check_tools(config)
    settings: dict[str, object] = {"model": config.model}
    stream = flag(config, "stream", default=True)
    settings["stream"] = stream
    if stream:
        settings["stream_options"] = {"include_usage": True}
    field = choice(config, "max_tokens_field", _LIMIT_FIELDS)
    if config.instructions is not None:
        settings["instructions"] = config.instructions
    if config.blocked_domains:
        raise SettingRejected(
            f"model config {config.name!r}: provider {config.provider!r} has no search of its own "
            "to keep away from blocked_domains; take them out, or ask for it in options.extra_body"
        )
    if config.max_output_tokens is not None:
        settings[field] = config.max_output_tokens
    style = choice(config, "effort_style", _STYLES)
    if config.effort is not None:
        settings.update(_effort(config.effort, style))
    if "temperature" in config.options:
        settings["temperature"] = number(config, "temperature")
    # One setting under two names would be read by the server in a way that nobody wrote down.
    own = {*_RESERVED, *settings}
    if config.max_output_tokens is not None:
        own |= {*_LIMIT_FIELDS}
    if config.effort is not None:
        own |= {"reasoning_effort", "reasoning"}
    for name, value in table(config, "extra_body").items():
        if name in own:
            raise SettingRejected(
                f"model config {config.name!r}: options.extra_body sets {name!r}, which relaybench "
                "sends itself or never sends; take it out of extra_body"
            )
        settings[name] = value
    return settings


def _effort(effort: str, style: str) -> Mapping[str, object]:
    match style:
        case "reasoning":
            return {"reasoning": {"effort": effort}}
        case "chat_template":
            thinking = effort.lower() not in _NO_THINKING
            return {"chat_template_kwargs": {"enable_thinking": thinking}}
    return {"reasoning_effort": effort}


def _check_tools(config: ModelConfig) -> None:
    in_extra_body = flag(config, "tools_in_extra_body", default=False)
    if not config.tools or (in_extra_body and table(config, "extra_body")):
        return
    names = ", ".join(config.tools)
    if in_extra_body:
        raise SettingRejected(
            f"model config {config.name!r}: options.tools_in_extra_body is true, but "
            f"options.extra_body asks for no tools ({names})"
        )
    raise SettingRejected(
        f"model config {config.name!r}: provider {config.provider!r} cannot turn on tools "
        f"({names}); set tools = [], or ask for them in options.extra_body and set "
        "options.tools_in_extra_body = true"
    )
