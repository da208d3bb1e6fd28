"""A table in GitHub's Markdown."""

from __future__ import annotations

from collections.abc import Iterable

from relaybench.reports.display import display
from relaybench.reports.escaping import markdown_text
from relaybench.reports.tables import WIDE, Table


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(markdown_text(cell) for cell in cells) + " |"


def markdown_table(table: Table, level: int = WIDE) -> str:
    """Title, table and notes; every cell is literal and stands on one line."""
    view = display(table, level)
    rule = "|" + "|".join(" ---: " if right else " --- " for right in view.numeric) + "|"
    lines = [f"## {markdown_text(table.title)}", "", _line(view.headings), rule]
    lines += [_line(row) for row in view.rows]
    if table.notes:
        lines += ["", *(f"- {markdown_text(note)}" for note in table.notes)]
    return "\n".join(lines) + "\n"
