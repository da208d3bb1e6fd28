"""The simulated model over chat completions: a JSON body, or a stream of chunks. Pure."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

from relaybench.domain.completion import Usage
from relaybench.providers.pieces import Json, listing, mapping
from relaybench.providers.simulated_exchange import (
    CREATED,
    EVENT_STREAM,
    JSON,
    Objection,
    Reply,
    in_deltas,
)
from relaybench.providers.simulated_model import Answer, answer, nudged, tokens_of
from relaybench.providers.simulated_script import Scene


def prompt_in(body: Json) -> str:
    """The prompt of a request: what the user said first."""
    return next(iter(_said(body, "user")), "")


def reply(body: Json, scene: Scene) -> Reply:
    """The response to a request; raises Objection where a conversation does not fit."""
    turn = max(0, len(_said(body, "user")) - 1)
    model, cell, temper = scene.model, scene.cell, scene.temper
    if turn == 0:
        said = answer(scene.prompt, scene.key, temper, model, cell)
    else:
        if len(_said(body, "assistant")) != turn:
            raise Objection("messages: an assistant message must stand before each nudge")
        said = nudged(scene.prompt, scene.key, temper, model, cell, turn)
        cell = f"{cell}#{turn}"
        whole = tokens_of(json.dumps(body.get("messages"), ensure_ascii=False))
        said = replace(said, prompt_tokens=whole, cached_tokens=min(said.cached_tokens, whole))
    usage = Usage(
        input=said.prompt_tokens - said.cached_tokens,
        cached_input=said.cached_tokens,
        output=said.output_tokens,
        reasoning=said.reasoning_tokens,
    )
    if body.get("stream"):
        return Reply(sse_body(said, model, cell), EVENT_STREAM, usage, turn=turn)
    text = json.dumps(json_body(said, model, cell), ensure_ascii=False, separators=(",", ":"))
    return Reply(text.encode(), JSON, usage, turn=turn)


def _said(body: Json, role: str) -> list[str]:
    messages = [mapping(message) for message in listing(body.get("messages"))]
    return [str(message.get("content")) for message in messages if message.get("role") == role]


def json_body(said: Answer, model: str, cell: str) -> dict[str, object]:
    """The answer as a whole chat completion."""
    message: dict[str, object] = {"role": "assistant", "content": said.content or None}
    if said.reasoning:
        message[said.reasoning_field] = said.reasoning
    message["refusal"] = said.refusal or None
    choice = {"index": 0, "message": message, "finish_reason": said.finish_reason}
    head = _head("chat.completion", model, cell)
    return {**head, "choices": [choice], "usage": _usage(said)}


def sse_body(said: Answer, model: str, cell: str) -> bytes:
    """The answer as an event stream."""
    head = _head("chat.completion.chunk", model, cell)
    deltas: list[dict[str, object]] = [{"role": "assistant", "content": ""}]
    deltas += [{said.reasoning_field: text} for text in in_deltas(said.reasoning)]
    deltas += [{"content": text} for text in in_deltas(said.content)]
    deltas += [{"refusal": text} for text in in_deltas(said.refusal)]
    chunks = [{**head, "choices": [_choice(delta, None)]} for delta in deltas]
    chunks.append({**head, "choices": [_choice({}, said.finish_reason)]})
    chunks.append({**head, "choices": [], "usage": _usage(said)})
    lines = [f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n" for chunk in chunks]
    return "".join([": SIMULATED PROCESSING\n\n", *lines, "data: [DONE]\n\n"]).encode()


def _head(kind: str, model: str, cell: str) -> dict[str, object]:
    digest = hashlib.sha256(f"{model}\0{cell}".encode("utf-8", "surrogatepass")).hexdigest()
    return {"id": f"sim-{digest[:24]}", "object": kind, "created": CREATED, "model": model}


def _choice(delta: dict[str, object], finish_reason: str | None) -> dict[str, object]:
    return {"index": 0, "delta": delta, "finish_reason": finish_reason}


def _usage(said: Answer) -> dict[str, object]:
    return {
        "prompt_tokens": said.prompt_tokens,
        "completion_tokens": said.output_tokens,
        "total_tokens": said.prompt_tokens + said.output_tokens,
        "prompt_tokens_details": {"cached_tokens": said.cached_tokens},
        "completion_tokens_details": {"reasoning_tokens": said.reasoning_tokens},
    }
