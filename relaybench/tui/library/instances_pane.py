"""The table of instances with the line in which a cell is edited."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

from relaybench.domain.problem import ProblemClass
from relaybench.tui.library.changes import cell, misnamed
from relaybench.tui.library.instance_table import InstanceTable
from relaybench.tui.widgets.empty import Empty
from relaybench.tui.widgets.pane import Pane

#: Cells of the narrowest line to edit in.
_NARROWEST = 18


@dataclass(frozen=True, slots=True)
class Ending:
    """How the editing of a cell came to its end; ``text`` is None where it stays as it was."""

    text: str | None
    go_on: bool = False
    in_window: bool = False


class CellInput(Input):
    """Edits one cell where it stands. Enter and Tab take it, Esc leaves it.

    These keys count before the next one is given to anybody: whoever types fast would else type
    the next value behind this one.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "take(True)", "Next cell", id="edit-cell.next", priority=True,
                key_display="Tab", tooltip="Take it and edit the next cell"),
        Binding("enter", "take(False)", "Take", show=False, id="edit-cell.take", priority=True,
                tooltip="Take what was typed"),
        Binding("escape", "leave", "Leave", id="edit-cell.leave", priority=True,
                key_display="Esc", tooltip="Leave the cell as it was"),
        Binding("ctrl+j", "more_lines", "Lines", id="edit-cell.more-lines", key_display="^j",
                tooltip="Edit it in a window, with lines"),
    ]  # fmt: skip

    def __init__(self, ended: Callable[[Ending], None]) -> None:
        super().__init__(id="cell", compact=True, select_on_focus=True)
        self._ended = ended

    async def action_take(self, go_on: bool) -> None:
        """Take it, once the keys before this one are in it; and edit the next cell."""
        typed = asyncio.Event()
        if self.call_later(typed.set):
            await typed.wait()
        self._ended(Ending(self.value, go_on))

    def action_leave(self) -> None:
        """Leave the cell as it was."""
        self._ended(Ending(None))

    def action_more_lines(self) -> None:
        """Go on in a window."""
        text = f"{self.value[: self.cursor_position]}\n{self.value[self.cursor_position :]}"
        self._ended(Ending(text, in_window=True))

    def on_blur(self) -> None:
        """What was typed is taken when the keys go elsewhere."""
        if self.screen.focused is not self:  # they may have come back since
            self._ended(Ending(self.value))

    def _on_paste(self, event: events.Paste) -> None:
        text = event.text.strip("\r\n")
        if "\n" not in text and "\r" not in text:
            super()._on_paste(event)
            return
        event.prevent_default()
        event.stop()
        at = self.cursor_position
        lines = "\n".join(text.splitlines())
        self._ended(Ending(self.value[:at] + lines + self.value[at:], in_window=True))


