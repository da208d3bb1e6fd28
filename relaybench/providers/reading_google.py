"""Read responses of Google's generateContent. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from relaybench.domain.completion import Part, PartKind, StopReason, Usage
from relaybench.domain.errors import ConnectionFailed
from relaybench.providers.buckets import disjoint
from relaybench.providers.pieces import (
    Json,
    Reading,
    count,
    mapping,
    merge_parts,
    need_list,
    need_mapping,
    need_text,
    string,
)
from relaybench.providers.reading_google_chunks import entries, field, first_candidate
from relaybench.providers.reading_google_tools import (
    enum_word,
    google_fees,
    google_tool_events,
    of_tool,
    tool_kind,
)

_BLOCKED: Final = frozenset(
    [
        "SAFETY",
        "RECITATION",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
        "MODEL_ARMOR",
        "JAILBREAK",
        "IMAGE_SAFETY",
        "IMAGE_PROHIBITED_CONTENT",
        "IMAGE_RECITATION",
    ]
)
_STOPS: Final = {
    "STOP": StopReason.END,
    "MAX_TOKENS": StopReason.MAX_TOKENS,
    "CONTINUATION": StopReason.PAUSE,
} | dict.fromkeys(_BLOCKED, StopReason.BLOCKED)
#: Numbers of the protocol's enums, where a client prints those.
_FINISH: Final = [
    "FINISH_REASON_UNSPECIFIED",
    "STOP",
    "MAX_TOKENS",
    "SAFETY",
    "RECITATION",
    "OTHER",
    "LANGUAGE",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "SPII",
    "MALFORMED_FUNCTION_CALL",
    "IMAGE_SAFETY",
    "UNEXPECTED_TOOL_CALL",
    "TOO_MANY_TOOL_CALLS",
]
_BLOCK: Final = [
    "BLOCK_REASON_UNSPECIFIED",
    "SAFETY",
    "OTHER",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "IMAGE_SAFETY",
]


def read_google_body(body: Json, requested_model: str = "") -> Reading:
    """Read a response, whole or merged from chunks; one that was cut has no raw stop reason.

    Raises ConnectionFailed where there is neither a candidate nor a block of the prompt,
    MalformedResponse that names the field. ``requested_model`` tells how searches are charged
    where the body names no model.
    """
    candidate = first_candidate(body)
    raw, refusal = _end(candidate or {})
    if raw is None:
        raw, refusal = _prompt_block(mapping(field(body, "promptFeedback")))
    usage = _usage(mapping(field(body, "usageMetadata")), ended=raw is not None)
    if candidate is None and raw is None:
        raise ConnectionFailed("the response is empty: it has no candidates", usage=usage)
    candidate = candidate or {}
    pieces = _pieces(candidate)
    tools = [piece for piece in pieces if of_tool(piece)]
    parts = [part for piece in pieces for part in _parts(piece)]
    stop = _stop(raw, pieces)
    if stop is StopReason.BLOCKED:
        parts.append(Part(PartKind.REFUSAL, refusal))
    model = string(field(body, "modelVersion"))
    return Reading(
        parts=merge_parts(parts),
        stop_reason=stop,
        raw_stop_reason=raw,
        usage=usage,
        answer_text=_answer_text(pieces, stop),
        served_model=model,
        response_id=string(field(body, "responseId")),
        tool_events=google_tool_events(tools, candidate),
        tool_fees=google_fees(tools, candidate, model or requested_model),
    )


def answer_text_of(parts: Sequence[object]) -> str:
    """The visible text behind the last part of a server tool, or all where none stands there.

    ``parts`` may come from several responses that make up one turn.
    """
    pieces = [mapping(part) for part in parts]
    return _text_of(pieces[_after_tools(pieces) :]) or _text_of(pieces)


def _pieces(candidate: Json) -> list[Json]:
    content = candidate.get("content")
    if content is None:
        return []
    parts = need_mapping(content, "candidates[0].content").get("parts")
    if parts is None:
        return []
    place = "candidates[0].content.parts"
    return [need_mapping(part, f"{place}[]") for part in need_list(parts, place)]


def _parts(piece: Json) -> Iterable[Part]:
    text = piece.get("text")
    if text is not None:
        kind = PartKind.THINKING if piece.get("thought") is True else PartKind.TEXT
        yield Part(kind, need_text(text, "candidates[0].content.parts[].text"))
    if not text and (kind_of_tool := tool_kind(piece)) is not None:
        yield Part(PartKind.TOOL, kind_of_tool)


def _answer_text(pieces: Sequence[Json], stop: StopReason) -> str | None:
    after = _after_tools(pieces)
    if after == 0:
        return None
    answer, whole = _text_of(pieces[after:]), _text_of(pieces)
    # A tool used after the last word of an ended response leaves nothing behind it.
    if answer == whole or (not answer and stop is StopReason.END):
        return None
    return answer


def _after_tools(pieces: Sequence[Json]) -> int:
    """The place behind the last part of a server tool; 0 where there is none."""
    for place in range(len(pieces), 0, -1):
        if of_tool(pieces[place - 1]):
            return place
    return 0


def _text_of(pieces: Iterable[Json]) -> str:
    texts = (piece.get("text") for piece in pieces if piece.get("thought") is not True)
    return "".join(text for text in texts if isinstance(text, str))


def _end(candidate: Json) -> tuple[str | None, str]:
    """How a candidate ended, in Google's word, and what more is said of it."""
    raw = enum_word(field(candidate, "finishReason"), _FINISH)
    if raw in (None, _FINISH[0]):
        return None, ""
    ratings = entries(candidate, "safetyRatings")
    blocked = [string(rating.get("category")) for rating in ratings if rating.get("blocked")]
    return raw, _said(raw, *blocked, string(field(candidate, "finishMessage")))


