"""What each family of OpenAI's models takes over the Responses API. Pure.

Read from OpenAI's model pages and from what its API answers to values that it does not take
(July to November 2026), and from version 3.57 of its SDK. Where sources disagree the longer list
stands: refusing a setting that works is worse than an error that costs nothing. A model that is
not listed here gets everything as asked: its provider will say what it does not take.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_TO_HIGH: Final = ("low", "medium", "high")
_TO_XHIGH: Final = (*_TO_HIGH, "xhigh")
_TO_MAX: Final = (*_TO_XHIGH, "max")
_PRO: Final = ("medium", "high", "xhigh")
_DATED: Final = re.compile(r"-\d{4}-\d{2}-\d{2}$")


@dataclass(frozen=True, slots=True)
class GptFacts:
    """What one model takes: its efforts (none where it does not reason), and its limits.

    ``max_output`` is the most output tokens of one response, reasoning included. ``verbosity``
    says whether it takes any but the default one.
    """

    efforts: tuple[str, ...]
    max_output: int = 128_000
    verbosity: bool = True

    @property
    def reasons(self) -> bool:
        """Whether it is a reasoning model."""
        return bool(self.efforts)


_GPT_5: Final = GptFacts(("minimal", *_TO_HIGH))
_GPT_5_1: Final = GptFacts(("none", *_TO_HIGH))
_GPT_5_2: Final = GptFacts(("none", *_TO_XHIGH))
_GPT_5_6: Final = GptFacts(("none", *_TO_MAX))
_GPT_6: Final = GptFacts(_TO_MAX)
_VERSIONED_PRO: Final = GptFacts(_PRO)
_CODEX: Final = GptFacts(_TO_HIGH)
_CODEX_2: Final = GptFacts(_TO_XHIGH)
_CHAT: Final = GptFacts(("medium",), 16_384, verbosity=False)
_O: Final = GptFacts(_TO_HIGH, 100_000, verbosity=False)
_GPT_4_1: Final = GptFacts((), 32_768, verbosity=False)
_GPT_4O: Final = GptFacts((), 16_384, verbosity=False)

_MODELS: Final[Mapping[str, GptFacts]] = {
    "gpt-6.2-astra": _GPT_6,
    "gpt-6.2-sol": _GPT_6,
    "gpt-6.1-sol": _GPT_6,
    "gpt-6.1-terra": _GPT_6,
    "gpt-6-astra": _GPT_6,
    "gpt-6-sol": _GPT_5_6,  # unlike its successor it can leave reasoning out
    "gpt-6-luna": _GPT_5_6,
    "gpt-5.6": _GPT_5_6,
    "gpt-5.6-sol": _GPT_5_6,
    "gpt-5.6-terra": _GPT_5_6,
    "gpt-5.6-luna": _GPT_5_6,
    "gpt-5.5": _GPT_5_2,
    "gpt-5.5-pro": _VERSIONED_PRO,
    "gpt-5.4": _GPT_5_2,
    "gpt-5.4-mini": _GPT_5_2,
    "gpt-5.4-nano": _GPT_5_2,
    "gpt-5.4-pro": _VERSIONED_PRO,
    "gpt-5.3-codex": _CODEX_2,
    "gpt-5.3-chat-latest": _CHAT,
    "gpt-5.2": _GPT_5_2,
    "gpt-5.2-pro": _VERSIONED_PRO,
    "gpt-5.2-codex": _CODEX_2,
    "gpt-5.2-chat-latest": _CHAT,
    "gpt-5.1": _GPT_5_1,
    "gpt-5.1-codex": _CODEX,
    "gpt-5.1-codex-mini": _CODEX,
    "gpt-5.1-codex-max": _GPT_5_2,
    "gpt-5.1-chat-latest": _CHAT,
    "gpt-5": _GPT_5,
    "gpt-5-mini": _GPT_5,
    "gpt-5-nano": _GPT_5,
    "gpt-5-pro": GptFacts(("high",), 272_000),
    "gpt-5-codex": _CODEX,
    "gpt-5-chat-latest": GptFacts((), 16_384, verbosity=False),
    "o4-mini": _O,
    "o3": _O,
    "o3-pro": _O,
    "o3-mini": _O,
    "o1": _O,
    "o1-pro": _O,
    "gpt-4.1": _GPT_4_1,
    "gpt-4.1-mini": _GPT_4_1,
    "gpt-4.1-nano": _GPT_4_1,
    "gpt-4o": _GPT_4O,
    "gpt-4o-mini": _GPT_4O,
}


def facts_of(model: str) -> GptFacts | None:
    """What is known of a model, under its name or that of a dated snapshot; None: nothing."""
    return _MODELS.get(_DATED.sub("", model))
