"""The switcher on top of every screen: the seven modes, the workspace, the run under way."""

from __future__ import annotations

from typing import Final

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from relaybench.tui.modes import MODES
from relaybench.tui.showing import line

#: Cells from which on there is room for gaps and for the whole status.
_ROOMY: Final = 100


class ModeBar(Widget):
    """One line. Click a mode to go there; ``status`` stands at the right."""

    DEFAULT_CSS = """
    ModeBar {
        dock: top;
        height: 1;
        background: $panel;
        color: $foreground;
    }
    """

    class Chosen(Message):
        """A mode was clicked."""

        def __init__(self, mode: str) -> None:
            super().__init__()
            self.mode = mode

    status: reactive[str] = reactive("")
    brief: reactive[str] = reactive("")  # the same where there is little room

    def __init__(self, current: str) -> None:
        super().__init__()
        self._current = current
        self._ends: list[tuple[int, str]] = []

    def render(self) -> Content:
        """The modes, and the status where there is room for it."""
        bar = Content("")
        self._ends = []
        for mode in MODES:
            here = mode.name == self._current
            style = "bold underline $text on $primary" if here else ""
            gap = " " if self.size.width >= _ROOMY else ""
            bar += Content.styled(f"{gap}{mode.number} {mode.title} ", style)
            self._ends.append((bar.cell_length, mode.name))
        room = self.size.width - bar.cell_length - 2
        status = line(self.status if self.size.width >= _ROOMY else self.brief)
        if room < 4 or not self.status:
            return bar
        status = status.truncate(room, ellipsis=True)
        return bar + Content(" " * (room - status.cell_length + 1)) + status.stylize("$text-muted")

    def on_click(self, event: events.Click) -> None:
        """Go to the mode under the mouse."""
        for end, mode in self._ends:
            if event.x < end:
                self.post_message(self.Chosen(mode))
                return
