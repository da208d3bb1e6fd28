"""Ask for one line of text."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from relaybench.tui.showing import running


def anything(_: str) -> str | None:
    """A check that lets every text pass."""
    return None


class Ask(ModalScreen[str | None]):
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

    def compose(self) -> ComposeResult:
        """Title, field, hint or what is wrong."""
        with Vertical(classes="dialog"):
            yield Static(running(self._title, "bold"), classes="question")
            yield Input(self._value)
            yield Static(running(self._hint), id="hint")

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        wrong = self._check(event.value)
        hint = self.query_one("#hint", Static)
        hint.set_class(wrong is not None, "-wrong")
        hint.update(running(wrong or self._hint))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        if self._check(event.value) is None:
            self.dismiss(event.value)

    def action_leave(self) -> None:
        """Leave without a text."""
        self.dismiss(None)
