"""Steering a run while it goes on: pause, more or fewer calls at once, another try for failures."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from decimal import Decimal

import pytest

from relaybench.domain.errors import (
    AuthenticationFailed,
    QuotaExhausted,
    RateLimited,
    RequestRejected,
    ServerFault,
)
from relaybench.domain.results import Outcome
from relaybench.runner.budget import Budget
from relaybench.runner.events import (
    CellFinished,
    CellQueued,
    CellStarted,
    CellWaiting,
    ConcurrencyChanged,
    Ending,
    Event,
    LaneClosed,
    Paused,
    Resumed,
    RunEnded,
)
from relaybench.runner.pace import Pace
from relaybench.runner.retry import RetryPolicy
from tests.runner.support import World, answer, config


def _at(world: World, seconds: float, act: Callable[[], object]) -> asyncio.Task[None]:
    """Do something at a moment of the run's clock."""

    async def wait() -> None:
        await world.clock.sleep(seconds)
        act()

    return asyncio.ensure_future(wait())


def _when(world: World, kind: type[Event], count: int, act: Callable[[], object]) -> None:
    """Do something once, when the run has told something for the ``count``-th time."""
    done: list[bool] = []

    def on_event(event: Event) -> None:
        world.events.append(event)
        if len(world.of(kind)) >= count and not done:
            done.append(True)
            act()

    world.runner.on_event = on_event


async def test_a_pause_lets_calls_under_way_finish_and_sends_nothing() -> None:
    world = World([config(most=2)], count=6)
    world.provider.seconds = lambda cell, number: 10.0
    pause, resume = _at(world, 5.0, world.runner.pause), _at(world, 105.0, world.runner.resume)
    ended = await world.run()
    await asyncio.gather(pause, resume)
    assert [moment for moment, _ in world.provider.sent] == [0, 0, 105, 105, 115, 115]
    assert len(world.of(Paused)) == len(world.of(Resumed)) == 1
    assert not world.runner.paused
    assert (ended, len(world.recorder.answers)) == (RunEnded(Ending.COMPLETE, 0), 6)


async def test_waits_run_on_in_a_pause_and_keep_their_tries() -> None:
    world = World([config(most=1)], count=2)
    first = world.cells[0].id
    world.provider.reply = lambda cell, number: (
        ServerFault("x", retry_after_s=50.0) if (cell, number) == (first, 1) else answer()
    )
    tasks = [_at(world, 0.5, world.runner.pause), _at(world, 20.0, world.runner.resume)]
    await world.run()
    await asyncio.gather(*tasks)
    moments = [moment for moment, cell in world.provider.sent if cell == first]
    assert len(moments) == 2
    assert 51.0 <= moments[1] <= 53.0  # not a moment later for the pause
    assert [event.number for event in world.of(CellStarted)] == [1, 1, 2]


async def test_a_retry_that_got_ready_in_a_pause_goes_first_after_it() -> None:
    world = World([config(most=1)], count=3)
    first = world.cells[0].id
    world.provider.reply = lambda cell, number: (
        ServerFault("x", retry_after_s=5.0) if (cell, number) == (first, 1) else answer()
    )
    tasks = [_at(world, 0.5, world.runner.pause), _at(world, 100.0, world.runner.resume)]
    await world.run()
    await asyncio.gather(*tasks)
    assert [cell for _, cell in world.provider.sent][:2] == [first, first]
    assert world.provider.sent[1][0] == 100.0


async def test_a_run_that_pauses_with_nothing_left_to_send_ends() -> None:
    world = World([config(most=4)], count=2)
    task = _at(world, 0.5, world.runner.pause)
    assert await world.run() == RunEnded(Ending.COMPLETE, 0)
    await task


async def test_a_paused_run_can_be_stopped() -> None:
    world = World([config(most=1)], count=3)
    tasks = [_at(world, 0.5, world.runner.pause), _at(world, 30.0, world.runner.stop)]
    assert await world.run() == RunEnded(Ending.STOPPED, 2)
    await asyncio.gather(*tasks)
    assert world.clock.time() == 30.0


