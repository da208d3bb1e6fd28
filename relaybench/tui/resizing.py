"""Sizes that are no longer the terminal's.

A screen that is laid out for a size tells itself of that size again. With two sizes under way,
after quick changes of the terminal, Textual 8.2 then goes back and forth between them for ever.
"""

from __future__ import annotations

from typing import Any

from textual import events
from textual.screen import Screen


def pass_over_stale(screen: Screen[Any], event: events.Resize) -> None:
    """Keep a screen from following a size that the terminal has no more."""
    if event.size != screen.app.size:
        event.stop()
        event.prevent_default()
