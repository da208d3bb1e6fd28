"""The table of instances with the line in which a cell is edited."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.message import Message
from textual.widgets import Input

from relaybench.domain.problem import ProblemClass
from relaybench.tui.library.changes import cell
from relaybench.tui.library.instance_table import InstanceTable
from relaybench.tui.widgets.empty import Empty
from relaybench.tui.widgets.pane import Pane

#: Cells of the narrowest line to edit in.
_NARROWEST = 18


class CellInput(Input):
    """Edits one cell where it stands. Enter and Tab take it, Esc leaves it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "take_and_go_on", "Next cell", show=False, id="edit-cell.next",
                tooltip="Take it and edit the next cell"),
        Binding("escape", "leave", "Leave", show=False, id="edit-cell.leave",
                tooltip="Leave the cell as it was"),
        Binding("ctrl+j", "more_lines", "More lines", show=False, id="edit-cell.more-lines",
                tooltip="Edit it in a window, with lines"),
    ]  # fmt: skip

    class Ended(Message):
        """Editing came to an end; ``text`` is None where the cell stays as it was."""

        def __init__(self, text: str | None, *, go_on: bool = False, in_window: bool = False):
            super().__init__()
            self.text, self.go_on, self.in_window = text, go_on, in_window

    async def action_submit(self) -> None:
        """Take it."""
        self.post_message(self.Ended(self.value))

    def action_take_and_go_on(self) -> None:
        """Take it, and edit the next cell."""
        self.post_message(self.Ended(self.value, go_on=True))

    def action_leave(self) -> None:
        """Leave the cell as it was."""
        self.post_message(self.Ended(None))

    def action_more_lines(self) -> None:
        """Go on in a window."""
        text = f"{self.value[: self.cursor_position]}\n{self.value[self.cursor_position :]}"
        self.post_message(self.Ended(text, in_window=True))

    def on_blur(self) -> None:
        """What was typed is taken when the keys go elsewhere."""
        self.post_message(self.Ended(self.value))

    def _on_paste(self, event: events.Paste) -> None:
        text = event.text.strip("\r\n")
        if "\n" not in text and "\r" not in text:
            super()._on_paste(event)
            return
        event.prevent_default()
        event.stop()
        at = self.cursor_position
        lines = "\n".join(text.splitlines())
        self.post_message(self.Ended(self.value[:at] + lines + self.value[at:], in_window=True))


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
        """A cell is to be changed that has no text of its own, such as the status."""

        def __init__(self, path: Path, row: int, column: str) -> None:
            super().__init__()
            self.path, self.row, self.column = path, row, column

    def __init__(self, *, id: str) -> None:
        super().__init__("Instances", id=id, classes="work")
        self._problem: ProblemClass | None = None
        self._path = Path()
        self._cell: tuple[Path, int, str] | None = None

    def compose(self) -> ComposeResult:
        """Table, what stands there without any, and the line to edit in."""
        yield InstanceTable(id="table")
        yield Empty("No instances yet", "Press n in this table to add one.")
        yield CellInput(id="cell", compact=True, select_on_focus=True)

    @property
    def table(self) -> InstanceTable:
        """The table."""
        return self.query_one(InstanceTable)

    def show(self, path: Path, problem: ProblemClass | None) -> None:
        """Show the instances of the class kept at ``path``."""
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
        self.edit_cell(event.row, event.column, event.region)

    def edit_cell(self, row: int, column: str, region: Region) -> None:
        """Edit a cell in place, or ask for a window or another way where that fits better."""
        assert self._problem is not None
        if column in ("id", "status"):
            self.post_message(self.Picked(self._path, row, column))
            return
        value = cell(self._problem.instances[row], column) or ""
        if "\n" in value or "\r" in value or len(value) > 200:
            self.post_message(self.WindowAsked(self._path, row, column, value))
            return
        self._cell = (self._path, row, column)
        field = self.query_one(CellInput)
        width = min(max(region.width, _NARROWEST), self.content_size.width)
        x = max(min(region.x, self.content_size.width - width), 0)
        field.styles.width = width
        field.styles.offset = (x, region.y)
        field.value = value
        field.display = True
        field.focus()
        field.select_all()

    @on(CellInput.Ended)
    def _ended(self, event: CellInput.Ended) -> None:
        event.stop()
        if self._cell is None:
            return
        path, row, column = self._cell
        self._cell = None
        field = self.query_one(CellInput)
        had_focus = field.has_focus
        field.display = False
        if had_focus:
            self.table.focus()
        if event.in_window and event.text is not None:
            self.post_message(self.WindowAsked(path, row, column, event.text))
        elif event.text is not None:
            self.post_message(self.CellTyped(path, row, column, event.text))
        if event.go_on:
            self.table.next_cell()
            self.call_after_refresh(self.table.action_choose)
