"""Turns: paused ones go on, the persistent harness nudges, and work that goes on is asked for."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.domain.completion import Completion, StopReason, Trail, Turn, Usage
from relaybench.domain.errors import ConnectionFailed, ProviderError, ServerFault
from relaybench.domain.model import PERSISTENT, ModelConfig
from relaybench.domain.results import Cell
from relaybench.runner.budget import Budget
from relaybench.runner.events import CellFinished, CellTurn
from relaybench.runner.harness import Final, GoOn, next_step
from tests.runner.support import CALL_COST, World, answer, config

PAUSED = replace(answer(), text="", stop_reason=StopReason.PAUSE, raw_stop_reason="pause_turn")


def raw(completion: Completion, number: int) -> Completion:
    return replace(completion, response_raw=f"raw {number}")


def said(text: str, stop: StopReason = StopReason.END, word: str = "end_turn") -> Completion:
    return Completion(text, stop, word, Usage(), "m")


def persistent(**more: object) -> ModelConfig:
    return replace(config(), harness=PERSISTENT, nudge="go on", **more)  # type: ignore[arg-type]


@given(st.integers(1, 6), st.integers(0, 12))
def test_a_paused_turn_goes_on_to_the_cap_and_is_then_a_limit(cap: int, before: int) -> None:
    model = replace(config(), max_continuations=cap)
    step = next_step(model, [Turn("r")] * before, PAUSED)
    if before < cap:
        assert step == GoOn(None)
    else:
        assert isinstance(step, Final)
        assert step.completion.stop_reason is StopReason.LIMIT
        assert step.completion.raw_stop_reason == "pause_turn"


@pytest.mark.parametrize(
    ("completion", "goes_on"),
    [
        (said("no block"), True),
        (said("```\n42\n```"), False),
        (said("```\n42", StopReason.MAX_TOKENS, "max_tokens"), True),
        (said("```\n42\n```\nand", StopReason.MAX_TOKENS, "max_tokens"), False),
        (said("x", StopReason.MAX_TOKENS, "model_context_window_exceeded"), False),
        (said("x", StopReason.STOP_SEQUENCE, "stop_sequence"), True),
        (said("", StopReason.REFUSAL, "refusal"), False),
        (said("", StopReason.BLOCKED, "SAFETY"), False),
        (said("", StopReason.TOOL_USE, "tool_use"), False),
        (said("", StopReason.OTHER, "new"), False),
        (replace(said("x"), refusal="no"), False),
        (replace(said("```\n42\n```"), answer_text="after the tool"), True),
    ],
)
def test_only_an_unfinished_turn_is_nudged(completion: Completion, goes_on: bool) -> None:
    single = next_step(config(), [], completion)
    assert single == Final(completion), "the single harness takes what comes"
    step = next_step(persistent(), [], completion)
    assert step == (GoOn("go on") if goes_on else Final(completion))


@given(st.integers(1, 5), st.integers(0, 8), st.integers(0, 8))
def test_nudges_are_counted_apart_from_pauses(most: int, nudges: int, pauses: int) -> None:
    earlier = [Turn("r", "go on")] * nudges + [Turn("r")] * pauses
    step = next_step(persistent(max_nudges=most), earlier, said("no block"))
    assert isinstance(step, GoOn) == (nudges < most)


async def test_every_turn_is_a_call_and_the_next_one_carries_all_before_it() -> None:
    world = World(count=1)
    replies = [raw(PAUSED, 1), raw(PAUSED, 2), raw(answer(), 3)]
    world.provider.reply = lambda cell, number: replies[number - 1]
    await world.run()
    assert [r.earlier for r in world.provider.requests] == [
        (),
        (Turn("raw 1"),),
        (Turn("raw 1"), Turn("raw 2")),
    ]
    assert world.recorder.states() == {"turn": 2, "answered": 1}
    assert [event.number for event in world.of(CellTurn)] == [1, 2]
    assert world.runner.budget.spent == 3 * CALL_COST


async def test_a_nudge_is_said_and_recorded() -> None:
    world = World(configs=[persistent(max_nudges=2)], count=1)
    world.provider.reply = lambda cell, number: raw(said("no block"), number)
    await world.run()
    assert [r.earlier for r in world.provider.requests] == [
        (),
        (Turn("raw 1", "go on"),),
        (Turn("raw 1", "go on"), Turn("raw 2", "go on")),
    ]
    assert [nudge for _, _, nudge in world.recorder.taken] == ["go on", "go on"]
    assert world.recorder.states() == {"turn": 2, "answered": 1}


async def test_a_failed_continuation_is_tried_again_from_the_turns_that_arrived() -> None:
    world = World(count=1)
    script: list[Completion | ProviderError] = [
        raw(PAUSED, 1), ServerFault("busy"), ServerFault("busy"), raw(answer(), 2)
    ]  # fmt: skip
    world.provider.reply = lambda cell, number: script[number - 1]
    await world.run()
    assert [r.earlier for r in world.provider.requests[1:]] == [(Turn("raw 1"),)] * 3
    assert world.recorder.states() == {"turn": 1, "failed": 2, "answered": 1}


async def test_each_turn_has_all_its_tries() -> None:
    world = World(count=1)
    faults: list[Completion | ProviderError] = [ServerFault("busy")] * 29
    script = [*faults, raw(PAUSED, 1), *faults, answer()]
    world.provider.reply = lambda cell, number: script[number - 1]
    await world.run()
    assert len(world.recorder.answers) == 1


async def test_an_attempt_that_was_begun_goes_on_from_its_trail() -> None:
    world = World(count=2)
    trail = Trail((Turn("before", None),), "work-7")
    world = World(count=2, trails={world.cells[0]: trail})
    await world.run()
    first, second = sorted(world.provider.requests, key=lambda r: r.handle is None)
    assert (first.earlier, first.handle) == (trail.turns, "work-7")
    assert (second.earlier, second.handle) == ((), None)
    assert list(world.recorder.handles.values()) == ["work-7"]


async def test_a_handle_is_stored_before_the_wait_and_asked_for_after_a_failure() -> None:
    world = World(count=1)
    world.provider.handle = "work-1"
    failure = ConnectionFailed("the line broke", handle="work-1")
    world.provider.reply = lambda cell, number: answer() if number > 1 else failure
    await world.run()
    assert [r.handle for r in world.provider.requests] == [None, "work-1"]
    assert world.recorder.handles == {1: "work-1", 2: "work-1"}
    finished = world.of(CellFinished)
    assert [event.answered for event in finished] == [True]


async def test_work_that_goes_on_is_not_counted_as_paid_twice() -> None:
    world = World(count=1, budget=Budget(Decimal(1)))
    failure = ConnectionFailed("the line broke", http_status=200, handle="work-1")
    world.provider.reply = lambda cell, number: answer() if number > 5 else failure
    await world.run()
    assert len(world.recorder.answers) == 1, "more than three failures that may be billed"
    assert world.runner.budget.spent == CALL_COST


async def test_a_store_that_does_not_take_a_handle_stops_the_run_but_not_the_wait() -> None:
    world = World(count=3, configs=[config(most=1)])
    world.provider.handle = "work-1"
    world.recorder.fail_on = lambda method, cell: (
        OSError("full") if method == "handle_given" else None
    )
    with pytest.raises(OSError, match="full"):
        await world.run()
    assert len(world.provider.requests) == 1
    assert len(world.recorder.answers) == 1, "the work was paid for"


async def test_a_gentle_stop_between_two_turns_leaves_the_cell_open() -> None:
    world = World(count=1)

    def reply(cell: str, number: int) -> Completion:
        world.runner.stop()
        return raw(PAUSED, number)

    world.provider.reply = reply
    ended = await world.run()
    assert ended.left == 1
    assert world.recorder.states() == {"turn": 1}


async def test_being_cancelled_marks_the_call_as_lost() -> None:
    world = World(count=1)
    world.provider.handle = "work-1"
    world.provider.seconds = lambda cell, number: 1e9
    waiting = asyncio.Event()

    async def hang(seconds: float) -> None:
        waiting.set()
        await asyncio.Event().wait()

    world.clock.sleep = hang  # type: ignore[method-assign]
    task = asyncio.ensure_future(world.run())
    await waiting.wait()
    assert world.recorder.handles == {1: "work-1"}
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert world.recorder.states() == {"lost": 1}


def test_two_harnesses_are_two_configs() -> None:
    assert config().digest != persistent().digest
    assert persistent().label == "m (persistent)"
    assert persistent(max_nudges=1).digest != persistent(max_nudges=2).digest
    assert Cell("a" * 20, persistent().digest, 0).id != Cell("a" * 20, config().digest, 0).id
