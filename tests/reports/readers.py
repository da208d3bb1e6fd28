"""Read tables back with other parsers than our writers."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from markdown_it import MarkdownIt


class Cells(HTMLParser):
    """Text of table cells, row by row."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.tags: set[str] = set()
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
            self._inside = True

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.rows[-1][-1] += data


def markdown_cells(text: str) -> Cells:
    """What a reader of the Markdown sees, by another parser than ours."""
    cells = Cells()
    cells.feed(MarkdownIt("commonmark").enable("table").render(text))
    return cells


def latex_rows(text: str) -> list[list[str]]:
    """Cells of a LaTeX table as written, header first."""
    body = text[text.index("\\toprule\n") : text.index("\\bottomrule")]
    lines = [line for line in body.splitlines() if line.endswith(" \\\\")]
    return [re.split(r" (?<!\\)& ", line.removesuffix(" \\\\")) for line in lines]
