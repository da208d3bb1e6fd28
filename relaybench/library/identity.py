"""Which entry of a file a row to be saved is: known by its name, or, renamed, by what it holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

#: By which key the elements of an array of tables are known, so that one keeps its comments
#: wherever it moves.
IDENTITY: Final = {"instances": "id", "steps": "label"}
#: What an entry of a new name must share with one whose name is gone, to be the same renamed.
_TELLING: Final = ("data", "use", "answer")

Row = Mapping[str, Any]


def names_in_file(key: str, before: Sequence[Row], rows: Sequence[Row]) -> list[Any]:
    """For each row the name by which the file knows it: its own, or the one it had before.

    A row of a new name is taken for a renamed one where it shares data, use or answer with an
    entry whose name is gone, the more alike the better. Otherwise it is a new one.
    """
    name = IDENTITY[key]
    known = [each.get(name) for each in before]
    now = [row.get(name) for row in rows]
    gone = [each for each in before if each.get(name) not in now]
    names: list[Any] = []
    for row, own in zip(rows, now, strict=True):
        match = None
        if gone and own not in known:
            match = max(gone, key=lambda each: _likeness(each, row))
        if match is None or not _likeness(match, row):
            names.append(own)
        else:
            names.append(match.get(name))
            gone.remove(match)
    return names


def _likeness(old: Row, new: Row) -> int:
    return sum(bool(old.get(each)) and old.get(each) == new.get(each) for each in _TELLING)


def rows_before(key: str, before: Sequence[Row] | None, rows: Sequence[Row]) -> list[Row]:
    """For each row what it was before: by place where no row moved, else by identity."""
    was = list(before or ())
    name = IDENTITY[key]
    if [each.get(name) for each in was] == [row.get(name) for row in rows]:
        return was
    known = {each.get(name): each for each in was}
    return [known.get(each, {}) for each in names_in_file(key, was, rows)]
