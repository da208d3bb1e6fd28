"""Configs and responses of Anthropic's Messages API that its tests share, made by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import httpx2

from relaybench.domain.model import ModelConfig
from relaybench.providers.anthropic import AnthropicProvider
from relaybench.providers.protocol import Request

KEY = "sk-ant-planted-0123456789"
SSE = {"content-type": "text/event-stream; charset=utf-8"}
TOOLS = ("web_search", "web_fetch", "code_execution")


def config(**changes: Any) -> ModelConfig:
    """A plain config of Anthropic's own API."""
    fields: dict[str, Any] = {
        "name": "opus",
        "provider": "anthropic",
        "model": "claude-opus-4-7",
        "key_env": "ANTHROPIC_API_KEY",
    }
    return ModelConfig(**(fields | changes))


def request(prompt: str = "What is 2+2?", **changes: Any) -> Request:
    """A request with a plain config."""
    return Request(prompt, config(**changes), "cell-1")


def provider(transport: httpx2.AsyncBaseTransport, key: str | None = KEY) -> AnthropicProvider:
    """The real adapter on a transport, at the official address."""
    return AnthropicProvider(None, key, transport=transport)


def text(words: str, **more: object) -> dict[str, object]:
    """A text block."""
    return {"type": "text", "text": words} | more


def thinking(words: str = "hm", signature: str = "c2ln") -> dict[str, object]:
    """A thinking block; without a signature where it was cut off."""
    return {"type": "thinking", "thinking": words, "signature": signature}


def call(number: int, name: str = "web_search", **more: object) -> dict[str, object]:
    """A call of a server tool."""
    asked: dict[str, object] = {"query": f"question {number}"}
    return (
        {"type": "server_tool_use", "id": f"srvtoolu_{number}", "name": name}
        | {"input": asked}
        | more
    )


def result(number: int, name: str = "web_search") -> dict[str, object]:
    """The result of a call."""
    found = [{"type": "web_search_result", "url": "https://a.test/", "title": "A"}]
    kind = f"{name}_tool_result"
    return {"type": kind, "tool_use_id": f"srvtoolu_{number}", "content": found}


def message(
    *content: Mapping[str, object], stop: str | None = "end_turn", **more: object
) -> dict[str, Any]:
    """A whole response body."""
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-opus-4-7",
        "content": list(content),
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 3},
    } | more


def event(kind: str, **fields: object) -> bytes:
    """One event of a stream."""
    data = json.dumps({"type": kind} | fields, ensure_ascii=False)
    return f"event: {kind}\ndata: {data}\n\n".encode()


def _block_events(index: int, block: Mapping[str, object]) -> list[bytes]:
    start, deltas = dict(block), []
    match block["type"]:
        case "text":
            words = str(start["text"])
            start["text"] = ""
            half = len(words) // 2
            deltas = [
                {"type": "text_delta", "text": part}
                for part in (words[:half], words[half:])
                if part
            ]
        case "thinking":
            words, signature = str(start["thinking"]), str(start["signature"])
            start |= {"thinking": "", "signature": ""}
            deltas = [{"type": "thinking_delta", "thinking": words}]
            deltas += [{"type": "signature_delta", "signature": signature}] if signature else []
        case "server_tool_use":
            asked = json.dumps(start["input"])
            start["input"] = {}
            deltas = [
                {"type": "input_json_delta", "partial_json": part}
                for part in (asked[:5], asked[5:])
            ]
    return [
        event("content_block_start", index=index, content_block=start),
        *(event("content_block_delta", index=index, delta=delta) for delta in deltas),
        event("content_block_stop", index=index),
    ]


def pieces(whole: Mapping[str, Any], *, done: bool = True) -> list[bytes]:
    """The events by which a whole body would have been streamed."""
    head = dict(whole) | {"content": [], "stop_reason": None}
    head.pop("container", None)
    events = [event("message_start", message=head), event("ping")]
    for index, block in enumerate(whole["content"]):
        events += _block_events(index, block)
    if done:
        delta = {
            name: whole[name]
            for name in ("stop_reason", "stop_sequence", "stop_details", "container")
            if name in whole
        }
        events.append(event("message_delta", delta=delta, usage=whole["usage"]))
        events.append(event("message_stop"))
    return events


def streamed(whole: Mapping[str, Any], *, done: bool = True) -> bytes:
    """The event stream of a whole body."""
    return b"".join(pieces(whole, done=done))


def error_body(kind: str, words: str, **more: object) -> bytes:
    """The body of an error."""
    inner = {"type": kind, "message": words} | more
    return json.dumps({"type": "error", "error": inner, "request_id": "req_1"}).encode()


GOOD = streamed(message(text("4")))
