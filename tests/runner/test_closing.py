"""Lanes and configs that are given up: at once, wholly, and with a word about it."""

from __future__ import annotations

import pytest

from relaybench.domain.completion import Completion
from relaybench.domain.errors import (
    AuthenticationFailed,
    ModelNotFound,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    RequestRejected,
    ServerFault,
    SettingRejected,
)
from relaybench.domain.results import Outcome
from relaybench.runner.events import CellFinished, CellLeft, CellWaiting, Ending, LaneClosed
from relaybench.runner.recorder import CallTicket
from tests.runner.support import FakeRecorder, Reply, World, answer, config


@pytest.mark.parametrize("kind", [AuthenticationFailed, QuotaExhausted])
async def test_auth_and_quota_close_the_provider_and_say_so(kind: type[ProviderError]) -> None:
    broken, well = config("m1", lane="a", most=2), config("m2", lane="b")
    world = World([broken, well], count=6)
    world.providers[broken.provider_key].reply = lambda cell, number: kind("no money")
    ended = await world.run()
    assert len(world.providers[broken.provider_key].sent) == 2
    assert len(world.recorder.answers) == 6
    (closed,) = world.of(LaneClosed)
    assert (closed.lane, closed.config, closed.kind) == (broken.provider_key, None, kind.kind)
    assert closed.dropped == 4
    assert "no money" in closed.message
    assert (ended.ending, ended.left) == (Ending.COMPLETE, 4)


@pytest.mark.parametrize("kind", [ModelNotFound, SettingRejected])
async def test_an_unknown_model_closes_its_config_only(kind: type[ProviderError]) -> None:
    broken, well = config("m1", most=1), config("m2", most=1)
    world = World([broken, well], count=5)
    names = {cell.id for cell in world.cells if cell.config == broken.digest}
    world.provider.reply = lambda cell, number: kind("unknown") if cell in names else answer()
    ended = await world.run()
    assert sum(cell in names for _, cell in world.provider.sent) == 1
    assert len(world.recorder.answers) == 5
    (closed,) = world.of(LaneClosed)
    assert closed.config == "m1"
    assert closed.dropped == ended.left == 4


async def test_jobs_that_wait_are_dropped_with_their_lane() -> None:
    world = World([config(most=2)], count=2)
    first, second = (cell.id for cell in world.cells)
    replies: dict[str, Reply] = {
        first: ServerFault("x", retry_after_s=100.0),
        second: QuotaExhausted("spent"),
    }
    world.provider.reply = lambda cell, number: replies[cell]
    world.provider.seconds = lambda cell, number: 1.0 if cell == first else 50.0
    ended = await world.run()
    assert len(world.provider.sent) == 2
    assert ended.left == 1
    (closed,) = world.of(LaneClosed)
    assert closed.dropped == 1
    assert world.clock.time() == 50.0


@pytest.mark.parametrize("closing", [QuotaExhausted("spent"), ModelNotFound("gone")])
async def test_a_try_under_way_when_the_lane_closes_is_not_sent_again(
    closing: ProviderError,
) -> None:
    world = World([config(most=2)], count=3)
    first, second, _ = (cell.id for cell in world.cells)
    world.provider.reply = lambda cell, number: closing if cell == first else RateLimited("x")
    world.provider.seconds = lambda cell, number: 1.0 if cell == first else 50.0
    ended = await world.run()
    assert [cell for _, cell in world.provider.sent] == [first, second]
    assert len(world.of(LaneClosed)) == 1
    assert ended.left == 2
    (left,) = world.of(CellLeft)
    assert left.cell.id == second
    assert not world.of(CellWaiting)
    assert second not in world.recorder.given_up  # it stays open, for a retry
    assert world.recorder.failures[-1][2] is None


async def test_an_answer_under_way_when_the_lane_closes_is_kept() -> None:
    world = World([config(most=2)], count=2)
    first, second = (cell.id for cell in world.cells)
    world.provider.reply = lambda cell, number: QuotaExhausted("x") if cell == first else answer()
    world.provider.seconds = lambda cell, number: 1.0 if cell == first else 50.0
    await world.run()
    assert list(world.recorder.answers) == [second]


