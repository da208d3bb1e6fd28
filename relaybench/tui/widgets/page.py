"""A page of text that is put together piece by piece, with styles for some of the pieces."""

from __future__ import annotations

from relaybench.tui.widgets.wrapping import Marked, ShownText, prepared


class Page:
    """Text and its marks, for ``LongText``, where foreign text is made safe."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self.marks: list[Marked] = []

    def add(self, text: str, style: str = "") -> None:
        """Add a piece."""
        if style and text:
            self.marks.append(Marked(self._length, self._length + len(text), style))
        self._pieces.append(text)
        self._length += len(text)

    def line(self, text: str = "", style: str = "") -> None:
        """Add a piece that ends its line."""
        self.add(text, style)
        self.add("\n")

    def heading(self, text: str) -> None:
        """Add a heading, after an empty line unless it is the first."""
        if self._pieces:
            self.line()
        self.line(f"── {text} ──", "bold $text-primary")

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self._pieces)

    def ready(self) -> ShownText:
        """The page ready to be shown; for megabytes better in a thread."""
        return prepared(self.text, self.marks)
