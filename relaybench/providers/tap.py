"""An HTTP client that keeps a response for our own readers and spares the SDK from it.

Google's SDK gives no raw body, drops the fields that it does not know and warns of new words, so
it only builds and signs the request. Imports httpx2: load lazily.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any, Final

import httpx2

from relaybench.providers.adapter import Received
from relaybench.providers.transport import timeouts

_CALL: Final[ContextVar[Received | None]] = ContextVar("relaybench_call", default=None)


@contextlib.contextmanager
def tapping(received: Received) -> Iterator[None]:
    """What a ``TappedClient`` sends in this task meanwhile belongs to this call."""
    before = _CALL.set(received)
    try:
        yield
    finally:
        _CALL.reset(before)


class TappedClient(httpx2.AsyncClient):
    """Takes a call's response in piece by piece and returns an empty one in its place."""

    async def send(
        self, request: httpx2.Request, *, stream: bool = False, **more: Any
    ) -> httpx2.Response:
        """Send a request; raises HTTPStatusError, its body read, where it has no success.

        Outside of ``tapping`` this is the usual client.
        """
        received = _CALL.get()
        if received is None:
            return await super().send(request, stream=stream, **more)
        idle_s = received.request.config.idle_timeout_s
        # The SDK can only set one number for all phases, and tells the server of it.
        request.extensions = {**request.extensions, "timeout": timeouts(idle_s).as_dict()}
        received.request_json = request.content.decode("utf-8", "replace")
        response = await super().send(request, stream=True, **more)
        try:
            if not response.is_success:
                await response.aread()
                raise httpx2.HTTPStatusError(
                    f"HTTP {response.status_code}", request=request, response=response
                )
            received.begin(response.status_code, response.headers.get("content-type", ""))
            async with contextlib.aclosing(response.aiter_bytes()) as pieces:
                async for piece in pieces:
                    if received.feed(piece):
                        break
        finally:
            await response.aclose()
        return httpx2.Response(200, request=request)
