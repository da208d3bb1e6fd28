"""Faults of the store, of adapters and of screens: none of them loses an answer."""

from __future__ import annotations

import asyncio
import logging

import pytest

from relaybench.domain.errors import MalformedResponse, RelaybenchError, StoreError
from relaybench.domain.results import Cell, Outcome
from relaybench.runner.events import CellFinished, Ending, Event
from tests.runner.support import FakeProvider, FakeRecorder, World, answer, config


@pytest.mark.parametrize("error", [StoreError("disk full"), OverflowError("a fault of ours")])
@pytest.mark.parametrize("method", ["call_started", "answered", "call_failed", "gave_up"])
async def test_a_recorder_that_fails_stops_sending_and_is_told_at_the_end(
    method: str, error: Exception
) -> None:
    world = World([config(most=3)], count=9)
    bad = world.cells[1]
    world.recorder.fail_on = lambda name, cell: (
        error if (name, cell.id) == (method, bad.id) else None
    )
    world.provider.reply = lambda cell, number: (
        MalformedResponse("x") if cell == bad.id and method != "answered" else answer()
    )
    world.provider.seconds = lambda cell, number: 1.0 if cell == bad.id else 5.0
    with pytest.raises(type(error)) as raised:
        await world.run()
    assert raised.value is error
    assert set(world.provider.delivered) - {bad.id} == set(world.recorder.answers)
    assert len(world.recorder.answers) == 2
    assert len(world.provider.sent) <= 3


async def test_the_first_of_several_failures_is_raised() -> None:
    world = World([config(most=4)], count=4)

    def fail(method: str, cell: Cell) -> RelaybenchError | None:
        return StoreError(f"no {world.cells.index(cell)}") if method == "answered" else None

    world.recorder.fail_on = fail
    world.provider.seconds = lambda cell, number: 1.0 if cell == world.cells[2].id else 2.0
    with pytest.raises(StoreError, match="no 2"):
        await world.run()


@pytest.mark.parametrize("bug", [KeyError("choices"), RecursionError(), asyncio.CancelledError()])
async def test_a_bug_of_an_adapter_is_a_failed_attempt_not_the_end(bug: BaseException) -> None:
    world = World(count=5)
    bad = world.cells[2].id
    world.provider.reply = lambda cell, number: bug if cell == bad else answer()
    ended = await world.run()
    assert (ended.ending, ended.left) == (Ending.COMPLETE, 0)
    assert len(world.recorder.answers) == 4
    error = world.recorder.given_up[bad]
    assert isinstance(error, MalformedResponse)
    assert type(bug).__name__ in str(error)
    outcomes = {event.cell.id: event.outcome for event in world.of(CellFinished)}
    assert outcomes[bad] is Outcome.ERROR


async def test_a_screen_that_fails_does_not_disturb_the_run(
    caplog: pytest.LogCaptureFixture,
) -> None:
    world = World(count=5)

    def on_event(event: Event) -> None:
        raise BrokenPipeError("nobody looks")

    world.runner.on_event = on_event
    with caplog.at_level(logging.ERROR):
        ended = await world.run()
    assert ended.ending is Ending.COMPLETE
    assert len(world.recorder.answers) == 5
    assert "a front end failed on CellStarted" in caplog.text


async def test_cells_given_twice_are_sent_once() -> None:
    world = World(count=3)
    world.cells += world.cells
    await world.run()
    assert sorted(cell for _, cell in world.provider.sent) == sorted(world.recorder.answers)


async def test_a_config_without_an_open_adapter_is_refused_before_anything_is_sent() -> None:
    world = World([config("m1", lane="a"), config("m2", lane="b")])
    del world.providers[world.configs[1].provider_key]
    with pytest.raises(ValueError, match="no adapter is open for m2"):
        await world.run()
    assert not world.recorder.calls


async def test_no_cells_at_all_end_at_once() -> None:
    world = World(count=0)
    ended = await world.run()
    assert (ended.ending, ended.left) == (Ending.COMPLETE, 0)
    assert world.events == [ended]


def test_the_fakes_fit_the_protocols() -> None:
    from relaybench.providers.protocol import Provider
    from relaybench.runner.recorder import Recorder

    world = World()
    provider: Provider = FakeProvider(world.clock)
    recorder: Recorder = FakeRecorder()
    assert provider
    assert recorder
