"""A table for LaTeX with booktabs, ready to be put into a paper.

Widths are counted in characters, which is all that can be known of them here: what is too wide for
a page of LaTeX's article class is set as several blocks, each with the columns that name the row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from relaybench.domain.literal import visible
from relaybench.reports.display import Display, display
from relaybench.reports.escaping import latex_text
from relaybench.reports.tables import PAGE, WIDE, Table

#: Characters of \footnotesize that stand side by side on a page of the article class.
_PAGE_WIDTH: Final = 86
#: What lies between two columns, in characters.
_GAP: Final = 2
#: A text column is wrapped beyond this many characters; a word of it may break after so many.
_LONG: Final = 34
_WORD: Final = 24
_PARTS: Final = re.compile(rf"\s+|[^\s/_-]{{1,{_WORD}}}[/_-]{{0,8}}|[/_-]{{1,{_WORD}}}")
#: A heading is broken into lines no longer than this, or than the widest cell below it.
_HEADING: Final = 9
#: Beyond this many rows, or lines with all blocks and notes, a table runs over several pages.
_ROWS: Final = 40
_LINES: Final = 44
_NOTE_WIDTH: Final = 95
#: Text of 8.5 pt: half its width is about what a character takes.
_EM_PER_CHARACTER: Final = 0.48
#: A hyphen that is the sign of a number.
_MINUS: Final = re.compile(r"(?<![^\s\[}])-(?=[0-9]|\\textless)")


@dataclass(frozen=True, slots=True)
class _Column:
    """One column as it is set: heading lines, cells, width in characters, whether it wraps."""

    heading: tuple[str, ...]
    cells: tuple[str, ...]
    width: int
    right: bool
    wraps: bool
    names: bool
    begins: bool

    @property
    def form(self) -> str:
        if self.wraps:
            return f"p{{{self.width * _EM_PER_CHARACTER:g}em}}"
        return "r" if self.right else "l"

    def head(self) -> str:
        lines = [latex_text(line) for line in self.heading]
        if len(lines) == 1:
            return lines[0]
        side = "r" if self.right else "l"
        return rf"\shortstack[{side}]{{" + r"\\".join(lines) + "}"

    def cell(self, row: int) -> str:
        if self.right:
            return _MINUS.sub("$-$", latex_text(self.cells[row]))
        if not self.wraps:
            return latex_text(self.cells[row])
        return rf"\raggedright {_breakable(self.cells[row])}"


def _breakable(text: str) -> str:
    """A text as LaTeX in which long words may break, without a hyphen that is not theirs.

    They break after the signs that join names, and within a name only where it is long itself.
    """
    pieces: list[str] = []
    for word in re.findall(r"\s+|\S+", text):
        pieces += [word] if len(word) <= _WORD else _PARTS.findall(word)
    joined = ""
    for before, piece in zip(["", *pieces], pieces, strict=False):
        inside_word = before and not before.isspace() and not piece.isspace()
        joined += (r"\hspace{0pt}" if inside_word else "") + latex_text(piece)
    return joined


def _columns(view: Display) -> list[_Column]:
    columns = []
    for place, heading in enumerate(view.headings):
        cells = tuple(visible(row[place]) for row in view.rows)
        right = view.numeric[place]
        widest = max(map(len, cells), default=0)
        wraps = not right and widest > _LONG
        body = min(widest, _LONG) if wraps else widest
        lines = _heading_lines(heading, max(body, _HEADING))
        columns.append(
            _Column(
                heading=lines,
                cells=cells,
                width=max(body, *map(len, lines)),
                right=right,
                wraps=wraps,
                names=view.names[place],
                begins=view.begins[place],
            )
        )
    return columns


def _heading_lines(heading: str, width: int) -> tuple[str, ...]:
    lines = [""]
    for word in heading.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and len(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return tuple(lines)


def _width(columns: Sequence[_Column]) -> int:
    return sum(column.width + _GAP for column in columns)


def _blocks(columns: Sequence[_Column]) -> list[list[_Column]]:
    """Columns to stand side by side; a block breaks before a group of columns where it can."""
    names = [column for column in columns if column.names]
    groups: list[list[_Column]] = []
    for column in columns:
        if column.names:
            continue
        if column.begins or not groups:
            groups.append([])
        groups[-1].append(column)
    blocks = [list(names)]
    for group in groups:
        if _width([*blocks[-1], *group]) <= _PAGE_WIDTH:
            blocks[-1] += group
            continue
        if len(blocks[-1]) > len(names):
            blocks.append(list(names))
        for column in group:
            full = _width([*blocks[-1], column]) > _PAGE_WIDTH
            if full and len(blocks[-1]) > len(names):
                blocks.append(list(names))
            blocks[-1].append(column)
    return blocks


def latex_table(table: Table, level: int = PAGE) -> str:
    """A table with its title as caption and its notes below; columns of ``level`` and under.

    Needs ``\\usepackage{booktabs}``; a long one, which does not float, ``\\usepackage{longtable}``
    too. Letters outside of ASCII stay as they are (UTF-8).
    """
    fits = any(column.level <= level for column in table.columns)
    view = display(table, level if fits else WIDE)
    blocks = _blocks(_columns(view))
    rows, notes = len(view.rows), sum(1 + len(note) // _NOTE_WIDTH for note in table.notes)
    long = rows > _ROWS or len(blocks) * (rows + 4) + notes > _LINES
    needs = r"\usepackage{booktabs}" + (r" \usepackage{longtable}" if long else "")
    lines = [f"% Needs {needs}; for names beyond Latin script XeLaTeX or LuaLaTeX."]
    lines += _long(table, blocks, rows) if long else _floating(table, blocks, rows)
    return "\n".join(lines) + "\n"


_SMALL: Final = r"\footnotesize\setlength{\tabcolsep}{4pt}"


def _floating(table: Table, blocks: list[list[_Column]], rows: int) -> Iterator[str]:
    yield r"\begin{table}"
    yield rf"\centering{_SMALL}"
    yield rf"\caption{{{latex_text(table.title)}}}"
    for place, block in enumerate(blocks):
        if place:
            yield r"\par\medskip"
        yield rf"\begin{{tabular}}{{{_forms(block)}}}"
        yield from _head(block)
        yield from _body(block, rows)
        yield r"\bottomrule"
        yield r"\end{tabular}"
    if table.notes:
        yield r"\par\medskip"
        yield r"\begin{minipage}{\linewidth}"
        yield from _notes(table)
        yield r"\end{minipage}"
    yield r"\end{table}"


def _long(table: Table, blocks: list[list[_Column]], rows: int) -> Iterator[str]:
    title = latex_text(table.title)
    yield rf"\begingroup{_SMALL}"
    for place, block in enumerate(blocks):
        yield rf"\begin{{longtable}}{{{_forms(block)}}}"
        # A star: the caption has no number of its own.
        yield rf"\caption*{{{title} (continued)}}\\" if place else rf"\caption{{{title}}}\\"
        yield from _head(block)
        yield r"\endfirsthead"
        yield from _head(block)
        yield r"\endhead"
        yield r"\bottomrule"
        yield r"\endfoot"
        yield from _body(block, rows)
        yield r"\end{longtable}"
    yield from _notes(table)
    yield r"\endgroup"


def _forms(block: Sequence[_Column]) -> str:
    return "".join(column.form for column in block)


def _head(block: Sequence[_Column]) -> Iterator[str]:
    yield r"\toprule"
    yield " & ".join(column.head() for column in block) + r" \\"
    yield r"\midrule"


def _body(block: Sequence[_Column], rows: int) -> Iterator[str]:
    # In a wrapped cell the other word for the end of a row would only end a line.
    end = r" \tabularnewline" if block[-1].wraps else r" \\"
    for row in range(rows):
        yield " & ".join(column.cell(row) for column in block) + end


def _notes(table: Table) -> Iterator[str]:
    if table.notes:
        yield r"\sloppy"  # rather wide spaces than words in the margin
    for note in table.notes:
        yield rf"\noindent {_breakable(note)}\par"
