"""A value of an instance in a window of its own: for grids, tables, and texts of several lines."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from relaybench.tui.dialogs.dialog import Dialog
from relaybench.tui.showing import running
from relaybench.tui.widgets.editor import Editor


class ValueDialog(Dialog[str | None]):
    """Edits a text; returns it, or None where the user left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "accept", "Accept", id="value.accept", priority=True,
                tooltip="Take the text"),
        Binding("escape", "leave", "Cancel", id="value.leave", tooltip="Leave it as it was"),
    ]  # fmt: skip
    DEFAULT_CSS = """
    ValueDialog Editor { height: 1fr; background: $surface; }
    """

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        """Title, text, how to leave."""
        with Vertical(classes="dialog -large"):
            yield Static(running(self._title, "bold"))
            yield Editor(self._text, soft_wrap=False)
            yield Static(running("^s takes it, Esc leaves it as it was"), id="hint")

    def on_mount(self) -> None:
        """The text has the keys."""
        self.query_one(Editor).focus()

    def action_accept(self) -> None:
        """Take the text."""
        self.dismiss(self.query_one(Editor).text)

    def action_leave(self) -> None:
        """Leave it as it was."""
        self.dismiss(None)
