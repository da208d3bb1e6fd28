"""Screens that read: keys wait for what they need; a file that cannot be read is said to be so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar, cast

import pytest
from textual import work
from textual.binding import Binding, BindingType
from textual.pilot import Pilot
from textual.signal import Signal

from relaybench.domain.errors import StoreError
from relaybench.tui.desk import Desk
from relaybench.tui.dialogs.ask import Ask
from relaybench.tui.keys_in_turn import InTurnApp
from relaybench.tui.results.export_dialog import ExportDialog
from relaybench.tui.results_reader import CANNOT_READ, ResultsReader, once_read
from relaybench.workbench.workspace import Workspace
from tests.tui.attempt.results import made
from tests.tui.driving import burst, opened, press, settled, shown


class Reader(ResultsReader):
    """Lists nothing, and takes until ``gate`` is open to do it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "note", "n"),
        Binding("e", "ask", "e"),
    ]

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.gate = asyncio.Event()
        self.error = ""
        self.readings = 0
        self.acts: list[str] = []
        self.notices: list[str] = []

    def compose(self) -> Any:
        yield from ()

    @work(exclusive=True, group="read")
    async def read_again(self) -> None:
        self.stale = False
        with self.reading(self.desk.workspace):
            await self.gate.wait()
            self.readings += 1
            if self.error:
                raise StoreError(self.error)

    def show_fault(self) -> None:
        self.acts.append(self.told)

    def notice(self, text: str, *_: object) -> None:
        self.notices.append(text)

    @once_read
    def action_note(self) -> None:
        self.acts.append(f"n of {self.readings}")

    @once_read
    @work(exclusive=True, group="ask")
    async def action_ask(self) -> None:
        answer: str | None = await self.app.push_screen_wait(Ask("Which?"))
        self.acts.append(answer or "")


class Host(InTurnApp[int]):
    """An application with nothing but that screen, on a results file that never changes."""

    def __init__(self, error: str = "") -> None:
        super().__init__()
        self.error = error

    async def on_mount(self) -> None:
        async def same() -> bool:
            return False

        desk = SimpleNamespace(
            workspace=SimpleNamespace(database=Path("results.db")),
            results_changed=Signal(self, "results_changed"),
            look_at_results=same,
            results_fault=None,
        )
        self.reader = Reader(cast("Desk", desk))
        self.reader.error = self.error
        await self.push_screen(self.reader)


async def test_keys_wait_for_the_first_reading_and_act_in_turn() -> None:
    app = Host()
    async with app.run_test() as pilot:
        await pilot.press("n")
        asyncio.get_running_loop().call_later(0.05, app.reader.gate.set)
        await burst(pilot, "n", "e", "b", "n", "enter", "n")
        assert app.reader.acts == ["n of 1", "n of 1", "bn", "n of 1"]
        assert app.reader.notices == []


async def _until(pilot: Pilot[int], true: Callable[[], bool]) -> None:
    for _ in range(200):
        if true():
            return
        await pilot.pause(0.01)
    raise AssertionError("it never comes to that")


async def test_a_reading_that_failed_is_told_once_and_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("relaybench.tui.results_reader.RETRY_S", 0.01)
    app = Host("disk I/O error")
    async with app.run_test() as pilot:
        reader = app.reader
        await pilot.press("n")
        reader.gate.set()
        await _until(pilot, lambda: reader.readings >= 3)
        assert reader.notices == [f"{CANNOT_READ}: disk I/O error"]
        assert all("disk I/O error" in each for each in reader.acts), "nothing was done"
        await pilot.press("n")
        assert len(reader.notices) == 2
        reader.error = ""
        await _until(pilot, lambda: not reader.fault)
        readings = reader.readings
        await pilot.press("n")
        assert reader.acts[-1] == f"n of {readings}"
        assert not reader.stale


@pytest.fixture
def stored(tmp_path: Path) -> Workspace:
    return made(tmp_path / "ws")


async def test_screens_say_that_a_file_cannot_be_read_until_it_can(stored: Workspace) -> None:
    whole = stored.database.read_bytes()
    stored.database.write_bytes(b"x" * len(whole))
    async with opened(stored, (80, 24)) as pilot:
        for key in "567":
            await press(pilot, key)
            text = shown(pilot)
            assert CANNOT_READ in text, key
            assert "No " not in text.replace("No run under way", ""), key
        stored.database.write_bytes(whole)
        for key in "567":
            await press(pilot, key)
            await settled(pilot)
            screen = pilot.app.screen
            assert isinstance(screen, ResultsReader)
            assert screen.has_read, key
            assert not screen.fault, key


async def test_keys_typed_ahead_of_the_first_look_at_a_screen_do_what_they_say(
    stored: Workspace,
) -> None:
    async with opened(stored, (80, 24)) as pilot:
        await burst(pilot, "5", "e")
        assert isinstance(pilot.app.screen, ExportDialog)
        await press(pilot, "escape")
        await burst(pilot, "6", "x")
        assert pilot.app.screen.__class__.__name__ == "Ask", "for the note of a triage mark"
        await press(pilot, "escape")
