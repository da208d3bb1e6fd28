"""Keys that come faster than what they open: a dialog gets those that were meant for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, ClassVar

import pytest
from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Input, OptionList

from relaybench.tui.dialogs.ask import Ask
from relaybench.tui.dialogs.confirm import Confirm
from relaybench.tui.dialogs.dialog import Dialog
from relaybench.tui.dialogs.pick import Choice, Pick
from relaybench.tui.keys_in_turn import InTurnApp
from tests.tui.driving import burst

DIALOGS: dict[str, Callable[[], Dialog[Any]]] = {
    "a": lambda: Ask("Which?"),
    "p": lambda: Pick("Which?", [Choice("b", "beta"), Choice("y", "yonder")]),
    "c": lambda: Confirm("Delete it?"),
}


class Below(Screen[None]):
    """A list that reads before it asks, as most screens do, and where every key is an action."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, f"ask({key!r})", key) for key in DIALOGS),
        *(Binding(key, f"done({key!r})", key) for key in "byntenr"),
        Binding("enter", "done('enter')", "enter"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.done: list[str] = []
        self.answers: list[Any] = []
        self.read = asyncio.Event()

    def compose(self) -> ComposeResult:
        """Deep enough that a key has a way to go."""
        yield OptionList("one", "two")
        yield Input()

    def action_done(self, key: str) -> None:
        """Note that a key acted here."""
        self.done.append(key)

    @work(exclusive=True, group="ask")
    async def action_ask(self, key: str) -> None:
        """Ask when what is needed for it was read."""
        await self.read.wait()
        self.answers.append(await self.app.push_screen_wait(DIALOGS[key]()))
        if self.answers == ["field"]:
            self.query_one(Input).focus()


class Host(InTurnApp[int]):
    """An application with nothing but that screen."""

    def on_mount(self) -> None:
        """Show it."""
        self.push_screen(Below())


async def _typed(*keys: str, slow: bool) -> tuple[Below, Host]:
    app = Host()
    async with app.run_test() as pilot:
        await pilot.pause()
        below = app.screen
        assert isinstance(below, Below)
        if slow:
            asyncio.get_running_loop().call_later(0.05, below.read.set)
        else:
            below.read.set()
        await burst(pilot, *keys)
        return below, app


@pytest.mark.parametrize("slow", [False, True])
async def test_what_is_typed_behind_the_key_that_opens_a_dialog_reaches_it(slow: bool) -> None:
    below, _ = await _typed("a", *"beyn", "enter", slow=slow)
    assert (below.answers, below.done) == (["beyn"], [])
    below, _ = await _typed("p", "y", "enter", slow=slow)
    assert (below.answers, below.done) == (["y"], [])
    below, _ = await _typed("a", *"be", "enter", "y", "n", slow=slow)
    assert (below.answers, below.done) == (["be"], ["y", "n"]), "and those behind it the screen"


async def test_what_is_typed_behind_an_answer_goes_where_the_answer_leads() -> None:
    app = Host()
    async with app.run_test() as pilot:
        await pilot.pause()
        below = app.screen
        assert isinstance(below, Below)
        below.read.set()
        await burst(pilot, "a", *"field", "enter", *"been")
        assert (below.answers, below.done) == (["field"], [])
        assert below.query_one(Input).value == "been"


async def test_keys_wait_while_the_screen_still_reads_for_a_dialog() -> None:
    app = Host()
    async with app.run_test() as pilot:
        await pilot.pause()
        below = app.screen
        assert isinstance(below, Below)
        await pilot.press("a")
        await pilot.pause()
        assert app.keys.idle
        asyncio.get_running_loop().call_later(0.05, below.read.set)
        await burst(pilot, "b", "e", "enter")
        assert (below.answers, below.done) == (["be"], [])


@pytest.mark.parametrize("slow", [False, True])
async def test_a_question_is_not_answered_before_it_can_be_read(slow: bool) -> None:
    below, app = await _typed("c", "y", "enter", "right", "enter", slow=slow)
    assert (below.answers, below.done) == ([], [])
    assert app.keys.idle


async def test_what_never_asks_holds_keys_up_for_a_moment_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("relaybench.tui.keys_in_turn.PATIENCE_S", 0.05)
    app = Host()
    async with app.run_test() as pilot:
        await pilot.pause()
        below = app.screen
        assert isinstance(below, Below)
        await burst(pilot, "a", "y", "n")
        assert below.done == ["y", "n"]


async def test_the_focus_moves_before_the_next_key_is_sent() -> None:
    app = Host()
    async with app.run_test() as pilot:
        await pilot.pause()
        app.post_message(events.Paste("lost?"))
        await burst(pilot, "tab", "b", "e")
        assert app.screen.query_one(Input).value == "be"