async def test_several_calls_that_find_the_lane_broken_close_it_once() -> None:
    world = World([config(most=4)], count=9)
    world.provider.reply = lambda cell, number: AuthenticationFailed("bad key")
    await world.run()
    assert len(world.of(LaneClosed)) == 1
    assert len(world.of(CellFinished)) == len(world.recorder.given_up) == 4


async def test_three_rejections_in_a_row_give_a_config_up() -> None:
    world = World([config(most=1)], count=9)
    world.provider.reply = lambda cell, number: RequestRejected("no such parameter")
    ended = await world.run()
    assert len(world.provider.sent) == len(world.recorder.given_up) == 3
    (closed,) = world.of(LaneClosed)
    assert (closed.config, closed.dropped, ended.left) == ("m", 6, 6)


async def test_a_config_that_ever_answered_is_not_given_up_for_rejections() -> None:
    world = World([config(most=1)], count=9)
    good = world.cells[2].id
    world.provider.reply = lambda cell, number: (
        answer() if cell == good else RequestRejected("too long")
    )
    await world.run()
    assert len(world.provider.sent) == 9
    assert len(world.recorder.given_up) == 8
    assert not world.of(LaneClosed)


async def test_an_answer_of_an_earlier_session_counts_too() -> None:
    one = config(most=1)
    world = World([one], count=5, answered=frozenset({one.digest}))
    world.provider.reply = lambda cell, number: RequestRejected("too long")
    await world.run()
    assert len(world.provider.sent) == 5
    assert not world.of(LaneClosed)


async def test_quick_rejections_wait_for_slow_calls_under_way() -> None:
    world = World(count=12, configs=[config(most=4)])
    long = {world.cells[n].id for n in (0, 1, 2)}
    world.provider.seconds = lambda cell, number: 1.0 if cell in long else 3600.0
    world.provider.reply = lambda cell, number: (
        RequestRejected("too long") if cell in long else answer()
    )
    await world.run()
    assert len(world.recorder.answers) == 9
    assert not world.of(LaneClosed)
    # After the third rejection nothing more went out until a call that could tell was back.
    moments = sorted(moment for moment, _ in world.provider.sent)
    assert [moment for moment in moments if 1 < moment < 3600] == []
    assert len([moment for moment in moments if moment <= 1]) == 6


async def test_an_answer_that_is_being_stored_shows_that_its_config_works() -> None:
    class Slow(FakeRecorder):
        async def answered(self, ticket: CallTicket, completion: Completion) -> Outcome:
            await world.clock.sleep(10.0)
            return await super().answered(ticket, completion)

    world = World(count=12, configs=[config(most=4)], recorder=Slow())
    good = world.cells[0].id
    world.provider.seconds = lambda cell, number: 1.0 if cell == good else 2.0
    world.provider.reply = lambda cell, number: (
        answer() if cell == good else RequestRejected("too long")
    )
    await world.run()
    assert len(world.recorder.given_up) == 11
    assert not world.of(LaneClosed)


async def test_rejections_close_once_nothing_under_way_can_show_better() -> None:
    world = World(count=12, configs=[config(most=4)])
    last = world.cells[3].id
    world.provider.seconds = lambda cell, number: 3600.0 if cell == last else 1.0
    world.provider.reply = lambda cell, number: RequestRejected("bad setting")
    ended = await world.run()
    assert len(world.provider.sent) == 6
    assert ended.left == 6
    assert [event.config for event in world.of(LaneClosed)] == ["m"]


async def test_a_held_config_goes_on_where_the_last_call_under_way_fails_otherwise() -> None:
    world = World(count=6, configs=[config(most=4), config("other", most=4)])
    long = {cell.id for cell in world.cells if cell.config == world.configs[0].digest}
    slow = next(cell.id for cell in world.cells if cell.id in long)
    world.provider.seconds = lambda cell, number: 60.0 if cell == slow else 1.0

    def reply(cell: str, number: int) -> Reply:
        if cell == slow:
            return ServerFault("busy") if number == 1 else answer()
        return RequestRejected("too long") if cell in long else answer()

    world.provider.reply = reply
    await world.run()
    assert len(world.recorder.answers) + len(world.recorder.given_up) <= 12
    assert sum(cell not in long for cell in world.recorder.answers) == 6, "others go on"
