"""One line that names the panes where there is room for one of them only."""

from __future__ import annotations

from collections.abc import Mapping

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget


class PaneTabs(Widget):
    """Names of panes, the shown one marked; a click goes to another."""

    DEFAULT_CSS = """
    PaneTabs { height: 1; background: $surface; }
    """

    class Chosen(Message):
        """Another pane was clicked."""

        def __init__(self, pane: str) -> None:
            super().__init__()
            self.pane = pane

    def __init__(self, names: Mapping[str, str], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._names = dict(names)
        self._notes: dict[str, str] = {}
        self._current = next(iter(names))
        self._left_out: set[str] = set()
        self._ends: list[tuple[int, str]] = []

    def show(self, current: str) -> None:
        """Mark another pane as the shown one."""
        self._current = current
        self.refresh()

    def note(self, pane: str, text: str) -> None:
        """Say something beside a pane's name, such as how many findings it has."""
        if self._notes.get(pane, "") != text:
            self._notes[pane] = text
            self.refresh()

    def leave_out(self, *panes: str) -> None:
        """Panes that stand beside, and need no name here."""
        self._left_out = set(panes)
        self.refresh()

    def render(self) -> Content:
        """The names."""
        bar = Content("")
        self._ends = []
        for pane, name in self._names.items():
            if pane in self._left_out:
                continue
            note = self._notes.get(pane, "")
            label = f"{name} {note}" if note else name
            here = pane == self._current
            bar += Content.styled(f"▌{label}▐" if here else f" {label} ", "bold" if here else "")
            self._ends.append((bar.cell_length, pane))
        return bar

    def on_click(self, event: events.Click) -> None:
        """Go to the pane under the mouse."""
        for end, pane in self._ends:
            if event.x < end:
                self.post_message(self.Chosen(pane))
                return
