"""Random faults, budgets and stops: every cell ends answered once, named failed, or left open."""

from __future__ import annotations

import random
from collections import Counter
from decimal import Decimal

from hypothesis import given, settings
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
)
from relaybench.domain.results import Outcome
from relaybench.runner.budget import Budget
from relaybench.runner.events import CellFinished, CellLeft, Ending, Event, LaneClosed
from tests.runner.support import Reply, World, answer, config

PASSING: list[type[ProviderError]] = [RateLimited, ServerFault, CallTimedOut, ConnectionFailed]
LOCAL: list[type[ProviderError]] = [MalformedResponse, RequestRejected]
CLOSING: list[type[ProviderError]] = [QuotaExhausted, AuthenticationFailed, ModelNotFound]


@settings(deadline=None, max_examples=150)
@given(
    seed=st.integers(0, 2**32),
    count=st.integers(1, 12),
    most=st.integers(1, 5),
    kinds=st.sets(st.sampled_from(["passing", "local", "closing"])),
    limit=st.none() | st.integers(1, 60),
    stop_after=st.none() | st.integers(0, 40),
)
async def test_every_cell_ends_in_exactly_one_way(
    seed: int,
    count: int,
    most: int,
    kinds: set[str],
    limit: int | None,
    stop_after: int | None,
) -> None:
    draw = random.Random(seed)
    faults = [*(PASSING * ("passing" in kinds)), *(LOCAL * ("local" in kinds))]
    if "closing" in kinds:
        faults += CLOSING
    configs = [config("m1", "a", most), config("m2", "a", most), config("m3", "b", 1)]
    world = World(
        configs,
        count=count,
        budget=Budget(None if limit is None else Decimal(limit) / 100),
        expected=lambda cell: Decimal("0.01"),
    )
    told = 0

    def on_event(event: Event) -> None:
        nonlocal told
        world.events.append(event)
        told += 1
        if told == stop_after:
            world.runner.stop()

    def reply(cell: str, number: int) -> Reply:
        if faults and draw.random() < 0.4:
            return draw.choice(faults)("fault", retry_after_s=draw.choice((None, 0.0, 900.0)))
        return answer()

    world.runner.on_event = on_event
    for provider in world.providers.values():
        provider.reply = reply
        provider.seconds = lambda cell, number: draw.uniform(0, 100)

    ended = await world.run()

    all_ids = {cell.id for cell in world.cells}
    answered, failed = set(world.recorder.answers), set(world.recorder.given_up)
    assert not answered & failed
    assert len(all_ids - answered - failed) == ended.left
    delivered = Counter(cell for each in world.providers.values() for cell in each.delivered)
    assert delivered == Counter(answered)
    states = world.recorder.states()
    assert states["sent"] == states["lost"] == 0
    finished = Counter(event.cell.id for event in world.of(CellFinished))
    assert finished == Counter(answered | failed)
    right = {e.cell.id for e in world.of(CellFinished) if e.outcome is not Outcome.ERROR}
    assert right == answered
    assert {event.cell.id for event in world.of(CellLeft)} <= all_ids - answered - failed
    if limit is None and stop_after is None and "closing" not in kinds and "local" not in kinds:
        assert answered == all_ids
    if not world.of(LaneClosed) and ended.ending is Ending.COMPLETE:
        assert answered | failed == all_ids
    if limit is not None:
        assert world.budget.spent <= Decimal(limit) / 100
    assert world.budget.reserved == 0
    for provider in world.providers.values():
        assert provider.under_way == 0
        assert provider.most <= most
