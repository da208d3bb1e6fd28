"""One line of choices, one of which holds: tabs, and the views of a tab."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from relaybench.tui.showing import line


class Choices(Widget, can_focus=True):
    """Words side by side; the one that holds stands between ▌▐. Left and right, or a click."""

    DEFAULT_CSS = """
    Choices {
        height: 1;
        width: 1fr;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "left",
            "step(-1)",
            "Previous",
            show=False,
            id="choices.previous",
            tooltip="The one before",
        ),
        Binding("right", "step(1)", "Next", show=False, id="choices.next", tooltip="The next one"),
    ]

    class Chosen(Message):
        """Another one was chosen."""

        def __init__(self, choices: Choices, key: str) -> None:
            super().__init__()
            self.choices, self.key = choices, key

        @property
        def control(self) -> Choices:
            """The widget, for ``@on`` with a selector."""
            return self.choices

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._choices: list[tuple[str, str]] = []
        self._ends: list[tuple[int, str]] = []
        self.current = ""

    def offer(self, choices: Sequence[tuple[str, str]], current: str) -> None:
        """Show these (key and words, which may be foreign); nobody is told."""
        self._choices, self.current = list(choices), current
        self.display = bool(choices)
        self.refresh()

    def choose(self, key: str) -> None:
        """Choose one as the user would."""
        if key != self.current and any(each == key for each, _ in self._choices):
            self.current = key
            self.refresh()
            self.post_message(self.Chosen(self, key))

    def action_step(self, by: int) -> None:
        """Choose the next or the previous one; from the last on to the first."""
        keys = [key for key, _ in self._choices]
        if keys:
            at = keys.index(self.current) if self.current in keys else 0
            self.choose(keys[(at + by) % len(keys)])

    def render(self) -> Content:
        """The words; where they do not fit, those around the current one."""
        parts = [self._part(key, words) for key, words in self._choices]
        at = next((n for n, (key, _) in enumerate(self._choices) if key == self.current), 0)
        first = 0
        while first < at and sum(each.cell_length for each in parts[first : at + 1]) > (
            self.size.width - 2
        ):
            first += 1
        shown = Content("‹ " if first else "")
        self._ends = []
        for part, (key, _) in list(zip(parts, self._choices, strict=True))[first:]:
            if self._ends and shown.cell_length + part.cell_length > self.size.width - 2:
                shown += Content(" ›")
                break
            shown += part
            self._ends.append((shown.cell_length, key))
        return shown

    def _part(self, key: str, words: str) -> Content:
        if key != self.current:
            return line(f" {words} ", "$text-muted")
        return line(f"▌{words}▐", "bold reverse" if self.has_focus else "bold $text-primary")

    def on_focus(self) -> None:
        """The focus is seen."""
        self.refresh()

    def on_blur(self) -> None:
        """And that it has gone."""
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Choose what is under the mouse."""
        for end, key in self._ends:
            if event.x < end:
                self.choose(key)
                return
