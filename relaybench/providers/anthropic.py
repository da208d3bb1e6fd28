"""The adapter for Anthropic's Messages API. Imports the SDK: load lazily."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, cast

import anthropic
import httpx2

from relaybench.domain.completion import Completion
from relaybench.domain.errors import AuthenticationFailed, ProviderError
from relaybench.domain.model import ModelConfig
from relaybench.providers.adapter import (
    Received,
    SdkAdapter,
    key_or_none,
    sdk_failure,
    take_in,
)
from relaybench.providers.anthropic_replay import (
    blocks_of_turn,
    container_of,
    messages_of,
    said_before,
)
from relaybench.providers.anthropic_settings import anthropic_settings
from relaybench.providers.bodies import body_of
from relaybench.providers.protocol import Request
from relaybench.providers.reading_anthropic import answer_text_of
from relaybench.providers.transport import make_client, timeouts

#: The provider's own address, always said, so that no environment variable can set another.
OFFICIAL_URL: Final = "https://api.anthropic.com"


class AnthropicProvider(SdkAdapter):
    """Sends prompts to Anthropic or to a proxy of its API, each once, always streamed."""

    def __init__(
        self,
        base_url: str | None,
        api_key: str | None,
        *,
        transport: httpx2.AsyncBaseTransport | None = None,
        extra_headers: Mapping[str, str] | None = None,
    ) -> None:
        """Open a client; ``base_url`` None is the official address, which needs a key."""
        if api_key is None and base_url is None:
            raise AuthenticationFailed("Anthropic's API needs a key")
        headers = dict(extra_headers or {})
        key = key_or_none(api_key)
        super().__init__(api_key, headers)
        self._client = _client(base_url or OFFICIAL_URL, key, headers, make_client(transport))

    def settings(self, config: ModelConfig) -> Mapping[str, object]:
        """What a request with this config carries besides the prompt."""
        return anthropic_settings(config)

    async def aclose(self) -> None:
        """Close connections."""
        await self._client.close()

    async def _send(self, request: Request, received: Received) -> None:
        body = dict(received.settings)
        headers = dict(self._request_headers(request))
        if body.pop("api_key_header", False):
            headers["X-Api-Key"] = str(self._client.api_key)
        earlier = said_before(request.earlier)
        container = container_of(earlier)
        if container is not None:
            body["container"] = container
        create = cast(Any, self._client.messages.with_streaming_response.create)
        async with create(
            max_tokens=body.pop("max_tokens"),
            messages=messages_of(request.prompt, earlier),
            stream=body.pop("stream"),
            # The model stands in extra_body, which outweighs this: the SDK would look it up and
            # warn, at each call, of its age or of how it thinks, which is the config's business.
            model="",
            extra_body=body,
            extra_headers=headers,
            timeout=timeouts(request.config.idle_timeout_s),
        ) as response:
            await take_in(response, received)

    def _sdk_failure(self, error: Exception, config: ModelConfig) -> ProviderError | None:
        return sdk_failure(anthropic, anthropic.AnthropicError, error, config.idle_timeout_s)

    def _completion(
        self, request: Request, settings: Mapping[str, object], received: Received
    ) -> Completion:
        completion = super()._completion(request, settings, received)
        if not request.earlier or request.earlier[-1].nudge is not None:
            return completion
        body = body_of(received.body, received.content_type)
        blocks = blocks_of_turn(said_before(request.earlier), body)
        return replace(completion, answer_text=answer_text_of(blocks))


def _client(
    base_url: str, key: str, headers: Mapping[str, str], http: httpx2.AsyncClient
) -> anthropic.AsyncAnthropic:
    """A client of Anthropic's SDK that takes nothing from the environment and never retries."""
    client = anthropic.AsyncAnthropic(
        api_key=key,  # said, so that no variable, profile or workload identity is looked at
        webhook_key="",
        base_url=base_url,
        default_headers=dict(headers),
        max_retries=0,
        open_telemetry=False,
        http_client=http,
    )
    # The SDK adds ANTHROPIC_CUSTOM_HEADERS, meant for another program than this one; it has no
    # argument that says "none".
    client._custom_headers = dict(headers)
    return client
