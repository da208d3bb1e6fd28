"""A provider out of reach: feelers go out, tries are kept, and a sign of life opens the lane."""

from __future__ import annotations

import pytest

from relaybench.domain.errors import (
    CallTimedOut,
    ConnectionFailed,
    ProviderError,
    RateLimited,
    RequestRejected,
    ServerFault,
)
from relaybench.runner.events import ReachChanged
from relaybench.runner.outage import FAILURES_IN_A_ROW, SILENT_S, Outage
from tests.runner.support import World, answer, config

MINUTE = 60.0


@pytest.mark.parametrize("minutes", [15, 20, 40, 120])
@pytest.mark.parametrize(
    "error",
    [ConnectionFailed("no route"), ServerFault("x", http_status=503), RateLimited("x")],
)
async def test_a_night_survives_an_outage(minutes: int, error: ProviderError) -> None:
    """200 cells at 4 a time, 30 s an answer; the provider is gone in the middle of it."""
    world = World([config(most=4)], count=200)
    gone = (10 * MINUTE, (10 + minutes) * MINUTE)
    world.provider.seconds = lambda cell, number: (
        0.1 if gone[0] <= world.clock.time() < gone[1] else 30.0
    )
    world.provider.reply = lambda cell, number: (
        error if gone[0] <= world.clock.time() - 0.1 < gone[1] else answer()
    )
    ended = await world.run()
    assert len(world.recorder.answers) == 200
    assert world.recorder.given_up == {}
    assert ended.left == 0
    assert [event.reached for event in world.of(ReachChanged)] == [False, True]
    after = world.clock.time() - gone[1]
    assert after < 200 / 4 * 30 + 5 * MINUTE, "it goes on soon after the provider is back"


async def test_one_provider_out_of_reach_does_not_slow_another() -> None:
    down, up = config("down", lane="a"), config("up", lane="b")
    world = World([down, up], count=20)
    world.providers[down.provider_key].reply = lambda cell, number: ConnectionFailed("no route")
    world.providers[up.provider_key].seconds = lambda cell, number: 10.0
    await world.run()
    moments = [moment for moment, _ in world.providers[up.provider_key].sent]
    assert max(moments) <= 20 / 4 * 10
    assert len(world.recorder.given_up) == 20
    assert all(world.providers[down.provider_key].tries(c) <= 30 for c in world.cells)


def test_feelers_go_out_one_at_a_time_and_ever_later() -> None:
    outage = Outage()
    for _ in range(FAILURES_IN_A_ROW - 1):
        assert not outage.failed(ConnectionFailed("x"), 0.0)
        assert outage.opens(0.0) is None
    assert outage.failed(ConnectionFailed("x"), 0.0)
    waits = []
    now = 0.0
    for _ in range(10):
        opens = outage.opens(now)
        assert opens is not None
        waits.append(opens - now)
        now = opens
        assert outage.opens(now) is None
        outage.sent(now)
        assert outage.opens(now + 1) == now + SILENT_S, "a feeler is out"
        assert not outage.failed(ConnectionFailed("x"), now)
    assert waits == sorted(waits)
    assert waits[0] == 1.0
    assert waits[-1] == 60.0


def test_a_feeler_that_is_silent_for_long_has_arrived() -> None:
    outage = Outage(failures=FAILURES_IN_A_ROW)
    outage.sent(100.0)
    assert outage.opens(100.0 + SILENT_S - 1) is not None
    assert outage.opens(100.0 + SILENT_S) is None
    assert not outage.lasting


@pytest.mark.parametrize("error", [RequestRejected("no"), CallTimedOut("idle")])
def test_whoever_refuses_is_there(error: ProviderError) -> None:
    outage = Outage(failures=FAILURES_IN_A_ROW)
    outage.failed(error, 0.0)
    assert not outage.lasting
