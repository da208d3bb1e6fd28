"""Several tables as one text, in any of the formats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from relaybench.reports.formats import Format, render
from relaybench.reports.tables import Table

#: Formats in which tables stand in one file only where their columns are the same.
ONE_TABLE: Final = (Format.CSV, Format.JSONL)


def render_all(
    tables: Sequence[Table], format: Format | str, *, width: int | None = None, as_list: bool
) -> str:
    """Tables one below the other; in csv and jsonl their rows as those of one table.

    In json they are a list (``as_list``), or a single table is the object that it always is.
    ValueError for tables with different columns in csv and jsonl, and for json without
    ``as_list`` where they are not one.
    """
    form = Format(format)
    texts = [render(table, form, width=width) for table in tables]
    keys = {tuple(column.key for column in table.columns) for table in tables}
    if form is Format.JSON:
        if as_list:
            return "[\n" + ",\n".join(text.rstrip("\n") for text in texts) + "\n]\n"
        (text,) = texts
        return text
    if form not in ONE_TABLE:
        return "\n".join(texts)
    if len(keys) > 1:
        raise ValueError("tables with different columns are no single table")
    if form is Format.JSONL or not texts:
        return "".join(texts)
    header = texts[0].partition("\n")[0] + "\n"
    return header + "".join(text.removeprefix(header) for text in texts)
