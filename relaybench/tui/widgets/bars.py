"""Scrollbars that come with the lines that need them."""

from __future__ import annotations

from textual.scroll_view import ScrollView


def show_bar_at_once(view: ScrollView) -> None:
    """Show or hide the bar at the right for another number of lines.

    Textual finds out while it lays the lines out, and then lays out and draws once more.
    """
    height = view.container_size.height
    if height:
        view.show_vertical_scrollbar = view.virtual_size.height > height
