"""What the tests of the Google adapter share: chunks of its streams, configs, one call."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import httpx2

from relaybench.domain.errors import ProviderError
from relaybench.domain.model import ModelConfig
from relaybench.providers.google import GoogleProvider
from relaybench.providers.protocol import Request
from tests.providers.support import Replay

KEY = "AIza-planted-0123456789"
SSE = {"content-type": "text/event-stream"}
JSON = {"content-type": "application/json; charset=UTF-8"}
USAGE = {"promptTokenCount": 10, "candidatesTokenCount": 3, "totalTokenCount": 13}


def google_config(**changes: Any) -> ModelConfig:
    """A config of the Gemini API that asks for nothing but a model."""
    fields: dict[str, Any] = {
        "name": "gem",
        "provider": "google",
        "model": "gemini-3.1-pro-preview",
    }
    return ModelConfig(**(fields | changes))


def google_request(prompt: str = "What is 2+2?", **changes: Any) -> Request:
    """A request with such a config."""
    return Request(prompt, google_config(**changes), "cell-1")


def google(transport: httpx2.AsyncBaseTransport, key: str = KEY) -> GoogleProvider:
    """The real adapter on a transport."""
    return GoogleProvider(None, key, transport=transport)


def text(words: str, **more: object) -> dict[str, object]:
    """A part with text."""
    return {"text": words} | more


def chunk(
    *parts: Mapping[str, object],
    finish: str | None = None,
    usage: Mapping[str, object] | None = None,
    **candidate: object,
) -> dict[str, object]:
    """One chunk of a stream."""
    first: dict[str, object] = {"index": 0, **candidate}
    if parts:
        first["content"] = {"parts": list(parts), "role": "model"}
    if finish is not None:
        first["finishReason"] = finish
    made: dict[str, object] = {"candidates": [first], "modelVersion": "served", "responseId": "r1"}
    return made | ({"usageMetadata": usage} if usage is not None else {})


def stream(*chunks: Mapping[str, object]) -> bytes:
    """An event stream of chunks, as ``alt=sse`` gives it."""
    return "".join(f"data: {json.dumps(each)}\r\n\r\n" for each in chunks).encode()


GOOD = stream(chunk(text("4")), chunk(finish="STOP", usage=USAGE))


def replay(*chunks: Mapping[str, object], **more: Any) -> Replay:
    """A transport that answers with a stream of chunks."""
    return Replay(stream(*chunks) if chunks else GOOD, headers=SSE, **more)


async def run(transport: httpx2.AsyncBaseTransport, asked: Request | None = None) -> Any:
    """Send one request through the real adapter; give the completion or the error."""
    adapter = google(transport)
    try:
        return await adapter.complete(asked or google_request())
    except ProviderError as error:
        return error
    finally:
        await adapter.aclose()
