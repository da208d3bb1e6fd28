"""Work in the background at OpenAI: never sent twice, never lost, called off when we leave."""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import replace
from typing import Any

import httpx2
import pytest

from relaybench.domain.completion import Completion, StopReason, Usage
from relaybench.domain.errors import (
    AuthenticationFailed,
    BackgroundLost,
    CallTimedOut,
    ConnectionBroken,
    ConnectionFailed,
    MalformedResponse,
    ProviderError,
    RateLimited,
    RequestRejected,
    ServerFault,
    SettingRejected,
)
from relaybench.providers.adapter import Received
from relaybench.providers.openai import OpenAIProvider
from relaybench.providers.openai_background import Polled, wait_for
from relaybench.providers.protocol import Phase, Request
from tests.providers.openai_support import (
    DONE,
    ID,
    JSON,
    KEY,
    QUEUED,
    WORKING,
    Naps,
    Reply,
    Server,
    answered,
    background,
    error,
    failed,
    message,
    raw,
    reply,
    response,
    run,
)
from tests.providers.support import WIRE, ReplayStream, needs_wire

START, ASK, CANCEL = (
    "POST /v1/responses",
    f"GET /v1/responses/{ID}",
    f"POST /v1/responses/{ID}/cancel",
)
REQUEST = Request("p", background(tools=("web_search", "code_interpreter")), "c")
AGAIN = replace(REQUEST, handle=ID)
GONE = reply(error(f"Response with id '{ID}' not found."), status=404)
DOWN = reply(error("oops", "server_error"), status=503)


