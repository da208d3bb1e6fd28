"""Read messages of Anthropic's Messages API. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from relaybench.domain.completion import Part, PartKind, StopReason, ToolEvent, Usage
from relaybench.providers.buckets import fees_of, surcharges_of
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

_STOPS: Final = {
    "end_turn": StopReason.END,
    "stop_sequence": StopReason.STOP_SEQUENCE,
    "max_tokens": StopReason.MAX_TOKENS,
    "model_context_window_exceeded": StopReason.MAX_TOKENS,
    "tool_use": StopReason.TOOL_USE,
    "pause_turn": StopReason.PAUSE,
    "refusal": StopReason.REFUSAL,
}
_CALLS: Final = ("server_tool_use", "mcp_tool_use")
_RESULT: Final = re.compile(r"\w*tool_result")
#: What a tool was asked for, by the names that tools give it.
_ASKED: Final = ("query", "url", "code", "command", "pattern", "path")
#: After one of these there is nothing to come: an answer before the last tool is the answer.
_ENDED: Final = frozenset({StopReason.END, StopReason.STOP_SEQUENCE})


def read_message(body: Json) -> Reading:
    """Read a message, whole or assembled; raises MalformedResponse that names the field.

    One that was cut has no raw stop reason.
    """
    blocks = _blocks(body)
    raw = body.get("stop_reason")
    stop = _STOPS.get(raw, StopReason.OTHER) if isinstance(raw, str) else StopReason.OTHER
    parts = [part for block in blocks for part in _block_parts(block)]
    if stop is StopReason.REFUSAL:
        parts.append(Part(PartKind.REFUSAL, _refusal(mapping(body.get("stop_details")))))
    stated = mapping(body.get("usage"))
    return Reading(
        parts=merge_parts(parts),
        stop_reason=stop,
        raw_stop_reason=None if raw is None else str(raw),
        usage=usage_of_message(stated),
        answer_text=_answer_text(blocks, stop),
        served_model=string(body.get("model")),
        response_id=string(body.get("id")),
        tool_events=tuple(_tool_events(blocks)),
        tool_fees={**fees_of(stated), **surcharges_of(stated, body)},
        # A refusal before the first block is not charged, whatever usage says.
        billed=stop is not StopReason.REFUSAL or bool(blocks),
    )


def answer_text_of(blocks: Sequence[Json]) -> str:
    """The visible text behind the last server tool, or all of it where none stands there.

    ``blocks`` may come from several responses that make up one turn.
    """
    return _text_of(blocks[_after_tools(blocks) :]) or _text_of(blocks)


def usage_of_message(stated: Json) -> Usage:
    """Read a usage object; its ``input_tokens`` hold no cached ones.

    The split of cache writes by lifetime may be older than their sum: the rest counts as short.
    """
    split = mapping(stated.get("cache_creation"))
    short = count(split.get("ephemeral_5m_input_tokens"))
    long = count(split.get("ephemeral_1h_input_tokens"))
    write = count(stated.get("cache_creation_input_tokens"))
    if write is None and (short is not None or long is not None):
        write = (short or 0) + (long or 0)
    return Usage(
        input=count(stated.get("input_tokens")),
        cached_input=count(stated.get("cache_read_input_tokens")),
        cache_write=write,
        output=count(stated.get("output_tokens")),
        reasoning=count(mapping(stated.get("output_tokens_details")).get("thinking_tokens")),
        cache_write_1h=None if long is None or write is None else min(long, write),
    )


def _blocks(body: Json) -> list[Json]:
    content = body.get("content")
    if isinstance(content, str):  # some proxies
        return [{"type": "text", "text": content}]
    if content is None and body.get("stop_reason") in ("refusal", "end_turn"):
        return []
    listed = need_list(content, "content")
    # One that is no object says nothing; the others are an answer all the same.
    return [mapping(block) for block in listed if isinstance(block, dict)] or [
        need_mapping(block, "content[]") for block in listed
    ]


def _block_parts(block: Json) -> Iterable[Part]:
    match block.get("type"):
        case "text":
            yield Part(PartKind.TEXT, need_text(block.get("text"), "content[].text"))
        case "thinking":
            yield Part(PartKind.THINKING, need_text(block.get("thinking"), "content[].thinking"))
        case _ if _is_call(block):
            yield Part(PartKind.TOOL, _name(block))


def _answer_text(blocks: Sequence[Json], stop: StopReason) -> str | None:
    after = _after_tools(blocks)
    if after == 0:
        return None
    answer, whole = _text_of(blocks[after:]), _text_of(blocks)
    if answer == whole or (not answer and stop in _ENDED):
        return None
    return answer


def _after_tools(blocks: Sequence[Json]) -> int:
    """The place behind the last server tool; 0 where there is none."""
    places = [
        place for place, block in enumerate(blocks, 1) if _is_call(block) or _is_result(block)
    ]
    return places[-1] if places else 0


def _text_of(blocks: Iterable[Json]) -> str:
    texts = (block.get("text") for block in blocks if block.get("type") == "text")
    return "".join(text for text in texts if isinstance(text, str))


def _is_call(block: Json) -> bool:
    return block.get("type") in _CALLS


def _is_result(block: Json) -> bool:
    kind = block.get("type")
    return isinstance(kind, str) and kind != "tool_result" and bool(_RESULT.fullmatch(kind))


def _name(block: Json) -> str:
    return string(block.get("name")) or str(block.get("type"))


def _tool_events(blocks: Sequence[Json]) -> Iterable[ToolEvent]:
    results = {
        str(block.get("tool_use_id")): _status(block) for block in blocks if _is_result(block)
    }
    for block in blocks:
        if _is_call(block):
            yield ToolEvent(_name(block), _asked(block), results.get(str(block.get("id")), ""))


def _asked(block: Json) -> str:
    given = block.get("input")
    if isinstance(given, str):
        return given
    return next((text for name in _ASKED if (text := string(mapping(given).get(name)))), "")


def _status(result: Json) -> str:
    content = mapping(result.get("content"))
    error = string(content.get("error_code"))
    if error is not None:
        return error
    code = content.get("return_code")
    if isinstance(code, int) and code:
        return f"return_code {code}"
    return "error" if result.get("is_error") is True else "completed"


def _refusal(details: Mapping[str, object]) -> str:
    words = [string(details.get("category")), string(details.get("explanation"))]
    return ": ".join(word for word in words if word) or "refused without a stated reason"
