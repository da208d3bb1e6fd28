"""JSON with exact decimals: the standard library would make floats of them, or text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from json.encoder import encode_basestring_ascii
from typing import Final, TypeGuard

from relaybench.reports.numbers import exact
from relaybench.reports.tables import Column, Missing, Row, Table

_WORDS: Final[Mapping[bool | None, str]] = {None: "null", True: "true", False: "false"}


def to_json(value: object, indent: int | None = None) -> str:
    """A value as JSON in plain ASCII, keys in the order given.

    Decimals are numbers with all their digits. Raises TypeError for what JSON cannot hold and
    ValueError for numbers that are none (NaN, infinite).
    """
    if indent is not None:
        return "".join(json_pieces(value, indent))
    if isinstance(value, str):
        return encode_basestring_ascii(value)
    if isinstance(value, Decimal | float):
        if not math.isfinite(value):
            raise ValueError(f"{value} is no JSON number")
        return exact(value)
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, Mapping):
        parts = [
            f"{encode_basestring_ascii(str(key))}: {to_json(each)}" for key, each in value.items()
        ]
        return "{" + ", ".join(parts) + "}"
    if _is_list(value):
        return "[" + ", ".join([to_json(each) for each in value]) + "]"
    raise TypeError(f"JSON cannot hold {type(value).__name__}")


def json_pieces(value: object, indent: int, _depth: int = 0) -> Iterator[str]:
    """``to_json`` with a line for every value, piece by piece: a long text is never held twice."""
    if isinstance(value, Mapping):
        entries = ((f"{encode_basestring_ascii(str(key))}: ", each) for key, each in value.items())
        left, right = "{", "}"
    elif _is_list(value):
        entries = (("", each) for each in value)
        left, right = "[", "]"
    else:
        yield to_json(value)
        return
    inner = "\n" + " " * indent * (_depth + 1)
    separator = left + inner
    for name, each in entries:
        yield separator + name
        yield from json_pieces(each, indent, _depth + 1)
        separator = "," + inner
    if separator.startswith(left):  # nothing was in it
        yield left + right
    else:
        yield "\n" + " " * indent * _depth + right


def _is_list(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def json_row(columns: tuple[Column, ...], row: Row) -> dict[str, object]:
    """A row by key; what is missing is null, and ``<key>_reason`` beside it says why."""
    cells: dict[str, object] = {}
    for column, value in zip(columns, row, strict=True):
        if isinstance(value, Missing):
            cells[column.key] = None
            cells[f"{column.key}_reason"] = value.reason
        else:
            cells[column.key] = value
    return cells


def json_table(table: Table) -> str:
    """A table as one JSON object: notes, what its columns are, and rows with exact values."""
    document = {
        "table": table.name,
        "title": table.title,
        "simulated": table.simulated,
        "notes": table.notes,
        "columns": [
            {
                "key": column.key,
                "heading": column.heading,
                "kind": column.kind.value,
                "unit": column.unit,
            }
            for column in table.columns
        ],
        "rows": [json_row(table.columns, row) for row in table.rows],
    }
    return to_json(document, indent=2) + "\n"
