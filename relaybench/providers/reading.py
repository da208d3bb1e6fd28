"""From the bytes of a response body to a Completion, whatever its shape. Pure.

Serves the adapters and ``relaybench parse FILE`` alike.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from relaybench.domain.completion import Completion
from relaybench.domain.errors import ConnectionFailed, MalformedResponse, ProviderError
from relaybench.providers.classify import classify_error, clean_message, has_error
from relaybench.providers.pieces import Json, Reading
from relaybench.providers.reading_chat import CUT_STREAM, read_chat_body, read_chat_chunks
from relaybench.providers.reading_responses import is_response, read_responses_body
from relaybench.providers.sse import ServerEvent, looks_like_events, read_events

_BOM: Final = b"\xef\xbb\xbf"


def read_body(
    raw: bytes,
    content_type: str | None = None,
    *,
    requested_model: str = "",
    settings_sent: Mapping[str, object] | None = None,
    request_json: str = "",
    http_status: int | None = 200,
) -> Completion:
    """Read the body of a successful response.

    JSON or events, chat or Responses is decided by looking, by the content type where the look
    of it leaves that open. Raises ProviderError, with the body in ``raw``, where the body is
    an error, is cut, or is no completion.
    """
    response_raw = raw.decode("utf-8", "surrogateescape")  # gives the bytes back exactly
    try:
        reading = _read(raw, content_type or "")
    except ProviderError as error:
        error.raw = error.raw or response_raw
        error.http_status = error.http_status or http_status
        raise
    return Completion(
        text=reading.text,
        stop_reason=reading.stop_reason,
        raw_stop_reason=reading.raw_stop_reason,
        usage=reading.usage,
        requested_model=requested_model,
        served_model=reading.served_model,
        answer_text=reading.answer_text,
        parts=reading.parts,
        refusal=reading.refusal,
        tool_events=reading.tool_events,
        tool_fees=reading.tool_fees,
        response_id=reading.response_id,
        settings_sent=settings_sent or {},
        request_json=request_json,
        response_raw=response_raw,
        http_status=http_status,
    )


def is_event_stream(start: bytes, content_type: str) -> bool:
    """Whether a body is an event stream; its look outweighs the content type."""
    if looks_like_events(start):
        return True
    begins_json = start.removeprefix(_BOM).lstrip()[:1] in (b"{", b"[")
    return "event-stream" in content_type.lower() and not begins_json


def _read(raw: bytes, content_type: str) -> Reading:
    if is_event_stream(raw, content_type):
        return read_chat_chunks(_chunks(raw))
    if not raw.removeprefix(_BOM).strip():
        raise ConnectionFailed("the response is empty")
    body = _parsed(raw)
    if isinstance(body, list) and len(body) == 1:
        body = body[0]
    if not isinstance(body, dict):
        raise MalformedResponse("body is JSON, but no object")
    if is_response(body):
        return read_responses_body(body)
    if "choices" not in body and not has_error(body):
        if "detail" in body or "message" in body:
            raise classify_error(body)
        raise MalformedResponse("body is neither a chat completion nor a response")
    return read_chat_body(body)


def _parsed(raw: bytes) -> object:
    text = raw.removeprefix(_BOM).decode("utf-8", "replace").strip()
    try:
        return json.loads(text)
    except RecursionError:
        raise MalformedResponse("body is not JSON that can be read: nested too deep") from None
    except ValueError as error:
        # Where an object does not close, its end was lost on the way: worth another try.
        if text.startswith("{") and not text.endswith("}"):
            raise ConnectionFailed("the response ended before it was whole") from None
        start = clean_message(text[:60])
        why = error.msg if isinstance(error, json.JSONDecodeError) else "a number too long"
        raise MalformedResponse(f"body is not JSON ({why}); it begins {start!r}") from None


def _chunks(raw: bytes) -> list[Json]:
    events, incomplete = read_events(raw)
    chunks = [_chunk(event) for event in events if _holds_chunk(event)]
    if incomplete is not None and _holds_chunk(incomplete):
        try:
            chunks.append(_chunk(incomplete))
        except MalformedResponse:
            # Cut inside its data; what came before decides whether the response is whole.
            if all(not _finished(chunk) for chunk in chunks):
                raise ConnectionFailed(CUT_STREAM) from None
    return chunks


def _finished(chunk: Json) -> bool:
    choices = chunk.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return has_error(chunk) or (isinstance(first, dict) and first.get("finish_reason") is not None)


def _holds_chunk(event: ServerEvent) -> bool:
    # "[DONE]", "ping" and other words between chunks carry nothing. Nothing is lost unseen by
    # this: without a chunk that has a finish_reason the whole stream counts as cut.
    return event.name == "error" or (event.data.lstrip()[:1] in ("{", "[", '"') and not event.done)


def _chunk(event: ServerEvent) -> Json:
    try:
        value = json.loads(event.data)
    except (ValueError, RecursionError):
        if event.name == "error":
            return {"error": event.data}
        start = clean_message(event.data[:60])
        raise MalformedResponse(f"an event is not JSON; it begins {start!r}") from None
    if not isinstance(value, dict):
        raise MalformedResponse("an event is JSON, but no object")
    if event.name == "error" and not has_error(value):
        return {"error": value}
    if str(value.get("type")).startswith("response."):
        raise MalformedResponse("streams of the Responses API are not read yet")
    return value
