"""What is known of Gemini's model families: how they think, and how much they can put out.

From Google's pages on thinking and on each model as of November 2026. A model that is not known
here is sent what was asked for, unchecked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

#: Every level that the API names; which of them a model takes differs.
LEVELS: Final = ("minimal", "low", "medium", "high", "xhigh")
#: What Google's own OpenAI-compatible endpoint makes of an effort on models with a budget.
_BUDGETS: Final[Mapping[str, int]] = {
    "minimal": 1024,
    "low": 1024,
    "medium": 8192,
    "high": 24576,
    "dynamic": -1,
}
_VERSION: Final = re.compile(r"gemini-(\d+)(?:\.\d+)?(?:-|$)")


@dataclass(frozen=True, slots=True)
class Family:
    """What one model family takes; an empty or None field says that it is not known.

    ``levels`` are its thinking levels; ``budgets`` its thinking budgets in tokens by the word that
    asks for them, within ``budget_range``. ``output_limit`` is what one request can put out in
    tokens (thinking included), ``output_max`` what continued requests can. ``thinks`` says whether
    the request may speak of thinking at all, ``tool_parts`` whether the response may be asked to
    show the server's tool calls.
    """

    levels: tuple[str, ...] = ()
    budgets: Mapping[str, int] = field(default_factory=dict)
    budget_range: tuple[int, int] | None = None
    output_limit: int | None = None
    output_max: int | None = None
    thinks: bool = True
    tool_parts: bool = False


def _with_budgets(least: int, most: int, *, can_stop: bool) -> Family:
    budgets = dict(_BUDGETS) | {"max": most}
    if can_stop:
        budgets["none"] = 0
    return Family(
        budgets=budgets, budget_range=(least, most), output_limit=65_536, output_max=65_536
    )


def _with_levels(*levels: str, output_max: int = 65_536) -> Family:
    return Family(levels=levels, output_limit=65_536, output_max=output_max, tool_parts=True)


#: By the beginning of the model id; the longest that fits counts.
_FAMILIES: Final[Mapping[str, Family]] = {
    "gemini-1.": Family(thinks=False, output_limit=8192, output_max=8192),
    "gemini-2.0-": Family(thinks=False, output_limit=8192, output_max=8192),
    "gemini-2.5-pro": _with_budgets(128, 32_768, can_stop=False),
    "gemini-2.5-flash": _with_budgets(1, 24_576, can_stop=True),
    "gemini-2.5-flash-lite": _with_budgets(512, 24_576, can_stop=True),
    "gemini-3-pro": _with_levels("low", "high"),
    "gemini-3-flash": _with_levels("minimal", "low", "medium", "high"),
    "gemini-3.1-pro": _with_levels("low", "medium", "high"),
    "gemini-3.1-flash": _with_levels("minimal", "low", "medium", "high"),
    "gemini-3.7-flash": _with_levels("low", "medium", "high"),
    "gemini-3.8-flash": _with_levels("low", "medium", "high"),
    "gemini-4-argon": _with_levels("low", "medium", "high", output_max=1_048_576),
    "gemini-4-carbon": _with_levels("low", "medium", "high", output_max=1_048_576),
    "gemma-": Family(thinks=False),
}
_UNKNOWN: Final = Family()
_LATER: Final = Family(tool_parts=True)
#: Generations whose models are known to take none but the levels of today.
_TODAY: Final = {
    3: Family(levels=LEVELS, tool_parts=True),
    4: Family(levels=LEVELS, tool_parts=True),
}


def family_of(model: str) -> Family:
    """The family of a model id, with or without ``models/`` before it."""
    name = model.removeprefix("models/")
    fitting = [start for start in _FAMILIES if name.startswith(start)]
    if fitting:
        return _FAMILIES[max(fitting, key=len)]
    version = _VERSION.match(name)
    generation = int(version.group(1)) if version else 0
    return _TODAY.get(generation, _LATER if generation > max(_TODAY) else _UNKNOWN)
