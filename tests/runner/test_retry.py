"""The one retry layer: how often, how long, and that waiting holds no place."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.domain.errors import (
    AuthenticationFailed,
    CallTimedOut,
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
from relaybench.domain.results import Outcome
from relaybench.runner.events import CellFinished, CellStarted, CellWaiting, Ending
from relaybench.runner.retry import RetryPolicy
from tests.runner.support import World, answer, config

RETRYABLE = [ConnectionFailed, RateLimited, ServerFault]
FINAL = [
    MalformedResponse,
    RequestRejected,
    ModelNotFound,
    SettingRejected,
    QuotaExhausted,
    AuthenticationFailed,
]


@pytest.mark.parametrize("kind", RETRYABLE)
async def test_a_retryable_failure_is_tried_thirty_times_and_no_more(
    kind: type[ProviderError],
) -> None:
    world = World(count=1)
    world.provider.reply = lambda cell, number: kind("no")
    ended = await world.run()
    assert world.provider.tries(world.cells[0]) == 30
    assert ended.ending is Ending.COMPLETE
    assert ended.left == 0
    assert world.recorder.states() == {"failed": 30}
    assert list(world.recorder.given_up) == [world.cells[0].id]
    assert [wait is None for _, _, wait in world.recorder.failures] == [False] * 29 + [True]
    finished = world.of(CellFinished)
    assert [event.outcome for event in finished] == [Outcome.ERROR]
    assert len(world.of(CellWaiting)) == 29
    assert [event.number for event in world.of(CellStarted)] == list(range(1, 31))


@pytest.mark.parametrize(
    "error",
    [CallTimedOut("total timeout"), ConnectionFailed("cut off in mid-answer", http_status=200)],
    ids=lambda error: type(error).__name__,
)
async def test_a_failure_that_may_have_been_billed_is_tried_three_times(
    error: ProviderError,
) -> None:
    world = World(count=1)
    world.provider.reply = lambda cell, number: error if number > 5 else RateLimited("slow down")
    await world.run()
    assert world.provider.tries(world.cells[0]) == 5 + 3
    assert list(world.recorder.given_up) == [world.cells[0].id]


@pytest.mark.parametrize("kind", FINAL)
async def test_what_waiting_cannot_cure_is_tried_once(kind: type[ProviderError]) -> None:
    world = World(count=1)
    world.provider.reply = lambda cell, number: kind("no")
    await world.run()
    assert world.provider.tries(world.cells[0]) == 1
    assert list(world.recorder.given_up) == [world.cells[0].id]


async def test_an_answer_at_the_thirtieth_try_counts() -> None:
    world = World(count=1)
    world.provider.reply = lambda cell, number: ServerFault("x") if number < 30 else answer()
    await world.run()
    assert list(world.recorder.answers) == [world.cells[0].id]
    assert not world.recorder.given_up


async def test_the_prompt_is_the_same_text_at_every_try() -> None:
    world = World(count=1)
    world.provider.reply = lambda cell, number: ServerFault("x") if number < 5 else answer()
    await world.run()
    assert world.provider.prompts == ["prompt 0"] * 5


@given(
    tried=st.integers(1, 29),
    asked=st.none() | st.floats(0, 1e6),
    seed=st.integers(0, 2**32),
)
def test_waits_are_full_jitter_and_retry_after_is_a_lower_bound(
    tried: int, asked: float | None, seed: int
) -> None:
    policy = RetryPolicy()
    error = RateLimited("slow down", retry_after_s=asked)
    wait = policy.wait_before_next(tried, error, random.Random(seed))
    assert wait is not None
    ceiling = min(60.0, 2.0 ** (tried - 1))
    assert 0 <= wait <= max(ceiling, (asked or 0) + policy.first_s)
    assert wait >= (asked or 0)


def test_jitter_uses_the_whole_range() -> None:
    draw = random.Random(7)
    waits = [RetryPolicy().wait_before_next(7, ServerFault("x"), draw) or 0 for _ in range(2000)]
    assert min(waits) < 1
    assert max(waits) > 59
    assert 28 < sum(waits) / len(waits) < 32


async def test_the_runner_waits_as_long_as_it_says() -> None:
    world = World(count=1)
    world.provider.reply = lambda cell, number: (
        RateLimited("x", retry_after_s=7200.0) if number == 1 else answer()
    )
    await world.run()
    (first, _), (second, _) = world.provider.sent
    (waiting,) = world.of(CellWaiting)
    assert waiting.wait_s >= 7200
    assert second - first == pytest.approx(1 + waiting.wait_s)
    assert world.recorder.failures[0][2] == waiting.wait_s


async def test_a_waiting_job_holds_no_place() -> None:
    world = World([config(most=1)], count=5)
    bad = world.cells[0].id
    world.provider.reply = lambda cell, number: (
        ServerFault("x", retry_after_s=1000.0) if cell == bad and number == 1 else answer()
    )
    await world.run()
    order = [cell for _, cell in world.provider.sent]
    assert order[0] == order[-1] == bad
    assert world.provider.sent[4][0] < 10
    assert world.clock.time() > 1000
    assert len(world.recorder.answers) == 5


async def test_a_retry_that_is_due_goes_before_fresh_cells() -> None:
    world = World([config(most=1)], count=4)
    bad = world.cells[0].id
    world.provider.reply = lambda cell, number: (
        ServerFault("x") if cell == bad and number == 1 else answer()
    )
    world.provider.seconds = lambda cell, number: 5.0
    await world.run()
    order = [cell for _, cell in world.provider.sent]
    assert order[:3] == [bad, world.cells[1].id, bad]
