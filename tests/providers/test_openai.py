"""The OpenAI adapter when it streams: a call from end to end, and what every failure becomes."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2
import pytest

from relaybench.domain.completion import Completion, StopReason, Usage
from relaybench.domain.errors import (
    AuthenticationFailed,
    CallTimedOut,
    ConnectionBroken,
    ConnectionFailed,
    MalformedResponse,
    ModelNotFound,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    RequestRejected,
    ServerFault,
)
from relaybench.providers.protocol import Request
from tests.providers.openai_support import (
    JSON,
    SSE,
    Hanging,
    Reply,
    Server,
    answered,
    config,
    error,
    events,
    failed,
    message,
    raw,
    reasoning,
    reply,
    response,
    run,
    stream,
)
from tests.providers.support import WIRE, expected, needs_wire

REQUEST = Request("p", config(tools=("web_search", "code_interpreter")), "c")
GOOD = stream(reasoning(), message("so:", phase="commentary"), message("4", phase="final_answer"))


def streamed(body: bytes, **more: Any) -> Server:
    return Server(Reply(body, headers=SSE, **more))


async def test_a_call_from_end_to_end() -> None:
    completion = await answered(streamed(GOOD), REQUEST)
    assert completion.text == "so:4"
    assert completion.final_text == "4"
    assert completion.stop_reason is StopReason.END
    assert completion.usage == Usage(50, 30, 20, 40, 25)
    assert completion.requested_model == "gpt-5.5"
    assert completion.served_model == "gpt-5.5-2026-04-23"
    assert completion.response_raw.encode() == GOOD
    assert completion.http_status == 200


async def test_a_stream_may_be_silent_as_long_as_the_config_says() -> None:
    server = streamed(GOOD)
    await answered(server, Request("p", config(idle_timeout_s=1234), "c"))
    assert server.requests[0].extensions["timeout"]["read"] == 1234


async def test_a_prompt_goes_out_byte_for_byte() -> None:
    prompt = '  \r\n<AvY> {{x}} é😀\u2028\0\x1b[31m \\n "q" \u202e\n\n'
    server = streamed(GOOD)
    await answered(server, Request(prompt, config(), "c"))
    assert server.sent["input"] == [{"role": "user", "content": prompt}]


async def test_a_lone_surrogate_is_refused() -> None:
    server = streamed(GOOD)
    found = await failed(server, Request("a\ud800b", config(), "c"))
    assert isinstance(found, RequestRejected)
    assert server.requests == []


@pytest.mark.parametrize(
    ("status", "body", "kind", "retryable"),
    [
        (400, error("bad", "unsupported_value"), RequestRejected, False),
        (
            400,
            error("The requested model 'x' does not exist.", "model_not_found"),
            ModelNotFound,
            False,
        ),
        (
            401,
            error("Incorrect API key provided: sk-x", "invalid_api_key"),
            AuthenticationFailed,
            False,
        ),
        (403, error("You are not allowed to sample from this model"), ModelNotFound, False),
        (404, error("no such"), ModelNotFound, False),
        (413, error("large"), RequestRejected, False),
        (429, error("slow down", "rate_limit_exceeded"), RateLimited, True),
        (429, error("You exceeded your quota", "insufficient_quota"), QuotaExhausted, False),
        (500, error("oops", "server_error"), ServerFault, True),
        (503, error("overloaded"), ServerFault, True),
    ],
)
async def test_each_refusal_has_its_class(
    status: int, body: dict[str, Any], kind: type[ProviderError], retryable: bool
) -> None:
    server = Server(reply(body, status=status))
    found = await failed(server, REQUEST)
    assert type(found) is kind
    assert found.retryable is retryable
    assert found.http_status == status
    assert found.handle is None
    assert len(server.requests) == 1  # one try, no retry of the SDK's own
    assert not found.may_be_billed


async def test_the_wait_that_is_asked_for_is_kept() -> None:
    headers = JSON | {"retry-after-ms": "1500"}
    found = await failed(Server(reply(error(), status=429, headers=headers)), REQUEST)
    assert found.retry_after_s == 1.5


@pytest.mark.parametrize(
    ("cut", "failure"),
    [
        (GOOD[: GOOD.index(b"event: response.completed")], None),
        (GOOD[: GOOD.index(b"event: response.completed")], httpx2.RemoteProtocolError("cut")),
        (GOOD[: GOOD.index(b"event: response.completed") + 40], None),
        (b"", None),
    ],
)
async def test_a_stream_without_its_end_is_no_answer(cut: bytes, failure: Exception | None) -> None:
    found = await failed(streamed(cut, failure=failure), REQUEST)
    assert isinstance(found, ConnectionFailed)
    assert found.may_be_billed
    assert found.raw.encode() == cut


@pytest.mark.parametrize(
    ("refuse", "kind", "billed"),
    [
        (httpx2.ConnectError("refused"), ConnectionFailed, False),
        (httpx2.ConnectTimeout("slow"), ConnectionFailed, False),
        (httpx2.ReadTimeout("silence"), CallTimedOut, True),
        (httpx2.RemoteProtocolError("gone"), ConnectionBroken, True),
    ],
)
async def test_a_broken_connection(
    refuse: Exception, kind: type[ProviderError], billed: bool
) -> None:
    found = await failed(Server(Reply(refuse=refuse)), REQUEST)
    assert type(found) is kind
    assert found.retryable
    assert found.may_be_billed is billed


async def test_an_error_in_mid_stream() -> None:
    body = events(
        ("response.created", {"response": response(status="in_progress")}),
        ("error", {"code": "server_error", "message": "sorry", "param": None}),
    )
    found = await failed(streamed(body), REQUEST)
    assert isinstance(found, ServerFault)
    assert "sorry" in str(found)


async def test_a_server_that_does_not_stream_is_read_too() -> None:
    completion = await answered(Server(reply(response(message("4")))), REQUEST)
    assert completion.text == "4"


async def test_a_response_that_is_not_at_its_end_is_no_answer() -> None:
    found = await failed(Server(reply(response(status="queued"))), REQUEST)
    assert isinstance(found, MalformedResponse)
    assert "still queued" in str(found)


async def test_refusals_are_answers() -> None:
    part = {"type": "refusal", "refusal": "I can't."}
    completion = await answered(streamed(stream(message(content=[part]))), REQUEST)
    assert completion.stop_reason is StopReason.REFUSAL
    assert completion.refusal == "I can't."


@pytest.mark.parametrize("code", ["bio_policy", "misalignment_policy_violation"])
async def test_a_policy_that_stops_a_response_is_a_refusal(code: str) -> None:
    stopped = response(status="failed", error={"code": code, "message": "not this"})
    found = await run(streamed(events(("response.failed", {"response": stopped}))), REQUEST)
    assert isinstance(found, Completion), found
    assert found.stop_reason in (StopReason.REFUSAL, StopReason.BLOCKED)
    assert code in str(found.raw_stop_reason)


async def test_tool_uses_are_counted_under_the_names_of_the_price_list() -> None:
    items: list[dict[str, object]] = [
        {"type": "web_search_call", "status": "completed", "action": {"type": "search"}},
        {"type": "web_search_call", "status": "completed", "action": {"type": "open_page"}},
        {"type": "code_interpreter_call", "container_id": "cntr_1", "code": "1"},
        {"type": "code_interpreter_call", "container_id": "cntr_1", "code": "2"},
        {"type": "code_interpreter_call", "container_id": "cntr_2", "code": "3"},
    ]
    body = stream(*items, message())
    completion = await answered(streamed(body), REQUEST)
    assert completion.tool_fees == {"web_search": 1, "container_4g": 2}
    counted = stream(*items, message(), tool_usage={"web_search": {"num_requests": 5}})
    completion = await answered(streamed(counted), REQUEST)
    assert completion.tool_fees == {"web_search": 5, "container_4g": 2}


async def test_the_total_timeout_ends_a_stream_that_never_does() -> None:
    class Endless(httpx2.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            return httpx2.Response(200, headers=SSE, stream=Hanging(lambda: None))

    found = await failed(Endless(), Request("p", config(timeout_s=0.01), "c"))
    assert isinstance(found, CallTimedOut)
    assert "total timeout" in str(found)


async def test_a_cancelled_stream_calls_nothing_off() -> None:
    begun = asyncio.Event()

    class Endless(Server):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            await super().handle_async_request(request)
            return httpx2.Response(200, headers=SSE, stream=Hanging(begun.set))

    server = Endless(Reply())
    call = asyncio.ensure_future(run(server, REQUEST))
    await begun.wait()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert server.calls == ["POST /v1/responses"]


@needs_wire
@pytest.mark.parametrize(
    "name",
    [
        name
        for name, entry in expected("openai/").items()
        if entry["kind"] == "answer" and entry["format"] in ("sse", "json")
    ],
)
async def test_recorded_answers_come_through_the_sdk_as_they_are(name: str) -> None:
    entry, body = expected()[name], (WIRE / name).read_bytes()
    headers = SSE if entry["format"] == "sse" else JSON
    completion = await answered(Server(Reply(body, headers=headers)), REQUEST)
    assert len(completion.text) == entry["text"]["chars"]
    assert completion.response_raw.encode("utf-8", "surrogateescape") == body
    assert raw("x")  # the reading itself is tested with the readers


@needs_wire
@pytest.mark.parametrize(
    "name", [name for name, entry in expected("openai/").items() if entry["kind"] == "error"]
)
async def test_recorded_errors_have_their_class(name: str) -> None:
    entry, body = expected()[name], (WIRE / name).read_bytes()
    found = await failed(Server(Reply(body, status=entry["http"]["status"])), REQUEST)
    assert found.retryable is entry["retryable"]
    assert found.raw.encode() == body
