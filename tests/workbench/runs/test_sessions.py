"""Runs carried out for real, on the simulator: start, crash, resume, top up, stop."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from relaybench.domain.errors import NameTakenError, PlanError, RunBusyError
from relaybench.domain.model import ModelConfig, Prices, PriceTier
from relaybench.domain.results import Outcome
from relaybench.runner.events import CellStarted, Ending, Event
from relaybench.store.plans import Plans
from relaybench.store.recording import Recording
from relaybench.workbench.runs.planning import RunOptions, propose, propose_resume
from relaybench.workbench.runs.running import carry_out, open_session
from relaybench.workbench.workspace import Workspace
from tests.store.support import answer
from tests.workbench.support import (
    items_of,
    make_workspace,
    send,
    simulated,
    simulated_run,
    stored,
)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return make_workspace(tmp_path)


async def test_a_run_from_end_to_end(workspace: Workspace) -> None:
    configs = [simulated("good"), simulated("bad", skill=0.0), simulated("shy", refuse=1.0)]
    proposal = propose(workspace, items_of(workspace), configs, name="r", repeats=2)
    ended, _ = await send(workspace, proposal)
    assert (ended.ending, ended.left) == (Ending.COMPLETE, 0)
    with stored(workspace) as s:
        assert s.missing == 0
        good, bad, shy = s.results
        assert good.outcomes == {Outcome.CORRECT: 8}
        assert bad.outcomes == {Outcome.WRONG: 8}
        assert shy.outcomes == {Outcome.REFUSED: 8}
        for result in s.results:
            assert result.planned == result.scored == 8
            assert (result.retries, result.lost_calls) == (0, 0)
        detail = s.attempts.detail(1)
        assert detail.item.prompt == proposal.items[0].prompt
        assert detail.response is not None
        assert detail.response.request_json
        assert detail.simulated


async def test_a_taken_name_is_refused_and_nothing_is_sent(workspace: Workspace) -> None:
    await simulated_run(workspace)
    with pytest.raises(NameTakenError, match="'r' already; resume that one") as told:
        propose(workspace, items_of(workspace), [simulated()], name="r")
    proposal = propose(workspace, items_of(workspace), [simulated()], name="s")
    events: list[Event] = []
    assert told.value.name == "r"
    assert "--" not in str(told.value)  # these words stand on the screen, too
    with pytest.raises(NameTakenError, match="'r' already"):  # taken since it was proposed
        await carry_out(workspace, replace(proposal, name="r"), RunOptions(), events.append)
    assert not events


async def test_a_config_that_cannot_work_is_refused_before_anything_is_written(
    workspace: Workspace,
) -> None:
    with pytest.raises(PlanError, match=r"'x': options\.skill is 7"):
        propose(workspace, items_of(workspace), [simulated(), simulated("x", skill=7)])
    assert not workspace.database.exists()


async def test_a_second_session_of_a_run_is_refused(workspace: Workspace) -> None:
    await simulated_run(workspace)
    more = propose_resume(workspace, "r", repeats=2)
    async with open_session(workspace, more, RunOptions(), lambda _: None) as session:
        with pytest.raises(RunBusyError, match="by another process"):
            await send(workspace, more)
        await session.run()
    with stored(workspace) as s:
        assert s.missing == 0


async def test_raising_repeats_tops_up_and_sends_nothing_else(workspace: Workspace) -> None:
    await simulated_run(workspace)
    ended, events = await send(workspace, propose_resume(workspace, "r", repeats=3))
    assert ended.ending is Ending.COMPLETE
    started = [event.cell for event in events if isinstance(event, CellStarted)]
    assert sorted(cell.repeat for cell in started) == [1] * 4 + [2] * 4
    with stored(workspace) as s:
        assert s.plan.run.repeats == 3
        assert s.results[0].scored == 12


async def test_what_was_answered_since_the_plan_is_not_sent(workspace: Workspace) -> None:
    await simulated_run(workspace)
    one, two = (propose_resume(workspace, "r", repeats=2) for _ in range(2))
    await send(workspace, one)
    _, events = await send(workspace, two)
    assert not [event for event in events if isinstance(event, CellStarted)]


async def test_no_cell_is_sent_that_the_plan_did_not_show(workspace: Workspace) -> None:
    await simulated_run(workspace)
    shown = propose_resume(workspace, "r", repeats=2)
    with stored(workspace) as s:
        Plans(s.on).raise_repeats(s.plan.run, 50)
    _, events = await send(workspace, shown)
    assert len([event for event in events if isinstance(event, CellStarted)]) == 4


async def test_after_a_crash_calls_are_lost_answers_graded_and_gaps_filled(
    workspace: Workspace,
) -> None:
    items, config = items_of(workspace), simulated()
    proposal = propose(workspace, items, [config], name="r")
    with contextlib.suppress(ZeroDivisionError):  # the plan is written, then we "die"
        async with open_session(workspace, proposal, RunOptions(), lambda _: None):
            raise ZeroDivisionError
    with stored(workspace) as s:
        recording = Recording(s.on, s.plan)
        recording.call_started(proposal.cells[0])
        call = recording.call_started(proposal.cells[1])
        recording.answered(proposal.cells[1], call, answer(f"```\n{items[1].key}\n```"))
    again = propose_resume(workspace, "r")
    assert len(again.cells) == 3
    async with open_session(workspace, again, RunOptions(), lambda _: None) as session:
        assert (session.lost, session.ungraded) == (1, 1)
        await session.run()
    with stored(workspace) as s:
        assert s.missing == 0
        assert s.results[0].outcomes == {Outcome.CORRECT: 4}
        assert s.results[0].lost_calls == 1
        assert [call.status for call in s.attempts.detail(1).calls] == ["lost", "answered"]
        assert len(s.attempts.detail(2).calls) == 1


async def test_changed_limits_hold_for_a_new_run(workspace: Workspace) -> None:
    await simulated_run(workspace)
    config = replace(simulated(), concurrency=1, timeout_s=9.0, key_env="UNUSED", name="new")
    proposal = propose(workspace, items_of(workspace), [config], name="r2")
    ended, _ = await send(workspace, proposal)
    assert ended.left == 0
    with stored(workspace, "r2") as s:
        assert next(iter(s.plan.configs.values())) == config
        assert s.results[0].scored == 4


def _priced() -> ModelConfig:
    tier = PriceTier(input=Decimal(1), cached_input=Decimal(1), output=Decimal(1000))
    return replace(simulated(), prices=Prices((tier,)), max_output_tokens=1000)


async def test_a_budget_holds_over_sessions(workspace: Workspace) -> None:
    proposal = propose(workspace, items_of(workspace), [_priced()], name="r", repeats=3)
    budget = RunOptions(1, Decimal("2"))
    ended, _ = await send(workspace, proposal, budget)
    assert ended.ending is Ending.BUDGET
    with stored(workspace) as s:
        spent = s.results[0].cost.total
        assert spent is not None
        assert 1 < spent <= 2
        answered = s.results[0].scored
    assert propose_resume(workspace, "r").budget == 2  # kept with the run
    again = propose_resume(workspace, "r", options=budget)
    assert again.spent.total == again.spent.known == spent
    ended, events = await send(workspace, again, budget)
    assert ended.ending is Ending.BUDGET
    assert not [event for event in events if isinstance(event, CellStarted)]
    ended, _ = await send(workspace, again, RunOptions(1, Decimal("100")))
    assert ended.left == 0
    with stored(workspace) as s:
        assert s.results[0].scored == 12 > answered


async def test_leaving_at_once_keeps_what_arrived_and_releases_the_run(
    workspace: Workspace,
) -> None:
    proposal = propose(workspace, items_of(workspace), [simulated(latency_s=600.0)], name="r")
    started = asyncio.Event()

    def on_event(event: Event) -> None:
        if isinstance(event, CellStarted):
            started.set()

    task = asyncio.ensure_future(carry_out(workspace, proposal, RunOptions(), on_event))
    await asyncio.wait_for(started.wait(), 30)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    with stored(workspace) as s:
        statuses = {row["status"] for row in s.on.rows("SELECT status FROM calls")}
        assert statuses == {"lost"}
        assert s.missing == 4
    propose_resume(workspace, "r")
