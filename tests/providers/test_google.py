"""Google's adapter on a transport of ours: what it sends, and what every failure becomes."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest

from relaybench.domain.completion import StopReason, Usage
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
    SettingRejected,
)
from relaybench.providers.google import BROKEN
from relaybench.providers.protocol import Phase, Request
from tests.providers.google_support import (
    GOOD,
    JSON,
    KEY,
    SSE,
    USAGE,
    chunk,
    google,
    google_config,
    google_request,
    replay,
    run,
    stream,
    text,
)
from tests.providers.support import Replay, raw


async def test_a_call_from_end_to_end() -> None:
    transport = replay()
    completion = await run(transport)
    assert completion.text == completion.final_text == "4"
    assert completion.stop_reason is StopReason.END
    assert completion.raw_stop_reason == "STOP"
    assert (completion.usage.input, completion.usage.output) == (10, 3)
    assert completion.requested_model == "gemini-3.1-pro-preview"
    assert completion.served_model == "served"
    assert completion.response_id == "r1"
    assert completion.response_raw == GOOD.decode()
    assert completion.http_status == 200
    assert completion.request_json.encode() == transport.requests[0].content
    sent = transport.requests[0]
    assert sent.method == "POST"
    assert sent.headers["x-goog-api-key"] == KEY
    assert str(sent.url) == (
        "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.1-pro-preview"
        ":streamGenerateContent?alt=sse"
    )
    assert transport.streams[0].closed


async def test_the_body_is_settings_and_contents() -> None:
    asked = google_config(
        effort="high",
        tools=("google_search", "url_context", "code_execution"),
        instructions="Be terse.",
        options={"temperature": 0.5},
    )
    transport = replay()
    completion = await run(transport, Request("p", asked, "c"))
    settings = dict(completion.settings_sent)
    assert settings.pop("model") == asked.model
    assert settings.pop("api_version") == "v1beta"
    assert transport.sent == settings | {"contents": [{"role": "user", "parts": [{"text": "p"}]}]}


async def test_the_prompt_goes_out_byte_for_byte() -> None:
    prompt = '  \r\n<AvY> {{x}} é😀\u2028\0\x1b[31m \\n "q" \u202e\n\n'
    transport = replay()
    await run(transport, google_request(prompt))
    assert transport.sent["contents"] == [{"role": "user", "parts": [{"text": prompt}]}]


async def test_a_lone_surrogate_in_a_prompt_is_refused_before_it_is_sent() -> None:
    transport = replay()
    error = await run(transport, google_request("\ud800"))
    assert type(error) is RequestRejected
    assert transport.requests == []


async def test_what_the_sdk_does_not_know_survives() -> None:
    # The suite makes warnings errors: the SDK would warn of both new words.
    new = {"brandNewKind": {"x": [1, 2]}, "thoughtSignature": "c2ln"}
    answer = stream(
        chunk(new, text("4"), newField={"deep": True}),
        chunk(finish="BRAND_NEW_REASON", usage={**USAGE, "trafficType": "NEW_TRAFFIC"}),
    )
    completion = await run(Replay(answer, headers=SSE))
    assert completion.response_raw == answer.decode()
    assert completion.text == "4"
    assert completion.raw_stop_reason == "BRAND_NEW_REASON"
    assert completion.stop_reason is StopReason.OTHER


async def test_how_the_body_is_cut_makes_no_difference() -> None:
    whole = stream(chunk(text("é\u2028")), chunk(text("😀"), finish="STOP", usage=USAGE))
    pieces = [whole[at : at + 7] for at in range(0, len(whole), 7)]
    completion = await run(Replay(pieces, headers=SSE))
    assert completion.text == "é\u2028😀"
    assert completion.response_raw == whole.decode()


async def test_a_gateway_that_says_done_but_does_not_hang_up() -> None:
    whole = GOOD + b"data: [DONE]\n\n"
    transport = Replay([whole, b": more"], headers=SSE, failure=httpx2.ReadTimeout("never"))
    completion = await run(transport)
    assert completion.response_raw == whole.decode()
    assert transport.streams[0].closed


async def test_a_compressed_body_is_kept_as_it_reads() -> None:
    transport = Replay(gzip.compress(GOOD), headers=SSE | {"content-encoding": "gzip"})
    assert (await run(transport)).response_raw == GOOD.decode()


async def test_a_server_that_does_not_stream() -> None:
    whole = chunk(text("4"), finish="STOP", usage=USAGE)
    for answer in (raw(whole), raw([whole])):
        completion = await run(Replay(answer, headers=JSON))
        assert (completion.text, completion.usage.output) == ("4", 3)


async def test_phases_begin_with_sending_and_a_broken_display_loses_no_answer() -> None:
    seen: list[Phase] = []

    def broken(phase: Phase) -> None:
        seen.append(phase)
        raise RuntimeError(phase)

    completion = await run(replay(), Request("p", google_config(), "c", broken))
    assert completion.text == "4"
    assert seen[0] is Phase.SENDING


async def test_one_adapter_serves_many_at_once() -> None:
    class Echo(httpx2.AsyncBaseTransport):
        """Answers each prompt with itself, the first one last."""

        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            prompt = json.loads(request.content)["contents"][0]["parts"][0]["text"]
            for _ in range(40 - 2 * int(prompt)):
                await asyncio.sleep(0)
            answer = stream(chunk(text(prompt), finish="STOP", usage=USAGE))
            return httpx2.Response(200, headers=SSE, content=answer)

    adapter = google(Echo())
    asked = [Request(str(n), google_config(), f"c{n}") for n in range(20)]
    found = await asyncio.gather(*(adapter.complete(each) for each in asked))
    await adapter.aclose()
    assert [each.text for each in found] == [str(n) for n in range(20)]
    prompts = [json.loads(each.request_json)["contents"][0]["parts"][0]["text"] for each in found]
    assert prompts == [str(n) for n in range(20)]


# --- ends that are no answer -------------------------------------------------------------------


@pytest.mark.parametrize("reason", sorted(BROKEN))
@pytest.mark.parametrize("parts", [[], [text("hm", thought=True)], [text(" \n")]])
async def test_a_generation_that_broke_is_worth_another_try(
    reason: str, parts: list[dict[str, object]]
) -> None:
    error = await run(replay(chunk(*parts, finish=reason, usage=USAGE)))
    assert type(error) is ServerFault
    assert error.retryable
    assert error.usage == Usage(input=10, output=3)
    assert error.may_be_billed
    assert error.error_type == reason
    assert reason in str(error)
    assert '"finishReason"' in error.raw


async def test_words_before_a_tool_are_no_answer_when_the_generation_breaks_after_it() -> None:
    code = {"executableCode": {"language": "PYTHON", "code": "1"}}
    result = {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1"}}
    parts = (text("Let me see."), code, result)
    error = await run(replay(chunk(*parts, finish="MALFORMED_RESPONSE", usage=USAGE)))
    assert type(error) is ServerFault


@pytest.mark.parametrize("reason", sorted(BROKEN))
async def test_a_broken_generation_with_an_answer_is_kept(reason: str) -> None:
    completion = await run(replay(chunk(text("4"), finish=reason, usage=USAGE)))
    assert completion.text == "4"
    assert completion.raw_stop_reason == reason
    assert completion.stop_reason is not StopReason.END


@pytest.mark.parametrize(
    "reason", ["SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "RECITATION"]
)
async def test_a_filter_is_an_outcome_and_is_not_tried_again(reason: str) -> None:
    completion = await run(replay(chunk(finish=reason, usage=USAGE)))
    assert completion.stop_reason is StopReason.BLOCKED
    assert completion.raw_stop_reason == reason


async def test_a_blocked_prompt_is_an_outcome() -> None:
    blocked = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": USAGE}
    completion = await run(replay(blocked))
    assert completion.stop_reason is StopReason.BLOCKED


@pytest.mark.parametrize("parts", [[], [text("The capital")]])
async def test_a_limit_is_an_outcome(parts: list[dict[str, object]]) -> None:
    completion = await run(replay(chunk(*parts, finish="MAX_TOKENS", usage=USAGE)))
    assert completion.stop_reason is StopReason.MAX_TOKENS


# --- failures ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("refuse", "kind", "words"),
    [
        (httpx2.ConnectError("[Errno 111] refused"), ConnectionFailed, "refused"),
        (httpx2.ConnectTimeout(""), ConnectionFailed, "connect timeout"),
        (httpx2.ReadTimeout(""), CallTimedOut, "idle timeout: nothing came for 3600 s"),
        (httpx2.WriteTimeout(""), CallTimedOut, "write timeout"),
        (httpx2.RemoteProtocolError("hung up"), ConnectionBroken, "hung up"),
        (httpx2.ReadError(""), ConnectionBroken, "ReadError"),
        (httpx2.UnsupportedProtocol("ftp"), SettingRejected, "http://"),
        (OSError("no route"), ConnectionFailed, "no route"),
    ],
)
async def test_failures_before_a_response(
    refuse: Exception, kind: type[ProviderError], words: str
) -> None:
    transport = Replay(refuse=refuse)
    error = await run(transport)
    assert type(error) is kind
    assert words in str(error)
    assert len(transport.requests) == 1  # no retry hidden in the SDK


def google_error(code: int, status: str, message: str = "no", **more: object) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, "status": status} | more}


@pytest.mark.parametrize(
    ("status", "word", "kind", "retryable"),
    [
        (400, "INVALID_ARGUMENT", RequestRejected, False),
        (400, "FAILED_PRECONDITION", RequestRejected, False),
        (401, "UNAUTHENTICATED", AuthenticationFailed, False),
        (403, "PERMISSION_DENIED", AuthenticationFailed, False),
        (404, "NOT_FOUND", ModelNotFound, False),
        (413, "", RequestRejected, False),
        (429, "RESOURCE_EXHAUSTED", RateLimited, True),
        (499, "CANCELLED", ServerFault, True),
        (500, "INTERNAL", ServerFault, True),
        (503, "UNAVAILABLE", ServerFault, True),
        (504, "DEADLINE_EXCEEDED", ServerFault, True),
    ],
)
@pytest.mark.parametrize("form", ["object", "list", "html", "empty", "not utf-8", "text"])
async def test_error_statuses(
    status: int, word: str, kind: type[ProviderError], retryable: bool, form: str
) -> None:
    stated = google_error(status, word)
    answer = {
        "object": raw(stated),
        "list": raw([stated]),
        "html": b"<html><title>T</title>",
        "empty": b"",
        "not utf-8": b"\xff\xfe",
        "text": b'{"error": "no"}',
    }[form]
    transport = Replay(answer, status=status, headers={"retry-after": "7"})
    error = await run(transport)
    assert type(error) is kind
    assert error.retryable is retryable
    assert error.http_status == status
    assert error.raw == answer.decode("utf-8", "surrogateescape")
    assert error.retry_after_s == 7
    assert len(transport.requests) == 1
    assert transport.streams[0].closed


async def test_a_wrong_key_comes_as_a_bad_request() -> None:
    message = "API key not valid. Please pass a valid API key."
    error = await run(Replay(raw(google_error(400, "INVALID_ARGUMENT", message)), status=400))
    assert type(error) is AuthenticationFailed


async def test_the_wait_of_retry_info() -> None:
    info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "48s"}
    stated = google_error(429, "RESOURCE_EXHAUSTED", "exceeded your current quota", details=[info])
    error = await run(Replay(raw(stated), status=429))
    assert type(error) is RateLimited
    assert error.retry_after_s == 48


async def test_a_quota_for_the_day_is_spent() -> None:
    violation = {"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}
    failure = {"@type": "google.rpc.QuotaFailure", "violations": [violation]}
    info = {"@type": "google.rpc.RetryInfo", "retryDelay": "3s"}
    stated = google_error(429, "RESOURCE_EXHAUSTED", details=[failure, info])
    assert type(await run(Replay(raw(stated), status=429))) is QuotaExhausted


async def test_redirects_are_not_followed() -> None:
    transport = Replay(status=307, headers={"location": "http://elsewhere.test/v1"})
    error = await run(transport)
    assert type(error) is RequestRejected
    assert "http://elsewhere.test/v1" in str(error)
    assert [each.url.host for each in transport.requests] == ["generativelanguage.googleapis.com"]


async def test_an_address_that_is_not_there_is_named() -> None:
    error = await run(Replay(b"<html>", status=404))
    assert "generativelanguage.googleapis.com/v1beta/models" in str(error)


@pytest.mark.parametrize(
    ("stated", "kind"),
    [
        (google_error(503, "UNAVAILABLE", "overloaded"), ServerFault),
        (google_error(429, "RESOURCE_EXHAUSTED", "slow down"), RateLimited),
        (google_error(400, "INVALID_ARGUMENT", "bad"), RequestRejected),
        (google_error(403, "PERMISSION_DENIED", "no"), AuthenticationFailed),
    ],
)
@pytest.mark.parametrize("before", [[], [chunk(text("The"), usage=USAGE)]])
async def test_an_error_in_the_stream(
    stated: dict[str, Any], kind: type[ProviderError], before: list[dict[str, object]]
) -> None:
    error = await run(replay(*before, stated))
    assert type(error) is kind
    assert error.http_status == 200
    assert stated["error"]["message"] in str(error)
    assert error.usage is None  # a running count is not what is billed
    assert error.may_be_billed


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (httpx2.ReadTimeout(""), CallTimedOut),
        (httpx2.RemoteProtocolError("peer closed connection"), ConnectionBroken),
        (httpx2.ReadError("reset"), ConnectionBroken),
    ],
)
@pytest.mark.parametrize(
    "begin",
    [
        b"",
        stream(chunk(text("4"), usage=USAGE)),
        stream(chunk(text("4"), finish="MAX_TOKENS", usage=USAGE)),
        GOOD[:40],
    ],
)
async def test_a_response_that_breaks_off(
    failure: Exception, kind: type[ProviderError], begin: bytes
) -> None:
    transport = Replay([begin], headers=SSE, failure=failure)
    error = await run(transport)
    assert type(error) is kind
    assert error.retryable
    assert error.raw == begin.decode()
    assert error.http_status == 200
    # A running count is not what is billed; the one beside a finish reason is.
    assert (error.usage is not None) == (b"MAX_TOKENS" in begin)
    assert transport.streams[0].closed
    assert len(transport.requests) == 1  # the SDK would reconnect up to three times by itself


async def test_an_answer_that_is_whole_survives_a_connection_that_breaks_after_it() -> None:
    completion = await run(replay(failure=httpx2.ReadError("reset")))
    assert (completion.text, completion.usage.output) == ("4", 3)


@pytest.mark.parametrize(
    ("answer", "kind", "retryable"),
    [
        (b"", ConnectionFailed, True),
        (b"<html><title>Login</title></html>", MalformedResponse, False),
        (raw(chunk(text("4"), finish="STOP"))[:-9], ConnectionFailed, True),
        (stream(chunk(text("4"))), ConnectionFailed, True),
        (b"data: {\r\n\r\n", MalformedResponse, False),
    ],
)
async def test_a_200_that_is_no_completion(
    answer: bytes, kind: type[ProviderError], retryable: bool
) -> None:
    error = await run(Replay(answer))
    assert type(error) is kind
    assert error.retryable is retryable
    assert error.raw == answer.decode()
    assert error.http_status == 200


async def test_a_broken_compression_is_worth_another_try() -> None:
    error = await run(Replay(b"not gzip at all", headers={"content-encoding": "gzip"}))
    assert type(error) is ConnectionFailed


# --- time --------------------------------------------------------------------------------------


class Held(httpx2.AsyncByteStream):
    """A body that begins and then hangs; remembers being closed."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Give one chunk, then nothing more."""
        yield stream(chunk(text("4"), usage=USAGE))
        self.begun.set()
        await asyncio.Event().wait()

    async def aclose(self) -> None:
        self.closed = True


