"""Puts a simulated answer on the wire, as a JSON body or as a stream cut at odd places."""

from __future__ import annotations

import hashlib
import json
from typing import Final

from relaybench.providers.simulated_model import Answer

_CREATED: Final = 1_767_225_600  # 2026-01-01: a fixed time, so that equal cells give equal bytes
_DELTA_CHARS: Final = 48


def json_body(said: Answer, model: str, cell: str) -> dict[str, object]:
    """The answer as a whole chat completion."""
    message: dict[str, object] = {"role": "assistant", "content": said.content or None}
    if said.reasoning:
        message[said.reasoning_field] = said.reasoning
    message["refusal"] = said.refusal or None
    choice = {"index": 0, "message": message, "finish_reason": said.finish_reason}
    head = _head("chat.completion", model, cell)
    return {**head, "choices": [choice], "usage": _usage(said)}


def sse_pieces(said: Answer, model: str, cell: str) -> list[bytes]:
    """The answer as an event stream, in pieces that split events and characters."""
    head = _head("chat.completion.chunk", model, cell)
    deltas: list[dict[str, object]] = [{"role": "assistant", "content": ""}]
    deltas += [{said.reasoning_field: text} for text in _cut(said.reasoning)]
    deltas += [{"content": text} for text in _cut(said.content)]
    deltas += [{"refusal": text} for text in _cut(said.refusal)]
    chunks = [{**head, "choices": [_choice(delta, None)]} for delta in deltas]
    chunks.append({**head, "choices": [_choice({}, said.finish_reason)]})
    chunks.append({**head, "choices": [], "usage": _usage(said)})
    lines = [f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n" for chunk in chunks]
    body = "".join([": SIMULATED PROCESSING\n\n", *lines, "data: [DONE]\n\n"]).encode()
    # About twenty pieces, of a length that has nothing to do with where events end.
    size = max(61, len(body) // 20 | 1)
    return [body[start : start + size] for start in range(0, len(body), size)]


def _head(kind: str, model: str, cell: str) -> dict[str, object]:
    digest = hashlib.sha256(f"{model}\0{cell}".encode("utf-8", "surrogatepass")).hexdigest()
    return {"id": f"sim-{digest[:24]}", "object": kind, "created": _CREATED, "model": model}


def _choice(delta: dict[str, object], finish_reason: str | None) -> dict[str, object]:
    return {"index": 0, "delta": delta, "finish_reason": finish_reason}


def _cut(text: str) -> list[str]:
    return [text[start : start + _DELTA_CHARS] for start in range(0, len(text), _DELTA_CHARS)]


def _usage(said: Answer) -> dict[str, object]:
    return {
        "prompt_tokens": said.prompt_tokens,
        "completion_tokens": said.output_tokens,
        "total_tokens": said.prompt_tokens + said.output_tokens,
        "prompt_tokens_details": {"cached_tokens": said.cached_tokens},
        "completion_tokens_details": {"reasoning_tokens": said.reasoning_tokens},
    }
