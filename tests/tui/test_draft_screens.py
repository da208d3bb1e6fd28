"""Library and Composer deal with files and unsaved work in the same way: journeys on both."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from relaybench.tui.dialogs.pick import Pick
from relaybench.tui.draft_screen import DraftScreen
from relaybench.tui.messages import OpenClass, OpenComposite, OpenTarget
from relaybench.tui.terminal_loss import leave_in_order
from relaybench.workbench.problems.saving import recoveries
from relaybench.workbench.workspace import Workspace
from tests.tui.driving import app_of, opened, press, settled

Screen = DraftScreen[Any]


@dataclass(frozen=True)
class Kind:
    """One of the two screens, a file of the starter workspace, and how it is opened."""

    mode: str
    file: str
    target: OpenTarget

    def path(self, workspace: Workspace) -> Path:
        """The file."""
        return workspace.root / "problems" / self.file


KINDS = {
    "library": Kind("library", "library/math/divisor-sum.toml", OpenClass("math/divisor-sum")),
    "composer": Kind("composer", "sets/example/first.toml", OpenComposite("example/first")),
}


@pytest.fixture(params=list(KINDS))
def kind(request: pytest.FixtureRequest) -> Kind:
    return KINDS[request.param]


async def go(pilot: Pilot[int], kind: Kind) -> Screen:
    """Go to the screen and open its file there."""
    pilot.app.screen.post_message(kind.target)
    await settled(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, DraftScreen)
    return screen


async def call(pilot: Pilot[int], screen: Screen, title: str) -> None:
    """Change the title of what is open, as an edit does."""
    each = screen.current
    assert each is not None
    each.history.do(replace(each.value, title=title), "title")
    screen.changed()
    await settled(pilot)


def write(path: Path, text: str) -> None:
    path.write_text(f"# {text}\n{path.read_text('utf-8')}", "utf-8")


async def look(pilot: Pilot[int]) -> None:
    await app_of(pilot).desk.look()
    await settled(pilot)


async def test_a_file_that_others_change_is_followed_or_asked_about(
    workspace: Workspace, kind: Kind
) -> None:
    path = kind.path(workspace)
    async with opened(workspace, mode=kind.mode) as pilot:
        screen = await go(pilot, kind)
        write(path, "one")
        await look(pilot)
        told = app_of(pilot).notices[-1].text
        assert told.endswith(f"{path.name} was changed outside, and read again.")
        await call(pilot, screen, "Mine")
        await app_of(pilot).action_go("models")
        await settled(pilot)
        write(path, "two")
        await look(pilot)
        assert not isinstance(pilot.app.screen, Pick)  # nobody is asked on another screen
        await app_of(pilot).action_go(kind.mode)
        await settled(pilot)
        assert isinstance(pilot.app.screen, Pick)
        await look(pilot)
        await press(pilot, "escape")  # undecided: asked again by saving, and by nothing before
        await look(pilot)
        assert screen.is_current
        await press(pilot, "ctrl+q", "enter")  # save all, and leave
        await press(pilot, "escape")  # but not what is undecided
        assert app_of(pilot).return_code is None
        assert "is still unsaved" in app_of(pilot).notices[-1].text
        await press(pilot, "ctrl+s", "enter")  # mine
        assert screen.unsaved() == []
        assert 'title = "Mine"' in path.read_text("utf-8")
        assert path.read_text("utf-8").startswith("# two\n# one\n")
    assert recoveries(workspace) == []


async def test_a_change_that_nobody_saw_yet_is_found_by_saving(
    workspace: Workspace, kind: Kind
) -> None:
    path = kind.path(workspace)
    async with opened(workspace, mode=kind.mode) as pilot:
        screen = await go(pilot, kind)
        await call(pilot, screen, "Mine")
        write(path, "theirs")
        theirs = path.read_text("utf-8")
        await press(pilot, "ctrl+s")
        assert isinstance(pilot.app.screen, Pick)
        await press(pilot, "down", "down", "enter")  # theirs, mine aside
        assert screen.unsaved() == []
        assert path.read_text("utf-8") == theirs
        (aside,) = recoveries(workspace)
        assert ".aside-1." in aside.kept_in.name
        screen.action_recover()
        await settled(pilot)
        await press(pilot, "enter")
        assert screen.current is not None
        assert screen.current.value.title == "Mine"
        screen.action_revert()
        await settled(pilot)
        screen.action_undo()
        await press(pilot, "ctrl+s")
        assert 'title = "Mine"' in path.read_text("utf-8")
    assert recoveries(workspace) == []


async def test_what_is_decided_later_is_not_replaced(workspace: Workspace, kind: Kind) -> None:
    async with opened(workspace, mode=kind.mode) as pilot:
        screen = await go(pilot, kind)
        await call(pilot, screen, "First")
        app_of(pilot).keep_recoveries()
    async with opened(workspace) as pilot:
        if kind.mode == "composer":
            await press(pilot, "y")  # the Library asks whether to go there
        assert isinstance(pilot.app.screen, Pick)
        await press(pilot, "escape")
        screen = await go(pilot, kind)
        await call(pilot, screen, "Second")
        app_of(pilot).keep_recoveries()
        titles = ["First" in each.text for each in recoveries(workspace)]
        assert sorted(titles) == [False, True]


async def test_a_lost_terminal_leaves_recovery_files(workspace: Workspace, kind: Kind) -> None:
    async with opened(workspace, mode=kind.mode) as pilot:
        screen = await go(pilot, kind)
        await call(pilot, screen, "Mine")
        leave_in_order(app_of(pilot))  # as the handler of the signals does; they end the process
    (kept,) = recoveries(workspace)
    assert kept.path == kind.path(workspace)
    assert 'title = "Mine"' in kept.text
