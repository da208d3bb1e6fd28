"""A table as JSON lines: one object a row, for programs that read row by row."""

from __future__ import annotations

from relaybench.reports.json_format import json_row, to_json
from relaybench.reports.tables import Column, Row, Table


def jsonl_row(columns: tuple[Column, ...], row: Row) -> str:
    """One row as one line of JSON in plain ASCII, by the columns' keys.

    What is missing is null, and ``<key>_reason`` beside it says why.
    """
    return to_json(json_row(columns, row)) + "\n"


def jsonl_table(table: Table) -> str:
    """A table as JSON lines: all columns, exact values; title and notes have no place in it."""
    return "".join(jsonl_row(table.columns, row) for row in table.rows)
