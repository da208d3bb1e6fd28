"""The shell: modes, help, palette, notices, quitting."""

from __future__ import annotations

import asyncio

import pytest
from textual.app import ComposeResult
from textual.color import Color
from textual.events import Resize
from textual.geometry import Size
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input, Static

from relaybench.tui.dialogs.explain import Explain
from relaybench.tui.dialogs.notices import Notices
from relaybench.tui.dialogs.pick import Choice, Pick
from relaybench.tui.messages import OpenResults
from relaybench.tui.modes import MODES
from relaybench.tui.themes import LIGHT
from relaybench.tui.widgets.mode_bar import ModeBar
from relaybench.workbench.workspace import Workspace
from tests.tui.driving import SIZES, app_of, opened, press, settled, shown

HOSTILE = "x[/red] [bold]\x1b]0;t\x07\x1b[31m\x9b1m\x00 [A-Z]+ \u202eabc"


@pytest.mark.parametrize("size", SIZES)
async def test_every_mode_is_reached_by_its_key_and_says_what_it_is_for(
    workspace: Workspace, size: tuple[int, int]
) -> None:
    async with opened(workspace, size) as pilot:
        for mode in (*MODES[1:], MODES[0]):
            await press(pilot, mode.key)
            assert pilot.app.current_mode == mode.name
            assert f"{mode.number} {mode.title} " in shown(pilot)
            await press(pilot, "f8")
            assert isinstance(pilot.app.screen, Explain)
            await press(pilot, "escape")


async def test_a_notice_shows_hostile_text_literally_and_stays_behind_f9(
    workspace: Workspace,
) -> None:
    async with opened(workspace) as pilot:
        app_of(pilot).notice(HOSTILE, "error", "more\x1b[2J")
        await press(pilot, "f9")
        assert isinstance(pilot.app.screen, Notices)
        text = shown(pilot)
        assert "x[/red] [bold]\\x1b]0;t\\x07" in text
        assert "[A-Z]+ \\u202eabc" in text
        assert not any(ord(each) < 32 and each != "\n" for each in text)


async def test_a_message_of_any_widget_opens_another_screen(workspace: Workspace) -> None:
    async with opened(workspace) as pilot:
        pilot.app.screen.post_message(OpenResults())
        await press(pilot)
        assert pilot.app.current_mode == "results"


async def test_the_palette_knows_every_screen(workspace: Workspace) -> None:
    async with opened(workspace) as pilot:
        titles = [each.title for each in app_of(pilot).get_system_commands(pilot.app.screen)]
        for mode in MODES:
            assert f"Go to {mode.title}  ({mode.key.upper()})" in [
                t.replace("f", "F") if t.endswith(f"({mode.key})") else t for t in titles
            ], titles


async def test_the_app_ends_with_0_when_nothing_is_unsaved(workspace: Workspace) -> None:
    async with opened(workspace) as pilot:
        await press(pilot, "ctrl+q")
    assert pilot.app.return_code == 0


async def test_a_dialog_left_at_once_ends_nothing(workspace: Workspace) -> None:
    async with opened(workspace) as pilot:
        for _ in range(5):
            pilot.app.push_screen(Pick("Which?", [Choice("a", "alpha"), Choice("b", "beta")]))
            await pilot.press("escape")
        await press(pilot)
        assert pilot.app.is_running


async def test_keys_below_are_those_that_work_where_the_focus_is(workspace: Workspace) -> None:
    async with opened(workspace, mode="library") as pilot:
        await press(pilot, "slash")
        assert isinstance(pilot.app.focused, Input)
        keys = shown(pilot).splitlines()[-1]
        assert "f8 Help" in keys.replace("F8", "f8")
        assert "/ Filter" not in keys
        await press(pilot, "escape")
        assert "? Help" in shown(pilot).splitlines()[-1]


async def test_sizes_that_the_terminal_has_no_more_are_passed_over(workspace: Workspace) -> None:
    async with opened(workspace, mode="composer") as pilot:
        await press(pilot, "f1")
        for width, height in ((80, 24), (200, 60), (60, 18), (120, 40), (80, 24)) * 2:
            pilot.app.screen.post_message(Resize(Size(width, height), Size(width, height)))
            pilot.app.screen.post_message(Resize(Size(120, 40), Size(120, 40)))
        await settled(pilot)
        assert pilot.app.screen.size == Size(120, 40)
        assert pilot.app.screen.has_class("-normal", "-tall")


async def test_a_click_beside_a_dialog_leaves_it(workspace: Workspace) -> None:
    async with opened(workspace) as pilot:
        await press(pilot, "f8")
        assert isinstance(pilot.app.screen, Explain)
        await pilot.click(offset=(0, 0))
        await settled(pilot)
        assert not isinstance(pilot.app.screen, Explain)


async def test_help_lists_the_keys_of_the_screen_and_not_those_of_scrolling(
    workspace: Workspace,
) -> None:
    async with opened(workspace, mode="results") as pilot:
        await press(pilot, "f8")
        text = shown(pilot)
        assert "Page Left" not in text
        assert "esc or a click beside it leaves" in text


async def test_another_theme_reaches_screens_that_are_not_shown(workspace: Workspace) -> None:
    def ground(pilot: Pilot[int]) -> tuple[Color, ...]:
        screen = pilot.app.screen
        return screen.styles.background, screen.query_one(ModeBar).styles.background

    # Not watched: another theme is new styles for every widget there is, all in one go.
    async with opened(workspace, SIZES[0], watch=False) as pilot:
        await press(pilot, "f3", "f1")
        dark = ground(pilot)
        pilot.app.theme = LIGHT.name
        await settled(pilot)
        light = ground(pilot)
        assert light != dark
        for key in ("f3", "f2"):  # one that was shown in the dark, and a new one
            await press(pilot, key)
            assert ground(pilot) == light


class _Waiting(Screen[None]):
    """A screen whose worker looks for a widget after it has waited."""

    def __init__(self) -> None:
        super().__init__()
        self.met = asyncio.Event()
        self.ended = ""

    def compose(self) -> ComposeResult:
        yield Static("here", id="here")

    def on_mount(self) -> None:
        self.run_worker(self._wait(), exit_on_error=True, group="lasting")

    async def _wait(self) -> None:
        try:
            await self.met.wait()
            self.query_one("#here")
            self.ended = "found"
        except asyncio.CancelledError:
            self.ended = "cancelled"
            raise


async def test_workers_of_a_screen_that_goes_are_stopped_first(workspace: Workspace) -> None:
    async with opened(workspace, SIZES[0]) as pilot:
        screen = _Waiting()
        await pilot.app.push_screen(screen)
        await pilot.pause()
        gone = pilot.app.pop_screen()
        screen.met.set()  # what it waited for comes while its widgets are taken away
        await gone
        await settled(pilot)
        assert screen.ended == "cancelled"
