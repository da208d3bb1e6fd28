"""The grid of a run by its events is the one that is stored afterwards; every state is told."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from relaybench.domain.completion import Usage
from relaybench.domain.item import ItemKind
from relaybench.domain.model import SIMULATED, ModelConfig, Prices, PriceTier
from relaybench.domain.money import FREE, UNKNOWN_COST
from relaybench.domain.results import Cell, Outcome
from relaybench.providers.protocol import Phase
from relaybench.runner.events import (
    CellFinished,
    CellLeft,
    CellPhase,
    CellQueued,
    CellStarted,
    CellTurn,
    CellWaiting,
    ConcurrencyChanged,
    LaneClosed,
    PaceChanged,
    Paused,
    ReachChanged,
    Resumed,
)
from relaybench.stats.rates import score_summary
from relaybench.store.attempts import Attempts
from relaybench.store.database import Connection, run_lock
from relaybench.store.grid import GridItem, OutcomeGrid
from relaybench.store.plans import RunRow
from relaybench.store.results import ConfigResult
from relaybench.workbench.runs.cell_state import State
from relaybench.workbench.runs.cell_states import CellStates
from relaybench.workbench.runs.planning import RunOptions, propose, propose_resume
from relaybench.workbench.runs.running import open_session, settle
from relaybench.workbench.runs.session_words import standing
from relaybench.workbench.runs.watching import (
    attempt_of,
    load_states,
    stored_runs,
    watch_again,
    watch_states,
)
from relaybench.workbench.workspace import Workspace
from tests.workbench.support import items_of, make_workspace, send, simulated, simulated_run


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return make_workspace(tmp_path)


def _picture(states: CellStates) -> list[State]:
    rows, columns = range(len(states.items)), range(len(states.configs))
    return [cell.state for row in rows for column in columns for cell in states.at(row, column)]


async def _watched(
    workspace: Workspace, name: str, repeats: int | None = None
) -> tuple[CellStates, CellStates]:
    """Carry out what is open in a run; the grid by its events, and the one stored afterwards."""
    proposal = propose_resume(workspace, name, repeats=repeats)
    found: list[CellStates] = []
    async with open_session(
        workspace, proposal, RunOptions(), lambda event: found[0].take(event)
    ) as session:
        found.append(load_states(workspace, name, session.cells, session.limits))
        await session.run()
    found[0].over()
    return found[0], load_states(workspace, name)


_PRICED = Prices((PriceTier(input=Decimal(1), cached_input=Decimal("0.1"), output=Decimal(2)),))


async def test_events_lead_to_what_is_stored(workspace: Workspace) -> None:
    models = [
        simulated("good"),
        simulated("mixed", skill=0.5, no_block=0.2, refuse=0.2, truncate=0.1),
        simulated("shaky", fail=0.7, fail_tries=1, retry_after_s=0.0),
        simulated("broken", fail=1.0, faults=["404"]),
        simulated("pausing", wire="anthropic", pause=1.0),
    ]
    configs = [replace(each, prices=_PRICED) for each in models]
    proposal = propose(workspace, items_of(workspace), configs, name="r")
    await send(workspace, replace(proposal, cells=proposal.cells[:7]))  # an earlier session
    by_events, stored = await _watched(workspace, "r", repeats=2)
    pictures = _picture(by_events), _picture(stored)
    assert pictures[0] == pictures[1]
    assert {State.CORRECT, State.WRONG, State.ERROR, State.OPEN} <= set(pictures[0])
    for now, then in zip(by_events.models(), stored.models(), strict=True):
        assert (now.done, now.failed, now.total) == (then.done, then.failed, 8)
        assert {o: n for o, n in now.outcomes.items() if n} == {
            o: n for o, n in then.outcomes.items() if n
        }
        assert (now.score, now.interval) == (then.score, then.interval)
        assert now.cost == then.cost
        if now.config.name != "broken":  # what failed earlier and is sent again has its own count
            assert now.retries == then.retries
        assert now.usage == then.usage
        assert now.cache_rate == then.cache_rate
        assert now.seconds_left is None or now.seconds_left >= 0


async def test_what_is_known_of_a_cost_is_the_same_live_and_stored(workspace: Workspace) -> None:
    half_a_price = Prices((PriceTier(input=Decimal(1)),))
    config = replace(simulated("pausing", wire="anthropic", pause=1.0), prices=half_a_price)
    propose_all = propose(workspace, items_of(workspace), [config], name="r")
    await send(workspace, replace(propose_all, cells=propose_all.cells[:2]))
    by_events, then = await _watched(workspace, "r")
    (now,), (stored,) = by_events.models(), then.models()
    assert now.usage.output
    assert now.cost == stored.cost > 0
    assert now.unknown_costs >= stored.unknown_costs == 4


async def test_a_bucket_known_in_one_turn_alone_counts_live_and_stored(
    workspace: Workspace,
) -> None:
    config = replace(simulated("pausing", wire="anthropic", pause=1.0), prices=_PRICED)
    [item, *_] = items_of(workspace)
    await send(workspace, propose(workspace, [item], [config], name="probe"))
    with closing(Connection(workspace.database, create=False)) as on:
        first, *_, last = Attempts(on).detail(1).calls
    above = (last.usage.input_total or 0) - 1
    assert (first.usage.input_total or 0) < above
    # The output of a longer turn has no price: that of the attempt is not known.
    tiers = (_PRICED.tiers[0], PriceTier(above=above, input=Decimal(1), cached_input=Decimal(1)))
    config = replace(config, prices=Prices(tiers))
    settle(workspace, propose(workspace, [item], [config], name="r"))
    by_events, then = await _watched(workspace, "r")
    (now,), (stored,) = by_events.models(), then.models()
    assert now.cost == stored.cost > (first.usage.output or 0) * Decimal(2) / 1_000_000 > 0
    assert stored.unknown_costs == 1


async def test_a_fresh_grid_is_queued_and_an_old_one_is_as_it_was(workspace: Workspace) -> None:
    assert stored_runs(workspace) == []
    await simulated_run(workspace)
    assert [run.name for run in stored_runs(workspace)] == ["r"]
    more = propose_resume(workspace, "r", repeats=3)
    async with open_session(workspace, more, RunOptions(), lambda _: None) as session:
        states = load_states(workspace, "r", session.cells, session.limits)
        assert states.repeats == 3
        assert set(session.limits.values()) == {
            session.stored.configs[states.configs[0].digest].concurrency
        }
        assert [each.state for each in states.at(0, 0)] == [
            State.CORRECT,
            State.QUEUED,
            State.QUEUED,
        ]
        (model,) = states.models()
        assert (model.done, model.total, model.score, model.seconds_left) == (4, 12, 1.0, None)
    cell = states.cell(0, 0, 0)
    assert states.where(cell) == (0, 0)
    attempt = attempt_of(workspace, "r", cell)
    assert attempt is not None
    assert (attempt.answered, attempt.outcome) == (True, Outcome.CORRECT)
    assert [each.status for each in attempt.tries] == ["answered"]
    assert attempt_of(workspace, "r", states.cell(0, 0, 2)) is None


async def test_why_a_cell_failed_is_told_later_too(workspace: Workspace) -> None:
    config = simulated("broken", fail=1.0, faults=["400"])
    await send(workspace, propose(workspace, items_of(workspace), [config], name="r"))
    states = load_states(workspace, "r")
    failed = states.at(0, 0)[0]
    assert failed.state is State.ERROR
    assert "does not take this" in failed.message
    found = attempt_of(workspace, "r", states.cell(0, 0, 0))
    assert found is not None
    assert not found.answered
    assert "does not take this" in (found.tries[0].error_message or "")


CONFIG = ModelConfig("m", SIMULATED, "m")
OTHER = ModelConfig("n", SIMULATED, "n", base_url="http://other.invalid")


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def _states(
    clock: Clock, items: int = 2, repeats: int = 1, configs: tuple[ModelConfig, ...] = (CONFIG,)
) -> tuple[CellStates, list[Cell]]:
    run = RunRow(1, "r", "run", True, False, repeats, "", "", items, len(configs), 0, 0)
    grid = OutcomeGrid((run,), {f"i{n}": _item(n) for n in range(items)},
                       {each.digest: each for each in configs}, {})  # fmt: skip
    results = [ConfigResult(each, items * repeats, {}, (), Usage(), FREE, 0, 0, 0, 0, 0, 0)
               for each in configs]  # fmt: skip
    cells = [Cell(item, digest, repeat) for repeat in range(repeats)
             for item in grid.items for digest in grid.configs]  # fmt: skip
    return CellStates(grid, results, (), cells, clock=clock), cells


def _item(number: int) -> GridItem:
    return GridItem(
        f"i{number}", "s", f"c{number}", ItemKind.COMPOSITE, "", "", (), (), False, 0, 9, 3
    )


def test_every_state_of_a_cell_is_told_with_its_moment() -> None:
    clock = Clock()
    states, (cell, _) = _states(clock)

    def now() -> tuple[State, float]:
        found = states.at(0, 0)[0]
        return found.state, found.since

    assert now() == (State.QUEUED, 100.0)
    clock.now = 101.0
    states.take(CellStarted(cell, 1))
    assert now() == (State.SENDING, 101.0)
    for number, (phase, state) in enumerate(
        [
            (Phase.QUEUED, State.AT_PROVIDER),
            (Phase.THINKING, State.THINKING),
            (Phase.SEARCHING, State.SEARCHING),
            (Phase.RUNNING_CODE, State.RUNNING_CODE),
            (Phase.ANSWERING, State.ANSWERING),
        ]
    ):
        clock.now = 110.0 + number
        states.take(CellPhase(cell, phase))
        assert now() == (state, 110.0 + number)
        clock.now += 0.5
        states.take(CellPhase(cell, phase))  # the same again: it goes on
        assert now() == (state, 110.0 + number)
        assert state.under_way
        assert state.ages
    clock.now = 120.0
    states.take(CellWaiting(cell, 2, 30, 12.0, "server", "it [fell]", FREE))
    waiting = states.at(0, 0)[0]
    assert (waiting.state, waiting.number, waiting.of, waiting.until) == (State.RETRY, 3, 30, 132.0)
    assert waiting.message == "it [fell]"
    states.take(CellStarted(cell, 3))
    again = states.at(0, 0)[0]
    assert (again.state, again.number, again.message) == (State.SENDING, 3, "it [fell]")
    states.take(CellTurn(cell, 2, False, Usage(), UNKNOWN_COST))
    assert states.at(0, 0)[0][:3] == (State.PAUSED, 120.0, 2)
    states.take(CellTurn(cell, 3, True, Usage(), UNKNOWN_COST))
    assert now()[0] is State.NUDGED
    states.take(CellLeft(cell, "server", "x", UNKNOWN_COST))
    assert now()[0] is State.OPEN
    states.take(CellFinished(cell, Outcome.ERROR, Usage(), UNKNOWN_COST, "odd end", answered=True))
    assert now()[0] is State.UNCLEAR
    assert next(states.models()).unknown_costs == 4


@pytest.mark.parametrize("outcome", [o for o in Outcome if o is not Outcome.PENDING])
def test_outcomes_are_states_and_are_counted(outcome: Outcome) -> None:
    states, (cell, _) = _states(Clock())
    states.take(CellStarted(cell, 1))
    cost = replace(FREE, input=Decimal("0.5"))
    states.take(CellFinished(cell, outcome, Usage(input=5, cached_input=15), cost, "m"))
    assert states.at(0, 0)[0].state is State(outcome.value)
    assert states.at(0, 0)[0].state.final
    (model,) = states.models()
    assert (model.done, model.total, model.under_way, model.cost) == (1, 2, 0, Decimal("0.5"))
    assert model.cache_rate == 0.75
    assert (model.score is None) == (outcome is Outcome.ERROR)
    if outcome is Outcome.ERROR:
        states.take(CellQueued(cell, failed=True))
        (model,) = states.models()
        assert (model.done, model.failed) == (0, 0)
        assert states.at(0, 0)[0].state is State.QUEUED


def test_the_interval_is_that_of_the_statistics_with_repeats_too() -> None:
    states, cells = _states(Clock(), items=3, repeats=2)
    outcomes = [Outcome.CORRECT, Outcome.WRONG, Outcome.CORRECT, Outcome.CORRECT, Outcome.REFUSED]
    for cell, outcome in zip(cells, outcomes, strict=False):
        states.take(CellStarted(cell, 1))
        states.take(CellFinished(cell, outcome, Usage(), FREE))
    (model,) = states.models()
    found = score_summary([[1, 1], [0, 0], [1]])
    assert found is not None
    assert (model.score, model.interval) == (found.p, found.interval)


def test_a_closed_provider_frees_its_queue_and_a_retry_takes_it_up_again() -> None:
    states, cells = _states(Clock(), configs=(CONFIG, OTHER))
    mine = [cell for cell in cells if cell.config == CONFIG.digest]
    states.take(CellStarted(mine[0], 1))
    lane = CONFIG.provider_key
    states.take(LaneClosed(lane, None, "quota", "no money", 1))
    assert [states.at(row, 0)[0].state for row in (0, 1)] == [State.SENDING, State.OPEN]
    assert states.at(1, 0)[0].message == "no money"
    assert [states.at(row, 1)[0].state for row in (0, 1)] == [State.QUEUED, State.QUEUED]
    assert states.lanes[lane].closed == "no money"
    states.take(CellQueued(mine[1], failed=False))
    assert states.at(1, 0)[0].state is State.QUEUED
    assert states.lanes[lane].closed == ""
    states.take(LaneClosed(OTHER.provider_key, "n", "model", "unknown", 2))
    assert [states.at(row, 1)[0].state for row in (0, 1)] == [State.OPEN, State.OPEN]
    assert OTHER.provider_key not in states.lanes


def test_lanes_say_how_many_calls_may_be_under_way() -> None:
    states, _ = _states(Clock())
    states.take(ConcurrencyChanged("a", 8, 4))
    states.take(PaceChanged("a", 5))
    states.take(ReachChanged("a", reached=False, message="down"))
    lane = states.lanes["a"]
    assert (lane.most, lane.limit, lane.reached) == (8, 5, False)


def test_pauses_do_not_count_in_the_time_left() -> None:
    clock = Clock()
    states, (first, second) = _states(clock)
    states.take(CellStarted(first, 1))
    clock.now += 10
    states.take(CellFinished(first, Outcome.CORRECT, Usage(), FREE))
    assert next(states.models()).seconds_left == 10.0
    states.take(Paused())
    clock.now += 1000
    assert next(states.models()).seconds_left == 10.0
    states.take(Resumed())
    clock.now += 5
    assert states.session.elapsed == 15.0
    states.take(CellStarted(second, 1))
    states.over()
    clock.now += 1000
    assert states.session.elapsed == 15.0
    assert states.at(1, 0)[0].state is State.OPEN
    assert next(states.models()).under_way == 0


def test_a_large_grid_is_cheap() -> None:
    configs = tuple(replace(CONFIG, name=f"m{n}", model=f"m{n}") for n in range(10))
    started = time.process_time()
    states, cells = _states(Clock(), items=500, repeats=3, configs=configs)
    made = time.process_time()
    for cell in cells:
        states.take(CellStarted(cell, 1))
        states.take(CellPhase(cell, Phase.THINKING))
        states.take(CellFinished(cell, Outcome.CORRECT, Usage(input=1), FREE))
    taken = time.process_time()
    assert states.version == 3 * 15_000
    for column in range(10):
        states.model(column)
    figured = time.process_time()
    print(f"made {made - started:.3f} taken {taken - made:.3f} figures {figured - taken:.3f}")
    assert taken - made < 3.0  # 45,000 events
    assert figured - taken < 0.5


async def test_a_run_that_another_process_sends_shows_its_calls_under_way(
    workspace: Workspace,
) -> None:
    await simulated_run(workspace)
    with closing(Connection(workspace.database)) as on, on.writing():
        on.write(
            "UPDATE calls SET status = 'sent', started_at = ? WHERE id = 1",
            ((datetime.now(UTC) - timedelta(seconds=90)).isoformat(),),
        )
        on.write("UPDATE attempts SET outcome = 'pending', answered = 0 WHERE id = 1")
    assert not watch_states(workspace, "r").elsewhere
    with run_lock(workspace.database, 1, "r"):
        states = watch_states(workspace, "r")
        stamp, fresh = watch_again(workspace, states, None)
        assert fresh is not None
        assert watch_again(workspace, states, stamp) == (stamp, None)
    assert states.elsewhere
    now = states.at(0, 0)[0]
    assert now.state is State.SENDING
    assert 85 < states.clock() - now.since < 600
    assert next(states.models()).under_way == 0
    assert sum(model.under_way for model in states.session.models.values()) == 1
    assert standing(states) == "goes on elsewhere"
    _, ended = watch_again(workspace, states, stamp)
    assert ended is not None
    assert standing(ended) == "1 open"
