"""The adapter for OpenAI's Responses API. Imports the SDK: load lazily."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, Final, cast

import httpx2
import openai

from relaybench.domain.completion import Completion, StopReason
from relaybench.domain.errors import (
    AuthenticationFailed,
    BackgroundLost,
    MalformedResponse,
    ProviderError,
)
from relaybench.domain.model import ModelConfig
from relaybench.providers.adapter import (
    Received,
    SdkAdapter,
    key_or_none,
    sdk_failure,
    take_in,
)
from relaybench.providers.bodies import body_of
from relaybench.providers.compatible import openai_client
from relaybench.providers.openai_background import Polled, handle_of, wait_for
from relaybench.providers.openai_tools import billed_uses
from relaybench.providers.openai_turns import input_of
from relaybench.providers.protocol import Phase, Request
from relaybench.providers.responses_settings import responses_settings
from relaybench.providers.transport import make_client, timeouts, transport_failure

#: The provider's own address, always said, so that no environment variable can set another.
OFFICIAL_URL: Final = "https://api.openai.com/v1"
#: Seconds without a byte: when starting work in the background, asking for it, calling it off.
START_IDLE_S: Final = 300.0
POLL_IDLE_S: Final = 60.0
CALL_OFF_S: Final = 10.0
_LOG: Final = logging.getLogger(__name__)


class OpenAIProvider(SdkAdapter):
    """Sends prompts to OpenAI or a proxy of its API, each once: streamed or in the background."""

    def __init__(
        self,
        base_url: str | None,
        api_key: str | None,
        *,
        transport: httpx2.AsyncBaseTransport | None = None,
        extra_headers: Mapping[str, str] | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Open a client; ``base_url`` None is the official address, which needs a key.

        ``sleep`` waits so many seconds between two questions for work in the background.
        """
        if api_key is None and base_url is None:
            raise AuthenticationFailed("OpenAI's API needs a key")
        headers = dict(extra_headers or {})
        key = key_or_none(api_key)
        super().__init__(api_key, headers)
        http = make_client(transport)
        self._client = openai_client(base_url or OFFICIAL_URL, key, headers, http)
        self._sleep = sleep

    def settings(self, config: ModelConfig) -> Mapping[str, object]:
        """What a request with this config carries besides the prompt."""
        return responses_settings(config)

    async def aclose(self) -> None:
        """Close connections."""
        await self._client.close()

    async def _send(self, request: Request, received: Received) -> None:
        body = dict(received.settings)
        stored = body["store"] is True
        body["input"] = input_of(request.prompt, request.earlier, stored=stored)
        if request.handle is None:
            await self._start(request, received, body)
        else:
            received.request_json = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
        if received.handle is not None:
            await wait_for(received, lambda: self._poll(received, body), self._sleep)

    async def _start(self, request: Request, received: Received, body: dict[str, object]) -> None:
        """Send the request; sets the handle, kept by the runner, where the work goes on."""
        in_background = body.get("background") is True
        create = cast(Any, self._client.responses.with_streaming_response.create)
        # The rest stands in extra_body: the SDK would rebuild what it believes to know.
        rest = {name: value for name, value in body.items() if name != "stream"}
        try:
            async with create(
                extra_body=rest,
                extra_headers=dict(self._request_headers(request)),
                timeout=timeouts(_idle_s(request.config)),
                **({"stream": True} if "stream" in body else {}),
            ) as response:
                await take_in(response, received)
                if in_background:
                    received.handle = handle_of(received.body)
        except BaseException as error:
            # Where its id has come the work is under way and paid for, though the rest is lost.
            received.handle = handle_of(received.body) if in_background else None
            if received.handle is None or not isinstance(error, Exception):
                raise
        if received.handle is not None:
            await request.on_handle(received.handle)
            received.report(Phase.QUEUED)
            # What came so far is no response yet, and must not be read as a broken one.
            received.status = None
            received.chunks.clear()

    async def _poll(self, received: Received, body: Mapping[str, object]) -> Polled:
        retrieve = cast(Any, self._client.responses.with_streaming_response.retrieve)
        included = {"include": body["include"]} if "include" in body else {}
        try:
            async with retrieve(
                received.handle,
                **included,
                extra_headers=dict(self._request_headers(received.request)),
                timeout=timeouts(POLL_IDLE_S),
            ) as response:
                pieces = [piece async for piece in response.iter_bytes()]
                content_type = response.headers.get("content-type", "")
                return Polled(response.status_code, content_type, b"".join(pieces))
        except (httpx2.RequestError, httpx2.StreamError, OSError) as error:
            failure: ProviderError | None = transport_failure(error, POLL_IDLE_S)
        except openai.OpenAIError as error:
            failure = sdk_failure(openai, openai.OpenAIError, error, POLL_IDLE_S)
        assert failure is not None
        raise failure

    async def _abandon(self, received: Received) -> None:
        calling_off = asyncio.ensure_future(self._call_off(received))
        left: asyncio.CancelledError | None = None
        while not calling_off.done():
            try:
                await asyncio.wait([calling_off])
            except asyncio.CancelledError as error:
                left = error  # it takes 10 s at most, and saves what the work would cost
        if left is not None:
            raise left

    async def _call_off(self, received: Received) -> None:
        cancel = cast(Any, self._client.responses.with_streaming_response.cancel)
        try:
            async with (
                asyncio.timeout(CALL_OFF_S),
                cancel(
                    received.handle,
                    extra_headers=dict(self._request_headers(received.request)),
                    timeout=timeouts(CALL_OFF_S),
                ) as response,
            ):
                await response.read()
        except Exception as error:
            # Not its message, which may echo the key.
            _LOG.info("could not call off %r: %s", received.handle, type(error).__name__)

    def _sdk_failure(self, error: Exception, config: ModelConfig) -> ProviderError | None:
        return sdk_failure(openai, openai.OpenAIError, error, _idle_s(config))

    def _completion(
        self, request: Request, settings: Mapping[str, object], received: Received
    ) -> Completion:
        try:
            completion = super()._completion(request, settings, received)
        except ProviderError as error:
            if error.usage is not None:
                body = body_of(received.body, received.content_type)
                error.tool_fees = billed_uses(request.config, error.tool_fees, body)
            raise
        body = body_of(received.body, received.content_type)
        if body.get("status") == "cancelled":
            raise BackgroundLost(
                f"the response {completion.response_id} was cancelled at the provider",
                http_status=completion.http_status,
                raw=completion.response_raw,
                usage=completion.usage if body.get("usage") else None,
            )
        if completion.stop_reason is StopReason.PENDING:
            raise MalformedResponse(
                f"the server gave a response that is still {completion.raw_stop_reason}, "
                "and nothing to ask for it by",
                http_status=completion.http_status,
                raw=completion.response_raw,
            )
        fees = billed_uses(request.config, completion.tool_fees, body)
        return replace(completion, tool_fees=fees)


def _idle_s(config: ModelConfig) -> float:
    """Seconds without a byte after which sending a request fails."""
    in_background = responses_settings(config).get("background") is True
    return min(config.idle_timeout_s, START_IDLE_S) if in_background else config.idle_timeout_s
