"""A text area for what users write: control characters are seen, big pastes are taken at once."""

from __future__ import annotations

from typing import Final

from rich.text import Text
from textual.document._document import EditResult
from textual.document._edit import Edit
from textual.widgets import TextArea

#: One character for one, so that positions in the line stay: U+2400 shows NUL, U+2421 DEL.
_PICTURES: Final = {
    **{code: 0x2400 + code for code in range(0x20) if code != 0x09},
    0x7F: 0x2421,
    **dict.fromkeys(range(0x80, 0xA0), 0x2426),
    **dict.fromkeys(
        (0x61C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A)), 0x2426
    ),
    **dict.fromkeys(range(0xD800, 0xE000), 0xFFFD),
}

#: Characters from which on lines are not wrapped any more: that would be felt at every key.
_TOO_LONG_TO_WRAP: Final = 30_000


class Editor(TextArea):
    """A TextArea whose control characters stand as pictures (␀, ␛, ␦); the text is not changed.

    Texts of more than 30,000 characters are shown without wrapping their lines.
    """

    def load_text(self, text: str) -> None:
        """Edit another text."""
        wraps = len(text) <= _TOO_LONG_TO_WRAP
        if not wraps:
            self.soft_wrap = False
        super().load_text(text)
        if wraps:  # only now: it would wrap the long text that was here before
            self.soft_wrap = True

    def edit(self, edit: Edit) -> EditResult:
        """Carry out an edit; a long paste ends the wrapping before it is wrapped itself."""
        if self.soft_wrap and len(edit.text) > _TOO_LONG_TO_WRAP:
            self.soft_wrap = False
        return super().edit(edit)

    def get_line(self, line_index: int) -> Text:
        """The line as it is shown."""
        # Not by super(): Rich's text drops some control characters, and positions would shift.
        line = self.document.get_line(line_index).translate(_PICTURES)
        return Text(line, end="", no_wrap=True)
