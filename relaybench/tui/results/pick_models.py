"""Choose the models that are compared with one another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, OptionList, Static
from textual.widgets.option_list import Option

from relaybench.tui.dialogs.dialog import Dialog
from relaybench.tui.results.lists import TickList
from relaybench.tui.showing import line, running


class PickModels(Dialog[tuple[str, ...] | None]):
    """Two models or more, ticked in the order in which they are compared."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Cancel", id="compare.leave", tooltip="Compare nothing"),
    ]

    def __init__(self, models: Sequence[str], ticked: Sequence[str]) -> None:
        super().__init__()
        self._models = list(models)
        self._ticked = [each for each in ticked if each in self._models]

    def compose(self) -> ComposeResult:
        """What to do, the models, two buttons."""
        with Vertical(classes="dialog"):
            yield Static(running("Compare on the same items", "bold"), classes="question")
            yield TickList(id="models")
            yield Static(id="hint")
            with Horizontal(classes="buttons"):
                yield Button("Cancel", id="no")
                yield Button("Compare", id="yes", variant="primary")

    def on_mount(self) -> None:
        """Show the models."""
        self._show()
        models = self.query_one(TickList)
        left = [place for place, each in enumerate(self._models) if each not in self._ticked]
        models.highlighted = left[0] if left else 0
        models.focus()

    def _show(self) -> None:
        options = []
        for place, model in enumerate(self._models):
            at = self._ticked.index(model) + 1 if model in self._ticked else 0
            box = f"[{at}] " if at else "[ ] "
            style = "bold $text-primary" if at else ""
            options.append(Option(line(box + model, style), id=str(place)))
        self.query_one(TickList).fill(options)
        ready = len(self._ticked) > 1
        said = "Space ticks, Enter compares." if ready else "Tick two models or more."
        self.query_one("#hint", Static).update(line(said))
        self.query_one("#yes", Button).disabled = not ready

    @on(TickList.Ticked)
    def _tick(self, event: TickList.Ticked) -> None:
        self._turn(event.key)

    def _turn(self, key: str) -> None:
        model = self._models[int(key)]
        if model in self._ticked:
            self._ticked.remove(model)
        else:
            self._ticked.append(model)
        self._show()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        """A click ticks; enter compares, with the model under the cursor where one is missing."""
        model = self._models[int(event.option.id or "0")]
        clicked = self.query_one(TickList).clicked()
        if clicked or (len(self._ticked) < 2 and model not in self._ticked):
            self._turn(event.option.id or "0")
        if not clicked and len(self._ticked) > 1:
            self.dismiss(tuple(self._ticked))

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.dismiss(tuple(self._ticked) if event.button.id == "yes" else None)

    def action_leave(self) -> None:
        """Compare nothing."""
        self.dismiss(None)
