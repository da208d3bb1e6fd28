"""The last line of defence: no control character of any widget reaches the terminal.

Foreign text is spelled out where it is shown (``showing``). Should a widget show some raw all the
same, an editor for instance, this filter takes out what could command the terminal.
"""

from __future__ import annotations

import re
from typing import Final

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

#: C0, DEL and C1, bidirectional controls, line separators, lone surrogates.
_COMMANDS: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


class ControlCharacters(LineFilter):
    """Takes out characters that could command a terminal; they are no cell wide."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments without them; Textual's own control segments stay."""
        if not any(_COMMANDS.search(each.text) for each in segments):
            return segments
        return [
            each if each.control else Segment(_COMMANDS.sub("", each.text), each.style)
            for each in segments
        ]
