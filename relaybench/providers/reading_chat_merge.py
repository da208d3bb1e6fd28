"""Put the chunks of a chat completion together to the body they stand for. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from relaybench.providers.pieces import Json, listing, mapping
from relaybench.providers.reading_chat import choices_of, stated_usage

#: Strings of a delta that bring more text; all others stand for themselves.
_GROWING: Final = frozenset(
    ["content", "refusal", "reasoning", "reasoning_content", "text", "summary", "arguments"]
)


def merge_chat_chunks(chunks: Sequence[Json]) -> dict[str, object]:
    """The body that a call without streaming would have returned, as far as it came.

    Raises MalformedResponse that names the field.
    """
    body: dict[str, object] = {}
    choice: dict[str, object] = {"index": 0, "message": {}, "finish_reason": None}
    message: dict[str, object] = {}
    for chunk in chunks:
        body.update((key, value) for key, value in chunk.items() if value is not None)
        for each in choices_of(chunk):
            _grow(message, mapping(each.get("delta") or each.get("message")))
            more = {key: each[key] for key in each if key not in ("delta", "message", "usage")}
            choice.update((key, value) for key, value in more.items() if value is not None)
    body["object"] = "chat.completion"
    body["choices"] = [{**choice, "message": _joined(message)}]
    if usage := stated_usage(chunks):
        body["usage"] = usage
    return body


class _Texts(list[object]):
    """Pieces of one text: joined at the end, not at each step."""


def _grow(whole: dict[str, object], delta: Json) -> None:
    for key, value in delta.items():
        known = whole.get(key)
        if value is None:
            whole.setdefault(key, None)
        elif isinstance(value, str) and key in _GROWING:
            texts = known if isinstance(known, _Texts) else _Texts([known] if known else [])
            texts.append(value)
            whole[key] = texts
        elif isinstance(value, list):
            entries = list(listing(known))
            _add(entries, value, anew=key == "executed_tools")
            whole[key] = entries
        elif isinstance(value, dict):
            inner = known if isinstance(known, dict) else {}
            _grow(inner, value)
            whole[key] = inner
        else:
            whole[key] = value


def _add(entries: list[object], more: list[object], *, anew: bool) -> None:
    """Entries of one ``index`` are one that grows, or that is stated ``anew``."""
    for each in more:
        index = mapping(each).get("index")
        same = next(
            (e for e in entries if index is not None and mapping(e).get("index") == index), None
        )
        if isinstance(each, dict) and isinstance(same, dict):
            if anew:
                same.update(each)
            else:
                _grow(same, each)
        elif isinstance(each, dict):
            fresh: dict[str, object] = {}
            _grow(fresh, each)
            entries.append(fresh)
        else:
            entries.append(each)


def _joined(value: object) -> object:
    if isinstance(value, _Texts):
        return "".join(str(each) for each in value)
    if isinstance(value, dict):
        return {key: _joined(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_joined(each) for each in value]
    return value
