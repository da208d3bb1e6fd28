"""The form of a model's settings: what stands in each field, and what a user changed. Pure.

A field is one line of text. An empty one means that the setting is left out; lists are words with
commas between; what TOML knows no shorter form for is typed as TOML writes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from relaybench.domain.errors import UsageError
from relaybench.domain.model import HARNESSES, PROVIDERS
from relaybench.workbench.models.setting_text import read_value, written

#: What stands in a list that is there and empty: another thing than a list that is left out.
NONE: Final = "none"


class Kind(StrEnum):
    """How a field's text stands for its setting."""

    TEXT = "text"
    WORDS = "words"
    NUMBER = "number"
    TABLE = "table"
    LONG = "long"  # several lines


@dataclass(frozen=True, slots=True)
class Field:
    """A setting in the form; ``hint`` stands in the empty field, ``rare`` ones come on demand."""

    key: str
    label: str
    kind: Kind
    hint: str
    rare: bool = False


FIELDS: Final = (
    Field("provider", "provider", Kind.TEXT, " · ".join(PROVIDERS)),
    Field("model", "model id", Kind.TEXT, "the provider's id of the model"),
    Field("effort", "effort", Kind.TEXT, "as the provider calls it; not asked for"),
    Field("tools", "tools", Kind.WORDS, f"all of the provider's; {NONE} for none"),
    Field("harness", "harness", Kind.TEXT, " · ".join(HARNESSES)),
    Field("concurrency", "calls at once", Kind.NUMBER, "4"),
    Field("max_output_tokens", "output limit", Kind.NUMBER, "none of ours"),
    Field("key_env", "key is in", Kind.TEXT, "NAME of an environment variable"),
    Field("base_url", "address", Kind.TEXT, "the provider's own"),
    Field("options", "options", Kind.TABLE, "{ verbosity = 'low' }"),
    Field("blocked_domains", "blocked domains", Kind.WORDS, "none", rare=True),
    Field("max_continuations", "continuations", Kind.NUMBER, "50", rare=True),
    Field("max_nudges", "nudges", Kind.NUMBER, "3; persistent harness only", rare=True),
    Field("timeout_s", "timeout, s", Kind.NUMBER, "7200", rare=True),
    Field("idle_timeout_s", "idle timeout, s", Kind.NUMBER, "3600", rare=True),
    Field("instructions", "instructions", Kind.LONG, "a system text beside the prompt", rare=True),
    Field("nudge", "nudge text", Kind.LONG, "what the persistent harness says", rare=True),
)


def text_of(field: Field, settings: Mapping[str, Any]) -> str:
    """What stands in a field for some settings as models.toml writes them."""
    value = settings.get(field.key)
    if value is None:
        return ""
    if field.kind is Kind.WORDS and isinstance(value, list):
        return ", ".join(map(str, value)) or NONE
    return value if isinstance(value, str) else written(value)


def changes(settings: Mapping[str, Any], texts: Mapping[str, str]) -> dict[str, Any]:
    """The settings that differ from those given, by what stands in the fields; None: left out.

    Raises UsageError for options that are no table.
    """
    found: dict[str, Any] = {}
    for field in FIELDS:
        text = texts[field.key]
        if text == text_of(field, settings):
            continue
        value = _value(field, text)
        before = settings.get(field.key)
        if isinstance(value, Mapping) and isinstance(before, Mapping):
            value = {**{key: None for key in before if key not in value}, **value}
            value = {key: each for key, each in value.items() if before.get(key) != each}
        found[field.key] = value
    return found


def _value(field: Field, text: str) -> Any:
    typed = text.strip()
    if not typed:
        return None
    if field.kind is Kind.WORDS:
        words = [each.strip() for each in typed.split(",")]
        return [] if typed == NONE else [each for each in words if each]
    if field.kind is Kind.NUMBER:
        return read_value(typed)
    if field.kind is Kind.TABLE:
        value = read_value(typed)
        if not isinstance(value, Mapping):
            raise UsageError(f"{field.label}: write a table, such as {{ verbosity = 'low' }}")
        return value
    return text if field.kind is Kind.LONG else typed
