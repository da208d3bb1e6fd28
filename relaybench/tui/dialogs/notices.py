"""The last notices in full, newest first: what passed by too quickly, with its details."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from relaybench.tui.dialogs.dialog import Dialog
from relaybench.tui.showing import line
from relaybench.tui.widgets.long_text import LongText


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the user was told, at what time of the day."""

    at: str
    severity: str
    text: str
    details: str = ""

    @property
    def whole(self) -> str:
        """All of it as text."""
        head = f"{self.at}  {self.severity}: {self.text}"
        return f"{head}\n{self.details}\n" if self.details else f"{head}\n"


class Notices(Dialog[None]):
    """The notices of this session."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f9,q", "leave", "Close", id="notices.leave", tooltip="Close"),
    ]

    def __init__(self, notices: Sequence[Notice]) -> None:
        super().__init__()
        self._notices = notices

    def compose(self) -> ComposeResult:
        """Title and text."""
        with Vertical(classes="dialog -large"):
            yield Static(line("Notices of this session, newest first", "bold"), classes="question")
            yield LongText()

    def on_mount(self) -> None:
        """Fill it."""
        text = "\n".join(each.whole for each in reversed(self._notices))
        view = self.query_one(LongText)
        view.show(text or "Nothing so far.")
        view.body.focus()

    def action_leave(self) -> None:
        """Close."""
        self.dismiss(None)
