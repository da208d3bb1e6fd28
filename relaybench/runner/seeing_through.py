"""Await work that must come to its end, or be known to have none, though we are being cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from relaybench.domain.completion import Completion
from relaybench.domain.errors import MalformedResponse, ProviderError
from relaybench.providers.protocol import Provider, Request

T = TypeVar("T")


async def finish(work: Awaitable[T]) -> T:
    """Await something to its end, however often we are cancelled; the cancellation comes after.

    An exception of the work outweighs the cancellation.
    """
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None and (task.cancelled() or task.exception() is None):
        raise cancelled
    return task.result()


async def response_of(provider: Provider, request: Request) -> Completion:
    """Send a request, once; a response that is there when we are cancelled still counts.

    Raises ProviderError; any other fault of an adapter becomes one, so that it ends an attempt
    and not the run.
    """
    call = asyncio.ensure_future(provider.complete(request))
    left = False
    while not call.done():
        try:
            await asyncio.wait([call])
        except asyncio.CancelledError:
            left = call.cancel() or left
    if left and (call.cancelled() or call.exception() is not None):
        raise asyncio.CancelledError
    try:
        return call.result()
    except ProviderError:
        raise
    except (Exception, asyncio.CancelledError) as error:
        raise MalformedResponse(
            f"the {request.config.provider} adapter failed on this response: "
            f"{type(error).__name__}: {error}"
        ) from error
