"""Models with only a web page: never sent, answered by hand, graded and counted like any other."""

from __future__ import annotations

import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from relaybench.domain.completion import Usage
from relaybench.domain.errors import (
    PlanError,
    SettingRejected,
    StoreError,
    UnknownNameError,
    UsageError,
)
from relaybench.domain.model import COMPATIBLE, MANUAL, ModelConfig, Prices, PriceTier
from relaybench.domain.results import Cell, Outcome
from relaybench.providers.registry import open_provider
from relaybench.store.database import run_lock
from relaybench.store.manual import ManualCell
from relaybench.store.repricing import reprice
from relaybench.workbench.models.pinging import plan_pings
from relaybench.workbench.runs import manual
from relaybench.workbench.runs.manual import (
    Ended,
    choose_cells,
    manual_run,
    manual_runs,
    prompt_of,
    record_manual,
)
from relaybench.workbench.runs.planning import RunOptions, propose, propose_resume
from relaybench.workbench.runs.prompt_files import (
    drop_answer,
    keep_answer,
    set_answer_aside,
    take_left,
    write_prompt,
)
from relaybench.workbench.runs.running import settle
from relaybench.workbench.workspace import Workspace
from tests.workbench.chat_server import ChatServer
from tests.workbench.support import items_of, make_workspace, send, simulated, stored

WEB = ModelConfig("web", MANUAL, "gpt-web", effort="pro")
RIGHT = "Well.\n```\n{key}\n```\n"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return make_workspace(tmp_path, 2)


def begin(workspace: Workspace, *configs: ModelConfig, repeats: int = 1) -> tuple[ManualCell, ...]:
    """A run of manual models only; gives its cells."""
    proposal = propose(workspace, items_of(workspace), configs or [WEB], repeats=repeats, name="r")
    settle(workspace, proposal)
    return manual_run(workspace, "r").cells


def answer(workspace: Workspace, cell: ManualCell, text: str | None = None) -> manual.Recorded:
    key = next(each.key for each in items_of(workspace) if each.digest == cell.cell.item)
    return record_manual(workspace, "r", cell.cell, text or RIGHT.format(key=key))


def test_a_plan_of_manual_models_has_nothing_to_send_and_no_estimate(workspace: Workspace) -> None:
    proposal = propose(
        workspace,
        items_of(workspace),
        [WEB],
        repeats=3,
        options=RunOptions(budget=Decimal(1)),  # kept: nothing is sent for a model without prices
    )
    assert proposal.cells == ()
    assert len(proposal.by_hand) == 6
    assert [(each.cells, each.cost_high) for each in proposal.estimates] == [(6, None)]
    assert "by hand" in proposal.estimates[0].basis
    assert proposal.cost == (Decimal(0), Decimal(0))
    assert not proposal.simulated
    with pytest.raises(PlanError, match="simulated and real models"):
        propose(workspace, items_of(workspace), [WEB, simulated()])
    odd = ModelConfig("odd", MANUAL, "m", options={"temperature": 1})
    with pytest.raises(PlanError, match="options has no effect"):
        propose(workspace, items_of(workspace), [odd])


def test_pasted_answers_are_attempts_of_the_run_and_count(workspace: Workspace) -> None:
    one, two = begin(workspace)
    right = answer(workspace, one)
    wrong = answer(workspace, two, "It is\n```\n\x1b[31m5\n```\n")
    assert (right.grade.outcome, wrong.grade.outcome) == (Outcome.CORRECT, Outcome.WRONG)
    with stored(workspace) as s:
        assert s.missing == 0
        [result] = s.results
        assert result.count(Outcome.CORRECT) == result.count(Outcome.WRONG) == 1
        assert result.cost.total is None  # unknown, never 0
        assert result.unreported == 2
        detail = s.attempts.detail(wrong.attempt)
        [call] = detail.calls
        assert call.text == "It is\n```\n\x1b[31m5\n```\n"
        assert (call.status, call.usage) == ("answered", Usage())
        assert call.settings_sent == {"manual": True, "effort": "pro", "tools": []}
        assert [each.outcome for each in detail.grades] == [Outcome.WRONG]
    assert manual_run(workspace, "r").open == ()
    resumed = propose_resume(workspace, "r")
    assert resumed.cells == resumed.by_hand == ()


