"""Where in the editor of a class something stands that a key of its file names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from relaybench.domain.finding import Finding

_INSTANCE = re.compile(r"instances\[(\d+)\](?:\.(.+))?")
_RULE = re.compile(r"rules\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the editor of a class: a field, or a cell of its table of instances."""

    field: str = ""
    row: int | None = None
    column: str = ""


def place_of(key: str) -> Place | None:
    """Where a key of a class file stands in the editor; None for one that has no place there."""
    if match := _INSTANCE.fullmatch(key):
        column = match[2] or ""
        if column == "data":
            column = ""
        return Place(row=int(match[1]), column=column)
    if match := _RULE.fullmatch(key):
        return Place("rules", int(match[1]))
    name = key.partition("[")[0]
    if name in ("title", "prompt", "rules", "example", "pattern", "literal"):
        return Place(name)
    return None


def wrong_cells(findings: Sequence[Finding], shown: str) -> set[tuple[int, str]]:
    """Cells of the table of instances that something of a file is found in."""
    cells = set()
    for each in findings:
        place = place_of(each.key) if each.file == shown else None
        if place is not None and not place.field and place.row is not None:
            cells.add((place.row, place.column))
    return cells
