"""Dialogs: what they return, what they refuse, that foreign text is literal in them."""

from __future__ import annotations

from typing import Any

from textual.app import App
from textual.events import Paste
from textual.pilot import Pilot
from textual.screen import ModalScreen
from textual.widgets import OptionList

from relaybench.tui.dialogs.ask import Ask
from relaybench.tui.dialogs.confirm import Confirm
from relaybench.tui.dialogs.pick import Choice, Pick
from tests.tui.driving import shown

HOSTILE = "a[/red] [b]\x1b[2J"
LITERAL = "a[/red] [b]\\x1b[2J"


class Host(App[None]):
    """An empty application that keeps what a dialog returned."""

    def __init__(self) -> None:
        super().__init__()
        self.answers: list[Any] = []

    async def ask(self, pilot: Pilot[None], dialog: ModalScreen[Any], *keys: str) -> str:
        """Open a dialog and press keys; returns what was on the screen before them."""

        def keep(answer: Any) -> None:
            self.answers.append(answer)

        self.push_screen(dialog, keep)
        await pilot.pause()
        seen = shown(pilot)  # type: ignore[arg-type]
        await pilot.press(*keys)
        await pilot.pause()
        return seen


async def test_the_harmless_answer_comes_first() -> None:
    app = Host()
    async with app.run_test() as pilot:
        seen = await app.ask(pilot, Confirm(HOSTILE, details=HOSTILE, yes=HOSTILE), "enter")
        assert seen.count(LITERAL) == 3
        await app.ask(pilot, Confirm("Delete it?"), "right", "enter")
        await app.ask(pilot, Confirm("Delete it?"), "escape")
        assert app.answers == [False, True, False]


async def test_a_text_that_will_not_do_cannot_be_entered() -> None:
    def check(text: str) -> str | None:
        return None if text.isdigit() else f"not a number: {text}"

    app = Host()
    async with app.run_test() as pilot:
        seen = await app.ask(pilot, Ask(HOSTILE, hint="a number", check=check), "x", "enter")
        assert LITERAL in seen
        assert app.answers == []
        assert "not a number: x" in shown(pilot)  # type: ignore[arg-type]
        await pilot.press("backspace", "7", "enter")
        await pilot.pause()
        assert app.answers == ["7"]


async def test_of_several_pasted_lines_none_is_lost() -> None:
    app = Host()
    async with app.run_test() as pilot:
        await app.ask(pilot, Ask("A note"), "a", " ")
        pilot.app.post_message(Paste(" one line\r\n\n\tand another\n"))
        await pilot.pause()
        await pilot.press("!", "enter")
        await pilot.pause()
        assert app.answers == ["a one line and another!"]


async def test_picking_filters_and_passes_over_what_is_refused() -> None:
    choices = [
        Choice("a", "alpha", refused="would make a loop: A -> B -> A"),
        Choice("b", "beta", HOSTILE),
        Choice("c", "gamma"),
    ]
    app = Host()
    async with app.run_test() as pilot:
        seen = await app.ask(pilot, Pick("Which?", choices), "enter")
        assert "would make a loop: A -> B -> A" in seen
        assert LITERAL in seen
        assert app.answers == ["b"]
        await app.ask(pilot, Pick("Which?", choices), "g", "a", "m", "enter")
        await app.ask(pilot, Pick("Which?", choices, current="c"), "enter")
        assert app.answers == ["b", "c", "c"]
        await app.ask(pilot, Pick("Which?", choices), "a", "l", "p", "h")
        assert pilot.app.screen.query_one(OptionList).highlighted is None
        await pilot.press("enter", "escape")
        await pilot.pause()
        assert app.answers == ["b", "c", "c", None]


async def test_what_is_named_as_typed_comes_first() -> None:
    app = Host()
    choices = [Choice("w", "word", "own"), Choice("no", "north"), Choice("n", "n")]
    async with app.run_test() as pilot:
        await app.ask(pilot, Pick("Which?", choices), "n", "enter")
        await app.ask(pilot, Pick("Which?", choices), "n", "o", "enter")
        await app.ask(pilot, Pick("Which?", choices), "enter")
    assert app.answers == ["n", "no", "w"]
