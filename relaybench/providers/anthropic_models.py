"""What each family of Claude models takes. Pure.

Read from Anthropic's model, effort, thinking and tool pages (August to November 2026) and from
version 2.14 of its SDK. A model that is not listed here gets everything as asked: its provider
will say what it does not take.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

ADAPTIVE: Final = "adaptive"  # the model decides how much it thinks, guided by effort
ENABLED: Final = "enabled"  # a fixed budget of thinking tokens
DISABLED: Final = "disabled"
BETWEEN_TOOLS: Final = "between_tools"  # no thinking before the first tool

_LOW_TO_HIGH: Final = ("low", "medium", "high")
_NO_XHIGH: Final = (*_LOW_TO_HIGH, "max")
_ALL: Final = (*_LOW_TO_HIGH, "xhigh", "max")

#: The newest tools; models before 4.6 do not take the web tools that filter by code.
NEWEST_TOOLS: Final[Mapping[str, str]] = {
    "web_search": "web_search_20260318",
    "web_fetch": "web_fetch_20260318",
    "code_execution": "code_execution_20260521",
}
_OLD_TOOLS: Final[Mapping[str, str]] = {
    "web_search": "web_search_20250305",
    "web_fetch": "web_fetch_20250910",
    "code_execution": "code_execution_20250825",
}
_TOOLS_4_5: Final[Mapping[str, str]] = {
    **_OLD_TOOLS,
    "code_execution": "code_execution_20260120",
}


@dataclass(frozen=True, slots=True)
class ClaudeFacts:
    """What one model takes: efforts, kinds of thinking (the strongest first), tools by name.

    ``max_output`` is the most output tokens of one response, thinking included.
    ``calm_off`` says that thinking can only be switched off, or to between tools, up to effort
    "high".
    """

    max_output: int
    efforts: tuple[str, ...]
    thinking: tuple[str, ...]
    tools: Mapping[str, str]
    calm_off: bool = False


_ALWAYS: Final = ClaudeFacts(128_000, _ALL, (ADAPTIVE,), NEWEST_TOOLS)
_ADAPTIVE_ONLY: Final = ClaudeFacts(128_000, _ALL, (ADAPTIVE, DISABLED), NEWEST_TOOLS)
_CALM_OFF: Final = ClaudeFacts(128_000, _ALL, (ADAPTIVE, DISABLED), NEWEST_TOOLS, calm_off=True)
_BETWEEN: Final = ClaudeFacts(128_000, _ALL, (ADAPTIVE, BETWEEN_TOOLS), NEWEST_TOOLS, calm_off=True)
_BOTH: Final = (ADAPTIVE, ENABLED, DISABLED)
_BUDGET: Final = (ENABLED, DISABLED)

_FACTS: Final[Mapping[str, ClaudeFacts]] = {
    "claude-fable-5": _ALWAYS,
    "claude-fable-5-1": _ALWAYS,
    "claude-fable-5-2": _ALWAYS,
    "claude-mythos-5": _ALWAYS,
    "claude-mythos-5-1": _ALWAYS,
    "claude-mythos-5-2": _ALWAYS,
    "claude-opus-5-5": _ALWAYS,
    "claude-sonnet-5-5": _BETWEEN,
    "claude-haiku-5-5": _CALM_OFF,
    "claude-opus-5": _CALM_OFF,
    "claude-sonnet-5": _ADAPTIVE_ONLY,
    "claude-opus-4-8": _ADAPTIVE_ONLY,
    "claude-opus-4-7": _ADAPTIVE_ONLY,
    "claude-opus-4-6": ClaudeFacts(128_000, _NO_XHIGH, _BOTH, NEWEST_TOOLS),
    "claude-sonnet-4-6": ClaudeFacts(128_000, _NO_XHIGH, _BOTH, NEWEST_TOOLS),
    "claude-opus-4-5": ClaudeFacts(64_000, _LOW_TO_HIGH, _BUDGET, _TOOLS_4_5),
    "claude-sonnet-4-5": ClaudeFacts(64_000, (), _BUDGET, _TOOLS_4_5),
    "claude-haiku-4-5": ClaudeFacts(64_000, (), _BUDGET, _OLD_TOOLS),
}
_SNAPSHOT: Final = re.compile(r"-(?:\d{8}|latest)$")


def facts_of(model: str) -> ClaudeFacts | None:
    """The facts of a model or of a dated snapshot of it; None where it is not known."""
    # Never by a mere prefix: claude-opus-5-9 would be taken for claude-opus-5.
    return _FACTS.get(model) or _FACTS.get(_SNAPSHOT.sub("", model))
