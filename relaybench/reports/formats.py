"""Write a table in any of the formats: the same numbers in all of them.

``table``, ``md`` and ``latex`` are for people: shares in percent with one decimal, USD with two,
intervals beside their values. ``csv``, ``json`` and ``jsonl`` are exact, with low and high ends in
columns of their own. The same table gives the same bytes every time.
"""

from __future__ import annotations

from enum import StrEnum

from relaybench.reports.csv_format import csv_table
from relaybench.reports.json_format import json_table
from relaybench.reports.jsonl_format import jsonl_table
from relaybench.reports.latex_format import latex_table
from relaybench.reports.markdown_format import markdown_table
from relaybench.reports.plain_format import plain_table
from relaybench.reports.tables import PAGE, WIDE, Table


class Format(StrEnum):
    """The formats there are."""

    TABLE = "table"
    CSV = "csv"
    MD = "md"
    LATEX = "latex"
    JSON = "json"
    JSONL = "jsonl"

    @property
    def suffix(self) -> str:
        """What a file of it is called: ``.csv``; ``.tex`` and ``.txt`` where the name differs."""
        return {Format.TABLE: ".txt", Format.LATEX: ".tex"}.get(self, f".{self.value}")


#: Names of the formats, for the command line.
FORMATS = tuple(each.value for each in Format)


def render(
    table: Table, format: Format | str, *, width: int | None = None, level: int | None = None
) -> str:
    """The table as text that ends in a line break; ValueError for a format there is not.

    ``width`` in terminal cells holds for ``table`` only (None: as wide as it takes). ``level``
    chooses the columns of ``table``, ``md`` and ``latex`` (see ``reports.tables``): if None,
    ``table`` takes what fits, ``md`` all and ``latex`` those for a page.
    """
    match Format(format):
        case Format.TABLE:
            return plain_table(table, width, level)
        case Format.CSV:
            return csv_table(table)
        case Format.MD:
            return markdown_table(table, WIDE if level is None else level)
        case Format.LATEX:
            return latex_table(table, PAGE if level is None else level)
        case Format.JSON:
            return json_table(table)
        case Format.JSONL:
            return jsonl_table(table)
