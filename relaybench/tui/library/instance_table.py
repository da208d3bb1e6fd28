"""The instances of a class as a table, edited in place."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import ClassVar

from rich.cells import cell_len
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.message import Message

from relaybench.domain.literal import visible
from relaybench.domain.problem import ProblemClass
from relaybench.tui.library.changes import cell, columns
from relaybench.tui.widgets.fitting import fitted
from relaybench.tui.widgets.lines_view import LinesView, Piece

#: Cells of the widest column, and how many rows are looked at to find a column's width.
_WIDEST = 34
_SAMPLE = 200
#: To how many cells a column of data gives way to the others.
_NARROWEST = 8
_NO_DATA = "·"


class InstanceTable(LinesView):
    """One row an instance, one column each for id, data, answer and status."""

    HEAD: ClassVar[int] = 1
    draws_cursor: ClassVar[bool] = True
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            replace(
                each,
                id=(each.id or "").replace("lines.", "table."),
                key=each.key.removeprefix("home,").removeprefix("end,"),
            )
            for each in LinesView.BINDINGS
            if isinstance(each, Binding)
        ),
        Binding("home", "sideways(-1000000)", "First column", show=False, id="table.first-column",
                tooltip="To the first column: the id"),
        Binding("end", "sideways(1000000)", "Last column", show=False, id="table.last-column",
                tooltip="To the last column: the status"),
        Binding("left,h", "sideways(-1)", "Left", show=False, id="table.left",
                tooltip="One column to the left"),
        Binding("right,l", "sideways(1)", "Right", show=False, id="table.right",
                tooltip="One column to the right"),
        Binding("n", "screen.new_instance", "New", id="library.new-instance",
                tooltip="Add an instance"),
        Binding("d", "screen.duplicate", "Copy", id="library.duplicate-instance",
                tooltip="Copy the instance below itself, as a draft"),
        Binding("r", "screen.rename", "Rename", show=False, id="library.rename-instance",
                tooltip="Rename the instance; composites that use it follow"),
        Binding("t", "screen.retire", "Retire", show=False, id="library.retire-instance",
                tooltip="Retire the instance; again: back to draft"),
        Binding("x,delete", "screen.remove", "Remove", show=False, id="library.remove-instance",
                tooltip="Remove the instance; not while a composite uses it"),
    ]  # fmt: skip
    # At once and in their order: a cell that opens must have the keys before the next one comes.
    BINDINGS = [replace(each, priority=True) for each in BINDINGS if isinstance(each, Binding)]

    class Edit(Message):
        """The cell of the cursor is to be edited."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._problem: ProblemClass | None = None
        self._columns: list[str] = []
        self._natural: list[int] = []
        self._widths: list[int] = []
        self._wrong: Collection[tuple[int, str]] = ()
        self.column = 0

    @property
    def line_count(self) -> int:
        """How many instances there are."""
        return len(self._problem.instances) if self._problem else 0

    @property
    def line_width(self) -> int:
        """Cells of all columns."""
        return sum(self._widths) + 2 * len(self._widths) + 1

    def show(self, problem: ProblemClass | None) -> None:
        """Show the instances of another class, or of the same one changed."""
        here = self._columns[self.column] if self._columns else "id"
        self._problem = problem
        self._columns = columns(problem) if problem else []
        self._natural = [self._width(each) for each in self._columns]
        self._fit()
        at = self._columns.index(here) if here in self._columns else self.column
        self.column = max(min(at, len(self._columns) - 1), 0)
        self.lines_changed()

    def on_resize(self) -> None:
        """Columns of data give way where there is not room for all."""
        self._fit()
        self.lines_changed()

    def _fit(self) -> None:
        """Take from the widest columns of data until all stand in the view, if that can be."""
        widths = list(self._natural)
        data = [n for n, each in enumerate(self._columns) if each.startswith("data.")]
        room = self.size.width - 1 - 2 * len(widths)
        while data and sum(widths) > room > 0:
            widest = max(data, key=lambda n: widths[n])
            if widths[widest] <= _NARROWEST:
                break
            widths[widest] -= 1
        self._widths = widths

    def mark(self, wrong: Collection[tuple[int, str]]) -> None:
        """Mark cells that something is found in: rows from 0 with a column, "" for the row."""
        self._wrong = wrong
        self.refresh()

    def _width(self, column: str) -> int:
        rows = self._problem.instances[:_SAMPLE] if self._problem else ()
        widest = max(
            (cell_len(visible((cell(row, column) or "").strip()[:80])) for row in rows), default=0
        )
        return max(min(widest, _WIDEST), cell_len(_title(column)), 6)

    def head_at(self, number: int) -> list[Piece]:
        """Names of the columns."""
        pieces: list[Piece] = [(" ", "")]
        for index, (column, width) in enumerate(zip(self._columns, self._widths, strict=True)):
            here = index == self.column and self.has_focus
            pieces.append((fitted(_title(column), width), "here" if here else ""))
            pieces.append(("  ", ""))
        return pieces

    def line_at(self, number: int) -> list[Piece]:
        """An instance: a cell that something is found in has a ✗ before it."""
        assert self._problem is not None
        instance = self._problem.instances[number]
        here = number == self.cursor
        found = {column for row, column in self._wrong if row == number}
        pieces: list[Piece] = [("✗" if "" in found else " ", "error")]
        retired = instance.status.value == "retired"
        for index, (column, width) in enumerate(zip(self._columns, self._widths, strict=True)):
            value = cell(instance, column)
            wrong = column in found
            text = _NO_DATA if value is None else visible(value.strip()[:400])
            style = "error" if wrong else "muted" if retired or value is None else ""
            if here:
                style = self.cursor_style if index == self.column else "away"
            mark = "✗" if wrong else ""
            pieces.append((fitted(mark + text, width), style))
            pieces.append(("  ", "away" if here else ""))
        return pieces

    def _left_of(self, index: int) -> int:
        return 1 + sum(self._widths[:index]) + 2 * index

    def action_sideways(self, by: int) -> None:
        """Move the cursor to another column."""
        self.go_to_cell(self.cursor, self.column + by)

    def go_to_cell(self, row: int, column: int | str) -> None:
        """Put the cursor on a cell; a column that there is none of is the first."""
        if isinstance(column, str):
            column = self._columns.index(column) if column in self._columns else 0
        self.column = max(min(column, len(self._columns) - 1), 0)
        self.go_to(row)
        if self._widths:
            self.reveal(self._left_of(self.column) - 1, self._widths[self.column] + 2)
        self.refresh()

    @property
    def column_name(self) -> str:
        """The column of the cursor, as ``changes`` names it."""
        return self._columns[self.column]

    @property
    def cell_region(self) -> Region:
        """Where the cell of the cursor stands in the view."""
        return self.region_of(self.cursor, self._left_of(self.column), self._widths[self.column])

    def next_cell(self, fits: Callable[[int, str], bool]) -> bool:
        """Go on to the next cell that fits, in the next row after the last of this one.

        False where there is none: the cursor then stands on the last cell of its row.
        """
        later = [(self.cursor, each) for each in self._columns[self.column + 1 :]]
        if self.cursor + 1 < self.line_count:
            later += [(self.cursor + 1, each) for each in self._columns]
        for row, column in later:
            if fits(row, column):
                self.go_to_cell(row, column)
                return True
        self.go_to_cell(self.cursor, len(self._columns) - 1)
        return False

    def action_choose(self) -> None:
        """Edit the cell of the cursor."""
        if self.line_count:
            self.go_to_cell(self.cursor, self.column)
            self.post_message(self.Edit())

    def clicked(self, number: int, x: int) -> bool:
        """A click moves to a cell; one on the cell of the cursor edits it."""
        lefts = [self._left_of(index) for index in range(len(self._columns))]
        index = max((n for n, left in enumerate(lefts) if left <= x), default=0)
        if (number, index) == (self.cursor, self.column) and self.has_focus:
            self.action_choose()
        else:
            self.go_to_cell(number, index)
        return True


def _title(column: str) -> str:
    name = column.removeprefix("data.")
    return column if name == column else f"{{{{{visible(name)}}}}}"
