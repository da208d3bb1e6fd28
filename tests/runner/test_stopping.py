"""The two stages of stopping: let what is under way finish, or leave now and lose no answer."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from relaybench.domain.completion import Completion
from relaybench.domain.errors import RateLimited, ServerFault, StoreError
from relaybench.domain.results import Cell
from relaybench.providers.protocol import Request
from relaybench.runner.events import (
    CellFinished,
    CellLeft,
    CellStarted,
    CellWaiting,
    Ending,
    Event,
    RunEnded,
)
from tests.runner.support import FakeRecorder, HastyClock, World, answer, config

#: Turns of the event loop after which the scenario of the cancellation tests is over.
TURNS = 90


async def test_a_gentle_stop_lets_calls_under_way_finish() -> None:
    world = World([config(most=3)], count=10)

    def on_event(event: Event) -> None:
        world.events.append(event)
        if len(world.of(CellFinished)) == 1:
            world.runner.stop()

    world.runner.on_event = on_event
    ended = await world.run()
    assert len(world.recorder.answers) == len(world.provider.sent)
    assert 3 <= len(world.provider.sent) <= 5
    assert ended.ending is Ending.STOPPED
    assert ended.left == 10 - len(world.recorder.answers)
    assert world.events[-1] == ended


async def test_a_try_that_fails_after_the_stop_is_not_repeated_and_stays_open() -> None:
    world = World([config(most=1)], count=2)
    world.provider.reply = lambda cell, number: ServerFault("x")

    def on_event(event: Event) -> None:
        world.events.append(event)
        if isinstance(event, CellStarted):
            world.runner.stop()

    world.runner.on_event = on_event
    ended = await world.run()
    assert len(world.provider.sent) == 1
    assert (ended.ending, ended.left) == (Ending.STOPPED, 2)
    assert not world.recorder.given_up
    assert [wait for _, _, wait in world.recorder.failures] == [None]
    assert [event.cell for event in world.of(CellLeft)] == [world.cells[0]]


async def test_a_stop_wakes_a_run_that_only_waits() -> None:
    world = World(count=1)
    world.provider.reply = lambda cell, number: RateLimited("x", retry_after_s=1e6)
    waiting = _bell(world, CellWaiting)
    task = asyncio.ensure_future(world.run())
    await asyncio.wait_for(waiting.wait(), 5)
    world.runner.stop()
    ended = await asyncio.wait_for(task, 5)
    assert (ended.ending, ended.left) == (Ending.STOPPED, 1)
    assert world.clock.time() < 1e6


async def test_a_stop_before_the_start_sends_nothing() -> None:
    world = World()
    world.runner.stop()
    assert await world.run() == RunEnded(Ending.STOPPED, 4)
    assert not world.provider.sent


async def test_a_stop_when_all_is_sent_is_a_complete_run() -> None:
    world = World([config(most=4)], count=4)
    world.provider.seconds = lambda cell, number: (
        world.runner.stop() or 1.0 if number == 1 else 1.0  # type: ignore[func-returns-value]
    )
    ended = await world.run()
    assert ended == RunEnded(Ending.COMPLETE, 0)


def _bell(world: World, kind: type[Event], count: int = 1) -> asyncio.Event:
    """An event that is set when the run has told something for the ``count``-th time."""
    bell = asyncio.Event()

    def on_event(event: Event) -> None:
        world.events.append(event)
        if len(world.of(kind)) >= count:
            bell.set()

    world.runner.on_event = on_event
    return bell


def _scenario(recorder: FakeRecorder | None = None) -> World:
    """Two lanes, answers, retries, a final failure, a closed config: every kind of step."""
    a, b, c = config("m1", lane="a", most=2), config("m2", lane="a"), config("m3", lane="b", most=1)
    world = World([a, b, c], count=3, clock=HastyClock(), recorder=recorder or FakeRecorder(2))
    ids = [cell.id for cell in world.cells]
    for provider in world.providers.values():
        provider.reply = lambda cell, number: (
            RateLimited("x") if cell in ids[:4] and number == 1 else answer()
        )
    return world


def _check_nothing_is_lost(world: World) -> None:
    delivered = Counter(cell for each in world.providers.values() for cell in each.delivered)
    assert set(delivered.values()) <= {1}
    assert set(world.recorder.answers) == set(delivered), "an answer that arrived is not stored"
    states = world.recorder.states()
    assert states["sent"] == 0, "a call was left without a word"
    assert sum(states.values()) >= sum(len(each.sent) for each in world.providers.values())


async def _cancelled_after(world: World, turns: int, again: int | None = None) -> bool:
    """Cancel a run after some turns of the loop, and again; whether it was over before."""
    task = asyncio.ensure_future(world.run())
    for _ in range(turns):
        await asyncio.sleep(0)
    if task.done():
        return True
    task.cancel()
    if again is not None:
        for _ in range(again):
            await asyncio.sleep(0)
        task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    return False


@pytest.mark.parametrize("turns", range(TURNS))
async def test_leaving_at_any_moment_loses_no_answer_that_arrived(turns: int) -> None:
    world = _scenario()
    await _cancelled_after(world, turns)
    _check_nothing_is_lost(world)


@pytest.mark.parametrize("again", [0, 1, 2, 3])
@pytest.mark.parametrize("turns", range(0, TURNS, 3))
async def test_leaving_twice_loses_no_answer_either(turns: int, again: int) -> None:
    world = _scenario()
    await _cancelled_after(world, turns, again)
    _check_nothing_is_lost(world)


async def test_the_turns_above_cover_the_whole_scenario() -> None:
    assert await _cancelled_after(_scenario(), TURNS)
    assert not await _cancelled_after(_scenario(), TURNS // 2)


async def test_calls_that_are_abandoned_are_recorded_as_lost() -> None:
    world = World([config(most=3)], count=5)
    started = _bell(world, CellStarted, 3)
    task = asyncio.ensure_future(world.run())
    await asyncio.wait_for(started.wait(), 5)
    await asyncio.sleep(0)
    assert len(world.provider.sent) == 3
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert world.recorder.states() == {"lost": 3}


async def test_a_response_that_an_adapter_still_returns_when_cancelled_is_stored() -> None:
    class Stubborn:
        def settings(self, config: object) -> dict[str, object]:
            return {}

        async def complete(self, request: Request) -> Completion:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                return answer()
            raise AssertionError("unreachable")

        async def aclose(self) -> None:
            pass

    world = World(count=1)
    world.runner.providers = {world.configs[0].provider_key: Stubborn()}
    started = _bell(world, CellStarted)
    task = asyncio.ensure_future(world.run())
    await asyncio.wait_for(started.wait(), 5)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert list(world.recorder.answers) == [world.cells[0].id]


async def test_a_store_that_fails_while_we_leave_is_told() -> None:
    def fail(method: str, cell: Cell) -> StoreError | None:
        return StoreError("put into rescue.jsonl") if method == "answered" else None

    world = World(count=1, clock=HastyClock(), recorder=FakeRecorder(20, fail))
    arrived = asyncio.Event()
    world.provider.reply = lambda cell, number: arrived.set() or answer()  # type: ignore[func-returns-value]
    task = asyncio.ensure_future(world.run())
    await asyncio.wait_for(arrived.wait(), 5)
    task.cancel()
    with pytest.raises(StoreError, match=r"rescue\.jsonl"):
        await task
