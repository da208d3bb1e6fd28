"""Ask before something that cannot be undone."""

from __future__ import annotations

from typing import ClassVar, Literal

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Button, Static

from relaybench.tui.dialogs.dialog import Dialog
from relaybench.tui.showing import line, running


class Confirm(Dialog[bool]):
    """A question with two answers; the harmless one has the focus. Returns whether it was yes."""

    typed_ahead = False  # what was not read yet is not agreed to
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "no", "Cancel", id="confirm.no", tooltip="Change nothing"),
        Binding("y", "yes", "Yes", show=False, id="confirm.yes", tooltip="Go ahead"),
        Binding("n", "no", "No", show=False, id="confirm.n", tooltip="Change nothing"),
        Binding(
            "left",
            "app.focus_previous",
            "Left",
            show=False,
            id="confirm.left",
            tooltip="The other button",
        ),
        Binding(
            "right",
            "app.focus_next",
            "Right",
            show=False,
            id="confirm.right",
            tooltip="The other button",
        ),
    ]

    def __init__(
        self,
        question: str,
        *,
        yes: str = "Delete",
        no: str = "Cancel",
        details: str = "",
        variant: Literal["primary", "warning", "error"] = "error",
    ) -> None:
        super().__init__()
        self._question, self._details = question, details
        self._yes, self._no, self._variant = yes, no, variant

    def compose(self) -> ComposeResult:
        """Question, details, two buttons."""
        with Vertical(classes="dialog"):
            yield Static(running(self._question, "bold"), classes="question")
            if self._details:
                with VerticalScroll(classes="details"):
                    yield Static(running(self._details))
            with Horizontal(classes="buttons"):
                yield Button(line(self._no), id="no")
                yield Button(line(self._yes), id="yes", variant=self._variant)

    def on_mount(self) -> None:
        """The harmless answer first."""
        self.query_one("#no").focus()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")

    def action_yes(self) -> None:
        """Go ahead."""
        self.dismiss(True)

    def action_no(self) -> None:
        """Change nothing."""
        self.dismiss(False)
