"""Lines of a drawing or of notes, drawn as they come into view: nothing is laid out or wrapped."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from relaybench.tui.results.colours import rich_styles
from relaybench.tui.results.ink import Line, Role, width_of


class InkView(ScrollView, can_focus=True):
    """Shows lines that were made for its width; they scroll where there are more than fit."""

    DEFAULT_CSS = """
    InkView {
        height: 1fr;
        width: 1fr;
        background: $background;
        scrollbar-size-vertical: 1;
        overflow-x: hidden;
    }
    InkView:focus {
        background: $surface;
    }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._lines: Sequence[Line] = ()
        self._styles: dict[Role, Style] = {}
        self._upon: Style | None = None

    def lay(self, lines: Sequence[Line]) -> None:
        """Show these lines from the first on."""
        self._lines = lines
        width = max((width_of(line) for line in lines), default=0)
        self.virtual_size = Size(width + 1, len(lines))
        self.refresh()

    def notify_style_update(self) -> None:
        """Another theme, other colours."""
        super().notify_style_update()
        self._styles = {}

    def render_line(self, y: int) -> Strip:
        """One line, a cell from the edge."""
        width, base = self.scrollable_content_region.width, self.rich_style
        number = y + round(self.scroll_y)
        if number >= len(self._lines):
            return Strip.blank(width, base)
        if not self._styles or base != self._upon:
            self._styles, self._upon = rich_styles(self.app.theme_variables, base), base
        segments = [Segment(" ", base)]
        segments += [Segment(piece.text, self._styles[piece.role]) for piece in self._lines[number]]
        return Strip(segments).crop(0, width).extend_cell_length(width, base)
