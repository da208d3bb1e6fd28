"""An empty state: what is not there, and what to do next."""

from __future__ import annotations

from textual.widgets import Static

from relaybench.tui.showing import running


class Empty(Static):
    """Words in the middle of a place where there is nothing to show yet."""

    DEFAULT_CSS = """
    Empty {
        width: 1fr;
        height: 1fr;
        content-align: center middle;
        text-align: center;
        color: $text-muted;
        padding: 1 2;
    }
    """

    def __init__(self, what: str, next_step: str = "", *, id: str | None = None) -> None:
        super().__init__(id=id, markup=False)
        self.say(what, next_step)

    def say(self, what: str, next_step: str = "") -> None:
        """Change the words."""
        text = running(what, "bold")
        self.update(text + running(f"\n\n{next_step}") if next_step else text)
