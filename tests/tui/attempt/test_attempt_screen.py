"""Journeys on the screen Attempt: a wrong step, triage, a wrong key, long and hostile text."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from relaybench.tui.attempt.attempt_list import AttemptList
from relaybench.tui.messages import OpenAttempt
from relaybench.tui.screens.attempt import AttemptScreen
from relaybench.workbench.results.opening import open_attempt
from relaybench.workbench.workspace import Workspace
from tests.tui.attempt.results import FILE, PLANTED, RIGHT, copied, made, outcomes
from tests.tui.driving import SIZES, app_of, opened, press, settled, shown


@pytest.fixture(scope="module")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return made(tmp_path_factory.mktemp("attempts") / "ws")


@pytest.fixture
def workspace(made_once: Workspace, tmp_path: Path) -> Workspace:
    return copied(made_once, tmp_path / "ws")


def screen_of(pilot: Pilot[int]) -> AttemptScreen:
    screen = pilot.app.screen
    assert isinstance(screen, AttemptScreen)
    return screen


async def go_to(pilot: Pilot[int], number: int, *among: int) -> None:
    await app_of(pilot).open_target(OpenAttempt(number, among))
    await settled(pilot)


async def enter(pilot: Pilot[int], text: str) -> None:
    """Put a text into the dialog's field and press Enter."""
    pilot.app.screen.query_one(Input).value = text
    await press(pilot, "enter")


def current(pilot: Pilot[int]) -> int:
    entry = screen_of(pilot).query_one(AttemptList).current
    assert entry is not None
    return entry.id


def marks(workspace: Workspace) -> list[tuple[int, str, str]]:
    with closing(sqlite3.connect(workspace.database)) as raw:
        return list(raw.execute("SELECT attempt_id, fault, note FROM triage_marks ORDER BY id"))


@pytest.mark.parametrize("size", SIZES)
async def test_a_wrong_step_is_marked_and_its_fault_noted(
    size: tuple[int, int], workspace: Workspace
) -> None:
    before = outcomes(workspace)
    async with opened(workspace, size, "attempt") as pilot:
        await go_to(pilot, 2, 4, 1)
        assert "Chosen attempts" in shown(pilot)
        await press(pilot, "n", "n")
        assert current(pilot) == 1
        lines = screen_of(pilot).one.text.text.split("\n")
        at = next(n for n, line in enumerate(lines) if line.startswith("✗ B"))
        assert lines[at + 1 : at + 4] == [
            "    key      VXLCM",
            "    answer   XXLCM",
            "             ^",
        ]
        assert any(line.startswith("✓ A") for line in lines)
        assert "✗ wrong" in shown(pilot)
        await press(pilot, "n")
        assert current(pilot) == 1, "there is no further one"

        await press(pilot, "k")
        await enter(pilot, "it is [red] X")
        await press(pilot, "N", "m", "enter", "u")
        assert marks(workspace) == [
            (1, "key", "it is [red] X"),
            (4, "model", ""),
            (4, "clear", ""),
        ]
        await press(pilot, "right_square_bracket")
        assert "[K] key fault: it is [red] X" in shown(pilot)
    assert outcomes(workspace) == before


@pytest.mark.parametrize("size", SIZES)
async def test_a_key_is_fixed_and_the_run_graded_again(
    size: tuple[int, int], workspace: Workspace
) -> None:
    path = workspace.root / FILE
    async with opened(workspace, size, "attempt") as pilot:
        await go_to(pilot, 1)
        await press(pilot, "K")
        assert "Which step's key is wrong?" in shown(pilot)
        await press(pilot, "enter")
        assert pilot.app.screen.query_one(Input).value == RIGHT, "offered, un-reversed"
        assert "example/first" in shown(pilot)
        await press(pilot, "enter")
        assert f'"{RIGHT}"' in path.read_text("utf-8")
        assert outcomes(workspace)[1] == "wrong", "nothing is graded before it is asked for"
        assert "wrong → correct" in shown(pilot)
        assert "correct → wrong" in shown(pilot)
        await press(pilot, "escape")
        assert outcomes(workspace)[1] == "wrong"

        await press(pilot, "g")
        await press(pilot, "tab", "enter")
        assert {n: outcomes(workspace)[n] for n in (1, 2, 3)} == {
            1: "correct",
            2: "wrong",
            3: "wrong",
        }
        grades = open_attempt(workspace, 1).detail.grades
        assert [(each.key, each.outcome.value, each.current) for each in grades] == [
            ("1170-VXLCM", "wrong", False),
            ("1170-XXLCM", "correct", True),
        ]
        assert "✓ correct" in shown(pilot)
        text = screen_of(pilot).one.text.text
        assert text.index("1170-XXLCM") < text.index("1170-VXLCM"), "the newest grade first"


