"""What was tried for one cell that has no answer yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Static

from relaybench.tui.dialogs.dialog import Dialog
from relaybench.tui.showing import line, running


class CellDialog(Dialog[None]):
    """A cell's state and its calls so far, every failure in the provider's own words."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q", "leave", "Close", id="cell.leave", tooltip="Back to the grid"),
    ]

    def __init__(self, title: str, state: str, tries: Sequence[str]) -> None:
        super().__init__()
        self._title, self._state, self._tries = title, state, list(tries)

    def compose(self) -> ComposeResult:
        """Which cell, what it does, what was sent for it."""
        with Vertical(classes="dialog"):
            yield Static(line(self._title, "bold"), classes="question")
            yield Static(running(self._state), id="state")
            with VerticalScroll(classes="details"):
                yield Static(running("\n".join(self._tries)))
            yield Static(line("Esc closes", "$text-muted"), id="hint")

    def action_leave(self) -> None:
        """Close."""
        self.dismiss(None)
