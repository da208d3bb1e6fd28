"""How many calls are under way: never too many, fewer after a 429, and back again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.domain.errors import (
    CallTimedOut,
    ConnectionFailed,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    ServerFault,
)
from relaybench.runner.events import PaceChanged
from relaybench.runner.pace import CALM_S, Pace, asks_for_less
from tests.runner.support import World, answer, config


@pytest.mark.parametrize("most", [1, 2, 7])
async def test_the_limit_is_reached_and_never_exceeded(most: int) -> None:
    world = World([config(most=most)], count=30)
    await world.run()
    assert world.provider.most == most
    assert len(world.recorder.answers) == 30


async def test_an_option_for_all_providers_outweighs_their_own_limit() -> None:
    world = World([config(most=9)], count=20, concurrency=1)
    await world.run()
    assert world.provider.most == 1


async def test_configs_of_one_provider_share_its_places() -> None:
    world = World([config("m1", most=2), config("m2", most=3)], count=10)
    await world.run()
    assert world.provider.most == 3


async def test_a_wave_of_429s_halves_the_pace_once() -> None:
    world = World([config(most=8)], count=8)
    world.provider.reply = lambda cell, number: (
        RateLimited("x", retry_after_s=10.0) if number == 1 else answer()
    )
    await world.run()
    changes = [event.limit for event in world.of(PaceChanged)]
    assert changes[0] == 4
    assert min(changes) == 4
    assert max(world.provider.levels[8:]) <= 8
    assert world.provider.levels[8:12] == [1, 2, 3, 4]


async def test_each_wave_halves_again_down_to_one() -> None:
    world = World([config(most=8)], count=8)
    world.provider.reply = lambda cell, number: (
        RateLimited("x", retry_after_s=100.0 * number) if number <= 6 else answer()
    )
    await world.run()
    changes = [event.limit for event in world.of(PaceChanged)]
    assert changes[:3] == [4, 2, 1]
    assert min(changes) == 1
    assert len(world.recorder.answers) == 8


async def test_the_pace_recovers_by_itself() -> None:
    world = World([config(most=4)], count=60)
    world.provider.reply = lambda cell, number: (
        RateLimited("x") if cell == world.cells[0].id and number == 1 else answer()
    )
    await world.run()
    assert [event.limit for event in world.of(PaceChanged)] == [2, 3, 4]
    assert world.provider.levels[-10:] == [4] * 10 or max(world.provider.levels[-20:]) == 4


async def test_the_storm_of_one_provider_does_not_slow_another() -> None:
    stormy, calm = config("m1", lane="a"), config("m2", lane="b")
    world = World([stormy, calm], count=8)
    world.providers[stormy.provider_key].reply = lambda cell, number: (
        RateLimited("x", retry_after_s=500.0) if number <= 3 else answer()
    )
    await world.run()
    ends = [moment for moment, _ in world.providers[calm.provider_key].sent]
    assert max(ends) == 1.0  # two rounds of four
    assert world.clock.time() > 1500
    assert {event.lane for event in world.of(PaceChanged)} == {stormy.provider_key}


async def test_an_overload_lowers_the_pace_too() -> None:
    world = World([config(most=8)], count=8)
    world.provider.reply = lambda cell, number: (
        ServerFault("x", http_status=529) if number == 1 else answer()
    )
    await world.run()
    assert next(event.limit for event in world.of(PaceChanged)) == 4
    assert len(world.recorder.answers) == 8


async def test_the_pace_recovers_while_all_calls_take_hours() -> None:
    world = World([config(most=8)], count=24)
    world.provider.seconds = lambda cell, number: 1.0 if number == 1 else 10_000.0
    world.provider.reply = lambda cell, number: (
        RateLimited("x", retry_after_s=10.0) if number == 1 else answer()
    )
    await world.run()
    moments = [moment for moment, cell in world.provider.sent]
    assert len([moment for moment in moments if moment < 2000]) >= 20
    assert world.provider.under_way == 0
    assert world.provider.most == 8
    assert world.clock.time() < 45_000, "without it, far fewer would be under way at once"


@pytest.mark.parametrize("wave", [1, 3, 100])
def test_a_wave_of_any_size_halves_once(wave: int) -> None:
    pace = Pace(100)
    epoch = pace.epoch
    assert [pace.limited(epoch) for _ in range(wave)] == [True] + [False] * (wave - 1)
    assert pace.limit == 50


def test_a_wave_among_few_calls_falls_below_those() -> None:
    pace = Pace(100)
    assert pace.limited(pace.epoch, under_way=12)
    assert pace.limit == 6
    assert not Pace(1).limited(0, under_way=1)


def test_full_speed_comes_back_within_some_hundred_answers() -> None:
    pace = Pace(100, limit=1)
    answers = 0
    while pace.limit < 100:
        pace.answered()
        answers += 1
    assert 100 < answers < 700
    half = Pace(100, limit=50)
    assert sum(half.answered() for _ in range(300)) == 4
    assert half.limit == 100


def test_full_speed_comes_back_with_time_where_answers_take_hours() -> None:
    pace = Pace(100)
    pace.limited(pace.epoch, now=0.0, wait_s=30.0)
    assert pace.rises_at == 30 + CALM_S
    assert not pace.rested(89.9)
    assert pace.rested(90.0)
    assert pace.limit == 62
    assert not pace.rested(149.9)
    levels = []
    for number in range(1, 5):
        pace.rested(90 + number * CALM_S)
        levels.append(pace.limit)
    assert levels == [77, 96, 100, 100]


def test_a_storm_that_goes_on_puts_the_calm_off() -> None:
    pace = Pace(8)
    old = pace.epoch
    pace.limited(old, now=0.0, wait_s=600.0)
    pace.limited(old, now=5.0)
    assert pace.rises_at == 600 + CALM_S, "a shorter wait does not bring it forward"
    pace.limited(pace.epoch, now=650.0)
    assert pace.rises_at == 650 + CALM_S
    assert pace.limit == 2


@pytest.mark.parametrize(
    ("error", "less"),
    [
        (RateLimited("x", http_status=429), True),
        (ServerFault("x", http_status=503), True),
        (ServerFault("x", http_status=529), True),
        (ServerFault("Overloaded", http_status=500, error_type="api_error"), True),
        (ServerFault("x", http_status=200, error_type="overloaded_error"), True),
        (ServerFault("x", http_status=200, error_type="UNAVAILABLE"), True),
        (ServerFault("x", http_status=500), False),
        (ConnectionFailed("overloaded"), False),
        (CallTimedOut("x"), False),
        (QuotaExhausted("x", http_status=429), False),
    ],
)
def test_which_failures_ask_for_less(error: ProviderError, less: bool) -> None:
    assert asks_for_less(error) is less


_EVENTS = st.tuples(
    st.sampled_from(["good", "limited", "late", "time"]),
    st.floats(0, 500),
    st.integers(0, 60),
)


@given(st.integers(1, 50), st.lists(_EVENTS, max_size=200))
def test_the_limit_stays_between_one_and_most(
    most: int, happenings: list[tuple[str, float, int]]
) -> None:
    pace = Pace(most)
    old, now = pace.epoch, 0.0
    for each, seconds, under_way in happenings:
        before = pace.limit
        match each:
            case "good":
                assert pace.answered() == (pace.limit > before)
                assert pace.limit >= before
            case "time":
                now += seconds
                assert pace.rested(now) == (pace.limit > before)
                assert pace.limit >= before
            case "limited":
                epoch = pace.epoch
                fell = pace.limited(epoch, now=now, wait_s=seconds, under_way=under_way)
                assert fell == (pace.limit < before)
                assert pace.limit == max(1, min(before, under_way) // 2)
                assert not pace.limited(epoch, now=now), "one wave lowers it once"
            case _ if pace.epoch != old:
                assert not pace.limited(old, now=now)
                assert pace.limit == before
        assert 1 <= pace.limit <= most
        assert pace.rises_at is None or pace.rises_at >= 0


@given(st.integers(2, 100), st.integers(0, 8))
def test_it_always_recovers(most: int, waves: int) -> None:
    by_answers, by_time = Pace(most), Pace(most)
    for number in range(waves):
        by_answers.limited(by_answers.epoch)
        by_time.limited(by_time.epoch, now=float(number))
    for _ in range(most * 12):
        by_answers.answered()
    for _ in range(30):
        by_time.rested(by_time.rises_at or 0.0)
    assert by_answers.limit == by_time.limit == most