async def test_an_answer_with_which_a_file_is_not_sound_can_be_taken_back(
    workspace: Workspace,
) -> None:
    path = workspace.root / FILE
    before = path.read_text("utf-8")
    async with opened(workspace, SIZES[0], "attempt") as pilot:
        await go_to(pilot, 3)
        await press(pilot, "K", "enter")
        assert pilot.app.screen.query_one(Input).value == "mclxv"
        await press(pilot, "enter")
        assert "mclxv" in path.read_text("utf-8")
        assert "not sound any more" in shown(pilot)
        await press(pilot, "y")
        assert path.read_text("utf-8") == before
        assert PLANTED in before


async def test_lists_are_narrowed_and_runs_changed(workspace: Workspace) -> None:
    async with opened(workspace, SIZES[1], "attempt") as pilot:
        attempts = screen_of(pilot).query_one(AttemptList)
        assert [each.id for each in attempts.entries] == [8, 9], "the newest run"
        assert "SIMULATED" in shown(pilot)
        await press(pilot, "v")
        assert "No attempts here: near misses" in shown(pilot)
        await press(pilot, "f")
        await enter(pilot, "spring")
        assert [each.id for each in attempts.entries] == [3]
        assert "differs only in letter case" in shown(pilot)
        await press(pilot, "F")
        assert len(attempts.entries) == 7
        await press(pilot, "f")
        await enter(pilot, "wrong")
        await press(pilot, "end")
        assert [each.id for each in attempts.entries] == [1, 3, 4, 5, 6]
        assert current(pilot) == 6
        await press(pilot, "home", "c")
        assert "429" in shown(pilot)
        assert "12 s" in shown(pilot)
        assert "slow [red] down" in screen_of(pilot).one.text.text


async def test_a_response_of_2_mb_opens_without_a_pause(workspace: Workspace) -> None:
    async with opened(workspace, SIZES[0], "attempt") as pilot:
        await go_to(pilot, 7)
        for tab in ("t", "r"):
            await press(pilot, tab)
            screen_of(pilot).one.text.body.focus()
            await press(pilot, "ctrl+pageup", "ctrl+pagedown", "ctrl+pagedown", "ctrl+pageup")
            text = screen_of(pilot).one.text
            assert len(text.text) > 2_000_000
            assert "line 0 word" in shown(pilot)
            text.body.focus()
            await press(pilot, "end")
        await press(pilot, "t", "slash")
        screen_of(pilot).one.text.query_one(Input).value = "LINE 19999 "
        await settled(pilot)
        assert "line 19999 word" in shown(pilot)


async def test_hostile_answers_appear_literally(workspace: Workspace) -> None:
    async with opened(workspace, SIZES[1], "attempt") as pilot:
        await go_to(pilot, 6)
        seen = ""
        for tab in ("answer", "transcript", "prompt", "calls", "raw"):
            screen_of(pilot).one.go_to_tab(tab)
            await settled(pilot)
            seen += shown(pilot)
        for each in (
            "[red]x[/red] [/]",
            "\\x1b]0;owned\\x07",
            "\\x9b1m",
            "nul\\x00bell",
            "\\u202e",
        ):
            assert each in seen
        assert "e\u0301" in seen, "combining characters stay whole"
        await press(pilot, "y")
        assert not any(0x7F <= ord(each) < 0xA0 or each == "\x1b" for each in shown(pilot))


async def test_without_results_it_says_what_to_do(workspace: Workspace) -> None:
    workspace.database.unlink()
    async with opened(workspace, SIZES[0], "attempt") as pilot:
        assert "No attempts yet" in shown(pilot)
        await press(pilot, "n", "x", "K", "y", "slash", "t")
        assert "Start a run" in shown(pilot)