def _prompt_block(feedback: Json) -> tuple[str | None, str]:
    reason = enum_word(field(feedback, "blockReason"), _BLOCK)
    if reason in (None, _BLOCK[0], "BLOCKED_REASON_UNSPECIFIED"):
        return None, ""
    said = _said("the prompt was blocked", reason, string(field(feedback, "blockReasonMessage")))
    return f"PROMPT_BLOCKED:{reason}", said


def _said(*words: str | None) -> str:
    return ": ".join(word for word in words if word)


def _stop(raw: str | None, pieces: Sequence[Json]) -> StopReason:
    if raw is None:
        return StopReason.OTHER
    if raw.startswith("PROMPT_BLOCKED:"):
        return StopReason.BLOCKED
    stop = _STOPS.get(raw.upper(), StopReason.OTHER)
    called = any(not p.get("text") and field(p, "functionCall") is not None for p in pieces)
    return StopReason.TOOL_USE if called and stop is StopReason.END else stop


def _usage(stated: Mapping[str, object], *, ended: bool) -> Usage:
    """Google leaves counts out that are 0, so of an ended response the total tells the output."""
    prompt = count(field(stated, "promptTokenCount"))
    tools = count(field(stated, "toolUsePromptTokenCount"))
    thoughts = count(field(stated, "thoughtsTokenCount"))
    said = count(field(stated, "candidatesTokenCount"))
    total = count(field(stated, "totalTokenCount"))
    output = None if said is None and thoughts is None else (said or 0) + (thoughts or 0)
    whole = prompt if prompt is None else prompt + (tools or 0)
    if prompt is not None and whole is not None and total is not None:
        if ended and output is None:
            output = max(0, total - whole)
        # Some endpoints count thoughts among the candidates, or the tools' input in the prompt.
        inside = ((prompt, output), (whole, said), (prompt, said))
        if output is not None and whole + output > total:
            fitting = [(a, b) for a, b in inside if b is not None and a + b == total]
            whole, output = fitting[0] if fitting else (whole, output)
    return disjoint(
        prompt=whole,
        cached=count(field(stated, "cachedContentTokenCount")),
        write=None,
        output=output,
        reasoning=thoughts,
        total=total,
    )
