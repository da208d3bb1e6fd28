"""The screen Results: tables and plots of runs, filtered, sorted, compared, exported."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static
from textual.worker import WorkerCancelled

from relaybench.domain.errors import RelaybenchError, StoreError
from relaybench.reports.filters import Filters
from relaybench.tui.messages import OpenResults, OpenTarget
from relaybench.tui.results.keys import EXPLAINS, KEYS
from relaybench.tui.results.lists import kept_words, toggled
from relaybench.tui.results.results_table import ResultsTable
from relaybench.tui.results.run_rows import RunEntry, headline
from relaybench.tui.results.selection import Selection
from relaybench.tui.results.shelf import LIVE_S, OF_MODELS, Known, Shelf, Shown, Tab
from relaybench.tui.results.side import Side
from relaybench.tui.results.stage import Stage
from relaybench.tui.results_reader import CANNOT_READ, ResultsReader, once_read
from relaybench.tui.showing import line
from relaybench.tui.widgets.choices import Choices

if TYPE_CHECKING:
    from relaybench.tui.desk import Desk


class ResultsScreen(ResultsReader):
    """The screen Results."""

    MODE: ClassVar[str] = "results"
    CSS_PATH = "results.tcss"
    EXPLAINS: ClassVar[str] = EXPLAINS
    READ_AFTER_S: ClassVar[float] = LIVE_S
    BINDINGS: ClassVar[list[BindingType]] = KEYS

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.shelf = Shelf(desk.workspace)
        self.entries: list[RunEntry] = []
        self.selection = Selection()
        self.shown: Shown | None = None
        self.known: Known | None = None
        self._known_of: tuple[str, ...] | None = None

    def compose_work(self) -> ComposeResult:
        """Runs and filters; headline, tabs, views, and one of table, plot, words."""
        with Horizontal(id="room"):
            yield Side(id="side")
            with Vertical(id="main"):
                yield Static(id="headline", markup=False)
                yield Choices(id="tabs")
                yield Choices(id="views")
                yield Stage(id="stage")

    def on_mount(self) -> None:
        """Tabs are there at once; what they hold is read in a thread."""
        tabs = [(each.value, each.value.capitalize()) for each in Tab]
        self.query_one("#tabs", Choices).offer(tabs, self.selection.tab)
        self.query_one("#views", Choices).offer([], "")
        self.query_one("#tabs").focus()

    def read_again(self) -> None:
        """Read the list of runs, and what is shown of them."""
        self.load()

    def open_target(self, target: OpenTarget) -> None:
        """Show a run that another screen names."""
        if isinstance(target, OpenResults) and target.run is not None:
            self.selection.look_at([target.run])
            self.load()

    # What is read

    @property
    def side(self) -> Side:
        """The lists at the left."""
        return self.query_one(Side)

    @property
    def stage(self) -> Stage:
        """What is shown."""
        return self.query_one(Stage)

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """Read the list of runs, then what is to be shown."""
        self.stale = False
        if self.shelf.workspace != self.desk.workspace:  # the demo's results, or the user's again
            self.shelf, self.selection = Shelf(self.desk.workspace), Selection()
            self.query_one("#tabs", Choices).choose(self.selection.tab)
            self._known_of = None
        with self.reading(self.shelf.workspace, whole=False):
            self.entries = await asyncio.to_thread(self.shelf.runs)
            self.selection.there_are([each.name for each in self.entries])
            await self.side.show_runs(self.entries, self.selection.runs)
            with contextlib.suppress(WorkerCancelled):  # the user has gone on to another tab
                await self.show(now=True).wait()

    @work(exclusive=True, group="show")
    async def show(self, *, now: bool = False) -> None:
        """Make what the screen is set to in a thread, and show it."""
        if not self.selection.runs and self.fault:
            self.show_fault()
            return
        with self.reading(self.shelf.workspace):
            await self._show_asked(now)

    async def _show_asked(self, now: bool) -> None:
        if not self.selection.runs:
            self._show_empty()
            return
        asked = self.selection.asked
        self._say_headline("reading …")
        if self.shown is None or self.shown.asked.tab is not asked.tab:
            self.stage.say("Reading …")
        shown = await asyncio.to_thread(self.shelf.make, asked, now=now)
        if asked != self.selection.asked:
            return
        await self._show(shown)
        self._say_headline()
        await self.learn()

    async def learn(self) -> None:
        """Find out what there is to keep, once for each choice of runs; load what is asked with."""
        await asyncio.to_thread(_load_dialogs)
        if self._known_of == self.selection.runs:
            return
        runs = self.selection.runs
        try:
            known = await asyncio.to_thread(self.shelf.known, runs)
        except (StoreError, OSError):
            return  # it is read again soon
        except RelaybenchError:
            known = Known((), (), ())  # the tab has said why
        if runs == self.selection.runs:
            self._known_of, self.known = runs, known
            await self.side.show_known(known, self.selection.filters)

    # What is shown

    async def _show(self, shown: Shown) -> None:
        self.shown = shown
        views = [(each, each) for each in shown.views]
        self.query_one("#views", Choices).offer(views, shown.view)
        await self.stage.show(shown)

    def _show_empty(self) -> None:
        self.shown = None
        self.query_one("#views", Choices).offer([], "")
        self.stage.say(
            "No results yet",
            "Start a run (F4), or import answers: relaybench import FILE.\n"
            "To see what this screen shows, run the demo on the simulator: ^p, Demo.",
        )
        self.query_one("#headline", Static).update("")

    def show_fault(self) -> None:
        """Say in place of tables that there is nothing to be read; the lists stay as they were."""
        self.shown = None
        self.query_one("#views", Choices).offer([], "")
        self.stage.say(CANNOT_READ, self.told)
        self._say_headline()

    def _say_headline(self, state: str = "") -> None:
        parts = [
            headline(self.entries, self.selection.runs),
            kept_words(self.selection.filters),
            state,
        ]
        text = " · ".join(part for part in parts if part)
        self.query_one("#headline", Static).update(line(text))

    # What the user does

    @on(Choices.Chosen, "#tabs")
    def _other_tab(self, event: Choices.Chosen) -> None:
        self.selection.tab = Tab(event.key)
        self.show()

    @on(Choices.Chosen, "#views")
    def _other_view(self, event: Choices.Chosen) -> None:
        self.selection.view(event.key)
        self.show()

    async def on_side_run_chosen(self, message: Side.RunChosen) -> None:
        """Look at a run, or put it to the others."""
        if message.alone:
            self.selection.look_at([message.name])
        else:
            self.selection.tick(message.name)
        self._known_of = None
        await self.side.show_runs(self.entries, self.selection.runs)
        self.show()
        if message.alone:
            self.action_tables()

    async def on_side_filter_turned(self, message: Side.FilterTurned) -> None:
        """Keep other ones."""
        await self._filter(toggled(self.selection.filters, message.key))

    async def _filter(self, filters: Filters) -> None:
        self.selection.filters = filters
        if self.known is not None:
            await self.side.show_known(self.known, filters)
        self.show()

    def on_click(self, event: events.Click) -> None:
        """A click beside the lists takes them away from over the tables."""
        if event.widget is not None and self.query_one("#main") in event.widget.ancestors:
            self.side.close()

    def on_results_table_row_chosen(self, message: ResultsTable.RowChosen) -> None:
        """List the attempts behind a row."""
        table = message.table
        if table.name in OF_MODELS:
            self.list_attempts(model=str(table.value(message.row, "model")))
        elif table.name == "items":
            self.list_attempts(item=str(table.value(message.row, "item")))

    @work(exclusive=True, group="dialog")
    async def list_attempts(self, *, model: str | None = None, item: str | None = None) -> None:
        """Show the attempts of a model or at an item, and open the one that is chosen."""
        from relaybench.tui.results.asking import open_attempt

        await open_attempt(self, model, item)

    def action_tables(self) -> None:
        """To the table, plot or words; lists that lie over them go."""
        self.side.close()
        if not self.stage.take_focus():
            self.query_one("#tabs").focus()

    @once_read
    async def action_side(self, part: str) -> None:
        """To the list of runs, that of what to keep, or the words for runs; from there back."""
        if not await self.side.go_to(part):
            self.action_tables()

    async def action_keep_all(self) -> None:
        """Keep all sets, domains and models."""
        if self.selection.filters != Filters():
            await self._filter(Filters())

    def action_tab(self, by: int) -> None:
        """The next or previous tab."""
        self.query_one("#tabs", Choices).action_step(by)

    def action_view(self, by: int) -> None:
        """The next or previous view of the tab."""
        self.query_one("#views", Choices).action_step(by)

    def action_answers(self) -> None:
        """Show or hide the most common wrong answers in the list of items."""
        self.selection.answers = not self.selection.answers
        self._go_to_tab(Tab.ITEMS)

    @once_read
    @work(exclusive=True, group="dialog")
    async def action_sort(self) -> None:
        """Ask for a column and sort by it."""
        from relaybench.tui.results.sorting import pick_column

        if self.stage.table is not None:
            await pick_column(self.stage.table, self.app)
        else:
            self.notice("A plot has its own order; tables can be sorted.")

    @once_read
    @work(exclusive=True, group="dialog")
    async def action_compare(self) -> None:
        """Choose models and compare them on the same items."""
        from relaybench.tui.results.asking import compared_models

        chosen = await compared_models(self)
        if chosen is not None:
            self.selection.compare(chosen)
            self._go_to_tab(Tab.COMPARE)

    def _go_to_tab(self, tab: Tab) -> None:
        """Show a tab, anew where it is in front already."""
        if self.selection.tab is tab:
            self.show()
        else:
            self.query_one("#tabs", Choices).choose(tab)

    @once_read
    @work(exclusive=True, group="dialog")
    async def action_export(self) -> None:
        """Ask what to write where, and write it."""
        from relaybench.tui.results.asking import export

        await export(self)


def _load_dialogs() -> None:
    """Import the dialogs, so that to open one is quick."""
    import relaybench.tui.results.asking
    import relaybench.tui.results.sorting  # noqa: F401
