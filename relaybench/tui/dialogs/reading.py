"""A text to be read, in a window over the screen."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from relaybench.tui.dialogs.dialog import Dialog
from relaybench.tui.showing import line
from relaybench.tui.widgets.long_text import LongText
from relaybench.tui.widgets.wrapping import Marked, prepared, rows_of

#: A text of more rows than these, each so many cells wide, gets a large window.
_ROWS: Final = 12
_CELLS: Final = 64


class Reading(Dialog[None]):
    """Shows a text of any size under a title; ``marks`` are offsets into it, with their styles."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q", "leave", "Close", id="reading.leave", tooltip="Close"),
    ]

    def __init__(self, title: str, text: str, marks: Sequence[Marked] = ()) -> None:
        super().__init__()
        self._title, self._text = title, prepared(text, marks)

    def compose(self) -> ComposeResult:
        """Title and text."""
        rows = self._rows
        large = rows > _ROWS
        with Vertical(classes="dialog -large" if large else "dialog"):
            yield Static(line(self._title, "bold"), classes="question")
            view = LongText()
            if not large:
                view.styles.height = rows
            yield view

    @property
    def _rows(self) -> int:
        """Rows of the text, or one more than a small window has."""
        return len(list(islice(rows_of(self._text.lines, _CELLS), _ROWS + 1)))

    def on_mount(self) -> None:
        """Fill it."""
        view = self.query_one(LongText)
        view.show(self._text)
        view.body.focus()

    def put(self, text: str) -> None:
        """Show another text; a small window grows with it as far as it may."""
        self._text = prepared(text)
        view = self.query_one(LongText)
        if not self.query(".-large"):
            view.styles.height = min(self._rows, _ROWS)
        view.show(self._text)

    def action_leave(self) -> None:
        """Close."""
        self.dismiss(None)