def test_tokens_and_cost_are_what_the_person_says(workspace: Workspace) -> None:
    tier = PriceTier(input=Decimal(1), output=Decimal(10))
    priced = ModelConfig("priced", MANUAL, "m", prices=Prices((tier,)))
    one, two, three, four = begin(workspace, WEB, priced)
    tokens = Usage(input=1_000_000, output=100_000)
    for cell, cost in ((one, Decimal("0.25")), (three, Decimal(0))):  # of the model without prices
        assert not cell.config.prices
        record_manual(workspace, "r", cell.cell, "x", cost=cost)
    record_manual(workspace, "r", two.cell, "x", usage=tokens)
    record_manual(workspace, "r", four.cell, "x", usage=tokens, cost=Decimal("7.5"))
    with stored(workspace) as s:
        assert [each.cost.total for each in s.results] == [Decimal("0.25"), Decimal("9.5")]
    dearer = Prices((PriceTier(input=Decimal(2), output=Decimal(10)),), source="s")
    with stored(workspace) as s:
        found = reprice(s.on, s.plan, {WEB.digest: dearer, priced.digest: dearer})
    assert [(each.old_cost, each.new_cost) for each in found] == [
        (Decimal("0.25"), Decimal("0.25")), (Decimal("9.5"), Decimal("10.5")),
    ]  # fmt: skip
    for cost in (Decimal(-1), Decimal("NaN")):
        with pytest.raises(UsageError, match="an amount of USD"):
            record_manual(workspace, "r", one.cell, "x", cost=cost)


def test_how_it_ended_on_the_page(workspace: Workspace) -> None:
    one, two = begin(workspace)
    refused = record_manual(workspace, "r", one.cell, "", ended=Ended.REFUSED)
    cut = record_manual(workspace, "r", two.cell, "Let me thi", ended=Ended.CUT_OFF)
    assert (refused.grade.outcome, cut.grade.outcome) == (Outcome.REFUSED, Outcome.TRUNCATED)


def test_nothing_is_overwritten_and_nothing_empty_is_stored(workspace: Workspace) -> None:
    cells = begin(workspace, repeats=2)
    for text in ("", " \n\t"):
        with pytest.raises(UsageError, match="the answer is empty"):
            record_manual(workspace, "r", cells[0].cell, text)
    first = answer(workspace, cells[0])
    again = rf"attempt {first.attempt} \(correct\).*repeat 2 of it is open; `relaybench grade r`"
    with pytest.raises(UsageError, match=again):
        answer(workspace, cells[0], "```\nother\n```")
    answer(workspace, cells[2])
    with pytest.raises(UsageError, match="--resume r --repeats 3"):
        answer(workspace, cells[0], "```\nother\n```")
    with pytest.raises(UsageError, match="no such cell of a manual model"):
        record_manual(workspace, "r", Cell(cells[0].cell.item, "0" * 64, 0), "x")
    with stored(workspace) as s:
        assert len(s.attempts.answered(s.plan.run)) == 2
        assert len(s.attempts.detail(first.attempt).calls) == 1


async def test_answers_come_while_the_run_is_being_sent(workspace: Workspace) -> None:
    with ChatServer(quick=10) as server:
        sent = ModelConfig("sent", COMPATIBLE, "m", base_url=server.url)
        proposal = propose(workspace, items_of(workspace), [sent, WEB], name="r")
        assert (len(proposal.cells), len(proposal.by_hand)) == (2, 2)
        await send(workspace, proposal)
        assert len(server.prompts) == 2
    cells = manual_run(workspace, "r").open
    assert len(cells) == 2
    with stored(workspace) as s, run_lock(workspace.database, s.plan.run.id, "r"):
        answer(workspace, cells[0])  # another process sends this run right now
    assert len(manual_run(workspace, "r").open) == 1


