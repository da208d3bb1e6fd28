"""Read chat completions: a whole body, or the chunks of a stream. Pure.

The shape is OpenAI's, with what other vendors make of it: thinking under three names, content
in parts, server tools in the message, usage in odd places, errors with status 200.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Final

from relaybench.domain.completion import Part, PartKind, StopReason, ToolEvent, Usage
from relaybench.domain.errors import (
    ConnectionFailed,
    MalformedResponse,
    ProviderError,
    ServerFault,
)
from relaybench.providers.buckets import fees_of, usage_of
from relaybench.providers.classify import classify_error, has_error
from relaybench.providers.pieces import (
    Json,
    Reading,
    listing,
    mapping,
    merge_parts,
    need_list,
    need_mapping,
    need_text,
    string,
)
from relaybench.providers.reading_shape import CUT_BODY

CUT_STREAM: Final = "the stream ended before the response was whole"

_STOPS: Final = {
    "stop": StopReason.END,
    "length": StopReason.MAX_TOKENS,
    "content_filter": StopReason.BLOCKED,
    "tool_calls": StopReason.TOOL_USE,
    "function_call": StopReason.TOOL_USE,
    # What gateways pass on from other vendors.
    "eos": StopReason.END,
    "eos_token": StopReason.END,
    "end_turn": StopReason.END,
    "stop_sequence": StopReason.STOP_SEQUENCE,
    "max_tokens": StopReason.MAX_TOKENS,
    "model_length": StopReason.MAX_TOKENS,
    "sensitive": StopReason.BLOCKED,
    "safety": StopReason.BLOCKED,
    "refusal": StopReason.REFUSAL,
}
#: Words for "the server broke off": not an answer (OpenRouter, DeepSeek).
_BROKEN: Final = frozenset({"error", "insufficient_system_resource"})
_THINKING: Final = ("reasoning", "reasoning_content", "reasoning_details")


def read_chat_body(body: Json) -> Reading:
    """Read a whole chat completion; raises MalformedResponse that names the field."""
    choices = need_list(body.get("choices"), "choices")
    if not choices:
        raise MalformedResponse("the response has no choices", usage=_usage([body]))
    choice = need_mapping(choices[0], "choices[0]")
    message = choice.get("message")
    if message is None and _stop_of(choice.get("finish_reason")) is StopReason.BLOCKED:
        message = {}  # gateways leave the message out where a filter took it
    return _reading([body], [choice], [need_mapping(message, "choices[0].message")])


def read_chat_chunks(chunks: Sequence[Json]) -> Reading:
    """Read the chunks of a stream, as far as they came.

    Raises MalformedResponse that names the field.
    """
    choices = [choice for chunk in chunks for choice in choices_of(chunk)]
    # Some gateways send the whole message in one event instead of deltas.
    deltas = [choice.get("delta") or choice.get("message") or {} for choice in choices]
    messages = [need_mapping(delta, "choices[0].delta") for delta in deltas]
    return _reading(chunks, choices, messages)


def failure_in_chat(bodies: Sequence[Json], *, streamed: bool) -> ProviderError | None:
    """The error that a body, or the chunks of a stream, stand for; None where they are whole."""
    usage = _usage(bodies)
    for body in bodies:
        if has_error(body):
            return classify_error(body, usage=usage)
    choices = [choice for body in bodies for choice in choices_of(body)]
    for choice in choices:
        if choice.get("error"):
            return classify_error({"error": choice["error"]}, usage=usage)
    raw = _finish_reason(choices)
    if isinstance(raw, str) and raw in _BROKEN:
        return ServerFault(f"the provider broke off with finish_reason {raw!r}", usage=usage)
    if raw is None and (streamed or choices):
        return ConnectionFailed(CUT_STREAM if streamed else CUT_BODY, usage=usage)
    return None


def _finish_reason(choices: Sequence[Json]) -> object:
    return next((r for c in reversed(choices) if (r := c.get("finish_reason")) is not None), None)


def choices_of(chunk: Json) -> list[Json]:
    """The choices of index 0; raises MalformedResponse that names the field."""
    # An empty list, or none, is normal: the chunk with usage, keep-alives, filter results.
    if chunk.get("choices") is None:
        return []
    found = [need_mapping(each, "choices[0]") for each in need_list(chunk["choices"], "choices")]
    return [choice for choice in found if choice.get("index") in (0, None)]


def _reading(bodies: Sequence[Json], choices: Sequence[Json], messages: Sequence[Json]) -> Reading:
    raw = _finish_reason(choices)
    parts = _parts(messages)
    stop = _stop_of(raw)
    refused = any(part.kind is PartKind.REFUSAL for part in parts)
    return Reading(
        parts=parts,
        stop_reason=StopReason.REFUSAL if refused and stop is not StopReason.BLOCKED else stop,
        raw_stop_reason=None if raw is None else str(raw),
        usage=_usage(bodies) or Usage(),
        served_model=_first(bodies, "model"),
        response_id=_first(bodies, "id"),
        tool_events=_tool_events(messages),
        tool_fees=fees_of(stated_usage(bodies)),
    )


def _stop_of(raw: object) -> StopReason:
    return _STOPS.get(raw.lower(), StopReason.OTHER) if isinstance(raw, str) else StopReason.OTHER


def _first(bodies: Iterable[Json], name: str) -> str | None:
    return next((text for body in bodies if (text := string(body.get(name)))), None)


def _parts(messages: Sequence[Json]) -> tuple[Part, ...]:
    # Vendors repeat the same thinking under several names: one name is read for all deltas.
    name = next((n for n in _THINKING if any(n in m and _thinking(m[n]) for m in messages)), "")
    parts: list[Part] = []
    for message in messages:
        if name and name in message:
            parts.append(Part(PartKind.THINKING, _thinking(message[name])))
        parts.extend(_content(message.get("content")))
        refusal = string(message.get("refusal"))
        if refusal is not None:
            parts.append(Part(PartKind.REFUSAL, refusal))
    return merge_parts(parts)


def _thinking(value: object) -> str:
    if isinstance(value, str):
        return value
    # Details: only thinking as such; their summaries and encrypted data stay in the raw body.
    texts = (mapping(each).get("text") for each in listing(value))
    return "".join(text for text in texts if isinstance(text, str))


def _content(value: object) -> Iterable[Part]:
    if not isinstance(value, list):
        return [Part(PartKind.TEXT, need_text(value, "message.content"))]
    return [part for each in value for part in _content_part(each)]


def _content_part(value: object) -> Iterable[Part]:
    if isinstance(value, str):
        return [Part(PartKind.TEXT, value)]
    part = need_mapping(value, "message.content[]")
    match part.get("type"):
        case "text" | "output_text" | None:
            return [Part(PartKind.TEXT, need_text(part.get("text"), "message.content[].text"))]
        case "refusal":
            return [Part(PartKind.REFUSAL, string(part.get("refusal")) or "")]
        case "thinking" | "reasoning":  # Mistral: {"type": "thinking", "thinking": [texts]}
            inner = part.get("thinking") or part.get("reasoning") or part.get("text")
            return [Part(PartKind.THINKING, _thinking(inner))]
    return []  # pictures, references and the like are no text


def stated_usage(bodies: Sequence[Json]) -> Json:
    """The usage object that counts, empty where there is none."""
    # The last one counts: streams repeat it, growing. Groq and Moonshot have places of their own.
    for body in reversed(bodies):
        choice = mapping(next(iter(listing(body.get("choices"))), None))
        for place in (body, mapping(body.get("x_groq")), choice):
            usage = place.get("usage")
            if isinstance(usage, dict) and usage:
                return usage
    return {}


def _usage(bodies: Sequence[Json]) -> Usage | None:
    stated = stated_usage(bodies)
    return usage_of(stated) if stated else None


def _tool_events(messages: Sequence[Json]) -> tuple[ToolEvent, ...]:
    # Groq's compound models list their server tools; a stream gives one twice (begin, end).
    events: dict[object, ToolEvent] = {}
    for message in messages:
        for place, each in enumerate(listing(message.get("executed_tools"))):
            tool = mapping(each)
            index = tool.get("index")
            status = "completed" if tool.get("output") is not None else ""
            events[index if isinstance(index, int) else place] = ToolEvent(
                string(tool.get("type")) or "tool", _asked(tool.get("arguments")), status
            )
    return tuple(events.values())


def _asked(arguments: object) -> str:
    if not isinstance(arguments, str):
        return ""
    try:
        parsed = mapping(json.loads(arguments))
    except (ValueError, RecursionError):
        return arguments
    return next((v for n in ("query", "url", "code") if (v := string(parsed.get(n)))), arguments)
