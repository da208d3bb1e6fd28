"""Ask for one line of text."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Input, Static

from relaybench.tui.dialogs.dialog import Dialog
from relaybench.tui.showing import running
from relaybench.tui.widgets.line_input import LineInput


def anything(_: str) -> str | None:
    """A check that lets every text pass."""
    return None


class Ask(Dialog[str | None]):
    """One line of text; returns it, or None where the user left.

    ``check`` says why a text will not do, or None; such a text cannot be entered.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Cancel", id="ask.leave", tooltip="Leave without entering it"),
    ]

    def __init__(
        self,
        title: str,
        *,
        value: str = "",
        hint: str = "",
        check: Callable[[str], str | None] = anything,
    ) -> None:
        super().__init__()
        self._title, self._value, self._hint, self._check = title, value, hint, check
        self._touched = False

    def compose(self) -> ComposeResult:
        """Title, field, hint or what is wrong."""
        with Vertical(classes="dialog"):
            yield Static(running(self._title, "bold"), classes="question")
            # Not selected: what stands there is mostly the beginning of what is meant.
            yield LineInput(self._value, select_on_focus=False)
            yield Static(running(self._hint), id="hint")
            with Horizontal(classes="buttons"):
                yield Button("Cancel  esc", id="no")
                yield Button("OK  ⏎", id="yes", variant="primary")

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        untouched = event.value == self._value and not self._touched
        self._touched = not untouched
        wrong = None if untouched else self._check(event.value)
        hint = self.query_one("#hint", Static)
        hint.set_class(wrong is not None, "-wrong")
        hint.update(running(wrong or self._hint))

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self._take()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "yes":
            self._take()
        else:
            self.dismiss(None)

    def _take(self) -> None:
        value = self.query_one(Input).value
        wrong = self._check(value)
        if wrong is None:
            self.dismiss(value)
            return
        hint = self.query_one("#hint", Static)
        hint.add_class("-wrong")
        hint.update(running(wrong))

    def action_leave(self) -> None:
        """Leave without a text."""
        self.dismiss(None)
