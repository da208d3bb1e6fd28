"""The Anthropic adapter on a transport of ours: what it sends, and what every failure becomes."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator
from typing import Any

import anthropic
import httpx2
import pytest

from relaybench.domain.completion import StopReason
from relaybench.domain.errors import (
    AuthenticationFailed,
    CallTimedOut,
    ConnectionBroken,
    ConnectionFailed,
    FaultScope,
    MalformedResponse,
    ModelNotFound,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    RequestRejected,
    ServerFault,
    SettingRejected,
)
from relaybench.domain.model import ModelConfig
from relaybench.providers.protocol import Request
from relaybench.providers.registry import open_provider
from tests.providers.anthropic_samples import (
    GOOD,
    KEY,
    SSE,
    TOOLS,
    config,
    error_body,
    event,
    message,
    pieces,
    provider,
    request,
    streamed,
    text,
)
from tests.providers.support import WIRE, Replay, expected, needs_wire


async def run(transport: httpx2.AsyncBaseTransport, asked: Request | None = None) -> Any:
    """Send one request through the real adapter; give the completion or the error."""
    adapter = provider(transport)
    try:
        return await adapter.complete(asked or request())
    except ProviderError as error:
        return error
    finally:
        await adapter.aclose()


# --- what is sent ---------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_a_call_from_end_to_end() -> None:
    transport = Replay(GOOD, headers=SSE)
    completion = await run(transport)
    assert completion.text == completion.final_text == "4"
    assert completion.stop_reason is StopReason.END
    assert (completion.usage.input, completion.usage.output) == (10, 3)
    assert completion.requested_model == completion.served_model == "claude-opus-4-7"
    assert completion.response_id == "msg_1"
    assert completion.billed
    assert completion.response_raw == GOOD.decode()
    assert completion.request_json.encode() == transport.requests[0].content
    assert str(transport.requests[0].url) == "https://api.anthropic.com/v1/messages"
    assert transport.requests[0].headers["anthropic-version"] == "2026-10-21"


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"effort": "max"},
        {"max_output_tokens": 99, "instructions": "Be exact."},
        {"tools": TOOLS, "blocked_domains": ("a.test",)},
        {"tools": ("web_search",), "options": {"max_uses": {"web_search": 3}, "cache": "1h"}},
        {"model": "claude-haiku-4-5"},
        # The SDK would warn of the age of these, and of how the last one thinks.
        {"model": "claude-sonnet-4-5", "tools": TOOLS},
        {"model": "claude-opus-4-5-20251101", "effort": "high"},
        {"model": "claude-opus-4-6", "options": {"thinking": "enabled"}},
    ],
)
async def test_the_body_is_the_settings_and_the_prompt(changes: dict[str, Any]) -> None:
    asked = config(**changes)
    transport = Replay(GOOD, headers=SSE)
    completion = await run(transport, Request("p", asked, "c"))
    body = transport.sent
    assert body.pop("messages") == [{"role": "user", "content": "p"}]
    assert body == completion.settings_sent == provider(transport).settings(asked)


@pytest.mark.asyncio
async def test_the_prompt_goes_out_byte_for_byte() -> None:
    prompt = '  \r\n<AvY> {{x}} é😀\u2028\0\x1b[31m \\n "q" \u202e\n\n'
    transport = Replay(GOOD, headers=SSE)
    await run(transport, request(prompt))
    assert transport.sent["messages"] == [{"role": "user", "content": prompt}]


@pytest.mark.asyncio
async def test_what_cannot_be_honoured_is_refused_before_it_is_sent() -> None:
    transport = Replay(GOOD, headers=SSE)
    error = await run(transport, request(options={"temperature": 0}))
    assert type(error) is SettingRejected
    assert transport.requests == []


@pytest.mark.asyncio
async def test_a_lone_surrogate_in_a_prompt_is_refused_before_it_is_sent() -> None:
    transport = Replay(GOOD, headers=SSE)
    error = await run(transport, request("\ud800"))
    assert type(error) is RequestRejected
    assert transport.requests == []


@pytest.mark.asyncio
@pytest.mark.parametrize(("asked", "sent"), [(True, KEY), (False, None)])
async def test_a_proxy_may_want_the_key_in_another_header(asked: bool, sent: str | None) -> None:
    transport = Replay(GOOD, headers=SSE)
    completion = await run(transport, request(options={"api_key_header": asked}))
    headers = transport.requests[0].headers
    assert headers["authorization"] == f"Bearer {KEY}"
    assert headers.get("x-api-key") == sent
    assert completion.settings_sent.get("api_key_header") == (asked or None)
    assert "api_key_header" not in transport.sent
    assert KEY not in completion.request_json


@pytest.mark.asyncio
async def test_the_registry_opens_it_at_the_configured_address() -> None:
    transport = Replay(GOOD, headers=SSE)
    asked: ModelConfig = config(base_url="http://proxy.test/claude")
    adapter = await open_provider(asked, {"ANTHROPIC_API_KEY": KEY}, transport=transport)
    await adapter.complete(Request("p", asked, "c"))
    await adapter.aclose()
    assert str(transport.requests[0].url) == "http://proxy.test/claude/v1/messages"


# --- errors ---------------------------------------------------------------------------------

LIMITS = {
    "retry-after": "16",
    "x-should-retry": "true",
    "anthropic-ratelimit-input-tokens-remaining": "0",
}


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("status", "kind_of_error", "headers", "kind", "scope", "wait"),
    [
        (400, "invalid_request_error", {}, RequestRejected, FaultScope.ATTEMPT, None),
        (401, "authentication_error", {}, AuthenticationFailed, FaultScope.PROVIDER, None),
        (402, "billing_error", {}, QuotaExhausted, FaultScope.PROVIDER, None),
        (403, "permission_error", {}, AuthenticationFailed, FaultScope.PROVIDER, None),
        (404, "not_found_error", {}, ModelNotFound, FaultScope.CONFIG, None),
        (413, "request_too_large", {}, RequestRejected, FaultScope.ATTEMPT, None),
        (429, "rate_limit_error", LIMITS, RateLimited, FaultScope.CALL, 16.0),
        (429, "rate_limit_error", {}, RateLimited, FaultScope.CALL, None),
        (500, "api_error", {}, ServerFault, FaultScope.CALL, None),
        (503, "api_error", {"retry-after": "2.5"}, ServerFault, FaultScope.CALL, 2.5),
        (504, "timeout_error", {}, ServerFault, FaultScope.CALL, None),
        (529, "overloaded_error", {"x-should-retry": "true"}, ServerFault, FaultScope.CALL, None),
    ],
)
async def test_every_class_of_error(
    status: int,
    kind_of_error: str,
    headers: dict[str, str],
    kind: type[ProviderError],
    scope: FaultScope,
    wait: float | None,
) -> None:
    body = error_body(kind_of_error, "so it is")
    error = await run(Replay(body, status=status, headers=headers))
    assert type(error) is kind
    assert (error.scope, error.retry_after_s) == (scope, wait)
    assert (error.http_status, error.error_type) == (status, kind_of_error)
    assert str(error) == "so it is"
    assert error.raw == body.decode()
    assert error.__cause__ is error.__context__ is None


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("status", "kind_of_error", "words", "more", "kind"),
    [
        (400, "invalid_request_error", "Your credit balance is too low", {}, QuotaExhausted),
        (
            429,
            "rate_limit_error",
            "limit",
            {"details": {"error_code": "enforced_spend_limit_reached"}},
            QuotaExhausted,
        ),
    ],
)
async def test_money_that_is_spent_stops_the_provider(
    status: int, kind_of_error: str, words: str, more: dict[str, Any], kind: type[ProviderError]
) -> None:
    error = await run(Replay(error_body(kind_of_error, words, **more), status=status))
    assert type(error) is kind


@pytest.mark.asyncio
async def test_an_error_without_json_is_named_too() -> None:
    error = await run(Replay(b"<html><title>Bad gateway</title></html>", status=502))
    assert type(error) is ServerFault
    assert "Bad gateway" in str(error)


@pytest.mark.asyncio
async def test_a_wrong_address_is_told_from_a_wrong_model() -> None:
    error = await run(Replay(b"", status=404))
    assert type(error) is ModelNotFound
    assert "api.anthropic.com/v1/messages is not there; check base_url" in str(error)


@needs_wire
@pytest.mark.asyncio
@pytest.mark.parametrize("name", sorted(n for n in expected("anthropic/error-")))
async def test_recorded_errors(name: str) -> None:
    entry = expected()[name]
    headers = {str(n): str(v) for n, v in (entry.get("http", {}).get("headers") or {}).items()}
    status = entry["http"]["status"]
    error = await run(Replay((WIRE / name).read_bytes(), status=status, headers=headers))
    assert isinstance(error, ProviderError)
    assert error.retryable is entry["retryable"]
    assert error.error_type == entry["error_type"]
    assert error.retry_after_s == entry.get("retry_after_s")


@needs_wire
@pytest.mark.asyncio
@pytest.mark.parametrize(
    "name",
    sorted(
        name
        for name, entry in expected("anthropic/").items()
        if entry["kind"] == "answer" and name.endswith(".sse")
    ),
)
async def test_recorded_streams_come_through_the_sdk_byte_for_byte(name: str) -> None:
    raw, entry = (WIRE / name).read_bytes(), expected()[name]
    odd = [raw[start : start + 97] for start in range(0, len(raw), 97)]
    completion = await run(Replay(odd, headers=SSE), request(tools=TOOLS))
    assert completion.response_raw.encode() == raw
    assert hashlib.sha256(completion.text.encode()).hexdigest() == entry["text"]["sha256"]
    assert completion.raw_stop_reason == entry["stop_reason"]
    assert completion.usage.input_total == entry["usage_norm"]["input_total"]


@pytest.mark.parametrize(
    ("failure", "kind", "words"),
    [
        (httpx2.ConnectError("refused"), ConnectionFailed, "cannot connect to https://api.anthr"),
        (httpx2.ConnectTimeout(""), ConnectionFailed, "connect timeout"),
        (httpx2.ReadTimeout(""), CallTimedOut, "idle timeout: nothing came for 3600 s"),
        (httpx2.RemoteProtocolError("reset"), ConnectionBroken, "the connection broke: reset"),
        (OSError("no route"), ConnectionFailed, "no route"),
    ],
)
@pytest.mark.asyncio
async def test_a_request_that_does_not_get_through(
    failure: Exception, kind: type[ProviderError], words: str
) -> None:
    error = await run(Replay(refuse=failure))
    assert type(error) is kind
    assert error.retryable
    assert words in str(error)
    assert error.__cause__ is error.__context__ is None


@pytest.mark.asyncio
async def test_no_retry_of_the_sdk_hides_behind_ours() -> None:
    transport = Replay(error_body("overloaded_error", "Overloaded"), status=529)
    await run(transport)
    assert len(transport.requests) == 1


def test_an_error_of_the_sdk_itself_is_named() -> None:
    adapter = provider(Replay())
    odd = anthropic.AnthropicError("no such thing")
    found = adapter._sdk_failure(odd, config())
    assert type(found) is RequestRejected
    assert "no such thing" in str(found)
    assert adapter._sdk_failure(ValueError("ours"), config()) is None


# --- streams that break -----------------------------------------------------------------------

WHOLE = message(text("Half of it"))
BEGUN = b"".join(pieces(WHOLE, done=False))


@pytest.mark.asyncio
async def test_an_error_in_the_middle_of_a_stream() -> None:
    broken = BEGUN + event("error", error={"type": "overloaded_error", "message": "Overloaded"})
    error = await run(Replay(broken, headers=SSE))
    assert type(error) is ServerFault
    assert (error.error_type, error.http_status) == ("overloaded_error", 200)
    assert error.usage is None  # a running count is not what is billed
    assert error.may_be_billed
    assert error.raw == broken.decode()


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (None, ConnectionFailed),
        (httpx2.RemoteProtocolError("peer closed"), ConnectionBroken),
        (httpx2.ReadError("reset"), ConnectionBroken),
        (httpx2.ReadTimeout("idle"), CallTimedOut),
    ],
)
async def test_a_stream_that_is_cut(failure: Exception | None, kind: type[ProviderError]) -> None:
    transport = Replay([BEGUN], headers=SSE, failure=failure)
    error = await run(transport)
    assert type(error) is kind
    assert error.retryable
    assert error.http_status == 200
    assert error.raw == BEGUN.decode()
    assert error.usage is None  # a running count is not what is billed
    assert error.may_be_billed
    assert transport.streams[0].closed


@pytest.mark.asyncio
async def test_an_answer_that_is_whole_survives_a_connection_that_breaks_after_it() -> None:
    completion = await run(Replay([GOOD], headers=SSE, failure=httpx2.ReadError("reset")))
    assert completion.text == "4"


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", ConnectionFailed),
        (b"<html><title>Login</title></html>", MalformedResponse),
        (b"hello", MalformedResponse),
    ],
)
async def test_a_200_that_is_no_message(body: bytes, kind: type[ProviderError]) -> None:
    error = await run(Replay(body))
    assert type(error) is kind
    assert error.http_status == 200


@pytest.mark.asyncio
async def test_a_whole_body_from_a_proxy_that_does_not_stream_is_read() -> None:
    body = json.dumps(message(text("4"))).encode()
    completion = await run(Replay(body, headers={"content-type": "application/json"}))
    assert completion.text == "4"


@pytest.mark.asyncio
async def test_a_refusal_without_content_is_not_billed() -> None:
    details = {"type": "refusal", "category": "cyber", "explanation": None}
    nothing = message(stop="refusal", stop_details=details)
    completion = await run(Replay(streamed(nothing), headers=SSE))
    assert completion.stop_reason is StopReason.REFUSAL
    assert completion.billed is False
    begun = message(text("Sorry"), stop="refusal", stop_details=details)
    completion = await run(Replay(streamed(begun), headers=SSE))
    assert completion.stop_reason is StopReason.REFUSAL
    assert completion.billed is True


# --- time -------------------------------------------------------------------------------------


class Endless(httpx2.AsyncBaseTransport):
    """Begins to answer and never ends; remembers the timeouts and whether it was closed."""

    def __init__(self) -> None:
        self.timeouts: dict[str, float | None] = {}
        self.begun = asyncio.Event()
        self.closed = False

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.timeouts = request.extensions["timeout"]
        return httpx2.Response(200, headers=SSE, stream=EndlessBody(self))


class EndlessBody(httpx2.AsyncByteStream):
    """The body of such an answer."""

    def __init__(self, owner: Endless) -> None:
        self.owner = owner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Give the beginning, then wait for ever."""
        yield BEGUN
        self.owner.begun.set()
        await asyncio.Event().wait()

    async def aclose(self) -> None:
        self.owner.closed = True


@pytest.mark.asyncio
async def test_the_total_timeout_says_so() -> None:
    transport = Endless()
    async with asyncio.timeout(3):
        error = await run(transport, request(timeout_s=0.05, idle_timeout_s=77.0))
    assert type(error) is CallTimedOut
    assert str(error) == "total timeout: the call took longer than 0.05 s"
    assert transport.timeouts == {"connect": 30.0, "read": 77.0, "write": 120.0, "pool": None}
    assert transport.closed


@pytest.mark.asyncio
async def test_cancellation_passes_and_closes() -> None:
    transport = Endless()
    adapter = provider(transport)
    task = asyncio.create_task(adapter.complete(request()))
    await transport.begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert transport.closed
    await adapter.aclose()


@pytest.mark.asyncio
async def test_one_adapter_serves_many_at_once() -> None:
    adapter = provider(Replay(GOOD, headers=SSE))
    asked = [Request(f"p{n}", config(), f"c{n}") for n in range(20)]
    found = await asyncio.gather(*(adapter.complete(each) for each in asked))
    prompts = [json.loads(each.request_json)["messages"][0]["content"] for each in found]
    assert prompts == [f"p{n}" for n in range(20)]
    await adapter.aclose()
