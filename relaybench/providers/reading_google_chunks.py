"""Put the chunks of a Google stream together to the one body they stand for. Pure.

Names come as the API spells them, or in snake case from dumps of the SDK.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from relaybench.providers.pieces import Json, listing, mapping, need_list, need_mapping

_HUMP: Final = re.compile(r"(?=[A-Z])")
#: Parts of a candidate that grow from chunk to chunk.
_GROWING: Final = frozenset(
    [
        "groundingMetadata",
        "grounding_metadata",
        "urlContextMetadata",
        "url_context_metadata",
        "citationMetadata",
        "citation_metadata",
    ]
)
_NOT_FINISHED: Final = (0, "FINISH_REASON_UNSPECIFIED")


def field(value: Json, name: str) -> object:
    """A field by its name in camel case, under whichever spelling it came; None: not there."""
    found = value.get(name)
    return value.get(_snake(name)) if found is None else found


def first_candidate(body: Json) -> Json | None:
    """The candidate that counts: the first of index 0. Raises MalformedResponse."""
    candidates = body.get("candidates")
    if candidates is None:
        return None
    each = [need_mapping(one, "candidates[]") for one in need_list(candidates, "candidates")]
    return next((one for one in each if one.get("index") in (0, None)), None)


def merge_chunks(chunks: Iterable[Json]) -> dict[str, object]:
    """The body that a call without streaming would have returned, as far as it came.

    Its parts are those of the chunks, untouched and in order. Counts are cumulative: the last
    ones stand. Raises MalformedResponse that names the field.
    """
    body: dict[str, object] = {}
    candidate: dict[str, object] = {}
    content: dict[str, object] = {}
    parts: list[object] = []
    for chunk in chunks:
        body.update((key, value) for key, value in chunk.items() if value is not None)
        for key, value in (first_candidate(chunk) or {}).items():
            if key == "content" and value is not None:
                more = need_mapping(value, "candidates[0].content")
                content |= more
                if more.get("parts") is not None:
                    parts += need_list(more["parts"], "candidates[0].content.parts")
            elif key in _GROWING:
                candidate[key] = _grown(candidate.get(key), value)
            elif value is not None and not (_finish(key) and value in _NOT_FINISHED):
                candidate[key] = value
    if content:
        candidate["content"] = content | {"parts": parts}
    if candidate:
        body["candidates"] = [candidate]
    return body


@cache
def _snake(name: str) -> str:
    return _HUMP.sub("_", name).lower()


def _finish(key: str) -> bool:
    return key in ("finishReason", "finish_reason")


def _grown(old: object, new: object) -> object:
    if isinstance(old, dict) and isinstance(new, dict):
        keys = {**old, **new}
        return {key: _grown(old.get(key), new.get(key)) for key in keys}
    if isinstance(old, list) and isinstance(new, list):
        return new if new[: len(old)] == old else old + new
    return old if new is None else new


def metadata(candidate: Json, name: str) -> Json:
    """An object of a candidate, empty where there is none."""
    return mapping(field(candidate, name))


def entries(value: Json, name: str) -> list[Json]:
    """The objects of a list in an object; what is no object is left out."""
    return [mapping(each) for each in listing(field(value, name)) if isinstance(each, dict)]
