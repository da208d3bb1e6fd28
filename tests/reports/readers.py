"""Read tables back with other parsers than our writers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from markdown_it import MarkdownIt

from relaybench.domain.literal import visible
from relaybench.reports.display import display
from relaybench.reports.formats import render
from relaybench.reports.plain_format import text_width
from relaybench.reports.tables import WIDE, Table


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


def html_cells(text: str) -> Cells:
    """What a reader of an HTML table sees."""
    cells = Cells()
    cells.feed(text)
    return cells


# --- LaTeX -------------------------------------------------------------------------------------

_ENVIRONMENT = re.compile(
    r"\\begin\{(tabular|longtable)\}\{.*?\}\n(.*?)\\end\{\1\}", re.DOTALL | re.MULTILINE
)
_ROW_ENDS = (r" \\", r" \tabularnewline")
_STACKED = re.compile(r"\\shortstack\[[lr]\]\{(.*)\}")
_COMMANDS = {
    r"\textbackslash{}": "\\",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"\symbol{34}": '"',
    r"\textquotesingle{}": "'",
    r"\textasciigrave{}": "`",
    r"\ensuremath{\geq}": "\u2265",
    r"\ensuremath{\leq}": "\u2264",
    r"\ensuremath{\rightarrow}": "\u2192",
    r"\ensuremath{-}": "\u2212",
    "$-$": "-",
    r"\hspace{0pt}": "",
    r"\raggedright ": "",
    "{[}": "[",
    "{]}": "]",
    "{*}": "*",
    "-{}": "-",
    ",{}": ",",
    **{"\\" + each: each for each in "&%$#_{}"},
}
_COMMAND = re.compile("|".join(map(re.escape, sorted(_COMMANDS, key=len, reverse=True))))


def latex_plain(cell: str) -> str:
    """The text that LaTeX sets for a cell of ours."""
    stacked = _STACKED.fullmatch(cell)
    if stacked:
        cell = stacked[1].replace(r"\\", " ")
    return _COMMAND.sub(lambda found: _COMMANDS[found[0]], cell)


def latex_rows(text: str, names: int = 1) -> list[list[str]]:
    """Cells of a LaTeX table as written, header first, all its blocks side by side again.

    ``names`` columns are repeated in every block.
    """
    table: list[list[str]] = []
    for number, found in enumerate(_ENVIRONMENT.finditer(text)):
        body = found[2]
        if found[1] == "longtable":  # the header stands there once for the first page
            body = body[: body.index("\\endfirsthead")] + body[body.index("\\endfoot") :]
        rows = []
        for line in body.splitlines():
            for end in _ROW_ENDS:
                if line.endswith(end):
                    rows.append(re.split(r" (?<!\\)& ", line.removesuffix(end)))
        if number == 0:
            table = rows
            continue
        assert [row[:names] for row in table] == [row[:names] for row in rows]
        table = [left + right[names:] for left, right in zip(table, rows, strict=True)]
    return table


# --- terminal ----------------------------------------------------------------------------------


def plain_rows(table: Table) -> Iterator[list[str]]:
    """Cells of a table as text, by the widths of the widest cells."""
    lines = render(table, "table").splitlines()
    rules = [number for number, line in enumerate(lines) if line and not line.strip("\u2500")]
    view = display(table, WIDE, terminal=True)
    columns = [list(map(visible, each)) for each in zip(view.headings, *view.rows, strict=True)]
    widths = [max(map(text_width, column)) for column in columns]
    for line in lines[rules[0] + 1 : rules[1]]:
        cells, place = [], 0
        for width in widths:
            end = place
            while end < len(line) and text_width(line[place : end + 1]) <= width:
                end += 1
            cells.append(line[place:end].strip())
            place = end + 2
        yield cells
