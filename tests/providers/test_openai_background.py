"""Work in the background at OpenAI: never sent twice, never lost."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

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
from relaybench.providers.openai import OpenAIProvider
from relaybench.providers.protocol import Phase, Request
from tests.providers.openai_support import (
    AGAIN,
    ASK,
    CANCEL,
    DONE,
    DOWN,
    GONE,
    ID,
    JSON,
    KEY,
    QUEUED,
    REQUEST,
    START,
    WORKING,
    Kept,
    Naps,
    Reply,
    Server,
    Waiting,
    answered,
    error,
    failed,
    message,
    raw,
    reply,
    response,
    run,
)
from tests.providers.support import WIRE, needs_wire

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
