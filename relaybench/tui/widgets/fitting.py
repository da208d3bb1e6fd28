"""Texts in a given number of cells of the terminal: East Asian characters take two."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size


def fitted(text: str, room: int) -> str:
    """A text fit to be shown in exactly so many cells; one that is cut ends in an ellipsis."""
    if cell_len(text) <= room:
        return set_cell_size(text, room)
    return set_cell_size(text, max(0, room - 1)) + "…"


def both_ends(text: str, room: int) -> str:
    """A text fit to be shown in at most so many cells; one that is too long loses its middle.

    Both ends tell names apart, so both stay.
    """
    if cell_len(text) <= room:
        return text
    if room < 2:
        return "…" * room
    head = set_cell_size(text, room // 2).rstrip()
    left, tail = room - cell_len(head) - 1, ""
    for character in reversed(text):
        if cell_len(character + tail) > left:
            break
        tail = character + tail
    return f"{head}…{tail}"


def without_set(item: str) -> str:
    """An item's name without its set; of a subproblem (``library/…``) without its domain too.

    Names of imported items may hold slashes of their own, which belong to the name.
    """
    first, _, rest = item.partition("/")
    return rest.rpartition("/")[2] if first == "library" else rest or item
