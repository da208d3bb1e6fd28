"""The adapter for OpenAI-compatible chat completions. Imports the SDK: load lazily.

The SDK builds the request, signs and sends it; the body that comes back is read by our own
readers, byte for byte as it came, so that the store keeps what the provider really said.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

import httpx2
import openai

from relaybench.domain.completion import Completion, StopReason
from relaybench.domain.errors import (
    AuthenticationFailed,
    CallTimedOut,
    ModelNotFound,
    ProviderError,
    RequestRejected,
)
from relaybench.domain.model import ModelConfig
from relaybench.providers.chat_settings import chat_settings
from relaybench.providers.classify import classify_response, clean_message
from relaybench.providers.phases import PhaseWatch
from relaybench.providers.protocol import Phase, Request
from relaybench.providers.reading import read_body
from relaybench.providers.redaction import Redactor
from relaybench.providers.transport import make_client, timeouts, transport_failure

_LOG: Final = logging.getLogger(__name__)
_NO_KEY: Final = "none"  # local servers take any
#: A response that broke off after one of these is whole all the same: only usage may be missing.
_WHOLE: Final = frozenset({StopReason.END, StopReason.REFUSAL})
_SECRET_HEADERS: Final = ("auth", "key", "token", "secret", "cookie")


@dataclass(slots=True)
class _Received:
    """What has come in so far, also where the call breaks off."""

    request_json: str = ""
    status: int | None = None
    content_type: str = ""
    chunks: list[bytes] = field(default_factory=list, repr=False)  # may echo the key

    @property
    def body(self) -> bytes:
        return b"".join(self.chunks)


class CompatibleProvider:
    """Sends prompts to one OpenAI-compatible server, each once: no retries, no redirects."""

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        *,
        transport: httpx2.AsyncBaseTransport | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Open a client; ``api_key`` None is for servers that need none."""
        headers = dict(extra_headers or {})
        if api_key is not None and not (api_key.isascii() and api_key.isprintable() and api_key):
            raise AuthenticationFailed("the API key is empty or has characters that no key has")
        self._redactor = Redactor(
            [api_key or "", *(v for n, v in headers.items() if _secret_header(n))]
        )
        self._client = _client(base_url, api_key or _NO_KEY, headers, make_client(transport))

    def settings(self, config: ModelConfig) -> Mapping[str, object]:
        """What a request with this config carries besides the prompt."""
        return chat_settings(config)

    async def complete(self, request: Request) -> Completion:
        """Send one request, once. Raises ProviderError; cancellation passes untouched."""
        config = request.config
        settings = self.settings(config)
        received = _Received()
        failure: ProviderError | None = None
        _report(request, Phase.SENDING)
        total = asyncio.timeout(config.timeout_s)
        try:
            async with total:
                await self._receive(request, received)
        except TimeoutError as error:
            failure = (
                CallTimedOut(f"total timeout: the call took longer than {config.timeout_s:g} s")
                if total.expired()
                else transport_failure(error, config.idle_timeout_s)
            )
        except openai.APIStatusError as error:
            failure = _status_failure(error)
        except openai.APIConnectionError as error:
            failure = transport_failure(error.__cause__ or error, config.idle_timeout_s)
        except openai.OpenAIError as error:
            failure = RequestRejected(f"the SDK will not send this: {clean_message(str(error))}")
        except (httpx2.RequestError, httpx2.StreamError, httpx2.InvalidURL, OSError) as error:
            failure = transport_failure(error, config.idle_timeout_s)
        except UnicodeEncodeError:
            failure = RequestRejected("the prompt holds a lone surrogate, which no JSON can carry")
        # Raised outside of the handlers and without the frames below: neither the SDK's exception,
        # which holds request and key, nor a body that echoes the key may hang on ours.
        try:
            completion = self._read(config, settings, received, failure)
        except ProviderError as error:
            failure = error
        else:
            return self._redactor.completion(completion)
        failure.__context__ = failure.__cause__ = None
        raise self._redactor.error(failure).with_traceback(None)

    async def aclose(self) -> None:
        """Close connections."""
        await self._client.close()

    def _request_headers(self, request: Request) -> Mapping[str, str]:
        """Headers for one request on top of the usual ones."""
        return {}

    def _body(self, config: ModelConfig) -> dict[str, object]:
        """What goes into the body besides the messages."""
        return chat_settings(config)

    async def _receive(self, request: Request, received: _Received) -> None:
        body = self._body(request.config)
        create = cast(Any, self._client.chat.completions.with_streaming_response.create)
        async with create(
            model=body.pop("model"),
            messages=[{"role": "user", "content": request.prompt}],
            stream=body.pop("stream"),
            extra_body=body,
            extra_headers=dict(self._request_headers(request)),
            timeout=timeouts(request.config.idle_timeout_s),
        ) as response:
            received.request_json = response.http_request.content.decode("utf-8", "replace")
            received.status = response.status_code
            received.content_type = response.headers.get("content-type", "")
            watch = PhaseWatch(received.content_type)
            async with contextlib.aclosing(response.iter_bytes()) as pieces:
                async for piece in pieces:
                    received.chunks.append(piece)
                    for phase in watch.feed(piece):
                        _report(request, phase)
                    if watch.done:
                        break  # some servers keep the connection open after [DONE]

    def _read(
        self,
        config: ModelConfig,
        settings: Mapping[str, object],
        received: _Received,
        failure: ProviderError | None,
    ) -> Completion:
        if failure is not None and received.status is None:
            raise failure
        try:
            completion = read_body(
                received.body,
                received.content_type,
                requested_model=config.model,
                settings_sent=settings,
                request_json=received.request_json,
                http_status=received.status,
            )
        except ProviderError as error:
            # What the body says for certain outweighs that the connection broke after it.
            if failure is None or error.error_code or error.error_type:
                raise
            failure.usage, failure.raw = error.usage, error.raw
            failure.http_status = received.status
            raise failure from None
        if failure is not None and completion.stop_reason not in _WHOLE:
            failure.usage, failure.raw = completion.usage, completion.response_raw
            failure.http_status = received.status
            raise failure
        return completion


def _client(
    base_url: str, key: str, headers: Mapping[str, str], http: httpx2.AsyncClient
) -> openai.AsyncOpenAI:
    client = openai.AsyncOpenAI(
        api_key=key,
        admin_api_key="",
        webhook_secret="",
        base_url=base_url,
        default_headers=dict(headers),
        max_retries=0,
        http_client=http,
    )
    # The SDK takes these from OPENAI_ORG_ID, OPENAI_PROJECT_ID and OPENAI_CUSTOM_HEADERS, meant
    # for another server than this one; it has no argument that says "none".
    client.organization = None
    client.project = None
    client._custom_headers = dict(headers)
    return client


def _status_failure(error: openai.APIStatusError) -> ProviderError:
    response = error.response
    try:
        body = response.content.decode("utf-8", "surrogateescape")
    except httpx2.ResponseNotRead:
        body = ""
    failure = classify_response(response.status_code, response.headers, body)
    if isinstance(failure, ModelNotFound) and failure.error_type is failure.error_code is None:
        # No word of the provider on a model: the address itself may be wrong.
        url = response.request.url
        failure.args = (f"{failure} ({url.host}{url.path} is not there; check base_url and model)",)
    return failure


def _secret_header(name: str) -> bool:
    return any(word in name.lower() for word in _SECRET_HEADERS)


def _report(request: Request, phase: Phase) -> None:
    try:
        request.on_phase(phase)
    except Exception:
        # Progress is for show; an answer that is paid for must not be lost over it.
        _LOG.debug("on_phase failed", exc_info=True)
