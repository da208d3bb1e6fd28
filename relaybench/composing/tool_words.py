"""What a model is told about its tools where not all of its provider's are on. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from relaybench.composing.style import Style
from relaybench.domain.tools import all_tools, described


def tool_instructions(provider: str, tools: Sequence[str], style: Style) -> str | None:
    """Say which tools a model has left; None where none of its provider's is switched off.

    Prompts allow every tool that is available, which is the whole truth where all are on, and at
    a provider that has none of its own.
    """
    every = all_tools(provider)
    if set(every) <= set(tools):
        return None
    if not tools:
        return style.write("tools.none")
    return style.write("tools.some", names=_listed(described(provider, tools)))


def _listed(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
