"""What the tests of the providers share: recorded bodies, a transport that replays, requests."""

from __future__ import annotations

import json
import os
import traceback
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx2
import pytest

from relaybench.domain.errors import ProviderError
from relaybench.domain.model import ModelConfig
from relaybench.providers.compatible import CompatibleProvider
from relaybench.providers.protocol import Request

SHARED = Path(
    os.environ.get("RELAYBENCH_SHARED") or Path(__file__).resolve().parents[2].parent / "shared"
)
WIRE = SHARED / "wire"

needs_wire = pytest.mark.skipif(
    not (WIRE / "expected.json").is_file(),
    reason=f"recorded responses are not at {WIRE} (set RELAYBENCH_SHARED)",
)


def expected(prefix: str = "") -> dict[str, dict[str, Any]]:
    """Expected readings by file; empty where the recordings are absent."""
    if not (WIRE / "expected.json").is_file():
        return {}
    entries: dict[str, dict[str, Any]] = json.loads((WIRE / "expected.json").read_text("utf-8"))
    return {name: entry for name, entry in entries.items() if name.startswith(prefix)}


class Replay(httpx2.AsyncBaseTransport):
    """Answers every request with one status, headers and pieces of a body, then may fail."""

    def __init__(
        self,
        body: bytes | Sequence[bytes] = b"",
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        failure: Exception | None = None,
        refuse: Exception | None = None,
    ) -> None:
        self.pieces = [body] if isinstance(body, bytes) else list(body)
        self.status = status
        self.headers = dict(headers or {})
        self.failure = failure
        self.refuse = refuse
        self.requests: list[httpx2.Request] = []
        self.streams: list[ReplayStream] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        await request.aread()
        self.requests.append(request)
        if self.refuse is not None:
            raise self.refuse
        stream = ReplayStream(self.pieces, self.failure)
        self.streams.append(stream)
        return httpx2.Response(self.status, headers=self.headers, stream=stream)

    @property
    def sent(self) -> dict[str, Any]:
        """The body of the only request."""
        assert len(self.requests) == 1
        body: dict[str, Any] = json.loads(self.requests[0].content)
        return body


class ReplayStream(httpx2.AsyncByteStream):
    """A body in pieces that may break after the last one; remembers being closed."""

    def __init__(self, pieces: Sequence[bytes], failure: Exception | None) -> None:
        self.pieces = pieces
        self.failure = failure
        self.closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Give the pieces, then break where asked to."""
        for piece in self.pieces:
            yield piece
        if self.failure is not None:
            raise self.failure

    async def aclose(self) -> None:
        self.closed = True


def config(**changes: Any) -> ModelConfig:
    """A plain config of a compatible server."""
    fields: dict[str, Any] = {
        "name": "local",
        "provider": "compatible",
        "model": "test-model",
        "base_url": "http://server.test/v1",
    }
    return ModelConfig(**(fields | changes))


def provider(transport: httpx2.AsyncBaseTransport, key: str | None = None) -> CompatibleProvider:
    """The real adapter on a transport."""
    return CompatibleProvider("http://server.test/v1", key, transport=transport)


def request(prompt: str = "What is 2+2?", **changes: Any) -> Request:
    """A request with a plain config."""
    return Request(prompt, config(**changes), "cell-1")


def chunk(
    content: str | None = None, finish_reason: str | None = None, **more: object
) -> dict[str, object]:
    """One chunk of a stream."""
    delta = {} if content is None else {"content": content}
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return {"id": "c1", "object": "chat.completion.chunk", "choices": [choice]} | more


def stream(*chunks: Mapping[str, object], done: bool = True) -> bytes:
    """An event stream of chunks."""
    body = "".join(f"data: {json.dumps(each)}\n\n" for each in chunks)
    return (body + ("data: [DONE]\n\n" if done else "")).encode()


def body(content: object = "4", finish_reason: object = "stop", **more: object) -> dict[str, Any]:
    """A whole chat completion."""
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": content},
        "finish_reason": finish_reason,
    }
    return {"id": "c1", "model": "served", "choices": [choice]} | more


def raw(value: object) -> bytes:
    """JSON bytes."""
    return json.dumps(value).encode()


USAGE = {
    "prompt_tokens": 10,
    "completion_tokens": 3,
    "total_tokens": 13,
    "prompt_tokens_details": {"cached_tokens": 4},
}
GOOD_STREAM = stream(chunk("4"), chunk(None, "stop"), {"choices": [], "usage": USAGE})


def assert_key_not_in(error: ProviderError, key: str) -> None:
    """Neither an error, nor what hangs on it, nor the locals of relaybench's frames hold a key.

    The locals of tests and of pytest do hold it.
    """
    ours = traceback.StackSummary.extract(
        (
            (frame, line)
            for frame, line in traceback.walk_tb(error.__traceback__)
            if "/relaybench/" in frame.f_code.co_filename
        ),
        capture_locals=True,
    )
    assert key not in "".join(ours.format())
    assert key not in repr(error) + str(error) + repr(vars(error)) + repr(error.args)
    assert error.__context__ is None
    assert error.__cause__ is None
