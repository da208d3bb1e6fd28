"""Texts in a given number of cells of the terminal: East Asian characters take two."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size


def fitted(text: str, room: int) -> str:
    """A text fit to be shown in exactly so many cells; one that is cut ends in an ellipsis."""
    if cell_len(text) <= room:
        return set_cell_size(text, room)
    return set_cell_size(text, max(0, room - 1)) + "…"
