"""A budget is kept: money is set aside before a call goes out, and unknown costs count."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.domain.completion import Usage
from relaybench.domain.errors import (
    CallTimedOut,
    ConnectionFailed,
    MalformedResponse,
    ProviderError,
    RateLimited,
    ServerFault,
)
from relaybench.domain.results import Cell
from relaybench.runner.budget import Budget, cost_of_failure
from relaybench.runner.events import CellFinished, CellWaiting, Ending
from tests.runner.support import PRICES, Reply, World, answer, config

D = Decimal


def world_with(
    limit: str, *, expected: str = "0.01", most: int = 4, count: int = 20, spent: str = "0"
) -> World:
    return World(
        [config(most=most)],
        count=count,
        budget=Budget(D(limit), spent=D(spent)),
        expected=lambda cell: D(expected),
    )


async def test_a_run_under_a_budget_stops_before_the_call_that_might_break_it() -> None:
    world = world_with("0.055")
    ended = await world.run()
    assert len(world.recorder.answers) == 5
    assert (ended.ending, ended.left) == (Ending.BUDGET, 15)
    assert world.budget.spent == D("0.05")
    assert world.budget.reserved == 0


async def test_a_budget_that_fits_exactly_is_used_up() -> None:
    world = world_with("0.20")
    ended = await world.run()
    assert (ended.ending, ended.left) == (Ending.COMPLETE, 0)
    assert world.budget.spent == D("0.20")


async def test_money_under_way_is_waited_for_rather_than_given_up() -> None:
    # Two reservations of 0.05 fit; each call then costs only 0.01.
    world = world_with("0.14", expected="0.05", count=6)
    ended = await world.run()
    assert (ended.ending, ended.left) == (Ending.COMPLETE, 0)
    assert len(world.recorder.answers) == 6
    assert world.provider.most == 2


async def test_what_was_spent_in_earlier_sessions_counts() -> None:
    world = world_with("0.10", spent="0.08")
    ended = await world.run()
    assert len(world.recorder.answers) == 2
    assert ended.ending is Ending.BUDGET


async def test_a_budget_too_small_for_one_call_sends_none() -> None:
    world = world_with("0.005")
    ended = await world.run()
    assert not world.provider.sent
    assert world.budget.refused is not None
    assert (world.budget.refused[1], world.budget.left) == (D("0.01"), D("0.005"))
    assert (ended.ending, ended.left) == (Ending.BUDGET, 20)


async def test_unknown_costs_count_as_reserved() -> None:
    world = world_with("0.05")
    world.provider.reply = lambda cell, number: answer(None)
    ended = await world.run()
    assert len(world.recorder.answers) == 5
    assert ended.ending is Ending.BUDGET
    assert [event.cost.total for event in world.of(CellFinished)] == [None] * 5


async def test_calls_dearer_than_expected_raise_later_reservations() -> None:
    world = world_with("0.10", expected="0.001", most=1)
    world.provider.reply = lambda cell, number: answer(D("0.04"))
    await world.run()
    assert len(world.recorder.answers) == 2
    assert world.budget.spent == D("0.08")


async def test_refused_calls_cost_nothing() -> None:
    world = world_with("0.01", count=1, most=1)
    world.provider.reply = lambda cell, number: RateLimited("x") if number < 9 else answer()
    ended = await world.run()
    assert ended.ending is Ending.COMPLETE
    assert world.budget.spent == D("0.01")
    assert {event.cost.total for event in world.of(CellWaiting)} == {D(0)}


async def test_a_failed_call_that_says_what_it_used_is_charged() -> None:
    world = world_with("1", count=1)
    usage = Usage(input=30_000, output=0)
    world.provider.reply = lambda cell, number: (
        ServerFault("broke off", usage=usage) if number == 1 else answer()
    )
    await world.run()
    assert world.budget.spent == D("0.04")
    assert [event.cost.total for event in world.of(CellWaiting)] == [D("0.03")]


@pytest.mark.parametrize(
    ("error", "cost"),
    [
        (RateLimited("x", http_status=429), D(0)),
        (ServerFault("x", http_status=500), D(0)),
        (ConnectionFailed("refused"), D(0)),
        (ConnectionFailed("broke off", http_status=200), None),
        (CallTimedOut("idle"), None),
        (MalformedResponse("html", http_status=200), None),
        (ServerFault("x", usage=Usage(input=10, output=None)), None),
        (ServerFault("x", usage=Usage(input=1_000_000, output=0)), D(1)),
    ],
)
def test_what_a_failure_costs(error: ProviderError, cost: Decimal | None) -> None:
    assert cost_of_failure(error, PRICES).total == cost


async def test_a_call_that_may_have_been_billed_counts_as_reserved() -> None:
    world = world_with("0.05", count=3, most=1)
    world.provider.reply = lambda cell, number: CallTimedOut("total timeout")
    ended = await world.run()
    assert len(world.provider.sent) == 5
    assert (ended.ending, ended.left) == (Ending.BUDGET, 3)


async def test_an_expectation_that_cannot_be_made_stops_the_run_gently() -> None:
    world = world_with("5", count=3, most=3)
    calls = 0

    def expected(cell: Cell) -> Decimal | None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise ZeroDivisionError("no such number")
        return D("0.01")

    world.runner.plan = type(world.runner.plan)(
        world.runner.plan.items, world.runner.plan.configs, expected
    )
    with pytest.raises(ZeroDivisionError):
        await world.run()
    assert len(world.recorder.answers) == 1


def _costs(numbers: list[int]) -> Callable[[str, int], Reply]:
    left = iter(numbers)
    return lambda cell, number: answer(None if (n := next(left)) < 0 else D(n) / 1000)


@given(
    limit=st.integers(1, 120),
    costs=st.lists(st.integers(-1, 10), min_size=12, max_size=12),
    most=st.integers(1, 6),
)
async def test_what_is_spent_stays_under_the_limit(limit: int, costs: list[int], most: int) -> None:
    """While no call costs more than expected; an unknown cost (-1) is the expected one at most."""
    world = world_with(str(D(limit) / 1000), count=12, most=most)
    world.provider.reply = _costs(costs)
    ended = await world.run()
    sent = len(world.provider.sent)
    true = sum((D(10 if n < 0 else n) / 1000 for n in costs[:sent]), D(0))
    assert true <= D(limit) / 1000
    assert world.budget.spent == true
    assert world.budget.reserved == 0
    assert ended.left == 12 - sent
    if ended.ending is Ending.BUDGET:
        assert true + D("0.01") > D(limit) / 1000


async def test_the_first_call_of_a_config_goes_alone_until_its_cost_is_known() -> None:
    world = world_with("1", count=20, most=10)
    world.provider.reply = lambda cell, number: answer(D("0.30"))  # thirty times the expectation
    ended = await world.run()
    assert ended.ending is Ending.BUDGET
    assert len(world.provider.sent) == 3  # 0.30 known after the first: two more fit, a fourth not
    assert world.runner.budget.spent == D("0.90")


def test_no_limit_reserves_everything() -> None:
    budget = Budget()
    assert budget.reserve("c", D(10**9))
    budget.settle("c", D(10**9), D(1))
    assert (budget.spent, budget.reserved) == (D(1), D(0))
