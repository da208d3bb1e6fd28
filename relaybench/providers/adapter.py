"""What all adapters share: one call from request to completion, its limits and its failures.

An SDK builds the request, signs and sends it; the body that comes back is read by our own readers,
byte for byte as it came, so that the store keeps what the provider really said. Imports httpx2:
load lazily.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import httpx2

from relaybench.domain.completion import Completion, Part, PartKind, StopReason, Usage, wire_text
from relaybench.domain.errors import (
    AuthenticationFailed,
    CallTimedOut,
    ModelNotFound,
    PromptBlocked,
    ProviderError,
    RequestRejected,
)
from relaybench.domain.model import ModelConfig
from relaybench.providers.classify import classify_response, clean_message
from relaybench.providers.phases import PhaseWatch
from relaybench.providers.protocol import Phase, Request
from relaybench.providers.reading import read_body
from relaybench.providers.redaction import Redactor
from relaybench.providers.transport import transport_failure

_LOG: Final = logging.getLogger(__name__)
#: A response that broke off after one of these is whole all the same: only usage may be missing.
_WHOLE: Final = frozenset({StopReason.END, StopReason.REFUSAL})
#: Seconds that the last bytes behind the end of a stream may take.
TAIL_S: Final = 0.1
_NO_KEY: Final = "none"
_SECRET_HEADERS: Final = ("auth", "key", "token", "secret", "cookie")


@dataclass(slots=True)
class Received:
    """What has come in so far, also where the call breaks off.

    ``settings`` is what the request carries besides the prompt, ``handle`` names work that goes on
    at the provider whatever becomes of the connection.
    """

    request: Request
    settings: Mapping[str, object]
    request_json: str = ""
    status: int | None = None
    content_type: str = ""
    chunks: list[bytes] = field(default_factory=list, repr=False)  # may echo the key
    handle: str | None = None
    _watch: PhaseWatch | None = None

    @property
    def body(self) -> bytes:
        """The body as far as it has come."""
        return b"".join(self.chunks)

    def begin(self, status: int, content_type: str) -> None:
        """Take the head of a response; what an earlier one brought is forgotten."""
        self.status, self.content_type = status, content_type
        self.chunks.clear()
        self._watch = PhaseWatch(content_type)

    def feed(self, piece: bytes) -> bool:
        """Take the next bytes; returns whether the stream has said that it is at its end."""
        self.chunks.append(piece)
        if self._watch is None:
            return False
        for phase in self._watch.feed(piece):
            self.report(phase)
        return self._watch.done

    def report(self, phase: Phase) -> None:
        """Tell what the call is doing now."""
        try:
            self.request.on_phase(phase)
        except Exception:
            # Progress is for show; an answer that is paid for must not be lost over it.
            _LOG.debug("on_phase failed", exc_info=True)


class SdkAdapter(ABC):
    """One provider behind its SDK. A subclass says how to send, and what its exceptions mean."""

    def __init__(self, api_key: str | None, headers: Mapping[str, str]) -> None:
        """Key and secret headers are kept out of everything that leaves the adapter."""
        self._redactor = Redactor([api_key or "", *_secrets_in(headers)])

    @abstractmethod
    def settings(self, config: ModelConfig) -> Mapping[str, object]:
        """What a request with this config carries besides the prompt."""

    @abstractmethod
    async def aclose(self) -> None:
        """Close connections."""

    @abstractmethod
    async def _send(self, request: Request, received: Received) -> None:
        """Send the request through the SDK and take in the body; raises what the SDK raises."""

    @abstractmethod
    def _sdk_failure(self, error: Exception, config: ModelConfig) -> ProviderError | None:
        """What an exception of the SDK means; None for one that is not the SDK's."""

    def _request_headers(self, request: Request) -> Mapping[str, str]:
        """Headers for one request on top of the usual ones."""
        return {}

    async def _abandon(self, received: Received) -> None:
        """Call off work that goes on at the provider under ``received.handle``."""
        _LOG.debug("nothing to call off for %s", received.handle)

    async def complete(self, request: Request) -> Completion:
        """Send one request, once. Raises ProviderError; cancellation passes untouched."""
        config = request.config
        settings = self.settings(config)
        received = Received(request, settings, handle=request.handle)
        failure: ProviderError | None = None
        received.report(Phase.SENDING)
        total = asyncio.timeout(config.timeout_s)
        try:
            async with total:
                await self._send(request, received)
        except TimeoutError as error:
            failure = (
                CallTimedOut(f"total timeout: the call took longer than {config.timeout_s:g} s")
                if total.expired()
                else transport_failure(error, config.idle_timeout_s)
            )
        except asyncio.CancelledError:
            if received.handle is not None:
                await self._abandon(received)
            raise
        except (httpx2.RequestError, httpx2.StreamError, httpx2.InvalidURL, OSError) as error:
            failure = transport_failure(error, config.idle_timeout_s)
        except UnicodeEncodeError:
            failure = RequestRejected("the prompt holds a lone surrogate, which no JSON can carry")
        except ProviderError as error:
            failure = error
        except Exception as error:
            failure = self._sdk_failure(error, config)
            if failure is None:
                raise
            received.request_json = received.request_json or _request_json(error)
        if received.handle is not None and total.expired():
            await self._abandon(received)
            received.handle = None
        # Raised outside of the handlers and without the frames below: neither the SDK's exception,
        # which holds request and key, nor a body that echoes the key may hang on ours.
        try:
            completion = self._read(request, settings, received, failure)
        except PromptBlocked as error:
            refusal = _refusal(error, request, settings, received)
            return self._redactor.completion(refusal)
        except ProviderError as error:
            failure = error
        else:
            return self._redactor.completion(completion)
        failure.__context__ = failure.__cause__ = None
        failure.request_json, failure.settings_sent = received.request_json, settings
        raise self._redactor.error(failure).with_traceback(None)

    def _read(
        self,
        request: Request,
        settings: Mapping[str, object],
        received: Received,
        failure: ProviderError | None,
    ) -> Completion:
        if failure is not None and (received.status is None or received.status >= 400):
            failure.handle = failure.handle or received.handle
            raise failure
        try:
            completion = self._completion(request, settings, received)
        except ProviderError as error:
            # What the body says for certain outweighs that the connection broke after it.
            if failure is None or error.error_code or error.error_type:
                raise
            failure.usage, failure.raw = error.usage, error.raw
            failure.http_status = received.status
            failure.handle = failure.handle or received.handle
            raise failure from None
        if failure is not None and completion.stop_reason not in _WHOLE:
            failure.usage, failure.raw = completion.usage, completion.response_raw
            failure.http_status = received.status
            failure.handle = failure.handle or received.handle
            raise failure
        return completion

    def _completion(
        self, request: Request, settings: Mapping[str, object], received: Received
    ) -> Completion:
        """Read the body that came; a subclass adds what spans earlier turns."""
        return read_body(
            received.body,
            received.content_type,
            requested_model=request.config.model,
            settings_sent=settings,
            request_json=received.request_json,
            http_status=received.status,
        )