class Kept:
    """Stands for the store: remembers handles, and what the server had been asked by then."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.handles: list[str] = []
        self.calls: list[str] = []

    async def __call__(self, handle: str) -> None:
        self.handles.append(handle)
        self.calls = list(self.server.calls)


# --- as it should be ------------------------------------------------------------------------


async def test_work_is_started_kept_asked_for_and_taken_in() -> None:
    server = Server(QUEUED, QUEUED, WORKING, WORKING, DONE)
    kept, naps, phases = Kept(server), Naps(), list[Phase]()
    asked = replace(REQUEST, on_handle=kept, on_phase=phases.append)
    completion = await answered(server, asked, naps)
    assert completion.text == "4"
    assert completion.usage == Usage(50, 30, 20, 40, 25)
    assert completion.response_raw.encode() == DONE.body
    assert completion.response_id == ID
    assert completion.request_json.encode() == server.requests[0].content
    assert server.calls == [START, *[ASK] * 4]
    assert kept.handles == [ID]
    assert kept.calls == [START]  # on the disk before anything is waited for
    assert naps.taken == [2.0, 3.0, 4.5, 6.75]
    assert phases[0] is Phase.SENDING
    assert phases[-5:] == [*[Phase.QUEUED] * 2, *[Phase.THINKING] * 2, Phase.ANSWERING]


async def test_the_wait_grows_to_a_quarter_of_a_minute() -> None:
    naps = Naps()
    await answered(Server(QUEUED, *[WORKING] * 9, DONE), REQUEST, naps)
    assert naps.taken[-2:] == [15.0, 15.0]
    assert max(naps.taken) == 15.0


async def test_what_was_asked_to_be_included_is_asked_for_again() -> None:
    server = Server(QUEUED, DONE)
    await answered(server, REQUEST)
    included = server.requests[1].url.params.get_list("include[]")
    assert included == server.sent["include"] != []


async def test_an_answer_that_is_there_at_once_is_not_asked_for() -> None:
    server = Server(DONE)
    kept = Kept(server)
    completion = await answered(server, replace(REQUEST, on_handle=kept))
    assert completion.text == "4"
    assert (server.calls, kept.handles) == ([START], [])


async def test_a_known_handle_is_asked_for_and_nothing_is_sent() -> None:
    server, naps = Server(WORKING, DONE), Naps()
    kept = Kept(server)
    completion = await answered(server, replace(AGAIN, on_handle=kept), naps)
    assert server.calls == [ASK, ASK]
    assert naps.taken == [2.0]  # the first question comes at once
    assert kept.handles == []
    first = await answered(Server(QUEUED, DONE), REQUEST)
    assert completion.request_json == first.request_json
    assert replace(completion, response_raw="") == replace(first, response_raw="")


async def test_an_incomplete_response_is_truncated() -> None:
    cut = response(
        message("half"), status="incomplete", incomplete_details={"reason": "max_output_tokens"}
    )
    completion = await answered(Server(QUEUED, reply(cut)), REQUEST)
    assert completion.stop_reason is StopReason.MAX_TOKENS


@needs_wire
async def test_recorded_bodies_are_followed_to_the_end() -> None:
    def recorded(name: str) -> Reply:
        return Reply((WIRE / "openai" / name).read_bytes())

    last = recorded("plain-gpt-5-6.json")
    server = Server(
        recorded("background-queued.json"), recorded("background-in-progress.json"), last
    )
    kept = Kept(server)
    completion = await answered(server, replace(REQUEST, on_handle=kept))
    assert kept.handles == [json.loads(recorded("background-queued.json").body)["id"]]
    assert completion.response_raw.encode() == last.body
    assert completion.stop_reason is StopReason.END


# --- ends that are no answer ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("server_error", ServerFault),
        ("rate_limit_exceeded", RateLimited),
        ("vector_store_timeout", ServerFault),
        ("data_residency_mismatch", RequestRejected),
    ],
)
@pytest.mark.parametrize("asked", [REQUEST, AGAIN])
async def test_failed_work_is_final_and_not_asked_for_again(
    code: str, kind: type[ProviderError], asked: Request
) -> None:
    stopped = response(status="failed", error={"code": code, "message": "sorry"})
    replies = [reply(stopped)] if asked.handle else [QUEUED, reply(stopped)]
    found = await failed(Server(*replies), asked)
    assert type(found) is kind
    assert found.handle is None
    assert "sorry" in str(found)
    assert found.raw == raw(stopped).decode()


@pytest.mark.parametrize("code", ["bio_policy", "misalignment_policy_violation"])
async def test_a_policy_that_stops_the_work_is_a_refusal(code: str) -> None:
    stopped = response(status="failed", error={"code": code, "message": "not this"})
    found = await run(Server(QUEUED, reply(stopped)), REQUEST)
    assert isinstance(found, Completion), found
    assert found.stop_reason in (StopReason.REFUSAL, StopReason.BLOCKED)


@pytest.mark.parametrize("usage", [None, {"input_tokens": 7, "output_tokens": 1}])
async def test_work_that_was_cancelled_there_is_lost_and_may_be_billed(usage: object) -> None:
    found = await failed(Server(QUEUED, reply(response(status="cancelled", usage=usage))), REQUEST)
    assert isinstance(found, BackgroundLost)
    assert found.retryable
    assert found.may_be_billed
    assert found.handle is None
    assert (found.usage is None) is (usage is None)


async def test_work_that_is_no_longer_known_is_lost_and_may_be_billed() -> None:
    for server, asked in ((Server(GONE), AGAIN), (Server(QUEUED, WORKING, GONE), REQUEST)):
        found = await failed(server, asked)
        assert isinstance(found, BackgroundLost)
        assert found.retryable
        assert found.may_be_billed
        assert found.handle is None
        assert found.http_status == 404
        assert ID in str(found)


async def test_new_work_may_take_a_moment_to_be_known() -> None:
    completion = await answered(Server(QUEUED, GONE, GONE, GONE, GONE, DONE), REQUEST)
    assert completion.text == "4"


async def test_a_server_that_never_gives_the_work_back_is_not_paid_again_and_again() -> None:
    server = Server(QUEUED, GONE)
    found = await failed(server, REQUEST)
    assert isinstance(found, SettingRejected)
    assert "options.background = false" in str(found)
    assert found.may_be_billed
    assert server.calls == [START, *[ASK] * 5]


async def test_work_without_an_id_cannot_be_waited_for() -> None:
    found = await failed(Server(reply(response(status="queued", id=None))), REQUEST)
    assert isinstance(found, MalformedResponse)


# --- asking fails ---------------------------------------------------------------------------

TROUBLE = [
    Reply(refuse=httpx2.ConnectError("refused")),
    Reply(refuse=httpx2.ReadTimeout("silence")),
    Reply(raw(response())[:9], failure=httpx2.ReadError("cut")),
    DOWN,
    reply(error("slow down"), status=429),
    Reply(b"<html>hello</html>"),
    Reply(b""),
    reply({"unlike": "a response"}),
]


async def test_asking_goes_on_when_it_fails() -> None:
    server = Server(QUEUED, *TROUBLE, WORKING, *TROUBLE, DONE)
    completion = await answered(server, REQUEST)
    assert completion.text == "4"
    assert server.calls.count(START) == 1


@pytest.mark.parametrize("trouble", TROUBLE)
@pytest.mark.parametrize("asked", [REQUEST, AGAIN])
async def test_after_ten_failures_in_a_row_the_next_try_asks_again(
    trouble: Reply, asked: Request
) -> None:
    server = Server(*([trouble] if asked.handle else [QUEUED, trouble]))
    found = await failed(server, asked)
    assert found.retryable
    assert found.handle == ID
    assert server.calls.count(ASK) == 10
    assert CANCEL not in server.calls


async def test_a_key_that_is_refused_meanwhile_keeps_the_work() -> None:
    refused = reply(error("Incorrect API key provided", "invalid_api_key"), status=401)
    server = Server(QUEUED, refused)
    found = await failed(server, REQUEST)
    assert isinstance(found, AuthenticationFailed)
    assert found.handle == ID
    assert server.calls == [START, ASK]


@pytest.mark.parametrize(("stated", "nap"), [("20", 20.0), ("1", 3.0), ("7200", 60.0)])
async def test_a_stated_wait_is_kept_to_but_not_for_hours(stated: str, nap: float) -> None:
    slow = reply(error("slow down"), status=429, headers=JSON | {"retry-after": stated})
    naps = Naps()
    await answered(Server(QUEUED, slow, DONE), REQUEST, naps)
    assert naps.taken == [2.0, nap]


# --- starting fails -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "kind"),
    [
        (Reply(refuse=httpx2.ConnectError("refused")), ConnectionFailed),
        (Reply(refuse=httpx2.ReadTimeout("silence")), CallTimedOut),
        (DOWN, ServerFault),
        (Reply(b'{"object": "resp', failure=httpx2.ReadError("cut")), ConnectionBroken),
    ],
)
async def test_work_that_was_not_taken_on_has_no_handle(
    first: Reply, kind: type[ProviderError]
) -> None:
    server = Server(first)
    found = await failed(server, REQUEST)
    assert type(found) is kind
    assert found.handle is None
    assert server.calls == [START]


@pytest.mark.parametrize("failure", [httpx2.ReadError("cut"), None])
async def test_work_whose_id_came_before_the_connection_broke_is_not_sent_again(
    failure: Exception | None,
) -> None:
    cut = Reply(QUEUED.body[:60], failure=failure)
    server = Server(cut, WORKING, DONE)
    kept = Kept(server)
    completion = await answered(server, replace(REQUEST, on_handle=kept))
    assert completion.text == "4"
    assert kept.handles == [ID]
    assert server.calls == [START, ASK, ASK]


async def test_an_answer_that_came_whole_before_the_connection_broke_counts() -> None:
    server = Server(replace(DONE, failure=httpx2.ReadError("cut")))
    completion = await answered(server, REQUEST)
    assert completion.text == "4"
    assert server.calls == [START]


# --- leaving --------------------------------------------------------------------------------


class Waiting(Naps):
    """Sleeps for ever at the nth nap, and says so."""

    def __init__(self, at: int = 1) -> None:
        super().__init__()
        self.at = at
        self.asleep = asyncio.Event()

    async def __call__(self, seconds: float) -> None:
        await super().__call__(seconds)
        if len(self.taken) >= self.at:
            self.asleep.set()
            await asyncio.Event().wait()


class Slow(Server):
    """Takes its time to call off, until it is let go."""

    def __init__(self, *replies: Reply) -> None:
        super().__init__(*replies)
        self.calling_off = asyncio.Event()
        self.go = asyncio.Event()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        answer = await super().handle_async_request(request)
        if request.url.path.endswith("/cancel"):
            self.calling_off.set()
            await self.go.wait()
        return answer


@pytest.mark.parametrize(("asked", "at"), [(REQUEST, 1), (REQUEST, 2), (AGAIN, 1)])
async def test_leaving_calls_the_work_off_once(asked: Request, at: int) -> None:
    server, naps = Server(WORKING), Waiting(at)
    call = asyncio.ensure_future(run(server, asked, naps))
    await naps.asleep.wait()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert server.calls.count(CANCEL) == 1
    assert server.calls[-1] == CANCEL


async def test_leaving_while_the_handle_is_written_down_calls_the_work_off() -> None:
    writing = asyncio.Event()

    async def slow_disk(_: str) -> None:
        writing.set()
        await asyncio.Event().wait()

    server = Server(QUEUED)
    call = asyncio.ensure_future(run(server, replace(REQUEST, on_handle=slow_disk)))
    await writing.wait()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert server.calls == [START, CANCEL]


async def test_leaving_when_only_the_id_has_come_calls_the_work_off() -> None:
    halfway = asyncio.Event()

    class Half(Server):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            answer = await super().handle_async_request(request)
            if request.url.path != "/v1/responses":
                return answer
            return httpx2.Response(200, headers=JSON, stream=HalfStream([QUEUED.body[:60]], None))

    class HalfStream(ReplayStream):
        async def __aiter__(self) -> Any:
            yield self.pieces[0]
            halfway.set()
            await asyncio.Event().wait()

    server = Half(QUEUED)
    call = asyncio.ensure_future(run(server, REQUEST))
    await halfway.wait()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert server.calls == [START, CANCEL]


async def test_impatience_does_not_stop_the_calling_off() -> None:
    server, naps = Slow(QUEUED), Waiting()
    call = asyncio.ensure_future(run(server, REQUEST, naps))
    await naps.asleep.wait()
    call.cancel()
    await server.calling_off.wait()
    for _ in range(3):
        call.cancel()
        await asyncio.sleep(0)
    assert not call.done()
    server.go.set()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert server.calls.count(CANCEL) == 1


class TimePasses(Naps):
    """Sleeps until the call's time is up, without waiting for it."""

    async def __call__(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time
        vars(loop)["time"] = lambda: now() + 7201
        await asyncio.Event().wait()


async def test_the_total_timeout_calls_the_work_off() -> None:
    server = Server(QUEUED)
    found = await failed(server, REQUEST, TimePasses())
    assert isinstance(found, CallTimedOut)
    assert "total timeout: the call took longer than 7200 s" in str(found)
    assert found.handle is None
    assert found.may_be_billed
    assert server.calls == [START, CANCEL]


async def test_leaving_while_late_work_is_called_off_is_not_forgotten() -> None:
    server = Slow(QUEUED)
    call = asyncio.ensure_future(run(server, REQUEST, TimePasses()))
    await server.calling_off.wait()
    call.cancel()
    await asyncio.sleep(0)
    server.go.set()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert server.calls == [START, CANCEL]


async def test_work_that_is_done_cannot_be_called_off() -> None:
    received = Received(AGAIN, {}, handle=ID)

    async def poll() -> Polled:
        return Polled(200, "application/json", DONE.body)

    await wait_for(received, poll, Naps())
    assert received.handle is None
    assert received.body == DONE.body


@pytest.mark.parametrize(
    "trouble",
    [
        Reply(refuse=httpx2.ConnectError(f"refused {KEY}")),
        reply(error(f"no {KEY}"), status=500),
        Reply(b"junk"),
    ],
)
async def test_calling_off_may_fail_and_says_so_without_the_key(
    trouble: Reply, caplog: pytest.LogCaptureFixture
) -> None:
    server, naps = Server(QUEUED, trouble), Waiting()
    with caplog.at_level(logging.DEBUG):
        call = asyncio.ensure_future(run(server, REQUEST, naps))
        await naps.asleep.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
    assert server.calls == [START, CANCEL]
    assert KEY not in caplog.text
    assert (f"could not call off '{ID}'" in caplog.text) is (trouble.body != b"junk")


async def test_calling_off_takes_ten_seconds_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("relaybench.providers.openai.CALL_OFF_S", 0.01)
    server, naps = Slow(QUEUED), Waiting()
    call = asyncio.ensure_future(run(server, REQUEST, naps))
    await naps.asleep.wait()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        async with asyncio.timeout(1):
            await call
    assert server.calls == [START, CANCEL]


# --- headers and addresses ------------------------------------------------------------------


async def test_every_request_of_a_call_carries_its_headers() -> None:
    class Marked(OpenAIProvider):
        def _request_headers(self, request: Request) -> dict[str, str]:
            return {"x-cell": request.cell}

    server, naps = Server(QUEUED, WORKING), Waiting(2)
    adapter = Marked("http://proxy.test/v1", KEY, transport=server, sleep=naps)
    call = asyncio.ensure_future(adapter.complete(REQUEST))
    await naps.asleep.wait()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await adapter.aclose()
    assert server.calls == [START, ASK, CANCEL]
    assert {each.headers["x-cell"] for each in server.requests} == {"c"}
    assert {each.url.host for each in server.requests} == {"proxy.test"}
    # A dead connection is noticed long before the hour that a silent stream may take.
    assert [each.extensions["timeout"]["read"] for each in server.requests] == [300, 60, 10]


async def test_a_hostile_id_stays_in_its_place() -> None:
    odd = "resp_/../../files?x=1#y"
    server = Server(reply(response(status="queued", id=odd)), DONE)
    await answered(server, REQUEST)
    path = server.requests[1].url.raw_path.decode()
    assert path.startswith("/v1/responses/resp_%2F..%2F..%2Ffiles%3Fx=1%23y")


async def test_one_stray_404_does_not_give_work_up_that_is_paid_for() -> None:
    page = Reply(b"<html>404 Not Found</html>", 404, {"content-type": "text/html"})
    for stray in (GONE, page):
        server = Server(QUEUED, WORKING, stray, stray, DONE)
        completion = await answered(server, REQUEST)
        assert completion.text == "4"
        assert server.calls == [START, *[ASK] * 4]
    server = Server(QUEUED, WORKING, page)
    found = await failed(server, REQUEST)
    assert isinstance(found, ServerFault), "a proxy's page says nothing of the work"
    assert found.handle == ID
    assert server.calls == [START, *[ASK] * 11]


async def test_a_failed_response_is_charged_for_the_tools_it_used() -> None:
    tools = [{"type": "web_search_call", "id": "ws", "status": "completed"}] * 2
    code = {"type": "code_interpreter_call", "id": "ci", "container_id": "c1", "code": "1"}
    body = response(
        status="failed",
        output=[*tools, code],
        error={"code": "server_error", "message": "broke"},
        usage={"input_tokens": 1000, "output_tokens": 500, "total_tokens": 1500},
    )
    found = await failed(Server(QUEUED, reply(body)), REQUEST)
    assert isinstance(found, ServerFault)
    assert found.usage is not None
    assert found.tool_fees == {"web_search": 2, "container_4g": 1}
    assert found.settings_sent
    assert found.request_json
