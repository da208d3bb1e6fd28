"""Journeys on the screen Manual; what counts is what stands in the results file."""

from __future__ import annotations

import contextlib

import pytest
from textual import events
from textual.widgets import OptionList, Static

from relaybench.domain.model import MANUAL, ModelConfig
from relaybench.domain.results import Outcome
from relaybench.store.attempts import Attempts
from relaybench.store.database import Connection
from relaybench.tui.manual.known_fields import EndedButton
from relaybench.tui.messages import OpenManual
from relaybench.tui.screens.manual import ManualScreen
from relaybench.tui.widgets.long_text import LongText
from relaybench.workbench.problems.selecting import select
from relaybench.workbench.results.reporting import results
from relaybench.workbench.runs.manual import manual_run, record_manual
from relaybench.workbench.runs.planning import propose
from relaybench.workbench.runs.prompt_files import FOLDER
from relaybench.workbench.runs.running import settle
from relaybench.workbench.workspace import Workspace
from tests.tui.driving import SIZES, app_of, opened, press, settled, shown, type_text

FIRST = "example/first by gpt [web] (pro) r1 (run hand)"
RIGHT = "Here it is:\n```\n1170-XXLCM\n```\n"
WRONG = "\x1b[31mHere\x00 [/red] it is:\n```\n1170-XXMC\n```\n"


def begin(workspace: Workspace, name: str, repeats: int = 2) -> None:
    """A run of a manual model that waits for its answers."""
    web = ModelConfig("web", MANUAL, "gpt [web]", effort="pro")
    items = select(workspace, ["example"]).items
    settle(workspace, propose(workspace, items, [web], repeats=repeats, name=name))


async def test_what_is_pasted_before_there_are_cells_goes_into_the_first_open_one(
    workspace: Workspace,
) -> None:
    begin(workspace, "hand", repeats=1)
    async with opened(workspace, (80, 24)) as pilot:
        pilot.app.post_message(events.Key("7", "7"))
        pilot.app.post_message(events.Paste(RIGHT))
        await settled(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, ManualScreen)
        assert screen.one.editor.text == RIGHT
        await press(pilot, "ctrl+s")
        pilot.app.post_message(events.Paste("again"))
        await settled(pilot)
        assert "Nothing was pasted: this cell has its answer" in app_of(pilot).notices[-1].text
    assert [each.outcome for each in manual_run(workspace, "hand").cells] == [Outcome.CORRECT]


@pytest.mark.parametrize("size", SIZES)
async def test_answers_are_pasted_graded_and_counted(
    workspace: Workspace, size: tuple[int, int]
) -> None:
    begin(workspace, "hand", repeats=3)
    async with opened(workspace, size, "manual") as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, ManualScreen)
        prompt = select(workspace, ["example"]).items[0].prompt
        await press(pilot, "c")
        assert pilot.app.clipboard == prompt
        await press(pilot, "f")
        [file] = (workspace.root / FOLDER).glob("*.txt")
        assert file.read_text("utf-8") == prompt
        assert (workspace.root / FOLDER / ".gitignore").read_text("utf-8") == "*\n"

        await press(pilot, "ctrl+s")  # nothing is there yet
        assert "the answer is empty" in app_of(pilot).notices[-1].text
        await press(pilot, "enter")
        screen.one.editor.insert(WRONG)
        await press(pilot, "escape", "down")  # kept while another is looked at
        assert screen.one.editor.text == ""
        assert screen.unsaved() == [f"ungraded answer to {FIRST}"]
        await press(pilot, "up")
        assert screen.one.editor.text == WRONG
        screen.one.query_one("#cost").value = "0.50"  # type: ignore[attr-defined]
        await press(pilot, "ctrl+s")
        assert "Attempt 1: ✗ wrong" in str(screen.query_one("#answer-pane").border_title)
        assert "XXLCM" in screen.query_one("#result", LongText).text
        await press(pilot, "n", "enter")
        await type_text(pilot, "no block")
        await press(pilot, "ctrl+s", "n", "enter")
        screen.one.editor.insert(RIGHT)
        screen.one.query_one("#input-tokens").value = "many"  # type: ignore[attr-defined]
        await press(pilot, "ctrl+s")
        assert "no number of tokens" in str(screen.query_one("#answer-pane").border_title)
        assert screen.focused is screen.one.query_one("#input-tokens")
        assert screen.one.editor.text == RIGHT
        screen.one.query_one("#input-tokens").value = "1,200"  # type: ignore[attr-defined]
        await press(pilot, "ctrl+s", "ctrl+s", "n")
        assert "Every cell of this run is answered" in app_of(pilot).notices[-1].text
        assert screen.unsaved() == []
    assert [each.outcome for each in manual_run(workspace, "hand").cells] == [
        Outcome.WRONG, Outcome.UNPARSEABLE, Outcome.CORRECT,
    ]  # fmt: skip
    [row] = results(workspace, "hand").configs
    assert (row.scored, row.count(Outcome.CORRECT), row.count(Outcome.WRONG)) == (3, 1, 1)
    with contextlib.closing(Connection(workspace.database, create=False)) as connection:
        first, last = (Attempts(connection).detail(number) for number in (1, 3))
    assert first.calls[0].text == WRONG
    assert first.grades[0].answer == "1170-XXMC"
    assert last.calls[0].usage.input == 1200
    assert last.calls[0].usage.output is None


async def test_without_a_manual_model_it_says_how_to_get_one(workspace: Workspace) -> None:
    async with opened(workspace, (80, 24), "manual") as pilot:
        assert "No run has a manual model" in shown(pilot)
        assert "provider" in shown(pilot)
        await press(pilot, "c", "f", "n", "o", "ctrl+s", "r")  # nothing to do, nothing breaks
        assert "No run has a manual model" in shown(pilot)
    assert not workspace.database.exists()


