"""What every reader of a response body gives, and careful access to JSON of unknown shape."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from relaybench.domain.completion import Part, PartKind, StopReason, ToolEvent, Usage
from relaybench.domain.errors import MalformedResponse

#: A JSON object whose values nobody has checked yet.
Json = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a response body says, before it is joined with what was asked."""

    parts: tuple[Part, ...]
    stop_reason: StopReason
    raw_stop_reason: str | None
    usage: Usage
    answer_text: str | None = None
    served_model: str | None = None
    response_id: str | None = None
    tool_events: tuple[ToolEvent, ...] = ()
    tool_fees: Mapping[str, int] = field(default_factory=dict)
    billed: bool = True

    @property
    def text(self) -> str:
        """All visible text, joined with nothing between."""
        return _joined(self.parts, PartKind.TEXT)

    @property
    def refusal(self) -> str | None:
        """The text of a refusal, None where there is none."""
        return _joined(self.parts, PartKind.REFUSAL) or None


def _joined(parts: Iterable[Part], kind: PartKind) -> str:
    return "".join(part.text for part in parts if part.kind is kind)


def merge_parts(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Drop empty parts and join neighbours of one kind, as deltas need it."""
    merged: list[tuple[PartKind, list[str]]] = []
    for part in parts:
        if not part.text:
            continue
        # Tools stay apart: two searches in a row are two.
        if merged and merged[-1][0] is part.kind is not PartKind.TOOL:
            merged[-1][1].append(part.text)
        else:
            merged.append((part.kind, [part.text]))
    return tuple(Part(kind, "".join(texts)) for kind, texts in merged)


def mapping(value: object) -> Json:
    """Return the object, or an empty one where the value is no object (so: not reported)."""
    return value if isinstance(value, dict) else {}


def listing(value: object) -> list[object]:
    """Return the list, or an empty one where the value is no list."""
    return value if isinstance(value, list) else []


def string(value: object) -> str | None:
    """Return the string, or None where the value is none or empty."""
    return value if isinstance(value, str) and value else None


def count(value: object) -> int | None:
    """Return a number of tokens; None (not reported) for anything that cannot be one."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        return None
    return value


def first_count(*values: object) -> int | None:
    """Return the first value that is a number of tokens."""
    return next((number for number in map(count, values) if number is not None), None)


def need_mapping(value: object, name: str) -> Json:
    """Return the object, or raise MalformedResponse that names the field."""
    if not isinstance(value, dict):
        raise MalformedResponse(f"{name} is {_shape(value)}, not an object")
    return value


def need_list(value: object, name: str) -> list[object]:
    """Return the list, or raise MalformedResponse that names the field."""
    if not isinstance(value, list):
        raise MalformedResponse(f"{name} is {_shape(value)}, not a list")
    return value


def need_text(value: object, name: str) -> str:
    """Return the string ("" for null), or raise MalformedResponse that names the field."""
    if value is not None and not isinstance(value, str):
        raise MalformedResponse(f"{name} is {_shape(value)}, not a string")
    return value or ""


def _shape(value: object) -> str:
    if value is None:
        return "missing"
    names = {bool: "a boolean", int: "a number", float: "a number", str: "a string"}
    return names.get(type(value), "a list" if isinstance(value, list) else "an object")