class InstancesPane(Pane):
    """Instances of a class; tells of every cell that was edited."""

    DEFAULT_CSS = """
    InstancesPane { layers: base edit; }
    InstancesPane CellInput {
        layer: edit;
        position: absolute;
        height: 1;
        border: none;
        padding: 0;
        display: none;
        background: $surface-lighten-2;
    }
    InstancesPane CellInput:focus { border: none; background: $surface-lighten-2; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "edit", "Edit", id="library.edit-cell", priority=True,
                key_display="Enter", tooltip="Edit the cell; a status goes on to the next"),
    ]  # fmt: skip

    class CellTyped(Message):
        """A cell of the class kept at ``path`` says something else now."""

        def __init__(self, path: Path, row: int, column: str, text: str) -> None:
            super().__init__()
            self.path, self.row, self.column, self.text = path, row, column, text

    class WindowAsked(Message):
        """A cell is to be edited in a window, beginning with ``text``."""

        def __init__(self, path: Path, row: int, column: str, text: str) -> None:
            super().__init__()
            self.path, self.row, self.column, self.text = path, row, column, text

    class Picked(Message):
        """A cell is to be changed in another way: the next status, or another id.

        ``text`` is what was typed for an id that cannot be one.
        """

        def __init__(self, path: Path, row: int, column: str, text: str | None = None) -> None:
            super().__init__()
            self.path, self.row, self.column, self.text = path, row, column, text

    def __init__(self, *, id: str) -> None:
        super().__init__("Instances", id=id, classes="work")
        self._problem: ProblemClass | None = None
        self._path = Path()
        self._cell: tuple[Path, int, str] | None = None
        self.is_used: Callable[[str], bool] = lambda _: False  # whether composites use an id

    def compose(self) -> ComposeResult:
        """Table, what stands there without any, and the line to edit in."""
        yield InstanceTable(id="table")
        yield Empty("No instances yet", "Press n in this table to add one.")
        yield CellInput(self._ended)

    @property
    def table(self) -> InstanceTable:
        """The table."""
        return self.query_one(InstanceTable)

    def show(self, path: Path, problem: ProblemClass | None) -> None:
        """Show the instances of the class kept at ``path``."""
        if path != self._path:  # of another class: begin where one reads, not on some status
            self.table.column = 0
        self._path = path
        self._problem = problem
        none = problem is None or not problem.instances
        self.query_one(Empty).display = none
        self.table.styles.height = 1 if none else "1fr"
        self.table.show(problem)

    def mark(self, wrong: Collection[tuple[int, str]]) -> None:
        """Mark cells that something is found in."""
        self.table.mark(wrong)

    @on(InstanceTable.Edit)
    def _edit(self, event: InstanceTable.Edit) -> None:
        event.stop()
        self.action_edit()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enter edits while the table has the keys."""
        return self.screen.focused is self.table if action == "edit" else True

    def action_edit(self) -> None:
        """Edit the cell of the cursor in place, or ask for a window or another way."""
        table = self.table
        if self._problem is None or not table.line_count:
            return
        row, column = table.cursor, table.column_name
        if not self._typed_in_place(row, column):
            self._leave_field()
            self.post_message(self.Picked(self._path, row, column))
            return
        table.go_to_cell(row, column)
        value = cell(self._problem.instances[row], column) or ""
        if "\n" in value or "\r" in value or len(value) > 200:
            self._leave_field()
            self.post_message(self.WindowAsked(self._path, row, column, value))
            return
        self._cell = (self._path, row, column)
        field = self.query_one(CellInput)
        field.value = value
        field.display = True
        self.screen.set_focus(field)
        field.select_all()
        self._place()
        self.call_after_refresh(self._place)  # columns may be of another width by then

    def _typed_in_place(self, row: int, column: str) -> bool:
        """Whether a cell is typed where it stands; an id that composites use is renamed there."""
        assert self._problem is not None
        if column == "id":
            return not self.is_used(self._problem.instances[row].id)
        return column != "status"

    def _place(self) -> None:
        """Put the field over the cell of the cursor."""
        if self._cell is None:
            return
        field, region = self.query_one(CellInput), self.table.cell_region
        width = min(max(region.width, _NARROWEST), self.content_size.width)
        field.styles.width = width
        field.styles.offset = (max(min(region.x, self.content_size.width - width), 0), region.y)

    def _leave_field(self) -> None:
        """Give the keys back to the table, at once."""
        field = self.query_one(CellInput)
        if self.screen.focused is field:
            self.screen.set_focus(self.table)
        field.display = False

    def _ended(self, ending: Ending) -> None:
        """Take what was typed; Tab goes on to the next cell that is typed, never to a status."""
        if self._cell is None:
            return
        path, row, column = self._cell
        self._cell = None
        if ending.text is not None:
            self._tell(path, row, column, ending.text, in_window=ending.in_window)
        if ending.go_on and self.table.next_cell(self._typed_in_place):
            self.action_edit()
        else:
            self._leave_field()

    def _tell(self, path: Path, row: int, column: str, text: str, *, in_window: bool) -> None:
        """Tell what was typed; a text that cannot be an id is to be mended in a dialog."""
        rows = self._problem.instances if self._problem and path == self._path else ()
        others = [each.id for number, each in enumerate(rows) if number != row]
        if in_window:
            self.post_message(self.WindowAsked(path, row, column, text))
        elif column == "id" and misnamed(text, others):
            self.post_message(self.Picked(path, row, column, text))
        else:
            self.post_message(self.CellTyped(path, row, column, text))
