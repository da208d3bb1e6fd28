"""A sheet of cells: texts that know how wide they are, and lines that join into box characters."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from rich.cells import cell_len, set_cell_size

from relaybench.domain.literal import visible
from relaybench.tui.composer.graph_values import Part, Run

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
_LINES: Final = {
    UP: "│",
    DOWN: "│",
    UP | DOWN: "│",
    LEFT: "─",
    RIGHT: "─",
    LEFT | RIGHT: "─",
    DOWN | RIGHT: "┌",
    DOWN | LEFT: "┐",
    UP | RIGHT: "└",
    UP | LEFT: "┘",
    UP | DOWN | RIGHT: "├",
    UP | DOWN | LEFT: "┤",
    DOWN | LEFT | RIGHT: "┬",
    UP | LEFT | RIGHT: "┴",
    UP | DOWN | LEFT | RIGHT: "┼",
}


def fitted(text: str, room: int) -> str:
    """A text made literal, on one line, cut to that many cells."""
    shown = visible(text)
    if cell_len(shown) <= room:
        return shown
    return set_cell_size(shown, room - 1).rstrip() + "…" if room > 0 else ""


@dataclass(slots=True)
class Canvas:
    """Cells that grow as they are written on."""

    _texts: dict[tuple[int, int], Run] = field(default_factory=dict)
    _lines: dict[tuple[int, int], dict[str, int]] = field(default_factory=dict)

    def write(
        self,
        x: int,
        y: int,
        text: str,
        part: Part,
        owner: str = "",
        *,
        faint: bool = False,
        wrong: bool = False,
    ) -> None:
        """Put a text, literal already, at a cell; what stands on its first cell is replaced."""
        if text:
            self._texts[x, y] = Run(text, cell_len(text), part, owner, faint, wrong)

    def line(self, x: int, y: int, directions: int, owner: str) -> None:
        """Let a line of that owner leave a cell in these directions too."""
        cell = self._lines.setdefault((x, y), {})
        cell[owner] = cell.get(owner, 0) | directions

    def down(self, x: int, top: int, bottom: int, owner: str) -> None:
        """A line through the cells of a column from row ``top`` to before row ``bottom``."""
        for y in range(top, bottom):
            self.line(x, y, UP | DOWN, owner)

    def across(self, left: int, right: int, y: int, owner: str) -> None:
        """A line from the middle of one cell of a row to the middle of another."""
        for x in range(left, right + 1):
            self.line(x, y, (LEFT if x > left else 0) | (RIGHT if x < right else 0), owner)

    def rows(self, width: int, height: int) -> tuple[tuple[Run, ...], ...]:
        """All cells as runs; texts stand before lines."""
        pieces = {place: _joined(lines) for place, lines in self._lines.items()}
        pieces.update(self._texts)
        by_row: dict[int, list[tuple[int, Run]]] = {}
        for (x, y), run in pieces.items():
            by_row.setdefault(y, []).append((x, run))
        return tuple(_row(sorted(by_row.get(y, ()), key=_place), width) for y in range(height))


def _place(piece: tuple[int, Run]) -> int:
    return piece[0]


def _joined(lines: dict[str, int]) -> Run:
    """One cell of lines. Where two cross, the one that goes down is in front."""
    owner = next((each for each, sides in lines.items() if sides == UP | DOWN), None)
    if owner is None or len(lines) == 1:
        owner = next(iter(lines))
    return Run(_LINES[lines[owner]], 1, Part.ARROW, owner)


def _row(pieces: list[tuple[int, Run]], width: int) -> tuple[Run, ...]:
    runs: list[Run] = []

    def add(run: Run) -> None:
        last = runs[-1] if runs else None
        alike = last is not None and (last.part, last.owner, last.faint, last.wrong) == (
            run.part,
            run.owner,
            run.faint,
            run.wrong,
        )
        if last is not None and alike:
            text, wide = last.text + run.text, last.width + run.width
            runs[-1] = Run(text, wide, run.part, run.owner, run.faint, run.wrong)
        else:
            runs.append(run)

    at = 0
    for x, run in pieces:
        if x < at:  # under a text that began further left
            continue
        if x > at:
            add(Run(" " * (x - at), x - at, Part.BLANK))
        add(run)
        at = x + run.width
    if at < width:
        add(Run(" " * (width - at), width - at, Part.BLANK))
    return tuple(runs)
