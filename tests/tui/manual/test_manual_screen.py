"""Journeys on the screen Manual; what counts is what stands in the results file."""

from __future__ import annotations

import contextlib

import pytest
from textual import events

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
from relaybench.workbench.runs.manual import manual_run
from relaybench.workbench.runs.planning import propose
from relaybench.workbench.runs.prompt_files import FOLDER
from relaybench.workbench.runs.running import settle
from relaybench.workbench.workspace import Workspace
from tests.tui.driving import SIZES, app_of, opened, press, settled, shown, type_text

RIGHT = "Here it is:\n```\n1170-XXLCM\n```\n"
WRONG = "\x1b[31mHere\x00 [/red] it is:\n```\n1170-XXMC\n```\n"


def begin(workspace: Workspace, name: str, repeats: int = 2) -> None:
    """A run of a manual model that waits for its answers."""
    web = ModelConfig("web", MANUAL, "gpt [web]", effort="pro")
    items = select(workspace, ["example"]).items
    settle(workspace, propose(workspace, items, [web], repeats=repeats, name=name))


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
        assert screen.unsaved() == ["an answer in run hand"]
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
        assert "no number of tokens" in app_of(pilot).notices[-1].text
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
