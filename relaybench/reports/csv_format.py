"""CSV for spreadsheets and scripts: exact numbers, and no text that could be a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from relaybench.reports.escaping import csv_text
from relaybench.reports.numbers import exact
from relaybench.reports.tables import Column, Missing, Row, Table, Value


def _cell(value: Value) -> str:
    if isinstance(value, Missing):
        return csv_text(value.reason)
    if isinstance(value, str):
        return csv_text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return exact(value)


def _line(cells: Iterable[str]) -> str:
    buffer = io.StringIO()
    # The writer quotes a lone CR only where CR is part of the line end.
    csv.writer(buffer, lineterminator="\r\n").writerow(list(cells))
    return buffer.getvalue().removesuffix("\r\n") + "\n"


def csv_header(columns: Iterable[Column]) -> str:
    """The first line of a CSV file: the columns' keys."""
    return _line(csv_text(column.key) for column in columns)


def csv_row(row: Row) -> str:
    """One row as one CSV line (longer where a text has line breaks).

    What is missing stands as the word that says why, such as ``unknown``.
    """
    return _line(_cell(value) for value in row)


def csv_table(table: Table) -> str:
    """A table as CSV: all columns, exact values; notes have no place in it."""
    return csv_header(table.columns) + "".join(map(csv_row, table.rows))