def _refusal(
    error: PromptBlocked, request: Request, settings: Mapping[str, object], received: Received
) -> Completion:
    """A prompt that a safety system refused is an outcome as good as a refusal in an answer."""
    said = str(error)
    return Completion(
        text="",
        stop_reason=StopReason.BLOCKED,
        raw_stop_reason=error.error_code or error.error_type or error.kind,
        usage=error.usage or Usage(),
        requested_model=request.config.model,
        parts=(Part(PartKind.REFUSAL, said),),
        refusal=said,
        settings_sent=settings,
        request_json=received.request_json,
        response_raw=error.raw,
        http_status=error.http_status,
        billed=error.may_be_billed,
    )


def _request_json(error: Exception) -> str:
    """The body of the request on which an SDK or the client reports; empty where none is."""
    try:
        return error.request.content.decode("utf-8", "replace")  # type: ignore[attr-defined, no-any-return]
    except (AttributeError, RuntimeError):  # no request, or one whose body was not read
        return ""


async def take_in(response: Any, received: Received) -> None:
    """Take in a streamed response of an SDK made by Stainless (OpenAI, Anthropic)."""
    received.request_json = response.http_request.content.decode("utf-8", "replace")
    received.begin(response.status_code, response.headers.get("content-type", ""))
    async with contextlib.aclosing(response.iter_bytes()) as pieces:
        async for piece in pieces:
            if received.feed(piece):
                await _drain(pieces)
                break


async def _drain(pieces: AsyncIterator[bytes]) -> None:
    """Read on behind the end of a stream, so that its connection can serve the next call.

    Some servers keep it open without a word: those are not waited for.
    """
    with contextlib.suppress(TimeoutError, httpx2.TransportError):
        async with asyncio.timeout(TAIL_S):
            async for _ in pieces:
                pass


def sdk_failure(
    sdk: Any, base: type[Exception], error: Exception, idle_s: float
) -> ProviderError | None:
    """What an exception of a Stainless SDK means; None where it is no ``base`` of that SDK."""
    if isinstance(error, sdk.APIStatusError):
        return status_failure(error)
    if isinstance(error, sdk.APIConnectionError):
        return transport_failure(error.__cause__ or error, idle_s)
    if isinstance(error, base):
        return RequestRejected(f"the SDK will not send this: {clean_message(str(error))}")
    return None


def status_failure(error: Any) -> ProviderError:
    """What an exception with an HTTP response means."""
    response = error.response
    try:
        body = wire_text(response.content)
    except httpx2.ResponseNotRead:
        body = ""
    failure = classify_response(response.status_code, response.headers, body)
    if isinstance(failure, ModelNotFound) and failure.error_type is failure.error_code is None:
        # No word of the provider on a model: the address itself may be wrong.
        url = response.request.url
        failure.args = (f"{failure} ({url.host}{url.path} is not there; check base_url and model)",)
    return failure


def key_or_none(api_key: str | None) -> str:
    """The key to send, or for None a word that servers which need no key take for one."""
    return _NO_KEY if api_key is None else usable_key(api_key)


def usable_key(api_key: str) -> str:
    """Return a key that can stand in a header; raises AuthenticationFailed for any other."""
    if not (api_key.isascii() and api_key.isprintable() and api_key):
        raise AuthenticationFailed("the API key is empty or has characters that no key has")
    return api_key


def _secrets_in(headers: Mapping[str, str]) -> list[str]:
    """Values of headers that carry a secret by their name."""
    return [
        value
        for name, value in headers.items()
        if any(word in name.lower() for word in _SECRET_HEADERS)
    ]
