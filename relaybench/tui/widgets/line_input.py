"""A field for one line, where of several pasted lines none is lost."""

from __future__ import annotations

from textual import events
from textual.widgets import Input


class LineInput(Input):
    """Textual's field, which takes the first of several pasted lines and drops the others."""

    def _on_paste(self, event: events.Paste) -> None:
        """Take every line that has something in it, with a blank between them."""
        lines = (each.strip() for each in event.text.splitlines())
        super()._on_paste(events.Paste(" ".join(each for each in lines if each)))
        event.prevent_default()
        event.stop()
