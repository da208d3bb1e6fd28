"""From the bytes of a response body to a Completion, whatever its shape. Pure.

Serves the adapters and ``relaybench parse FILE`` alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from relaybench.domain.completion import Completion, Usage, wire_text
from relaybench.domain.errors import ConnectionFailed, MalformedResponse, ProviderError, ServerFault
from relaybench.providers.bodies import assembled
from relaybench.providers.classify import classify_error, has_error
from relaybench.providers.pieces import Json, Reading
from relaybench.providers.reading_anthropic import read_message
from relaybench.providers.reading_chat import (
    CUT_STREAM,
    failure_in_chat,
    read_chat_body,
    read_chat_chunks,
)
from relaybench.providers.reading_google import read_google_body
from relaybench.providers.reading_responses import failure_of_response, read_responses_body
from relaybench.providers.reading_responses_stream import is_whole
from relaybench.providers.reading_shape import (
    ANTHROPIC,
    CHAT,
    CUT_BODY,
    EMPTY,
    GOOGLE,
    RESPONSES,
    Shape,
    shape_of,
    wire_of,
)
from relaybench.providers.reading_shape import is_event_stream as is_event_stream

#: A batch of requests, which is no response of a model.
_BATCHES: Final = ("batch", "message_batch")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a body holds: a completion, an error, or both where a response broke off.

    Then the completion has what came before. ``wire`` is None where the format is not clear.
    """

    completion: Completion | None
    error: ProviderError | None
    wire: str | None = None
    streamed: bool = False


def read_body(
    raw: bytes,
    content_type: str | None = None,
    *,
    wire: str | None = None,
    requested_model: str = "",
    settings_sent: Mapping[str, object] | None = None,
    request_json: str = "",
    http_status: int | None = 200,
) -> Completion:
    """Read the body of a successful response.

    JSON or stream, and whose, is decided by looking; by the content type and by ``wire`` ("chat",
    "responses", "anthropic", "google") where the look of it leaves that open. Raises
    ProviderError, with the body in ``raw``, where the body is an error, is cut, or is no
    completion.
    """
    outcome = read_outcome(
        raw,
        content_type,
        wire=wire,
        requested_model=requested_model,
        settings_sent=settings_sent,
        request_json=request_json,
        http_status=http_status,
    )
    if outcome.error is not None or outcome.completion is None:
        raise outcome.error or MalformedResponse("body is no response")
    return outcome.completion


def read_outcome(
    raw: bytes,
    content_type: str | None = None,
    *,
    wire: str | None = None,
    requested_model: str = "",
    settings_sent: Mapping[str, object] | None = None,
    request_json: str = "",
    http_status: int | None = 200,
) -> Outcome:
    """Read a body as ``read_body`` does, but give what came of a broken response with its error."""
    response_raw = wire_text(raw)
    shape, reading, error = None, None, None
    try:
        shape = shape_of(raw, content_type or "", wire)
        error = _said_error(shape)
        body = _body(shape)
        error = error or _failure(shape, body)
        reading = _reading(shape, body, requested_model)
        error = error or _cut(shape, reading)
    except ProviderError as found:
        error = error or found
    if error is not None:
        error.raw = error.raw or response_raw
        error.http_status = error.http_status or http_status
        # What a stream of Anthropic or Google had counted when it broke off is not what is billed.
        final = shape is None or not shape.streamed or shape.wire not in (ANTHROPIC, GOOGLE)
        if final and error.usage is None and reading is not None and reading.usage != Usage():
            error.usage = reading.usage
        if error.usage is not None and reading is not None:
            error.tool_fees = reading.tool_fees
    completion = None
    if reading is not None:
        completion = Completion(
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
            billed=reading.billed,
        )
    known = None if shape is None else shape.wire
    return Outcome(completion, error, known, streamed=shape is not None and shape.streamed)


def _body(shape: Shape) -> Json:
    """The whole body; the chunks of chat completions are read one by one instead."""
    if shape.streamed and not _is_chat(shape):
        return assembled(shape.objects, shape.wire)
    return shape.objects[0] if shape.objects else {}


def _is_chat(shape: Shape) -> bool:
    return shape.wire in (None, CHAT)


def _said_error(shape: Shape) -> ProviderError | None:
    """The error that a body is, or that an event of a stream is, instead of a response."""
    first = shape.objects[0] if shape.objects else {}
    if not shape.streamed and wire_of(first) is None:
        if first.get("object") in _BATCHES or first.get("type") in _BATCHES:
            return MalformedResponse("body is a batch of requests, not a response")
        if not first:
            return ConnectionFailed(EMPTY)
        if not has_error(first) and ("detail" in first or "message" in first):
            return _said_without_error(first)
    said = next((each for each in shape.objects if has_error(each)), None)
    # Chat completions have more places for it, a Responses body has states of its own.
    if said is None or _is_chat(shape) or (shape.wire == RESPONSES and not shape.streamed):
        return None
    if not said.get("error") and said.get("type") == "error":  # {"type": "error", "code": …}
        said = {"error": {name: value for name, value in said.items() if name != "type"}}
    return classify_error(said)


def _said_without_error(body: Json) -> ProviderError:
    """What an object is that has a message or detail, but does not call it an error."""
    said = classify_error(body)
    if said.error_code or said.error_type or not isinstance(said, ServerFault):
        return said
    if isinstance(body.get("message"), dict) and "done" in body:
        return MalformedResponse(
            "body is in Ollama's own format; its address for chat completions ends in /v1"
        )
    return MalformedResponse(f"body is neither a chat completion nor a response; it says: {said}")


def _failure(shape: Shape, body: Json) -> ProviderError | None:
    """What a body says of its own failure, or that it ends too early."""
    if _is_chat(shape):
        return failure_in_chat(shape.objects, streamed=shape.streamed)
    if shape.wire != RESPONSES:
        return None
    if shape.streamed and not is_whole(body):
        return ConnectionFailed(CUT_STREAM)
    return failure_of_response(body)


def _reading(shape: Shape, body: Json, model: str) -> Reading:
    match shape.wire:
        case "anthropic":
            return read_message(body)
        case "google":
            return read_google_body(body, model)
        case "responses":
            return read_responses_body(body)
    if shape.streamed:
        return read_chat_chunks(shape.objects)
    if shape.wire is None:
        raise MalformedResponse("body is neither a chat completion nor a response")
    return read_chat_body(body)


def _cut(shape: Shape, reading: Reading) -> ProviderError | None:
    """That a body of Anthropic or Google ends without a word on why."""
    if shape.wire not in (ANTHROPIC, GOOGLE) or reading.raw_stop_reason is not None:
        return None
    return ConnectionFailed(CUT_STREAM if shape.streamed else CUT_BODY)
