"""A text to be read, in a window over the screen."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from relaybench.tui.dialogs.dialog import Dialog
from relaybench.tui.showing import line
from relaybench.tui.widgets.long_text import LongText


class Reading(Dialog[None]):
    """Shows a text of any size under a title."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "Close", id="reading.leave", tooltip="Close"),
    ]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        """Title and text."""
        with Vertical(classes="dialog -large"):
            yield Static(line(self._title, "bold"), classes="question")
            yield LongText()

    def on_mount(self) -> None:
        """Fill it."""
        view = self.query_one(LongText)
        view.show(self._text)
        view.body.focus()

    def action_leave(self) -> None:
        """Close."""
        self.dismiss(None)
