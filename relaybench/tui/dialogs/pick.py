"""Pick one of several; typing filters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from relaybench.tui.dialogs.dialog import Dialog
from relaybench.tui.showing import line, running


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several: ``refused`` says why it cannot be picked, and is shown in its place."""

    key: str
    label: str
    detail: str = ""
    refused: str = ""


class Pick(Dialog[str | None]):
    """A list to pick from; returns the key, or None where the user left.

    ``typed_ahead`` is to be False where nobody has asked for it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Cancel", id="pick.leave", tooltip="Leave without picking"),
        Binding("down", "down", "Down", show=False, id="pick.down", tooltip="Next"),
        Binding("up", "up", "Up", show=False, id="pick.up", tooltip="Previous"),
    ]

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice],
        *,
        current: str | None = None,
        typed_ahead: bool = True,
    ) -> None:
        super().__init__()
        self.typed_ahead = typed_ahead
        self._title, self._choices, self._current = title, list(choices), current

    def compose(self) -> ComposeResult:
        """Title, filter, list."""
        with Vertical(classes="dialog"):
            yield Static(running(self._title, "bold"), classes="question")
            yield Input(placeholder="type to filter")
            yield OptionList()

    def on_mount(self) -> None:
        """All of them to begin with."""
        self._fill("")

    def _fill(self, words: str) -> None:
        if not self.is_attached:  # left already
            return
        options = self.query_one(OptionList)
        options.clear_options()
        wanted = words.casefold().split()
        fitting = [
            each
            for each in self._choices
            if all(word in f"{each.label} {each.detail}".casefold() for word in wanted)
        ]
        fitting.sort(key=lambda each: _rank(each, words.strip().casefold()))
        options.add_options(
            Option(_shown(each), id=str(self._choices.index(each)), disabled=bool(each.refused))
            for each in fitting
        )
        usable = [number for number, each in enumerate(fitting) if not each.refused]
        at = [n for n in usable if fitting[n].key == self._current] or usable
        options.highlighted = at[0] if at else None

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        self._fill(event.value)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        options = self.query_one(OptionList)
        if options.highlighted is not None:
            self._picked(options.get_option_at_index(options.highlighted))

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self._picked(event.option)

    def _picked(self, option: Option) -> None:
        choice = self._choices[int(option.id or "0")]
        if not choice.refused:
            self.dismiss(choice.key)

    def action_down(self) -> None:
        """Move down while the field has the focus."""
        self.query_one(OptionList).action_cursor_down()

    def action_up(self) -> None:
        """Move up while the field has the focus."""
        self.query_one(OptionList).action_cursor_up()

    def action_leave(self) -> None:
        """Leave without picking."""
        self.dismiss(None)


def _rank(choice: Choice, words: str) -> int:
    """What is named so comes first, then what begins so; all else in the order of the list."""
    label = choice.label.casefold()
    return 0 if label == words else 1 if label.startswith(words) else 2


def _shown(choice: Choice) -> Content:
    text = line(choice.label)
    detail = choice.refused or choice.detail
    if not detail:
        return text
    return text + line("  ") + line(detail, "$text-error" if choice.refused else "$text-muted")