async def test_runs_are_chosen_and_big_pastes_taken_at_once(workspace: Workspace) -> None:
    begin(workspace, "one")
    begin(workspace, "two")
    async with opened(workspace, mode="manual") as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, ManualScreen)
        assert screen.found is not None
        assert screen.found.run.name == "two"  # the newest
        await press(pilot, "enter")
        big = "x" * 50_000 + "\n" + f"{'word ' * 15}\n" * 2_000
        screen.one.editor.insert(big)
        await settled(pilot)
        await press(pilot, "escape", "r")
        await type_text(pilot, "one")
        await press(pilot, "enter")
        assert screen.found.run.name == "one"
        assert screen.one.editor.text == ""
        cell = screen.found.cells[1].cell
        screen.post_message(OpenManual("two", cell.item, cell.config))
        await settled(pilot)
        assert screen.found.run.name == "two"
        assert screen.one.editor.text == big
        screen.one.query_one(EndedButton).press()
        await settled(pilot)
        screen.keep_recovery()
        assert any((workspace.root / FOLDER).glob("answer-two-*.txt"))
        await press(pilot, "ctrl+s")
        assert manual_run(workspace, "two").cells[0].outcome is Outcome.REFUSED
        await press(pilot, "o")
        assert pilot.app.screen.MODE == "attempt"  # type: ignore[attr-defined]


async def test_a_pasted_answer_outlives_a_crash(workspace: Workspace) -> None:
    begin(workspace, "hand")
    files = workspace.root / FOLDER
    async with opened(workspace, SIZES[0], "manual") as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, ManualScreen)
        screen.cells.post_message(events.Paste(RIGHT))  # the list has the focus
        await settled(pilot)
        assert screen.one.editor.text == RIGHT
        screen._keep()  # as every two seconds
        await settled(pilot)
        assert [path.read_text("utf-8") for path in files.glob("answer-*")] == [RIGHT]
    async with opened(workspace, SIZES[0], "manual") as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, ManualScreen)
        assert "here again" in app_of(pilot).notices[-1].text
        assert screen.one.editor.text == RIGHT
        assert len(screen.unsaved()) == 1
        await press(pilot, "ctrl+s")
        assert manual_run(workspace, "hand").cells[0].outcome is Outcome.CORRECT
        assert list(files.glob("answer-*")) == []


async def test_an_answer_from_elsewhere_takes_nothing_that_was_typed_here(
    workspace: Workspace,
) -> None:
    begin(workspace, "hand")
    files = workspace.root / FOLDER
    first, second = (each.cell for each in manual_run(workspace, "hand").cells)
    async with opened(workspace, SIZES[0], "manual") as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, ManualScreen)
        screen.cells.post_message(events.Paste("mine"))
        await press(pilot, "escape", "down")
        screen.cells.post_message(events.Paste(RIGHT))
        await press(pilot, "escape", "up")
        screen._keep()
        await settled(pilot)
        record_manual(workspace, "hand", first, WRONG)  # another window
        record_manual(workspace, "hand", second, RIGHT)  # the same is none of one's own
        await app_of(pilot).desk.look_at_results()
        await settled(pilot)
        told = app_of(pilot).notices[-1].text
        assert f"{FIRST}: attempt 1" in told
        assert screen.one.writing
        assert screen.one.editor.text == "mine"
        assert "attempt 1 answered it elsewhere" in shown(pilot)
        assert screen.unsaved() == [f"ungraded answer to {FIRST}"]
        screen._keep()
        await settled(pilot)
        assert [path.read_text("utf-8") for path in files.glob("answer-*")] == ["mine"]
        await press(pilot, "ctrl+s")
        [aside] = files.glob("answer-*.aside-1.txt")
        assert str(aside) in app_of(pilot).notices[-1].text
        assert aside.read_text("utf-8") == "mine"
        assert screen.unsaved() == []
        assert "Attempt 1: ✗ wrong" in str(screen.query_one("#answer-pane").border_title)
        screen._keep()
        await settled(pilot)
    assert list(files.glob("answer-*")) == [aside]


async def test_quitting_keeps_answers_and_grades_none(workspace: Workspace) -> None:
    begin(workspace, "hand")
    async with opened(workspace, SIZES[0], "manual") as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, ManualScreen)
        screen.cells.post_message(events.Paste(RIGHT))
        await press(pilot, "escape")
        away = workspace.database.rename(workspace.root / "away.db")
        await app_of(pilot).desk.look_at_results()
        await settled(pilot)
        screen._keep()
        away.rename(workspace.database)
        await app_of(pilot).desk.look_at_results()
        await settled(pilot)
        screen._keep()
        assert screen.one.editor.text == RIGHT
        await press(pilot, "ctrl+q")
        question = pilot.app.screen.query_one(".question", Static)
        assert str(question.content) == f"Unsaved: ungraded answer to {FIRST}"
        labels = [str(each.prompt) for each in pilot.app.screen.query_one(OptionList).options]
        assert labels == [
            "Keep and quit  answers stay ungraded, offered at the next start",
            "Stay",
        ]
        await press(pilot, "enter")
    assert all(each.open for each in manual_run(workspace, "hand").cells)
    [file] = (workspace.root / FOLDER).glob("answer-hand-*")
    assert file.read_text("utf-8") == RIGHT


async def test_an_answer_pasted_ahead_waits_for_the_cells(workspace: Workspace) -> None:
    begin(workspace, "hand")
    async with opened(workspace, SIZES[0]) as pilot:
        for event in (events.Key("7", "7"), events.Paste(RIGHT)):
            pilot.app.post_message(event)
        await settled(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, ManualScreen)
        assert screen.one.editor.text == RIGHT
