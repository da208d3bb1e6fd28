"""From a new class to exported tables without leaving the application, over all seven screens."""

from __future__ import annotations

import csv
import io
import sqlite3
import tomllib
from contextlib import closing
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from relaybench.tui.results.export_dialog import ExportDialog
from relaybench.tui.run.tick_tree import TickTree
from relaybench.workbench.problems.authoring import check
from relaybench.workbench.workspace import Workspace
from tests.tui.driving import SIZES, app_of, opened, press, settled, shown, type_text
from tests.tui.run.support import MODELS, ended, live_run, until

#: What the author takes for the answer, and what it is.
SLIP, RIGHT = "8", "9"


def outcomes(workspace: Workspace) -> dict[str, list[str]]:
    """The verdicts on each model's answer, the oldest first."""
    asked = (
        "SELECT name, grades.outcome FROM grades JOIN attempts ON attempts.id = attempt_id "
        "JOIN model_configs ON model_configs.id = model_config_id ORDER BY grades.id"
    )
    found: dict[str, list[str]] = {}
    with closing(sqlite3.connect(workspace.database)) as raw:
        for name, outcome in raw.execute(asked):
            found.setdefault(name, []).append(outcome)
    return found


@pytest.mark.parametrize("size", SIZES)
async def test_write_compose_run_open_fix_grade_again_and_export(
    workspace: Workspace, size: tuple[int, int]
) -> None:
    (workspace.root / "models.toml").write_text(MODELS, "utf-8")
    problems = workspace.root / "problems"
    async with opened(workspace, size) as pilot:
        # Library: a class with one instance, and a slip in its answer.
        await press(pilot, "n", "ctrl+u")
        await type_text(pilot, "math/digit-sum")
        await press(pilot, "enter")
        await type_text(pilot, "Sum the digits of {{n}}.")
        await press(pilot, "tab")
        await type_text(pilot, "Give an integer.")
        await press(pilot, "tab")
        await type_text(pilot, "77")
        await press(pilot, "ctrl+pagedown", "right", "enter")
        await type_text(pilot, "1170")
        await press(pilot, "tab")
        await type_text(pilot, SLIP)
        await press(pilot, "enter", "right", "enter", "ctrl+s")
        file = tomllib.loads((problems / "library/math/digit-sum.toml").read_text("utf-8"))
        assert file["instances"] == [
            {"id": "first", "data": {"n": "1170"}, "answer": SLIP, "status": "approved"}
        ]

        # Composer: the sum of the divisors of 360 feeds it.
        await press(pilot, "f2", "n", "ctrl+u")
        await type_text(pilot, "mine/pair")
        await press(pilot, "enter")
        await type_text(pilot, "divisor 360")
        await press(pilot, "enter", "ctrl+u")
        await type_text(pilot, "digit-sum first")
        await press(pilot, "enter", "escape", "b", "enter", "ctrl+s")
        told = tomllib.loads((problems / "sets/mine/pair.toml").read_text("utf-8"))
        assert told["steps"] == [
            {"label": "A", "use": "math/divisor-sum:three-hundred-sixty"},
            {"label": "B", "use": "math/digit-sum:first", "inputs": {"n": "A"}},
        ]
        assert check(workspace).findings == ()

        # Models: the cohort is there. Run: the set, the cohort, go.
        await press(pilot, "f3")
        assert "mine" in shown(pilot)
        await press(pilot, "f4")
        await choose(pilot, "#problems", "mine")
        await choose(pilot, "#models", "mine")
        pilot.app.screen.query_one("#name", Input).focus()
        await press(pilot, "ctrl+u")
        await type_text(pilot, "first-run")
        await press(pilot, "ctrl+r")
        await ended(pilot, await live_run(pilot))
        assert outcomes(workspace) == {"quick": ["correct"], "wrong": ["wrong"]}

        # Attempt: the wrong one is opened; the key is found to be wrong and set right.
        await press(pilot, "right", "enter")
        await until(pilot, lambda: app_of(pilot).current_mode == "attempt")
        assert "✗ wrong" in shown(pilot)
        await press(pilot, "K")
        assert "Which step's key is wrong?" in shown(pilot)
        await press(pilot, "enter", "ctrl+u")  # the one that was answered wrongly
        await type_text(pilot, RIGHT)
        await press(pilot, "enter")
        file = tomllib.loads((problems / "library/math/digit-sum.toml").read_text("utf-8"))
        assert file["instances"][0]["answer"] == RIGHT
        await press(pilot, "tab", "enter")
        assert outcomes(workspace) == {"quick": ["correct", "wrong"], "wrong": ["wrong", "wrong"]}

        # Results: the tables as they are now, as files.
        await press(pilot, "f7")
        assert "No run has a manual model" in shown(pilot)
        await press(pilot, "f5", "e")
        dialog = pilot.app.screen
        assert isinstance(dialog, ExportDialog)
        place = dialog.query_one("#place", Input)
        place.focus()
        place.value = "tables"
        await settled(pilot)
        await press(pilot, "ctrl+s", "ctrl+s")
        await until(pilot, lambda: not isinstance(pilot.app.screen, ExportDialog))
    assert correct_of(workspace.root / "tables") == {"quick": "0", "wrong": "0"}


async def choose(pilot: Pilot[int], selector: str, name: str) -> None:
    """Go to a branch of a list of ticks by keyboard, and tick it."""
    tree = pilot.app.screen.query_one(selector, TickTree)
    tree.focus()
    at = [str(branch.label) for branch in tree.branches].index(name)
    await press(pilot, "home", *["down"] * at, "space")


def correct_of(folder: Path) -> dict[str, str]:
    """How many correct answers the exported leaderboard gives each model."""
    text = (folder / "leaderboard.csv").read_text("utf-8")
    return {row["model"]: row["correct"] for row in csv.DictReader(io.StringIO(text))}
