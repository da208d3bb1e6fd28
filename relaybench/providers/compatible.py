"""The adapter for OpenAI-compatible chat completions. Imports the SDK: load lazily."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import httpx2
import openai

from relaybench.domain.completion import wire_bytes
from relaybench.domain.errors import ProviderError
from relaybench.domain.model import ModelConfig
from relaybench.providers.adapter import (
    Received,
    SdkAdapter,
    key_or_none,
    sdk_failure,
    take_in,
)
from relaybench.providers.chat_settings import chat_settings
from relaybench.providers.protocol import Request
from relaybench.providers.reading import read_body
from relaybench.providers.transport import make_client, timeouts


class CompatibleProvider(SdkAdapter):
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
        key = key_or_none(api_key)
        super().__init__(api_key, headers)
        self._client = openai_client(base_url, key, headers, make_client(transport))

    def settings(self, config: ModelConfig) -> Mapping[str, object]:
        """What a request with this config carries besides the prompt."""
        return chat_settings(config)

    async def aclose(self) -> None:
        """Close connections."""
        await self._client.close()

    async def _send(self, request: Request, received: Received) -> None:
        body = dict(received.settings)
        body.pop("instructions", None)  # a message of their own
        # As an extra body it goes out as it is: walking through it along the SDK's types costs as
        # much time as all the rest of a call.
        body["messages"] = messages(request)
        create = cast(Any, self._client.chat.completions.with_streaming_response.create)
        async with create(
            model=body.pop("model"),
            messages=[],
            stream=body.pop("stream"),
            extra_body=body,
            extra_headers=dict(self._request_headers(request)),
            timeout=timeouts(request.config.idle_timeout_s),
        ) as response:
            await take_in(response, received)

    def _sdk_failure(self, error: Exception, config: ModelConfig) -> ProviderError | None:
        return sdk_failure(openai, openai.OpenAIError, error, config.idle_timeout_s)


def messages(request: Request) -> list[dict[str, str]]:
    """The conversation: instructions, the prompt, and the turns so far with what followed them."""
    said = [{"role": "user", "content": request.prompt}]
    if request.config.instructions is not None:
        said.insert(0, {"role": "system", "content": request.config.instructions})
    for turn in request.earlier:
        answer = read_body(wire_bytes(turn.response_raw)).text
        said.append({"role": "assistant", "content": answer})
        if turn.nudge is not None:
            said.append({"role": "user", "content": turn.nudge})
    return said


def openai_client(
    base_url: str, key: str, headers: Mapping[str, str], http: httpx2.AsyncClient
) -> openai.AsyncOpenAI:
    """A client of OpenAI's SDK that takes nothing from the environment and never retries."""
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
