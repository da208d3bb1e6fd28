"""A run in a thread of its own is steered from outside, and throws nothing at anybody."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from relaybench.domain.model import ModelConfig, Prices, PriceTier
from relaybench.tui.run.live import How, LiveRun
from relaybench.workbench.runs.cell_state import State
from relaybench.workbench.runs.planning import RunOptions, propose, propose_resume
from relaybench.workbench.workspace import Workspace
from tests.workbench.support import items_of, make_workspace, simulated, simulated_run, stored

#: Seconds that anything here may take at most; it takes far less.
PATIENCE = 30.0


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return make_workspace(tmp_path)


@pytest.fixture
def begin(workspace: Workspace) -> Iterator[Callable[..., LiveRun]]:
    """Start a run of some models; whatever still goes on at the end of the test is left."""
    begun: list[LiveRun] = []

    def start(*configs: ModelConfig, options: RunOptions | None = None) -> LiveRun:
        options = options or RunOptions()
        proposal = propose(workspace, items_of(workspace), configs, name="r", options=options)
        live = LiveRun(workspace, proposal, options)
        begun.append(live)
        live.start()
        return live

    yield start
    for live in begun:
        live.leave()
        assert live.wait(PATIENCE)


def _until(live: LiveRun, met: Callable[[], bool]) -> None:
    """Wait until something is so; the run's end must not come first."""
    ends = time.monotonic() + PATIENCE
    while not met():
        assert time.monotonic() < ends, "it takes too long"
        assert live.ended is None or met(), live.ended
        threading.Event().wait(0.005)


def _states(live: LiveRun) -> list[State]:
    states = live.states
    if states is None:
        return []
    return [each.state for row in range(len(states.items)) for each in states.at(row, 0)]


def test_a_run_goes_to_its_end_without_anybody_looking(
    workspace: Workspace, begin: Callable[..., LiveRun]
) -> None:
    live = begin(simulated())
    assert live.wait(PATIENCE)
    assert live.ended is not None
    assert (live.ended.how, live.word, live.paused) == (How.COMPLETE, "complete", False)
    assert live.ended.words == "4 answered."
    assert (live.done, live.total) == (4, 4)
    assert live.headline == "4/4 complete, simulated: r"
    assert set(_states(live)) == {State.CORRECT}
    with stored(workspace) as s:
        assert s.missing == 0


def test_it_is_paused_sped_up_and_stopped(
    workspace: Workspace, begin: Callable[..., LiveRun]
) -> None:
    live = begin(replace(simulated(latency_s=0.3), concurrency=1))
    _until(live, lambda: State.SENDING in _states(live))
    live.pause()
    _until(live, lambda: live.paused and live.done == 1)
    assert (live.word, _states(live).count(State.QUEUED)) == ("paused", 3)
    live.set_concurrency(2)
    _until(live, lambda: live.states is not None
           and [lane.most for lane in live.states.lanes.values()] == [2])  # fmt: skip
    live.resume()
    _until(live, lambda: sum(state.under_way for state in _states(live)) == 2)
    live.stop()
    assert live.word == "stopping"
    assert live.wait(PATIENCE)
    assert live.ended is not None
    assert live.ended.how is How.STOPPED
    assert live.ended.words == "3 answered, 1 not sent."
    assert _states(live).count(State.OPEN) == 1
    with stored(workspace) as s:
        assert s.missing == 1


def test_leaving_is_quick_keeps_answers_and_notes_what_is_lost(
    workspace: Workspace, begin: Callable[..., LiveRun]
) -> None:
    live = begin(simulated(latency_s=600.0))
    _until(live, lambda: State.SENDING in _states(live))
    began = time.monotonic()
    live.leave()
    assert live.wait(PATIENCE)
    assert time.monotonic() - began < 3
    assert live.ended is not None
    assert live.ended.how is How.LEFT
    assert set(_states(live)) == {State.OPEN}
    with stored(workspace) as s:
        assert {row["status"] for row in s.on.rows("SELECT status FROM calls")} == {"lost"}
    resumed = LiveRun(workspace, propose_resume(workspace, "r"), RunOptions())
    resumed.leave()  # before it began
    resumed.start()
    assert resumed.wait(PATIENCE)
    assert resumed.ended is not None
    assert resumed.ended.how is How.LEFT


def test_failed_cells_are_tried_again_in_the_same_session(
    begin: Callable[..., LiveRun],
) -> None:
    shaky = replace(simulated("shaky", fail=1.0, faults=["413"]), concurrency=8)
    live = begin(shaky, simulated("slow", latency_s=600.0))
    _until(live, lambda: _states(live).count(State.ERROR) == 4)
    states = live.states
    assert states is not None
    version = states.version
    live.retry_failed()
    _until(live, lambda: states.version > version + 8 and _states(live).count(State.ERROR) == 4)
    assert states.session.models[states.configs[0].digest].failed == 4


def test_a_run_with_open_cells_is_not_called_complete(begin: Callable[..., LiveRun]) -> None:
    live = begin(simulated(), simulated("gone", fail=1.0, faults=["404"]))
    assert live.wait(PATIENCE)
    assert live.ended is not None
    assert (live.ended.how, live.ended.severity) == (How.INCOMPLETE, "warning")
    assert "4 of 8 cells are open" in live.ended.words
    assert live.word == "4 open"
    assert "4 open" in live.headline


def test_the_budget_ends_it_with_words(begin: Callable[..., LiveRun]) -> None:
    tier = PriceTier(input=Decimal(1), cached_input=Decimal(1), output=Decimal(1000))
    config = replace(simulated(), prices=Prices((tier,)), max_output_tokens=1000)
    live = begin(config, options=RunOptions(1, Decimal("1.05")))
    assert live.wait(PATIENCE)
    assert live.ended is not None
    assert live.ended.how is How.BUDGET
    assert "Stopped by the budget: the next call of sim" in live.ended.words
    assert live.budget.limit == Decimal("1.05")
    assert 0 < live.budget.spent <= Decimal("1.05")


async def test_what_goes_wrong_becomes_words(
    workspace: Workspace, begin: Callable[..., LiveRun], monkeypatch: pytest.MonkeyPatch
) -> None:
    await simulated_run(workspace)
    taken = propose(workspace, items_of(workspace), [simulated()], name="s")
    live = LiveRun(workspace, replace(taken, name="r"), RunOptions())
    live.start()
    assert live.wait(PATIENCE)
    assert live.ended is not None
    assert (live.ended.how, live.ended.severity) == (How.FAILED, "error")
    assert "a run is called 'r' already" in live.ended.words
    for steer in (live.pause, live.resume, live.stop, live.retry_failed, live.leave):
        steer()  # nothing any more

    def broken(*_: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("relaybench.workbench.runs.watching.load_states", broken)
    live = LiveRun(workspace, taken, RunOptions())
    live.start()
    assert live.wait(PATIENCE)
    assert live.ended is not None
    assert "internal error: ZeroDivisionError: oh" in live.ended.words
