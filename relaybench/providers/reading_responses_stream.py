"""Put the events of a Responses stream together to the response they stand for. Pure.

The last event carries the whole response, also where the stream begins in the middle. Where it is
missing, what came before is put together, and the status says that the response is not at its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from relaybench.providers.pieces import Json, listing, mapping, need_mapping

#: States in which nothing more is to come.
ENDED: Final = ("completed", "incomplete", "failed", "cancelled")

_DELTAS: Final = {
    "response.output_text.delta": ("output_text", "text"),
    "response.refusal.delta": ("refusal", "refusal"),
}


def assemble_response(events: Iterable[Json]) -> Mapping[str, object]:
    """The response that a call without streaming would have returned, as far as it came.

    Raises MalformedResponse that names the field.
    """
    response: Json = {"object": "response"}
    items: dict[int, Json] = {}
    texts: dict[tuple[int, int], tuple[str, str, list[str]]] = {}
    for event in events:
        kind = event.get("type")
        if not isinstance(kind, str):
            continue
        place = _number(event.get("output_index"))
        if kind in _DELTAS:
            delta = event.get("delta")
            at = (place, _number(event.get("content_index")))
            if isinstance(delta, str):
                texts.setdefault(at, (*_DELTAS[kind], []))[2].append(delta)
        elif kind in ("response.output_item.added", "response.output_item.done"):
            items[place] = need_mapping(event.get("item"), "item")
        elif event.get("response") is not None:
            stated = need_mapping(event["response"], "response")
            response = {"status": kind.removeprefix("response."), **stated}
            if response["status"] in ENDED:
                break
    if listing(response.get("output")) or not (items or texts):
        return response
    # Some servers leave the items out of the last event; of a cut stream they are all there is.
    for (place, _), (kind, name, pieces) in sorted(texts.items()):
        item = items.setdefault(place, {"type": "message", "content": []})
        if item.get("type") == "message" and item.get("status") != "completed":
            content = [*listing(item.get("content")), {"type": kind, name: "".join(pieces)}]
            items[place] = {**item, "content": content}
    return {**response, "output": [items[place] for place in sorted(items)]}


def is_whole(response: Json) -> bool:
    """Whether a response says that it is at its end."""
    return mapping(response).get("status") in ENDED


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
