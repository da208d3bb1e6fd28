"""A titled, bordered part of a screen whose border lights up while the focus is inside."""

from __future__ import annotations

from textual.containers import Vertical

from relaybench.tui.showing import line


class Pane(Vertical):
    """A part of a screen. ``title`` and ``subtitle`` are literal text."""

    DEFAULT_CSS = """
    Pane {
        border: round $surface-lighten-2;
        border-title-color: $text-muted;
        border-subtitle-color: $text-muted;
        padding: 0;
        height: 1fr;
        width: 1fr;
    }
    Pane:focus-within {
        border: round $primary;
        border-title-color: $primary;
        border-title-style: bold;
    }
    """

    def __init__(
        self, title: str = "", *, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.call_it(title)

    def call_it(self, title: str, subtitle: str = "") -> None:
        """Change title and subtitle."""
        self.border_title = line(title)
        self.border_subtitle = line(subtitle)
