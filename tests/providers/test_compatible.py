"""The real adapter on a transport of ours: what it sends, and what every failure becomes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
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
from relaybench.domain.model import ModelConfig
from relaybench.providers.compatible import CompatibleProvider
from relaybench.providers.protocol import Phase, Request
from tests.providers.support import (
    GOOD_STREAM,
    USAGE,
    Replay,
    body,
    chunk,
    config,
    provider,
    raw,
    request,
    stream,
)

SSE = {"content-type": "text/event-stream"}


async def run(transport: httpx2.AsyncBaseTransport, asked: Request | None = None) -> Any:
    """Send one request through the real adapter; give the completion or the error."""
    adapter = provider(transport)
    try:
        return await adapter.complete(asked or request())
    except ProviderError as error:
        return error
    finally:
        await adapter.aclose()


async def sent(asked: ModelConfig) -> dict[str, Any]:
    """The body that a config sends, without the messages."""
    transport = Replay(GOOD_STREAM, headers=SSE)
    completion = await run(transport, Request("p", asked, "c"))
    found = transport.sent
    assert found.pop("messages") == [{"role": "user", "content": "p"}]
    assert completion.settings_sent == found == provider(transport).settings(asked)
    return found


# --- what is sent ---------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_a_call_from_end_to_end() -> None:
    transport = Replay(GOOD_STREAM, headers=SSE)
    completion = await run(transport)
    assert completion.text == "4"
    assert completion.stop_reason is StopReason.END
    assert completion.usage == Usage(input=6, cached_input=4, output=3)
    assert completion.requested_model == "test-model"
    assert completion.response_id == "c1"
    assert completion.response_raw == GOOD_STREAM.decode()
    assert json.loads(completion.request_json) == transport.sent
    assert completion.request_json.encode() == transport.requests[0].content
    assert str(transport.requests[0].url) == "http://server.test/v1/chat/completions"


@pytest.mark.asyncio
async def test_the_prompt_goes_out_byte_for_byte() -> None:
    prompt = '  \r\n<AvY> {{x}} é😀\u2028\0\x1b[31m \\n "q" \u202e\n\n'
    transport = Replay(GOOD_STREAM, headers=SSE)
    await run(transport, request(prompt))
    assert transport.sent["messages"] == [{"role": "user", "content": prompt}]


@pytest.mark.asyncio
async def test_a_plain_config_sends_nothing_more_than_it_says() -> None:
    assert await sent(config()) == {
        "model": "test-model",
        "stream": True,
        "stream_options": {"include_usage": True},
    }


PLAIN = {"model": "test-model", "stream": True, "stream_options": {"include_usage": True}}


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("changes", "more"),
    [
        ({"model": "other"}, {"model": "other"}),
        ({"max_output_tokens": 99}, {"max_tokens": 99}),
        (
            {"max_output_tokens": 9, "options": {"max_tokens_field": "max_completion_tokens"}},
            {"max_completion_tokens": 9},
        ),
        ({"effort": "high"}, {"reasoning_effort": "high"}),
        (
            {"effort": "high", "options": {"effort_style": "reasoning"}},
            {"reasoning": {"effort": "high"}},
        ),
        (
            {"effort": "high", "options": {"effort_style": "chat_template"}},
            {"chat_template_kwargs": {"enable_thinking": True}},
        ),
        (
            {"effort": "none", "options": {"effort_style": "chat_template"}},
            {"chat_template_kwargs": {"enable_thinking": False}},
        ),
        ({"options": {"temperature": 0}}, {"temperature": 0}),
        (
            {"options": {"extra_body": {"plugins": [{"id": "web"}], "top_p": None}}},
            {"plugins": [{"id": "web"}], "top_p": None},
        ),
        (
            {
                "tools": ("web_search",),
                "options": {"tools_in_extra_body": True, "extra_body": {"plugins": []}},
            },
            {"plugins": []},
        ),
    ],
)
async def test_each_setting_changes_the_payload_and_only_its_part(
    changes: dict[str, Any], more: dict[str, Any]
) -> None:
    assert await sent(config(**changes)) == PLAIN | more


@pytest.mark.asyncio
async def test_without_streaming_no_stream_is_asked_for() -> None:
    asked = config(options={"stream": False})
    transport = Replay(raw(body(usage=USAGE)), headers={"content-type": "application/json"})
    completion = await run(transport, Request("p", asked, "c"))
    assert transport.sent["stream"] is False
    assert "stream_options" not in transport.sent
    assert (completion.text, completion.usage.output) == ("4", 3)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"options": {"strem": True}}, "'strem'"),
        ({"options": {"zzz": 1, "aaa": 2}}, "'aaa', 'zzz'"),
        ({"options": {"stream": "yes"}}, "stream"),
        ({"options": {"temperature": "hot"}}, "temperature"),
        ({"options": {"temperature": True}}, "temperature"),
        ({"options": {"effort_style": "loud"}}, "effort_style"),
        ({"options": {"max_tokens_field": 3}}, "max_tokens_field"),
        ({"options": {"extra_body": [1]}}, "extra_body"),
        ({"options": {"extra_body": {"messages": []}}}, "'messages'"),
        ({"options": {"extra_body": {"model": "x"}}}, "'model'"),
        ({"options": {"extra_body": {"n": 2}}}, "'n'"),
        ({"max_output_tokens": 9, "options": {"extra_body": {"max_tokens": 5}}}, "'max_tokens'"),
        (
            {"max_output_tokens": 9, "options": {"extra_body": {"max_completion_tokens": 5}}},
            "'max_completion_tokens'",
        ),
        ({"effort": "high", "options": {"extra_body": {"reasoning": {}}}}, "'reasoning'"),
        ({"options": {"stream": False, "extra_body": {"stream_options": 1}}}, "'stream_options'"),
        ({"effort": "high", "options": {"extra_body": {"reasoning_effort": "low"}}}, "reasoning_e"),
        ({"tools": ("web_search", "code")}, r"web_search, code.*set tools = \[\]"),
        ({"tools": ("a",), "options": {"tools_in_extra_body": True}}, "extra_body"),
        ({"options": {"tools_in_extra_body": 1}}, "tools_in_extra_body"),
    ],
)
@pytest.mark.asyncio
async def test_what_cannot_be_honoured_is_refused_by_name(
    changes: dict[str, Any], words: str
) -> None:
    transport = Replay(GOOD_STREAM, headers=SSE)
    adapter = provider(transport)
    asked = config(**changes)
    with pytest.raises(SettingRejected, match=words):
        adapter.settings(asked)
    with pytest.raises(SettingRejected, match=words):
        await adapter.complete(Request("p", asked, "c"))
    await adapter.aclose()
    assert transport.requests == []


# --- phases, [DONE], progress that fails -------------------------------------------------------


@pytest.mark.asyncio
async def test_phases_as_the_response_comes_in() -> None:
    thinking = {"choices": [{"index": 0, "delta": {"reasoning": "hm"}}]}
    tool = {"choices": [{"index": 0, "delta": {"executed_tools": [{"type": "search"}]}}]}
    code = {"choices": [{"index": 0, "delta": {"executed_tools": [{"type": "python"}]}}]}
    whole = stream(thinking, thinking, tool, code, chunk("4"), chunk("2"), chunk(None, "stop"))
    seen: list[Phase] = []
    pieces = [whole[start : start + 9] for start in range(0, len(whole), 9)]
    await run(Replay(pieces, headers=SSE), Request("p", config(), "c", seen.append))
    expected = [Phase.SENDING, Phase.THINKING, Phase.SEARCHING, Phase.RUNNING_CODE, Phase.ANSWERING]
    assert seen == expected


@pytest.mark.asyncio
async def test_a_broken_progress_display_loses_no_answer() -> None:
    def broken(phase: Phase) -> None:
        raise RuntimeError(phase)

    completion = await run(Replay(GOOD_STREAM, headers=SSE), Request("p", config(), "c", broken))
    assert completion.text == "4"


@pytest.mark.asyncio
async def test_done_ends_the_reading_even_where_the_server_does_not_hang_up() -> None:
    after = [b": still", b" here\n\n"]
    transport = Replay([GOOD_STREAM, *after], headers=SSE, failure=httpx2.ReadTimeout("never"))
    completion = await run(transport)
    assert completion.text == "4"
    assert completion.response_raw == GOOD_STREAM.decode()
    assert transport.streams[0].closed


# --- failures ----------------------------------------------------------------------------------


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("refuse", "kind", "words"),
    [
        (httpx2.ConnectError("[Errno 111] refused"), ConnectionFailed, "refused"),
        (httpx2.ConnectTimeout(""), ConnectionFailed, "connect timeout"),
        (httpx2.ReadTimeout(""), CallTimedOut, "idle timeout: nothing came for 3600 s"),
        (httpx2.WriteTimeout(""), CallTimedOut, "write timeout"),
        (httpx2.RemoteProtocolError("hung up"), ConnectionBroken, "hung up"),
        (httpx2.ReadError(""), ConnectionBroken, "ReadError"),
        (httpx2.ProxyError("no"), ConnectionFailed, "no"),
        (httpx2.UnsupportedProtocol("ftp"), SettingRejected, "http://"),
        (httpx2.LocalProtocolError("bad header"), RequestRejected, "bad header"),
        (OSError("no route"), ConnectionFailed, "no route"),
        (TimeoutError("system"), ConnectionFailed, "system"),
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


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("status", "kind", "retryable"),
    [
        (400, RequestRejected, False),
        (401, AuthenticationFailed, False),
        (402, QuotaExhausted, False),
        (403, AuthenticationFailed, False),
        (404, ModelNotFound, False),
        (413, RequestRejected, False),
        (422, RequestRejected, False),
        (408, ServerFault, True),
        (409, ServerFault, True),
        (429, RateLimited, True),
        (500, ServerFault, True),
        (503, ServerFault, True),
        (529, ServerFault, True),
    ],
)
@pytest.mark.parametrize(
    "answer",
    [raw({"error": {"message": "no", "code": "c", "type": "t"}}), b"<html><title>T</title>", b""],
)
async def test_error_statuses(
    status: int, kind: type[ProviderError], retryable: bool, answer: bytes
) -> None:
    transport = Replay(answer, status=status, headers={"retry-after": "7"})
    error = await run(transport)
    assert type(error) is kind
    assert error.retryable is retryable
    assert error.http_status == status
    assert error.raw == answer.decode()
    assert error.retry_after_s == 7
    assert len(transport.requests) == 1
    assert transport.streams[0].closed


@pytest.mark.asyncio
async def test_a_rate_limit_without_a_wait() -> None:
    assert (await run(Replay(b"{}", status=429))).retry_after_s is None


@pytest.mark.asyncio
async def test_redirects_are_not_followed() -> None:
    transport = Replay(status=307, headers={"location": "http://elsewhere.test/v1"})
    error = await run(transport)
    assert type(error) is RequestRejected
    assert "http://elsewhere.test/v1" in str(error)
    assert [each.url.host for each in transport.requests] == ["server.test"]


@pytest.mark.asyncio
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
        stream(chunk("4", usage=USAGE), done=False),
        stream(chunk("4", "length", usage=USAGE), done=False),
        raw(body())[:-9],
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
    assert (error.usage is not None) == (b"usage" in begin)
    assert transport.streams[0].closed


@pytest.mark.asyncio
async def test_an_answer_that_is_whole_survives_a_connection_that_breaks_after_it() -> None:
    begin = stream(chunk("4"), chunk(None, "stop"), done=False)
    completion = await run(Replay([begin], headers=SSE, failure=httpx2.ReadError("reset")))
    assert completion.text == "4"
    assert completion.usage == Usage()  # not reported: the cost stays unknown


@pytest.mark.asyncio
async def test_an_error_in_the_stream_outweighs_the_broken_connection() -> None:
    begin = stream(chunk("4"), {"error": {"code": 402, "message": "no credits"}}, done=False)
    error = await run(Replay([begin], headers=SSE, failure=httpx2.ReadError("reset")))
    assert type(error) is QuotaExhausted


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("answer", "kind", "retryable"),
    [
        (b"", ConnectionFailed, True),
        (b"<html><title>Login</title></html>", MalformedResponse, False),
        (raw(body())[:-9], ConnectionFailed, True),
        (stream(chunk("4")), ConnectionFailed, True),
        (raw({"choices": "x"}), MalformedResponse, False),
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


@pytest.mark.asyncio
async def test_a_broken_compression_is_worth_another_try() -> None:
    error = await run(Replay(b"not gzip at all", headers={"content-encoding": "gzip"}))
    assert type(error) is ConnectionFailed


@pytest.mark.asyncio
async def test_a_lone_surrogate_in_a_prompt_is_refused_before_it_is_sent() -> None:
    transport = Replay(GOOD_STREAM)
    error = await run(transport, request("\ud800"))
    assert type(error) is RequestRejected
    assert transport.requests == []


# --- time --------------------------------------------------------------------------------------


class Waiting(httpx2.AsyncBaseTransport):
    """Never answers; remembers the timeouts of the request and how many it holds."""

    def __init__(self, wait: Callable[[], Any]) -> None:
        self.wait = wait
        self.timeouts: dict[str, float | None] = {}
        self.held = 0

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.timeouts = request.extensions["timeout"]
        self.held += 1
        try:
            await self.wait()
        finally:
            self.held -= 1
        return httpx2.Response(200, content=GOOD_STREAM)


async def _forever() -> None:
    await asyncio.Event().wait()


@pytest.mark.asyncio
async def test_the_total_timeout_says_so() -> None:
    transport = Waiting(_forever)
    async with asyncio.timeout(3):
        error = await run(transport, request(timeout_s=0.01))
    assert type(error) is CallTimedOut
    assert str(error) == "total timeout: the call took longer than 0.01 s"
    assert transport.held == 0


@pytest.mark.asyncio
async def test_timeouts_of_a_request() -> None:
    async def at_once() -> None:
        return None

    transport = Waiting(at_once)
    await run(transport, request(idle_timeout_s=77.0))
    assert transport.timeouts == {"connect": 30.0, "read": 77.0, "write": 120.0, "pool": None}


@pytest.mark.asyncio
@pytest.mark.parametrize("where", ["request", "body"])
async def test_cancellation_passes_and_closes(where: str) -> None:
    begun = asyncio.Event()

    async def hang() -> None:
        begun.set()
        await asyncio.Event().wait()

    class Body(httpx2.AsyncByteStream):
        closed = False

        async def __aiter__(self) -> Any:
            yield stream(chunk("4"), done=False)
            await hang()

        async def aclose(self) -> None:
            self.closed = True

    held = Body()

    class Half(httpx2.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            return httpx2.Response(200, headers=SSE, stream=held)

    adapter = provider(Waiting(hang) if where == "request" else Half())
    task = asyncio.create_task(adapter.complete(request()))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert held.closed or where == "request"
    await adapter.aclose()


@pytest.mark.asyncio
async def test_one_adapter_serves_many_at_once() -> None:
    transport = Replay(GOOD_STREAM, headers=SSE)
    adapter = CompatibleProvider("http://server.test/v1", None, transport=transport)
    asked = [Request(f"p{n}", config(), f"c{n}") for n in range(20)]
    found = await asyncio.gather(*(adapter.complete(each) for each in asked))
    prompts = [json.loads(each.request_json)["messages"][0]["content"] for each in found]
    assert prompts == [f"p{n}" for n in range(20)]
    await adapter.aclose()
