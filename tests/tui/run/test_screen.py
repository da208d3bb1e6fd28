"""Journeys on the screen Run: choose, see the price, start, watch, steer, go on; and the store."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from relaybench.domain.errors import StoreError
from relaybench.domain.results import Outcome
from relaybench.store.database import run_lock
from relaybench.tui.dialogs.ask import Ask
from relaybench.tui.dialogs.confirm import Confirm
from relaybench.tui.dialogs.reading import Reading
from relaybench.tui.messages import OpenRun
from relaybench.tui.run.cell_page import CellPage
from relaybench.tui.run.grid import RunGrid
from relaybench.tui.run.live import How, LiveRun
from relaybench.tui.run.tick_tree import TickTree
from relaybench.tui.run.watch import Watch
from relaybench.tui.welcome import tell_open_runs
from relaybench.workbench.runs.cell_state import State
from relaybench.workbench.runs.demonstrating import demo_workspace
from relaybench.workbench.runs.planning import RunOptions, propose
from relaybench.workbench.workspace import Workspace
from tests.tui.driving import SIZES, app_of, opened, press, settled, shown
from tests.tui.run.support import (
    add_problems,
    ended,
    live_run,
    run_screen,
    tick,
    until,
)
from tests.workbench.support import items_of, send, simulated, simulated_run, stored

both_sizes = pytest.mark.parametrize("size", SIZES)


@pytest.fixture
def place(workspace: Workspace) -> Workspace:
    """The example workspace with six more subproblems and models that behave."""
    add_problems(workspace.root)
    return workspace


def _said(pilot: object, selector: str) -> str:
    return str(run_screen(pilot).query_one(selector, Static).content)  # type: ignore[arg-type]


@both_sizes
async def test_choose_see_the_estimate_start_watch_and_open(
    place: Workspace, size: tuple[int, int]
) -> None:
    async with opened(place, size, "run") as pilot:
        assert "Tick problems" in _said(pilot, "#estimate")
        await press(pilot, "space")  # the first set: example
        assert "Tick a cohort" in _said(pilot, "#estimate")
        models = run_screen(pilot).query_one("#models")
        models.focus()
        labels = [str(branch.label) for branch in models.branches]  # type: ignore[attr-defined]
        await press(pilot, *["down"] * labels.index("mine"), "space")
        run_screen(pilot).query_one("#repeats", Input).value = "3"
        run_screen(pilot).query_one("#name", Input).value = "r"
        await settled(pilot)
        estimate = _said(pilot, "#estimate")
        assert "simulated run r" in estimate
        assert "1 item × 2 models × 3 repeats = 6 cells" in estimate
        await press(pilot, "ctrl+r")
        live = await live_run(pilot)
        await ended(pilot, live)
        assert live.ended is not None
        assert live.ended.how is How.COMPLETE
        with stored(place) as s:
            assert s.missing == 0
            right, wrong = s.results
            assert right.outcomes == {Outcome.CORRECT: 3}
            assert wrong.outcomes == {Outcome.WRONG: 3}
            assert s.plan.run.simulated
        text = shown(pilot)
        assert "simulated" in text
        assert "✓✓✓ 3/3" in text
        assert "✗✗✗ 0/3" in text
        await press(pilot, "n")
        assert "a run is called 'r' already" in _said(pilot, "#estimate")  # worked out anew
        await press(pilot, "g")
        if size == SIZES[0]:
            await press(pilot, "right", "enter")
            await until(pilot, lambda: app_of(pilot).current_mode == "attempt")


@both_sizes
async def test_pause_change_the_calls_stop_gently_and_go_on(
    place: Workspace, size: tuple[int, int]
) -> None:
    add_problems(place.root, 30)
    async with opened(place, size, "run") as pilot:
        await tick(pilot, "problems", *(f"library:math/sum:n-{n}" for n in range(1, 31)))
        await tick(pilot, "models", "slow")
        run_screen(pilot).query_one("#name", Input).value = "r"
        await press(pilot, "ctrl+r")
        live = await live_run(pilot)
        await until(pilot, lambda: live.states is not None)
        await press(pilot, "p")
        await until(pilot, lambda: live.paused)
        await press(pilot, "plus", "plus", "plus", "minus")
        lanes = live.states.lanes if live.states else {}
        await until(pilot, lambda: [lane.most for lane in lanes.values()] == [3])
        await until(pilot, lambda: "paused" in _said(pilot, "#totals"))
        await until(pilot, lambda: "3 at once" in _said(pilot, "#totals"))
        await press(pilot, "p")
        await until(pilot, lambda: not live.paused)
        await press(pilot, "p")
        await until(pilot, lambda: live.paused)
        await press(pilot, "s")
        await ended(pilot, live)
        assert live.ended is not None
        assert live.ended.how is How.STOPPED
        with stored(place) as s:
            assert 0 < s.missing < 30
        await press(pilot, "r")
        await until(pilot, lambda: app_of(pilot).desk.run is not live)
        again = await live_run(pilot)
        await until(pilot, lambda: again.states is not None)
        await press(pilot, "c")  # one after the other they would take half a minute
        assert "Calls at once" in shown(pilot)
        await press(pilot, "backspace", "3", "0", "enter")
        await ended(pilot, again)
        with stored(place) as s:
            assert s.missing == 0
            statuses = s.on.rows("SELECT status, COUNT(*) AS n FROM calls GROUP BY status")
            assert {row["status"]: row["n"] for row in statuses} == {"answered": 30}


@both_sizes
async def test_failed_cells_are_opened_sent_again_and_gone_on_with(
    place: Workspace, size: tuple[int, int]
) -> None:
    def calls() -> int:
        with stored(place) as s:
            row = s.on.row(
                "SELECT COUNT(*) AS n FROM calls JOIN attempts ON attempts.id = attempt_id "
                "JOIN model_configs ON model_configs.id = model_config_id WHERE name = 'shaky'"
            )
            return int(row["n"]) if row else 0

    async with opened(place, size, "run") as pilot:
        await tick(pilot, "problems", "library:math/sum:n-1", "library:math/sum:n-2")
        await tick(pilot, "models", "slow", "shaky")
        run_screen(pilot).query_one("#name", Input).value = "r"
        run_screen(pilot).query_one("#at-once", Input).value = "3"
        await press(pilot, "ctrl+r")
        live = await live_run(pilot)
        grid = run_screen(pilot).query_one(RunGrid)
        column = next(n for n, config in enumerate(_configs(live)) if config == "shaky")
        states = live.states
        assert states is not None
        await until(pilot, lambda: states.at(1, column)[0].state is State.ERROR)
        await press(pilot, "r")
        await until(pilot, lambda: calls() == 4)
        await ended(pilot, live)
        grid.go(0, column, 0)
        await press(pilot, "enter")
        await until(pilot, lambda: isinstance(app_of(pilot).screen, Reading))
        assert "HTTP 413" in shown(pilot)
        assert "Request exceeds" in shown(pilot) or "too large" in shown(pilot)
        await press(pilot, "escape")
        await press(pilot, "r")
        await until(pilot, lambda: calls() == 6)
        await ended(pilot, await live_run(pilot))
    with stored(place) as s:
        assert s.missing == 2
        assert s.plan.run.failed == 2


def _configs(live: object) -> list[str]:
    return [config.name for config in live.proposal.configs]  # type: ignore[attr-defined]


async def test_a_stored_run_is_shown_and_topped_up(place: Workspace) -> None:
    await simulated_run(place)
    async with opened(place, SIZES[0], "run") as pilot:
        await app_of(pilot).open_target(OpenRun("r"))
        await settled(pilot)
        await until(pilot, lambda: run_screen(pilot).watching)
        assert "complete" in _said(pilot, "#totals")
        await press(pilot, "t")
        await press(pilot, "enter")  # one more, as offered
        live = await live_run(pilot)
        await ended(pilot, live)
        with stored(place) as s:
            assert s.plan.run.repeats == 2
            assert s.missing == 0


async def test_a_run_that_another_process_sends_is_followed(place: Workspace) -> None:
    config = simulated("shaky", fail=1.0, faults=["413"])
    await send(place, propose(place, items_of(place), [config], name="r"))
    with stored(place) as s:
        run = s.plan.run
    async with opened(place, SIZES[0], "run") as pilot:
        with run_lock(place.database, run.id, "r"):
            await app_of(pilot).open_target(OpenRun("r"))
            await until(pilot, lambda: run_screen(pilot).watching)
            assert "goes on elsewhere" in _said(pilot, "#totals")
            assert "pause" not in {
                b.action for _, b, *_ in pilot.app.screen.active_bindings.values()
            }
            await press(pilot, "down", "r")
            assert app_of(pilot).desk.run is None
            assert "it goes on in another window" in app_of(pilot).notices[-1].text
            assert "--resume" not in app_of(pilot).notices[-1].text
        watch = run_screen(pilot).query_one(Watch)
        await watch.look_into_store().wait()
        await settled(pilot)
        assert "6 open" in _said(pilot, "#totals")
        assert watch.grid.row == 1  # where the cursor stood


async def test_a_run_with_a_budget_goes_on_with_a_higher_one(place: Workspace) -> None:
    proposal = propose(
        place,
        items_of(place),
        [simulated()],
        name="r",
        options=(options := RunOptions(None, Decimal("0.5"), allow_unknown_price=True)),
    )
    await send(place, replace(proposal, cells=proposal.cells[:1]), options)
    async with opened(place, SIZES[0], "run") as pilot:
        await tell_open_runs(app_of(pilot))
        await pilot.pause()
        assert len(app_of(pilot)._notifications) == 1
        await press(pilot, "f3", "f4")  # there it would cover what it leads to
        assert not app_of(pilot)._notifications
        await app_of(pilot).open_target(OpenRun("r"))
        await until(pilot, lambda: run_screen(pilot).watching)
        await press(pilot, "r")
        assert isinstance(app_of(pilot).screen, Confirm)
        assert "no price" in shown(pilot)
        await press(pilot, "y")
        await until(pilot, lambda: isinstance(app_of(pilot).screen, Ask))
        await press(pilot, "1", "enter")  # 0.51
        await ended(pilot, await live_run(pilot))
    with stored(place) as s:
        assert (s.missing, s.plan.run.budget) == (0, Decimal("0.51"))


async def test_a_failure_is_told_every_time(
    place: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise StoreError("the disk is full; free some space, then resume the run")

    proposal = propose(place, items_of(place), [simulated()], name="r")
    await send(place, replace(proposal, cells=proposal.cells[:1]))
    async with opened(place, SIZES[0], "run") as pilot:
        await app_of(pilot).open_target(OpenRun("r"))
        await until(pilot, lambda: run_screen(pilot).watching)
        monkeypatch.setattr("relaybench.workbench.runs.running.open_session", full)
        monkeypatch.setattr("relaybench.tui.app._AT_ONCE_S", 0.0)
        for times in (1, 2):
            before = app_of(pilot).desk.run
            await press(pilot, "r")
            await until(pilot, lambda before=before: app_of(pilot).desk.run is not before)  # type: ignore[misc]
            await until(pilot, lambda times=times: _told(pilot, "disk is full") == times)  # type: ignore[misc]
            await until(pilot, lambda: "5 open" in _said(pilot, "#totals"))


def _told(pilot: object, words: str) -> int:
    return sum(words in each.text for each in app_of(pilot).notices)  # type: ignore[arg-type]


async def test_a_faulty_models_file_is_told_in_the_place_of_the_models(place: Workspace) -> None:
    sound = (place.root / "models.toml").read_text("utf-8")
    (place.root / "models.toml").write_text(sound + 'lost = ["nobody"]\n', "utf-8")
    async with opened(place, SIZES[0], "run") as pilot:
        assert "Models cannot be shown" in _said(pilot, "#models-fault")
        assert "nobody" in _said(pilot, "#models-fault")
        await press(pilot, "space")
        assert "models.toml has a fault" in _said(pilot, "#estimate")
        (place.root / "models.toml").write_text(sound, "utf-8")
        await app_of(pilot).desk.look()
        await settled(pilot)
        assert not run_screen(pilot).query_one("#models-fault").display
        tree = run_screen(pilot).query_one("#models", TickTree)
        before = tree.line_count
        assert before
        (place.root / "models.toml").write_text(sound + 'lost = ["nobody"]\n', "utf-8")
        await app_of(pilot).look().wait()
        await settled(pilot)
        assert "as they were before" in _said(pilot, "#models-fault")
        assert "nobody" in _said(pilot, "#models-fault")
        assert (tree.display, tree.line_count) == (True, before)


async def test_a_run_is_stored_among_ones_own_results_while_the_demo_is_shown(
    place: Workspace,
) -> None:
    demo = demo_workspace(place)
    await simulated_run(demo, "d")
    async with opened(place, SIZES[0], "run") as pilot:
        desk = app_of(pilot).desk
        desk.work_in(demo, demo=True)
        await app_of(pilot).open_target(OpenRun("d"))
        await until(pilot, lambda: run_screen(pilot).watching)
        desk.work_in(place)  # where nothing has been run yet
        await until(pilot, lambda: not run_screen(pilot).watching)
        assert not run_screen(pilot).check_action("grid", ())  # it is the demo's
        desk.work_in(demo, demo=True)
        await tick(pilot, "problems", "library:math/sum:n-1")
        await tick(pilot, "models", "quick")
        run_screen(pilot).query_one("#name", Input).value = "r"
        await press(pilot, "ctrl+r")
        await ended(pilot, await live_run(pilot))
        assert (desk.demo, desk.workspace.database) == (False, place.database)
        watch = run_screen(pilot).query_one(Watch)
        for there, name in ((demo, "d"), (place, "r")):  # the grid follows, both ways
            desk.work_in(there, demo=there is demo)
            await until(pilot, lambda there=there: watch.place == there)  # type: ignore[misc]
            assert watch.states is not None
            assert watch.states.run.name == name
    with stored(place) as s:
        assert s.missing == 0


async def test_what_cannot_start_says_why_and_what_costs_asks(place: Workspace) -> None:
    async with opened(place, SIZES[0], "run") as pilot:
        await tick(pilot, "problems", "library:math/sum:n-1")
        await tick(pilot, "models", "paid", "quick")
        assert "simulated and real models cannot be in one run" in _said(pilot, "#estimate")
        await tick(pilot, "models", "paid")
        assert "PAID_KEY" in _said(pilot, "#estimate")
        run_screen(pilot).query_one("#budget", Input).value = "lots"
        await settled(pilot)
        assert "'lots' is not an amount of USD" in _said(pilot, "#estimate")
        await press(pilot, "ctrl+r")
        assert app_of(pilot).desk.run is None
        assert "'lots' is not an amount" in app_of(pilot).notices[-1].text
        run_screen(pilot).query_one("#budget", Input).value = ""
        await tick(pilot, "models", "quick")
        assert "run simulated-library-…\n" in _said(pilot, "#estimate")  # its start ends it
        await tick(pilot, "forms")
        await press(pilot, "ctrl+r")
        assert _said(pilot, "#estimate") == "Tick at least one form."
        assert "Tick at least one form." in app_of(pilot).notices[-1].text
    with_key = replace(place, environment={"PAID_KEY": "sk-none"})
    async with opened(with_key, SIZES[0], "run") as pilot:
        await tick(pilot, "problems", "library:math/sum:n-1")
        await tick(pilot, "models", "paid")
        await press(pilot, "ctrl+r")
        assert isinstance(app_of(pilot).screen, Confirm)
        assert "at a cost that is not known" in shown(pilot)
        await press(pilot, "escape")
        assert app_of(pilot).desk.run is None
    assert not place.database.exists()
    assert items_of(place)


async def _follows_a_cell_under_way(pilot: Pilot[int], live: LiveRun) -> None:
    states, view = live.states, run_screen(pilot).query_one(Watch)
    assert states is not None
    view.grid.go(0, _configs(live).index("endless"), 0)
    await press(pilot, "enter")
    await until(pilot, lambda: isinstance(app_of(pilot).screen, CellPage))
    page = app_of(pilot).screen
    assert isinstance(page, CellPage)
    assert "for 10 min" not in shown(pilot)
    assert view.follows  # behind the dialog too
    now = states.clock
    states.clock = lambda: now() + 600
    await page.look()
    assert "for 10 min" in str(page.query_one(".question", Static).content)
    states.clock = now
    await press(pilot, "escape")


async def test_quitting_asks_while_a_run_goes_on(place: Workspace) -> None:
    async with opened(place, SIZES[0], "run") as pilot:
        await tick(pilot, "problems", *(f"library:math/sum:n-{n}" for n in range(1, 7)))
        await tick(pilot, "models", "quick", "endless")
        run_screen(pilot).query_one("#name", Input).value = "r"
        await press(pilot, "ctrl+r")
        live = await live_run(pilot)
        await until(pilot, lambda: live.done > 0)
        await _follows_a_cell_under_way(pilot, live)
        await press(pilot, "f3")  # leaving the screen does not touch it
        assert live.word == "running"
        await press(pilot, "f4")
        assert run_screen(pilot).watching
        await press(pilot, "ctrl+q")
        assert "Stay" in shown(pilot)
        await press(pilot, "enter")
        assert live.word == "running"
        await press(pilot, "ctrl+q")
        await press(pilot, "down", "down", "enter")  # quit now
        await until(pilot, lambda: live.ended is not None)
        assert live.word == How.LEFT
    with stored(place) as s:
        assert s.missing >= 6
        statuses = {row["status"] for row in s.on.rows("SELECT status FROM calls")}
        assert statuses == {"answered", "lost"}
