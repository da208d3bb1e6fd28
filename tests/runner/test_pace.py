"""How many calls are under way: never too many, fewer after a 429, and back again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.domain.errors import RateLimited
from relaybench.runner.events import PaceChanged
from relaybench.runner.pace import Pace
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


@given(st.integers(1, 50), st.lists(st.sampled_from(["good", "429", "old 429"]), max_size=200))
def test_the_limit_stays_between_one_and_most(most: int, happenings: list[str]) -> None:
    pace = Pace(most)
    old = pace.epoch
    for each in happenings:
        before = pace.limit
        if each == "good":
            assert pace.answered() == (pace.limit == before + 1)
        elif each == "429":
            assert pace.limited(pace.epoch) == (pace.limit < before)
            assert pace.limit == max(1, before // 2)
        elif pace.epoch != old:
            assert not pace.limited(old)
            assert pace.limit == before
        assert 1 <= pace.limit <= most
