"""The attempts behind a row of a table: to look through, the wrong ones first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from relaybench.domain.errors import RelaybenchError
from relaybench.tui.dialogs.dialog import Dialog
from relaybench.tui.results.results_table import ResultsTable
from relaybench.tui.results.sorting import pick_column
from relaybench.tui.results.table_view import ordered
from relaybench.tui.showing import line, running

if TYPE_CHECKING:
    from relaybench.reports.tables import Table

_NONE: Final = (
    "No attempt yet: its cells are open. Answer those of a manual model on Manual (F7); "
    "go on with the run on Run (F4)."
)


@dataclass(frozen=True, slots=True)
class Picked:
    """An attempt to open, and all that stand in the list, in its order."""

    attempt: int
    among: tuple[int, ...]


class PickAttempt(Dialog[Picked | None]):
    """A list of attempts; enter opens one, with the others to step through."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "Close", id="attempts.leave", tooltip="Back to the results"),
        Binding("s", "sort", "Sort", id="attempts.sort", tooltip="Sort by a column"),
    ]

    def __init__(self, what: str, read: Callable[[], Table]) -> None:
        super().__init__()
        self._what, self._read = what, read

    def compose(self) -> ComposeResult:
        """What it is of, the list, what to do."""
        with Vertical(classes="dialog -large"):
            yield Static(line(f"Reading the attempts of {self._what} …"), id="state")
            yield ResultsTable()
            yield Static(line("Enter: open · s: sort · Esc: back", "$text-muted"))

    def on_mount(self) -> None:
        """Read them."""
        self.read()

    @work(exclusive=True, group="attempts")
    async def read(self) -> None:
        """Read the attempts in a thread and show them."""
        state = self.query_one("#state", Static)
        try:
            table = await asyncio.to_thread(self._read)
        except (RelaybenchError, OSError) as error:
            state.update(line(str(error), "$text-error"))
            return
        if not table.rows:
            state.update(running(_NONE))
            return
        state.add_class("hidden")
        view = self.query_one(ResultsTable)
        await view.show(table)
        view.rows.focus()

    def on_results_table_row_chosen(self, message: ResultsTable.RowChosen) -> None:
        """Open it."""
        table = message.table
        numbers = {place: table.value(place, "attempt") for place in range(len(table.rows))}
        order = ordered(table, self.query_one(ResultsTable).order)
        among = tuple(int(str(numbers[place])) for place in order)
        self.dismiss(Picked(int(str(numbers[message.row])), among))

    @work(exclusive=True, group="sort")
    async def action_sort(self) -> None:
        """Ask for a column and sort by it."""
        await pick_column(self.query_one(ResultsTable), self.app)

    def action_leave(self) -> None:
        """Back."""
        self.dismiss(None)
