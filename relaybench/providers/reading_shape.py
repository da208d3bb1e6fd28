"""From the bytes of a body to JSON objects, and whose wire format they are in. Pure.

A body is one object, or the objects of a stream: server-sent events, an array of chunks, or one
JSON object a line.
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from typing import Final

from relaybench.domain.errors import ConnectionFailed, MalformedResponse
from relaybench.providers.classify import clean_message, has_error
from relaybench.providers.pieces import Json
from relaybench.providers.sse import ServerEvent, looks_like_events, read_events

CHAT: Final = "chat"
RESPONSES: Final = "responses"
ANTHROPIC: Final = "anthropic"
GOOGLE: Final = "google"

CUT_BODY: Final = "the response ended before it was whole"
EMPTY: Final = "the response is empty"

#: Events after which nothing more comes, though the connection may stay open.
LAST_EVENTS: Final = (
    "message_stop",
    "response.completed",
    "response.incomplete",
    "response.failed",
    "response.cancelled",
)
#: How a file begins that holds no text as we read it, and what to do about that.
_NO_TEXT: Final = {
    b"\x1f\x8b": "body is compressed with gzip; unpack it first",
    b"\xff\xfe": "body is UTF-16; save it as UTF-8",
    b"\xfe\xff": "body is UTF-16; save it as UTF-8",
}
_BOM: Final = b"\xef\xbb\xbf"
_CHAT_OBJECTS: Final = ("chat.completion", "chat.completion.chunk")
_GOOGLE_KEYS: Final = frozenset(
    ["candidates", "promptFeedback", "prompt_feedback", "usageMetadata", "usage_metadata"]
)


@dataclass(frozen=True, slots=True)
class Shape:
    """The objects of a body; ``wire`` is None where neither they nor a hint tell the format.

    ``streamed``: they are the events or chunks of one response, not a whole one.
    """

    objects: list[Json]
    wire: str | None
    streamed: bool


def shape_of(raw: bytes, content_type: str = "", wire: str | None = None) -> Shape:
    """Take a body apart. ``wire`` settles what its look leaves open.

    Raises ConnectionFailed where it is empty or cut, MalformedResponse where it is no JSON.
    """
    if hint := _NO_TEXT.get(raw[:2]):
        raise MalformedResponse(hint)
    if is_event_stream(raw, content_type):
        chunks = _until_the_last(_chunks(raw))
        return Shape(chunks, _first_wire(chunks) or wire, streamed=True)
    if not raw.removeprefix(_BOM).strip():
        raise ConnectionFailed(EMPTY)
    found = _objects(raw)
    known = _first_wire(found)
    # One object in a list is what some servers make of a whole body or of an error.
    streamed = len(found) > 1 or _is_piece(found[0])
    return Shape(_until_the_last(found), known or wire, streamed)


def _until_the_last(found: list[Json]) -> list[Json]:
    """The events of a stream up to the one that ends it, where a live call stops reading."""
    ends = (place for place, each in enumerate(found, 1) if each.get("type") in LAST_EVENTS)
    return found[: next(ends, len(found))]


def is_event_stream(start: bytes, content_type: str) -> bool:
    """Whether a body is an event stream; its look outweighs the content type."""
    if looks_like_events(start):
        return True
    begins_json = start.removeprefix(_BOM).lstrip()[:1] in (b"{", b"[")
    return "event-stream" in content_type.lower() and not begins_json


def wire_of(value: Json) -> str | None:
    """Whose wire format an object is in, a whole body or a piece of a stream; None: not clear."""
    kind = value.get("type")
    if "choices" in value or value.get("object") in _CHAT_OBJECTS:
        return CHAT
    if isinstance(kind, str):
        if kind.startswith("response."):
            return RESPONSES
        if kind == "message" or kind.startswith(("message_st", "message_delta", "content_block_")):
            return ANTHROPIC
    if value.get("object") == "response" or "output" in value:
        return RESPONSES
    if _GOOGLE_KEYS & value.keys():
        return GOOGLE
    if "content" in value and "stop_reason" in value:
        return ANTHROPIC
    return None


def _first_wire(found: list[Json]) -> str | None:
    return next((wire for each in found if (wire := wire_of(each)) is not None), None)


def _is_piece(value: Json) -> bool:
    kind, wire = value.get("type"), wire_of(value)
    if wire == CHAT:
        return value.get("object") == "chat.completion.chunk"
    return wire in (RESPONSES, ANTHROPIC) and isinstance(kind, str) and kind not in _WHOLE_TYPES


_WHOLE_TYPES: Final = frozenset({"message", "response"})


def _objects(raw: bytes) -> list[Json]:
    """Every object of a body that is JSON: the body itself, those of its list, or of its lines."""
    text = raw.removeprefix(_BOM).decode("utf-8", "replace").strip()
    try:
        value = json.loads(text)
    except RecursionError:
        raise MalformedResponse("body is not JSON that can be read: nested too deep") from None
    except ValueError as error:
        return _many(text, error)
    found = value if isinstance(value, list) else [value]
    objects: list[Json] = [each for each in found if isinstance(each, dict)]
    if not found or len(objects) != len(found):
        raise MalformedResponse("body is JSON, but no object")
    if len(objects) > 1 and _first_wire(objects) is None and not any(map(has_error, objects)):
        raise MalformedResponse("body is a list, but not of the pieces of a response")
    return objects


def _many(text: str, error: ValueError) -> list[Json]:
    objects = _in_a_row(text)
    if objects and _first_wire(objects) is not None:
        return objects  # lines of JSON, or a list that was cut: what is missing is seen later
    # Where an object does not close, its end was lost on the way: worth another try.
    if text.startswith("{") and not text.endswith("}"):
        raise ConnectionFailed(CUT_BODY) from None
    start = clean_message(text[:60])
    why = error.msg if isinstance(error, json.JSONDecodeError) else "a number too long"
    raise MalformedResponse(f"body is not JSON ({why}); it begins {start!r}") from None


def _in_a_row(text: str) -> list[Json]:
    """Objects that follow each other with nothing but commas and space between, to the first cut.

    None at all where something else stands between them.
    """
    found: list[Json] = []
    decoder, place = json.JSONDecoder(), 1 if text.startswith("[") else 0
    while True:
        while place < len(text) and text[place] in " \t\r\n,":
            place += 1
        if place >= len(text) or text[place] != "{":
            return found if place >= len(text) or text[place] == "]" else []
        try:
            value, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            return found
        found.append(value)


def _chunks(raw: bytes) -> list[Json]:
    events, incomplete = read_events(raw)
    done = next((place for place, event in enumerate(events) if event.done), None)
    if done is not None:
        events, incomplete = events[:done], None
    chunks = [_chunk(event) for event in events if _holds_chunk(event)]
    if incomplete is not None and _holds_chunk(incomplete):
        # Cut inside its data; what came before decides whether the response is whole.
        with contextlib.suppress(MalformedResponse):
            chunks.append(_chunk(incomplete))
    return chunks


def _holds_chunk(event: ServerEvent) -> bool:
    # "[DONE]", "ping" and other words between chunks carry nothing. Nothing is lost unseen by
    # this: without a piece that says how the response ended the whole stream counts as cut.
    return event.name == "error" or (event.data.lstrip()[:1] in ("{", "[", '"') and not event.done)


def _chunk(event: ServerEvent) -> Json:
    try:
        value = json.loads(event.data)
    except (ValueError, RecursionError):
        if event.name == "error":
            return {"error": event.data}
        start = clean_message(event.data[:60])
        raise MalformedResponse(f"an event is not JSON; it begins {start!r}") from None
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if not isinstance(value, dict):
        raise MalformedResponse("an event is JSON, but no object")
    if event.name == "error" and not has_error(value):
        return {"error": value}
    return value
