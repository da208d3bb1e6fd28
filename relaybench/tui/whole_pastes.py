"""Pastes that hold control sequences, taken as they are.

Between the marks that a terminal sets around a paste everything is text. Textual 8.2 goes on
looking for sequences there: an ESC within what is pasted (an answer with colours, and tmux passes
it on) tears the paste apart, and what follows acts as keys.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Final

from textual import events
from textual._xterm_parser import XTermParser
from textual.driver import Driver
from textual.message import Message

BEGIN: Final = "\x1b[200~"
END: Final = "\x1b[201~"
#: What stands for ESC on the way through Textual's parser: a code point that no text may hold.
_STAND_IN: Final = "\ufdd0"


class WholePastes(XTermParser):
    """Textual's parser of what a terminal sends, for which an ESC within a paste is text."""

    def __init__(self, debug: bool = False) -> None:
        super().__init__(debug)
        self._pasting = False
        self._seen = ""  # the last characters before a paste: its mark may come in two pieces
        self._held = ""  # the last ones within it that may begin the mark of its end

    def feed(self, data: str) -> Iterable[Message]:
        """Take what has come; yields events, a paste whole."""
        marked = self._marked(data)
        if data and not marked:
            return  # all of it is held; nothing would tell the parser that this is the end
        for event in super().feed(marked):
            if isinstance(event, events.Paste):
                event.text = event.text.replace(_STAND_IN, "\x1b")
            yield event

    def _marked(self, data: str) -> str:
        """What the parser is to read: ESC replaced wherever it belongs to a paste."""
        parts: list[str] = []
        while data:
            if self._pasting:
                text, found, data = (self._held + data).partition(END)
                begun = 0 if found else _begun(text, END)
                text, self._held = text[: len(text) - begun], text[len(text) - begun :]
                parts += text.replace("\x1b", _STAND_IN), found
                self._pasting = not found
            else:
                at = (self._seen + data).find(BEGIN)
                end = len(data) if at < 0 else at + len(BEGIN) - len(self._seen)
                parts.append(data[:end])
                self._pasting = at >= 0
                self._seen = "" if self._pasting else (self._seen + data)[1 - len(BEGIN) :]
                data = data[end:]
        return "".join(parts)


def _begun(text: str, mark: str) -> int:
    """How many characters at the end of a text may begin the mark."""
    return next((n for n in range(len(mark) - 1, 0, -1) if text.endswith(mark[:n])), 0)


def take_pastes_whole(driver: type[Driver]) -> None:
    """Let a driver of Textual read its terminal by ``WholePastes``."""
    module = sys.modules[driver.__module__]
    if hasattr(module, "XTermParser"):
        setattr(module, "XTermParser", WholePastes)  # noqa: B010 - a name of Textual's own
