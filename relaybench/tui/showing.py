"""Foreign text made safe to show: literal, never markup, with control characters spelled out.

Everything that an author, a model or a provider wrote goes through here before a widget gets it.
Textual reads plain strings as markup in most places, and a stray bracket ends the application.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from relaybench.domain.literal import literal, visible

if TYPE_CHECKING:
    from rich.text import Text


def line(text: str, style: str = "") -> Content:
    """One line: everything that does not print is spelled out, line ends included."""
    return Content.styled(visible(text), style) if style else Content(visible(text))


def running(text: str, style: str = "") -> Content:
    """Running text: line ends stay, tabs become spaces, control characters are spelled out."""
    shown = literal(text).expandtabs(4)
    return Content.styled(shown, style) if style else Content(shown)


def cell(text: str, style: str = "") -> Text:
    """One line for a cell of a DataTable or a label of a Tree, which want Rich's text."""
    from rich.text import Text

    return Text(visible(text), style=style, no_wrap=True, end="")


def plain(text: str) -> str:
    """Running text for widgets that take plain strings literally, such as a read-only TextArea."""
    return literal(text)
