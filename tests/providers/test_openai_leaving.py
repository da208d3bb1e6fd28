"""Leaving work in the background at OpenAI: it is called off, once, and says so where it cannot."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import Any

import httpx2
import pytest

from relaybench.domain.errors import (
    CallTimedOut,
)
from relaybench.providers.adapter import Received
from relaybench.providers.openai_background import Polled, wait_for
from relaybench.providers.protocol import Request
from tests.providers.openai_support import (
    AGAIN,
    CANCEL,
    DONE,
    ID,
    JSON,
    KEY,
    QUEUED,
    REQUEST,
    START,
    WORKING,
    Naps,
    Reply,
    Server,
    Waiting,
    error,
    failed,
    reply,
    run,
)
from tests.providers.support import ReplayStream


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