async def test_a_paused_run_can_be_left() -> None:
    world = World([config(most=1)], count=3)
    paused = asyncio.Event()

    def pause() -> None:
        world.runner.pause()
        paused.set()

    _when(world, CellFinished, 1, pause)
    task = asyncio.ensure_future(world.run())
    await asyncio.wait_for(paused.wait(), 5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert world.recorder.states() == {"answered": 1}


async def test_pausing_twice_or_after_a_stop_says_nothing() -> None:
    world = World([config(most=1)], count=2)
    world.runner.resume()
    world.runner.pause()
    world.runner.pause()
    assert world.events == [Paused()]
    world.runner.resume()
    world.runner.stop()
    world.runner.pause()
    assert world.events == [Paused(), Resumed()]
    assert await world.run() == RunEnded(Ending.STOPPED, 2)


async def test_a_budget_that_ends_while_paused_ends_the_run_after_it() -> None:
    world = World(
        [config(most=1)],
        count=4,
        budget=Budget(Decimal("0.02")),
        expected=lambda cell: Decimal("0.01"),
    )
    tasks = [_at(world, 1.5, world.runner.pause), _at(world, 30.0, world.runner.resume)]
    assert await world.run() == RunEnded(Ending.BUDGET, 2)
    await asyncio.gather(*tasks)


async def test_more_calls_at_once_go_out_as_soon_as_they_may() -> None:
    world = World([config(most=1)], count=9)
    world.provider.seconds = lambda cell, number: 10.0
    task = _at(world, 5.0, lambda: world.runner.set_concurrency(4))
    await world.run()
    await task
    assert [moment for moment, _ in world.provider.sent] == [0, 5, 5, 5, 10, 15, 15, 15, 20]
    lane = world.configs[0].provider_key
    assert world.of(ConcurrencyChanged) == [ConcurrencyChanged(lane, 4, 4)]


async def test_fewer_calls_at_once_let_those_under_way_finish() -> None:
    world = World([config(most=4)], count=8)
    world.provider.seconds = lambda cell, number: 10.0
    task = _at(world, 5.0, lambda: world.runner.set_concurrency(1))
    await world.run()
    await task
    assert [moment for moment, _ in world.provider.sent] == [0, 0, 0, 0, 10, 20, 30, 40]
    assert len(world.recorder.answers) == 8


async def test_one_provider_can_be_changed_alone() -> None:
    a, b = config("m1", lane="a", most=1), config("m2", lane="b", most=1)
    world = World([a, b], count=4)
    world.runner.set_concurrency(4, a.provider_key)
    await world.run()
    assert world.providers[a.provider_key].most == 4
    assert world.providers[b.provider_key].most == 1
    assert world.runner.most_at_once(world.cells) == {a.provider_key: 4, b.provider_key: 1}
    world.runner.set_concurrency(2)
    assert set(world.runner.most_at_once(world.cells).values()) == {2}


async def test_no_number_below_one_is_taken() -> None:
    with pytest.raises(ValueError, match="at least one"):
        World().runner.set_concurrency(0)


def test_a_pace_that_the_provider_lowered_is_not_raised_by_a_higher_maximum() -> None:
    pace = Pace(8)
    pace.limited(pace.epoch, now=0.0)
    assert pace.limit == 4
    pace.change(16)
    assert (pace.limit, pace.most) == (4, 16)
    assert pace.rested(60.0)
    assert pace.limit == 5
    pace.change(2)
    assert pace.limit == 2
    pace.change(8)
    assert pace.limit == 2  # it still regains what the provider took
    while pace.limit < 8:
        assert pace.rested(pace.rises_at or 0.0)
    assert pace.rises_at is None
    pace.change(10)
    assert pace.limit == 10


async def test_failed_cells_are_sent_again_when_asked() -> None:
    world = World([config(most=2)], count=3, policy=RetryPolicy(tries=2))
    bad = world.cells[0]
    world.provider.reply = lambda cell, number: (
        ServerFault("x") if cell == bad.id and number <= 2 else answer()
    )
    asked: list[int] = []

    def on_event(event: Event) -> None:
        world.events.append(event)
        if isinstance(event, CellFinished) and event.outcome is Outcome.ERROR:
            asked.append(world.runner.retry_failed())
            assert world.runner.retry_failed() == 0

    world.runner.on_event = on_event
    world.provider.seconds = lambda cell, number: 1.0 if cell == bad.id else 500.0
    ended = await world.run()
    assert (asked, ended) == ([1], RunEnded(Ending.COMPLETE, 0))
    assert world.of(CellQueued) == [CellQueued(bad, failed=True)]
    numbers = [event.number for event in world.of(CellStarted) if event.cell == bad]
    assert numbers == [1, 2, 1]  # its tries begin anew
    assert set(world.recorder.answers) == {cell.id for cell in world.cells}


async def test_a_lane_that_was_done_or_closed_is_taken_up_again() -> None:
    a, b = config("m1", lane="a", most=1), config("m2", lane="b", most=1)
    world = World([a, b], count=3)
    broke = [True]
    world.providers[a.provider_key].reply = lambda cell, number: (
        QuotaExhausted("no money") if broke[0] else answer()
    )
    world.providers[b.provider_key].seconds = lambda cell, number: 100.0

    def pay() -> None:
        broke[0] = False
        assert world.runner.retry_failed() == 3

    task = _at(world, 150.0, pay)
    assert await world.run() == RunEnded(Ending.COMPLETE, 0)
    await task
    (closed,) = world.of(LaneClosed)
    assert closed.dropped == 2
    assert [event.failed for event in world.of(CellQueued)] == [True, False, False]
    assert len(world.recorder.answers) == 6
    assert [m for m, _ in world.providers[a.provider_key].sent] == [0.0, 150.0, 151.0, 152.0]


async def test_what_fails_again_closes_its_provider_again() -> None:
    world = World([config("m1", lane="a", most=1), config("m2", lane="b", most=1)], count=2)
    first, second = (world.providers[each.provider_key] for each in world.configs)
    first.reply = lambda cell, number: AuthenticationFailed("bad key")
    second.seconds = lambda cell, number: 100.0
    task = _at(world, 150.0, world.runner.retry_failed)
    assert await world.run() == RunEnded(Ending.COMPLETE, 1)
    await task
    assert (len(first.sent), len(world.of(LaneClosed))) == (2, 2)


async def test_rejections_are_counted_anew_when_failed_cells_are_tried_again() -> None:
    world = World([config("m1", lane="a", most=1), config("m2", lane="b", most=1)], count=5)
    first, second = (world.providers[each.provider_key] for each in world.configs)
    first.reply = lambda cell, number: RequestRejected("no")
    second.seconds = lambda cell, number: 100.0
    task = _at(world, 150.0, world.runner.retry_failed)
    await world.run()
    await task
    assert len(first.sent) == 6  # three, and three again


async def test_nothing_is_queued_again_once_the_run_stops_or_is_over() -> None:
    world = World([config(most=1)], count=2, policy=RetryPolicy(tries=1))
    world.provider.reply = lambda cell, number: ServerFault("x")
    assert world.runner.retry_failed() == 0  # before it began

    def stop() -> None:
        world.runner.stop()
        assert world.runner.retry_failed() == 0

    _when(world, CellFinished, 1, stop)
    await world.run()
    assert world.runner.retry_failed() == 0
    assert not world.of(CellQueued)
    assert len(world.provider.sent) == 1


async def test_a_wait_under_way_survives_the_change_of_everything_else() -> None:
    world = World([config(most=1)], count=1)
    world.provider.reply = lambda cell, number: (
        RateLimited("x", retry_after_s=1000.0) if number == 1 else answer()
    )
    tasks = [
        _at(world, 100.0, world.runner.pause),
        _at(world, 200.0, lambda: world.runner.set_concurrency(3)),
        _at(world, 300.0, world.runner.retry_failed),
        _at(world, 400.0, world.runner.resume),
    ]
    await world.run()
    await asyncio.gather(*tasks)
    (waiting,) = world.of(CellWaiting)
    assert world.provider.sent[1][0] == pytest.approx(1.0 + waiting.wait_s)