class Hanging(httpx2.AsyncBaseTransport):
    """Answers with a body that hangs; remembers the timeouts of the request."""

    def __init__(self) -> None:
        self.timeouts: dict[str, float | None] = {}
        self.body = Held()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.timeouts = request.extensions["timeout"]
        return httpx2.Response(200, headers=SSE, stream=self.body)


async def test_the_total_timeout_says_so_and_keeps_what_came() -> None:
    transport = Hanging()
    async with asyncio.timeout(3):
        error = await run(transport, google_request(timeout_s=0.01, idle_timeout_s=77.0))
    assert type(error) is CallTimedOut
    assert str(error) == "total timeout: the call took longer than 0.01 s"
    assert error.usage is None  # a running count is not what is billed
    assert transport.body.closed
    assert transport.timeouts == {"connect": 30.0, "read": 77.0, "write": 120.0, "pool": None}


async def test_no_timeout_is_told_to_the_server() -> None:
    transport = replay()
    await run(transport)
    assert "x-server-timeout" not in transport.requests[0].headers


async def test_cancellation_passes_and_closes() -> None:
    transport = Hanging()
    adapter = google(transport)
    task = asyncio.create_task(adapter.complete(google_request()))
    await transport.body.begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert transport.body.closed
    await adapter.aclose()
