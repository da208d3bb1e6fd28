"""The lists at the left of the screen: runs to look at, and what to keep of them.

On a narrow screen they lie over the tables while they are open.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input, OptionList

from relaybench.reports.filters import Filters
from relaybench.tui.results.lists import FilterList, RunList, TickList
from relaybench.tui.results.run_rows import RunEntry, fitting
from relaybench.tui.results.shelf import Known
from relaybench.tui.widgets.late import Late
from relaybench.tui.widgets.pane import Pane

#: The parts that the focus may be sent to.
RUNS, ONLY, WORDS = "#runs", "#only", "#words"
#: The class that has it lie over the tables.
_OPEN: Final = "-open"


class _Runs(Pane):
    def compose(self) -> ComposeResult:
        yield Input(placeholder="/ to filter", id="words")
        yield RunList(id="runs")


class _Only(Pane):
    def compose(self) -> ComposeResult:
        yield FilterList(id="only")


class Side(Vertical):
    """Two lists, which are mounted late so that the screen is painted sooner."""

    class RunChosen(Message):
        """A run is to be shown ``alone``, or put to the others or taken from them."""

        def __init__(self, name: str, *, alone: bool) -> None:
            super().__init__()
            self.name, self.alone = name, alone

    class FilterTurned(Message):
        """Something is to be kept, or no more; ``key`` as in ``lists.toggled``."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._entries: Sequence[RunEntry] = ()
        self._chosen: Collection[str] = ()
        self._lists = Late(
            self, lambda: [_Runs("Runs", id="runs-pane"), _Only("Only", id="only-pane")]
        )

    async def mount_lists(self) -> None:
        """Put the lists there; whatever needs them asks for it."""
        await self._lists.there()

    async def show_runs(self, entries: Sequence[RunEntry], chosen: Collection[str]) -> None:
        """Show the runs in whose line the typed words stand, the chosen ones ticked."""
        self._entries, self._chosen = entries, chosen
        await self.mount_lists()
        self._list_runs()

    def _list_runs(self) -> None:
        words = self.query_one(WORDS, Input).value
        found = fitting(self._entries, words)
        self.query_one(RunList).show(found, self._chosen)
        counts = f"{len(found)} of {len(self._entries)}" if words else ""
        self.query_one("#runs-pane", Pane).call_it("Runs", counts)

    async def show_known(self, known: Known, filters: Filters) -> None:
        """Show what there is to keep, and what is kept."""
        await self.mount_lists()
        self.query_one(FilterList).show(known, filters)

    async def go_to(self, part: str) -> bool:
        """Send the focus to a part; False where that has it already."""
        await self.mount_lists()
        widget = self.query_one(part)
        if widget.has_focus:
            return False
        self.add_class(_OPEN)
        widget.focus()
        return True

    def close(self) -> None:
        """Lie over the tables no more."""
        self.remove_class(_OPEN)

    @on(Input.Changed, WORDS)
    def _words_changed(self) -> None:
        self._list_runs()

    @on(Input.Submitted, WORDS)
    def _words_entered(self) -> None:
        self.query_one(RunList).focus()

    @on(TickList.Ticked, RUNS)
    def _tick_run(self, event: TickList.Ticked) -> None:
        self.post_message(self.RunChosen(event.key, alone=False))

    @on(OptionList.OptionSelected, RUNS)
    def _run_selected(self, event: OptionList.OptionSelected) -> None:
        alone = not self.query_one(RunList).clicked(on_box=True)
        self.post_message(self.RunChosen(event.option.id or "", alone=alone))

    @on(TickList.Ticked, ONLY)
    def _tick_filter(self, event: TickList.Ticked) -> None:
        self.post_message(self.FilterTurned(event.key))

    @on(OptionList.OptionSelected, ONLY)
    def _filter_selected(self, event: OptionList.OptionSelected) -> None:
        self.post_message(self.FilterTurned(event.option.id or ""))
