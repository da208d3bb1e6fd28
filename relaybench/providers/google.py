"""The adapter for Google's generateContent (Gemini Developer API). Imports the SDK: load lazily."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import httpx2
from google import genai
from google.genai import errors, types
from google.genai.client import DebugConfig

from relaybench.domain.completion import Completion, StopReason
from relaybench.domain.errors import (
    AuthenticationFailed,
    ProviderError,
    RequestRejected,
    ServerFault,
    SettingRejected,
)
from relaybench.domain.model import ModelConfig
from relaybench.providers.adapter import (
    Received,
    SdkAdapter,
    status_failure,
    usable_key,
)
from relaybench.providers.classify import clean_message
from relaybench.providers.google_settings import google_settings
from relaybench.providers.google_turns import (
    contents_of,
    continuation_token,
    parts_of,
    paused_parts,
    token_in,
)
from relaybench.providers.protocol import Request
from relaybench.providers.reading_google import answer_text_of
from relaybench.providers.tap import TappedClient, tapping
from relaybench.providers.transport import make_client

BASE_URL: Final = "https://generativelanguage.googleapis.com"
#: Ends that say that this generation went wrong, not that the model or a filter chose to stop.
#: RECITATION and the safety reasons are missing on purpose: trying a filter again until it lets
#: an answer through would measure something else.
BROKEN: Final = frozenset(
    {
        "OTHER",
        "MALFORMED_RESPONSE",
        "MALFORMED_FUNCTION_CALL",
        "UNEXPECTED_TOOL_CALL",
        "MISSING_THOUGHT_SIGNATURE",
    }
)
_EPHEMERAL: Final = "auth_tokens/"

# Without a handler Python prints the SDK's warnings on stderr, in the middle of a screen; one of
# them says that a key of the environment is used, which is not so.
logging.getLogger("google_genai").addHandler(logging.NullHandler())


class GoogleProvider(SdkAdapter):
    """Sends prompts to the Gemini API, each once: no retries, no continuations of the SDK's own."""

    def __init__(
        self,
        base_url: str | None,
        api_key: str | None,
        *,
        transport: httpx2.AsyncBaseTransport | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Open a client; ``base_url`` None is Google's own."""
        headers = dict(extra_headers or {})
        key = usable_key(api_key or "")
        if key.startswith(_EPHEMERAL):
            raise AuthenticationFailed(
                "this is a short-lived token for Google's live API; an API key is needed here"
            )
        super().__init__(key, headers)
        self._http = make_client(transport, TappedClient)
        # The SDK would open one of its own that it never uses, and load the certificates for it.
        self._unused = httpx2.Client(transport=httpx2.BaseTransport())
        self._client = _sdk_client(base_url or BASE_URL, key, headers, self._http, self._unused)

    def settings(self, config: ModelConfig) -> Mapping[str, object]:
        """What a request with this config carries besides the prompt."""
        return google_settings(config)

    async def aclose(self) -> None:
        """Close connections."""
        await self._client.aio.aclose()
        self._client.close()
        # The SDK leaves clients open that it was given.
        self._unused.close()
        await self._http.aclose()

    async def _send(self, request: Request, received: Received) -> None:
        body = dict(received.settings)
        model, version = str(body.pop("model")), str(body.pop("api_version"))
        request.prompt.encode()  # the SDK would send a lone surrogate as an escape
        body["contents"] = contents_of(request.prompt, request.earlier)
        if token := continuation_token(request.earlier):
            body["continuationToken"] = token
        # As an extra body everything goes out as it is: the SDK's own types know neither all
        # settings nor all kinds of parts, and drop what they don't know.
        config = types.GenerateContentConfig(
            automatic_continuation=False,
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
            http_options=types.HttpOptions(
                api_version=version,
                headers=dict(self._request_headers(request)),
                extra_body=body,
            ),
        )
        with tapping(received):
            stream = await self._client.aio.models.generate_content_stream(
                model=model, contents=request.prompt, config=config
            )
            async for _ in stream:
                pass  # nothing comes: the response went to ``received``

    def _sdk_failure(self, error: Exception, config: ModelConfig) -> ProviderError | None:
        if isinstance(error, httpx2.HTTPStatusError):
            return status_failure(error)
        if isinstance(error, errors.APIError | ValueError):
            return RequestRejected(f"the SDK will not send this: {clean_message(str(error))}")
        return None

    def _completion(
        self, request: Request, settings: Mapping[str, object], received: Received
    ) -> Completion:
        completion = super()._completion(request, settings, received)
        ended = (completion.raw_stop_reason or "").upper()
        if ended in BROKEN and not completion.final_text.strip():
            raise ServerFault(
                f"the generation broke off without an answer ({completion.raw_stop_reason})",
                http_status=completion.http_status,
                error_type=completion.raw_stop_reason,
                raw=completion.response_raw,
                usage=completion.usage,
            )
        if completion.stop_reason is StopReason.PAUSE:
            token = token_in(completion.response_raw)
            if token is None or token == continuation_token(request.earlier):
                # Nothing to go on with, or the same piece over again: this is all there is.
                completion = replace(completion, stop_reason=StopReason.MAX_TOKENS)
        if paused := paused_parts(request.earlier):
            whole = paused + parts_of(completion.response_raw)
            completion = replace(completion, answer_text=answer_text_of(whole))
        return completion


def _sdk_client(
    base_url: str,
    key: str,
    headers: Mapping[str, str],
    http: httpx2.AsyncClient,
    unused: httpx2.Client,
) -> genai.Client:
    """A client of Google's SDK that takes nothing from the environment and never retries."""
    clients: dict[str, Any] = {"httpx_async_client": http, "httpx_client": unused}
    # For the live API, unused here; the SDK would load all certificates for it (60 ms).
    no_sockets = {"ssl": ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)}
    try:
        return genai.Client(
            enterprise=False,
            vertexai=False,
            api_key=key,
            debug_config=DebugConfig(client_mode=None, replays_directory=None, replay_id=None),
            http_options=types.HttpOptions(
                base_url=base_url,
                api_version="v1beta",
                headers=dict(headers),
                retry_options=types.HttpRetryOptions(attempts=1),
                async_client_args=no_sockets,
                **clients,
            ),
        )
    except ImportError:
        # Read by the SDK whatever it is given; it changes nothing else here.
        raise SettingRejected(
            "the environment variable GOOGLE_GENAI_HTTP_CLIENT names an HTTP client that is not "
            "installed; unset it"
        ) from None
