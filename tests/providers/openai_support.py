"""What the tests of the OpenAI adapter share: a scripted server, configs, bodies and streams."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import httpx2

from relaybench.domain.completion import Completion
from relaybench.domain.errors import ProviderError
from relaybench.domain.model import OPENAI, ModelConfig
from relaybench.providers.openai import OpenAIProvider
from relaybench.providers.protocol import Request
from tests.providers.support import ReplayStream

KEY = "sk-planted-0123456789"
JSON = {"content-type": "application/json"}
SSE = {"content-type": "text/event-stream"}
ID = "resp_0123abcd"


@dataclass
class Reply:
    """What the server answers once, or how it fails."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: JSON)
    refuse: Exception | None = None
    failure: Exception | None = None


class Server(httpx2.AsyncBaseTransport):
    """Gives one reply after the other, and the last one for ever."""

    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies)
        self.requests: list[httpx2.Request] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        await request.aread()
        self.requests.append(request)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if reply.refuse is not None:
            raise reply.refuse
        stream = ReplayStream([reply.body], reply.failure)
        return httpx2.Response(reply.status, headers=dict(reply.headers), stream=stream)

    @property
    def calls(self) -> list[str]:
        """Method and path of each request."""
        return [f"{each.method} {each.url.path}" for each in self.requests]

    @property
    def sent(self) -> dict[str, Any]:
        """The body of the first request."""
        body: dict[str, Any] = json.loads(self.requests[0].content)
        return body


class Naps:
    """Stands for sleeping; remembers how long."""

    def __init__(self) -> None:
        self.taken: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.taken.append(seconds)


def config(**changes: Any) -> ModelConfig:
    """A plain config of OpenAI: streamed, no tools."""
    fields: dict[str, Any] = {"name": "gpt", "provider": OPENAI, "model": "gpt-5.5"}
    return ModelConfig(**(fields | changes))


def background(**changes: Any) -> ModelConfig:
    """A config that runs in the background."""
    return config(**({"effort": "xhigh"} | changes))


async def run(
    server: httpx2.AsyncBaseTransport, request: Request, naps: Naps | None = None
) -> Completion | ProviderError:
    """Send one request through the real adapter; give the completion or the error."""
    adapter = OpenAIProvider(None, KEY, transport=server, sleep=naps or Naps())
    try:
        return await adapter.complete(request)
    except ProviderError as error:
        return error
    finally:
        await adapter.aclose()


async def answered(
    server: httpx2.AsyncBaseTransport, request: Request, naps: Naps | None = None
) -> Completion:
    """Send one request that is answered."""
    found = await run(server, request, naps)
    assert isinstance(found, Completion), found
    return found


async def failed(
    server: httpx2.AsyncBaseTransport, request: Request, naps: Naps | None = None
) -> ProviderError:
    """Send one request that fails."""
    found = await run(server, request, naps)
    assert isinstance(found, ProviderError), found
    return found


USAGE = {
    "input_tokens": 100,
    "input_tokens_details": {"cached_tokens": 30, "cache_write_tokens": 20},
    "output_tokens": 40,
    "output_tokens_details": {"reasoning_tokens": 25},
    "total_tokens": 140,
}


def message(text: str = "4", **more: object) -> dict[str, object]:
    """A message item."""
    part = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
    item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed"}
    return item | {"content": [part]} | more


def reasoning(encrypted: str | None = "gAAA", **more: object) -> dict[str, object]:
    """A reasoning item."""
    item = {"type": "reasoning", "id": "rs_1", "summary": []}
    return item | {"encrypted_content": encrypted} | more


def response(
    *output: Mapping[str, object], status: str = "completed", **more: object
) -> dict[str, object]:
    """A response object."""
    body = {"id": ID, "object": "response", "status": status, "model": "gpt-5.5-2026-04-23"}
    whole: dict[str, object] = {"error": None, "incomplete_details": None, "usage": USAGE}
    if status != "completed":
        whole["usage"] = None
    return body | whole | {"output": list(output)} | more


def raw(value: object) -> bytes:
    """JSON bytes."""
    return json.dumps(value).encode()


def reply(value: object, **more: Any) -> Reply:
    """A JSON reply."""
    return Reply(raw(value), **more)


def error(message: str = "no", code: str | None = None, **more: object) -> dict[str, object]:
    """The body of an HTTP error."""
    said: dict[str, object] = {"message": message, "type": "some_error", "code": code}
    return {"error": {**said, **more}}


def events(*each: tuple[str, Mapping[str, object]]) -> bytes:
    """An event stream."""
    lines = (
        f"event: {name}\ndata: {json.dumps({'type': name, 'sequence_number': place, **data})}\n\n"
        for place, (name, data) in enumerate(each)
    )
    return "".join(lines).encode()


def stream(*output: Mapping[str, object], **more: Any) -> bytes:
    """The event stream of a completed response."""
    started = response(status="in_progress")
    items: Sequence[tuple[str, Mapping[str, object]]] = [
        ("response.output_item.done", {"output_index": place, "item": item})
        for place, item in enumerate(output)
    ]
    return events(
        ("response.created", {"response": started}),
        *items,
        ("response.completed", {"response": response(*output, **more)}),
    )


QUEUED = reply(response(status="queued"))
WORKING = reply(response(status="in_progress"))
DONE = reply(response(reasoning(), message()))


class Hanging(httpx2.AsyncByteStream):
    """A body that never comes; ``begun`` is called when it is waited for."""

    def __init__(self, begun: Any) -> None:
        self.begun = begun

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Wait for ever."""
        import asyncio

        self.begun()
        await asyncio.Event().wait()
        yield b""

    async def aclose(self) -> None:
        """Nothing to close."""


START, ASK, CANCEL = (
    "POST /v1/responses",
    f"GET /v1/responses/{ID}",
    f"POST /v1/responses/{ID}/cancel",
)
REQUEST = Request("p", background(tools=("web_search", "code_interpreter")), "c")
AGAIN = replace(REQUEST, handle=ID)
GONE = reply(error(f"Response with id '{ID}' not found."), status=404)
DOWN = reply(error("oops", "server_error"), status=503)


class Kept:
    """Stands for the store: remembers handles, and what the server had been asked by then."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.handles: list[str] = []
        self.calls: list[str] = []

    async def __call__(self, handle: str) -> None:
        self.handles.append(handle)
        self.calls = list(self.server.calls)


class Waiting(Naps):
    """Sleeps for ever at the nth nap, and says so."""

    def __init__(self, at: int = 1) -> None:
        super().__init__()
        self.at = at
        self.asleep = asyncio.Event()

    async def __call__(self, seconds: float) -> None:
        await super().__call__(seconds)
        if len(self.taken) >= self.at:
            self.asleep.set()
            await asyncio.Event().wait()