def test_an_answer_is_safe_before_anything_looks_at_it(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _ = begin(workspace)

    def trip(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(manual, "judge", trip)
        with pytest.raises(StoreError, match="is stored as attempt 1, but the grader tripped"):
            answer(workspace, one)
    with stored(workspace) as s:
        assert s.attempts.ungraded(s.plan.run) == [1]
    assert settle(workspace, propose_resume(workspace, "r")) == 1
    assert manual_run(workspace, "r").cells[0].outcome is Outcome.CORRECT


def test_cells_are_found_by_what_users_type(workspace: Workspace) -> None:
    cells = begin(workspace, WEB, ModelConfig("two", MANUAL, "other"), repeats=2)
    assert len(cells) == 8
    assert len(choose_cells(cells, item=cells[0].item)) == 4
    assert len(choose_cells(cells, item=cells[0].cell.item[:8], model="web", repeat=2)) == 1
    assert len(choose_cells(cells, model="gpt-web (pro)")) == len(
        choose_cells(cells, model="other")
    )
    for words in ({"item": "x"}, {"item": cells[0].cell.item[:5]}, {"model": "x"}, {"repeat": 3}):
        with pytest.raises(UnknownNameError):
            choose_cells(cells, **words)
    prompt = prompt_of(workspace, cells[0])
    assert prompt == items_of(workspace)[0].prompt


def test_runs_with_manual_models_are_listed_newest_first(workspace: Workspace) -> None:
    assert manual_runs(workspace) == []
    begin(workspace)
    settle(workspace, propose(workspace, items_of(workspace), [WEB], name="s"))
    assert [each.run.name for each in manual_runs(workspace)] == ["s", "r"]
    for cell in manual_run(workspace, "s").cells:
        record_manual(workspace, "s", cell.cell, "x")
    assert manual_run(workspace, None).run.name == "r"  # where something is open


async def test_nothing_is_ever_sent_or_pinged_for_a_manual_model(workspace: Workspace) -> None:
    (workspace.root / "models.toml").write_text(
        '[models.web]\nprovider = "manual"\nmodel = "m"\n', "utf-8"
    )
    plan = plan_pings(workspace, ["web", "sim-alpha"])
    assert [each.config.name for each in plan.pings] == ["sim-alpha"]
    assert plan.skipped == {"web": "it is answered by hand"}
    assert "web" in plan_pings(workspace).skipped
    with pytest.raises(SettingRejected, match="nothing is sent for it"):
        await open_provider(workspace.catalog().models["web"], {})


def test_prompts_and_answers_become_files_that_stay_out_of_version_control(
    workspace: Workspace,
) -> None:
    cells = begin(workspace)
    path = write_prompt(workspace, cells[0])
    assert path.read_bytes() == prompt_of(workspace, cells[0]).encode()
    assert write_prompt(workspace, cells[0]) == path  # once more is no fault
    kept = keep_answer(workspace, "r/../x", cells[0].cell, "half\r\nan answer")
    assert kept.parent == path.parent == workspace.root / ".prompts"
    assert kept.read_bytes() == b"half\r\nan answer"
    first = cells[0].cell
    assert take_left(workspace, "r/../x", cells).taken == {first: "half\r\nan answer"}
    assert take_left(workspace, "r", cells).taken == {}
    drop_answer(workspace, "r/../x", first)
    drop_answer(workspace, "r/../x", first)  # once more is no fault
    assert take_left(workspace, "r/../x", cells).taken == {}
    assert (path.parent / ".gitignore").read_text() == "*\n"


def test_a_kept_answer_belongs_to_one_window(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = begin(workspace)
    cell = cells[0].cell
    code = "import sys; print('up', flush=True); sys.stdin.read()"
    other = [sys.executable, "-c", code, "relaybench"]
    with subprocess.Popen(other, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as window:
        assert window.stdout is not None
        window.stdout.readline()
        with monkeypatch.context() as patch:
            patch.setattr("os.getpid", lambda: window.pid)
            theirs = keep_answer(workspace, "r", cell, "theirs")
        assert take_left(workspace, "r", cells).taken == {}  # it is at work on it
        mine = keep_answer(workspace, "r", cell, "mine")
        assert theirs.read_text() == "theirs"
        drop_answer(workspace, "r", cell)
        assert theirs.exists()
        window.kill()
    assert take_left(workspace, "r", cells).taken == {cell: "theirs"}
    assert mine.read_text() == "theirs"  # no third window takes it too
    assert not theirs.exists()


def test_what_is_left_of_answered_cells_is_set_aside_unless_it_was_stored(
    workspace: Workspace,
) -> None:
    cells = begin(workspace)
    stored_text, other = (keep_answer(workspace, "r", each.cell, "mine") for each in cells)
    answer(workspace, cells[0], "mine")
    answer(workspace, cells[1], "another")
    left = take_left(workspace, "r", manual_run(workspace, "r").cells)
    assert left.taken == {}
    [aside] = left.aside
    assert aside.read_text() == "mine"
    assert not stored_text.exists()
    assert not other.exists()
    again = set_answer_aside(workspace, "r", cells[1].cell, "more")
    assert (aside.read_text(), again.read_text()) == ("mine", "more")
    assert take_left(workspace, "r", manual_run(workspace, "r").cells).aside == ()
