"""The screen Results: tables and plots of runs, filtered, sorted, compared, exported."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.timer import Timer
from textual.widgets import Input, OptionList, Static

from relaybench.domain.errors import RelaybenchError, StoreError
from relaybench.reports.filters import Filters
from relaybench.tui.messages import OpenResults, OpenTarget
from relaybench.tui.results.choices import Choices
from relaybench.tui.results.keys import EXPLAINS, KEYS
from relaybench.tui.results.lists import FilterList, RunList, TickList, kept_words, toggled
from relaybench.tui.results.plot_view import PlotView
from relaybench.tui.results.results_table import ResultsTable
from relaybench.tui.results.run_rows import RunEntry, entry_of, fitting, headline
from relaybench.tui.results.selection import Selection
from relaybench.tui.results.shelf import LIVE_S, OF_MODELS, Known, Shelf, Shown, Tab
from relaybench.tui.showing import line
from relaybench.tui.widgets.empty import Empty
from relaybench.tui.widgets.pane import Pane
from relaybench.tui.work_screen import WorkScreen, reason

if TYPE_CHECKING:
    from relaybench.tui.desk import Desk


#: Seconds in which a screen is drawn.
_PAINT_S: Final = 0.05


class ResultsScreen(WorkScreen):
    """The screen Results."""

    MODE: ClassVar[str] = "results"
    CSS_PATH = "results.tcss"
    EXPLAINS: ClassVar[str] = EXPLAINS
    BINDINGS: ClassVar[list[BindingType]] = KEYS

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.shelf = Shelf(desk.workspace)
        self.entries: list[RunEntry] = []
        self.selection = Selection()
        self.shown: Shown | None = None
        self.known: Known | None = None
        self._known_of: tuple[str, ...] | None = None
        self._read_at = 0.0
        self._later: Timer | None = None

    def compose_work(self) -> ComposeResult:
        """Runs and filters; headline, tabs, views, and one of table, plot, words."""
        with Horizontal(id="room"):
            yield Vertical(id="side")
            with Vertical(id="main"):
                yield Static(id="headline", markup=False)
                yield Choices(id="tabs")
                yield Choices(id="views")
                yield ResultsTable(id="table")
                yield PlotView(id="plot")
                yield Empty("Reading …", id="said")

    def on_mount(self) -> None:
        """Tabs are there at once; what they hold is read in a thread."""
        tabs = [(each.value, each.value.capitalize()) for each in Tab]
        self.query_one("#tabs", Choices).offer(tabs, self.selection.tab)
        self.query_one("#views", Choices).offer([], "")
        self._show_one("#said")
        self.desk.results_changed.subscribe(self, lambda _: self._changed())
        self.query_one("#tabs").focus()

    def on_screen_resume(self) -> None:
        """Look for what changed while another screen was shown, once this one stands.

        Work in a thread slows the loop down, so that it waits until the screen is drawn.
        """
        self._load_soon(_PAINT_S)

    def open_target(self, target: OpenTarget) -> None:
        """Show a run that another screen names."""
        if isinstance(target, OpenResults) and target.run is not None:
            self.selection.look_at([target.run])
            self.load()

    # What is read

    def _changed(self) -> None:
        """Something was written: look at it soon, but not all the time."""
        if not self.is_current:
            return  # it looks by itself when it is shown again
        self._load_soon(max(self._read_at + LIVE_S - time.monotonic(), _PAINT_S))

    def _load_soon(self, wait_s: float) -> None:
        if self._later is None:
            self._later = self.set_timer(wait_s, self._load_later)

    def _load_later(self) -> None:
        self._later = None
        self.load()

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """Read the list of runs, then what is to be shown."""
        await self._mount_lists()
        if self.shelf.workspace != self.desk.workspace:  # the demo's results, or the user's again
            self.shelf, self.selection = Shelf(self.desk.workspace), Selection()
            self.query_one("#tabs", Choices).choose(self.selection.tab)
            self._known_of = None
        try:
            self.entries = await asyncio.to_thread(_entries, self.shelf)
        except StoreError as error:
            self.entries = []
            if await asyncio.to_thread(self.desk.workspace.database.is_file):
                self.notice(reason(error), "error")
        except (RelaybenchError, OSError) as error:
            self.entries = []
            self.notice(f"Results: {reason(error)}", "error")
        self.selection.there_are([each.name for each in self.entries])
        self._list_runs()
        self._read_at = time.monotonic()
        self.show(now=True)

    async def _mount_lists(self) -> None:
        """Put the lists at the left: after the first paint, so that this comes sooner."""
        side = self.query_one("#side")
        if not side.children:
            words = Input(placeholder="/ to filter", id="words")
            runs, only = Pane("Runs", id="runs-pane"), Pane("Only", id="only-pane")
            await side.mount(runs, only)
            await runs.mount(words, RunList(id="runs"))
            await only.mount(FilterList(id="only"))

    def _list_runs(self) -> None:
        words = self.query_one("#words", Input).value
        found = fitting(self.entries, words)
        self.query_one(RunList).show(found, self.selection.runs)
        pane = self.query_one("#runs-pane", Pane)
        pane.call_it("Runs", f"{len(found)} of {len(self.entries)}" if words else "")

    @work(exclusive=True, group="show")
    async def show(self, *, now: bool = False) -> None:
        """Make what the screen is set to in a thread, and show it."""
        if not self.selection.runs:
            self._show_empty()
            return
        asked = self.selection.asked
        self._say_headline("reading …")
        if self.shown is None or self.shown.asked.tab is not asked.tab:
            self.query_one("#said", Empty).say("Reading …")
            self._show_one("#said")
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
        except (RelaybenchError, OSError):
            known = Known((), (), ())  # the tab has said why
        if runs == self.selection.runs:
            self._known_of, self.known = runs, known
            self.query_one(FilterList).show(known, self.selection.filters)

    # What is shown

    async def _show(self, shown: Shown) -> None:
        self.shown = shown
        views = [(each, each) for each in shown.views]
        self.query_one("#views", Choices).offer(views, shown.view)
        if shown.table is not None:
            self._show_one("#table")
            await self.query_one(ResultsTable).show(shown.table)
        elif shown.figure is not None:
            from relaybench.tui.results.plots import Plot  # loaded with the figure, in a thread

            self._show_one("#plot")
            self.query_one(PlotView).show(Plot(shown.view), shown.figure)
        else:
            self.query_one("#said", Empty).say("Nothing to show here", shown.said)
            self._show_one("#said")

    def _show_empty(self) -> None:
        self.shown = None
        self.query_one("#views", Choices).offer([], "")
        self.query_one("#said", Empty).say(
            "No results yet",
            "Start a run (F4), or import answers: relaybench import FILE.\n"
            "To see what this screen shows, run the demo on the simulator: ctrl+p, Demo.",
        )
        self._show_one("#said")
        self.query_one("#headline", Static).update("")

    def _show_one(self, wanted: str) -> None:
        """Show the table, the plot or words; the focus never stays on what is hidden."""
        lost = False
        for each in ("#table", "#plot", "#said"):
            widget = self.query_one(each)
            if each != wanted and widget.has_focus_within:
                lost = True
            widget.display = each == wanted
        if lost:
            self.action_tables()

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

    @on(TickList.Ticked, "#runs")
    def _tick_run(self, event: TickList.Ticked) -> None:
        self._tick(event.key)

    def _tick(self, name: str) -> None:
        """Put a run to the others, or take it away."""
        self.selection.tick(name)
        self._other_runs()

    def _other_runs(self) -> None:
        self._known_of = None
        self._list_runs()
        self.show()

    @on(OptionList.OptionSelected, "#runs")
    def _run_selected(self, event: OptionList.OptionSelected) -> None:
        name = event.option.id or ""
        if self.query_one(RunList).clicked(on_box=True):
            self._tick(name)
            return
        self.selection.look_at([name])
        self._other_runs()
        self.action_tables()

    @on(TickList.Ticked, "#only")
    def _tick_filter(self, event: TickList.Ticked) -> None:
        self._filter(toggled(self.selection.filters, event.key))

    @on(OptionList.OptionSelected, "#only")
    def _filter_selected(self, event: OptionList.OptionSelected) -> None:
        self._filter(toggled(self.selection.filters, event.option.id or ""))

    def _filter(self, filters: Filters) -> None:
        self.selection.filters = filters
        if self.known is not None:
            self.query_one(FilterList).show(self.known, filters)
        self.show()

    @on(Input.Changed, "#words")
    def _words_changed(self) -> None:
        self._list_runs()

    @on(Input.Submitted, "#words")
    def _words_entered(self) -> None:
        self.query_one(RunList).focus()

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
        self.query_one("#side").remove_class("-open")
        if self.query_one("#table").display:
            self.query_one(ResultsTable).rows.focus()
        elif self.query_one("#plot").display:
            self.query_one(PlotView).focus()
        else:
            self.query_one("#tabs").focus()

    def action_runs(self) -> None:
        """To the list of runs."""
        self.query_one("#side").add_class("-open")
        self.query_one(RunList).focus()

    def action_filter(self) -> None:
        """To the list of what to keep."""
        self.query_one("#side").add_class("-open")
        self.query_one(FilterList).focus()

    def action_words(self) -> None:
        """To the field that filters the runs."""
        self.query_one("#side").add_class("-open")
        self.query_one("#words").focus()

    def action_keep_all(self) -> None:
        """Keep all sets, domains and models."""
        if self.selection.filters != Filters():
            self._filter(Filters())

    def action_tab(self, by: int) -> None:
        """The next or previous tab."""
        self.query_one("#tabs", Choices).action_step(by)

    def action_view(self, by: int) -> None:
        """The next or previous view of the tab."""
        self.query_one("#views", Choices).action_step(by)

    def action_answers(self) -> None:
        """Show or hide the most common wrong answers in the list of items."""
        self.selection.answers = not self.selection.answers
        if self.selection.tab is Tab.ITEMS:
            self.show()
        else:
            self.query_one("#tabs", Choices).choose(Tab.ITEMS)

    @work(exclusive=True, group="dialog")
    async def action_sort(self) -> None:
        """Ask for a column and sort by it."""
        from relaybench.tui.results.sorting import pick_column

        if self.query_one("#table").display:
            await pick_column(self.query_one(ResultsTable), self.app)
        else:
            self.notice("A plot has its own order; tables can be sorted.")

    @work(exclusive=True, group="dialog")
    async def action_compare(self) -> None:
        """Choose models and compare them on the same items."""
        from relaybench.tui.results.asking import compared_models

        chosen = await compared_models(self)
        if chosen is None:
            return
        self.selection.compare(chosen)
        if self.selection.tab is Tab.COMPARE:
            self.show()
        else:
            self.query_one("#tabs", Choices).choose(Tab.COMPARE)

    @work(exclusive=True, group="dialog")
    async def action_export(self) -> None:
        """Ask what to write where, and write it."""
        from relaybench.tui.results.asking import export

        await export(self)


def _load_dialogs() -> None:
    """Import the dialogs, so that to open one is quick."""
    import relaybench.tui.results.asking
    import relaybench.tui.results.sorting  # noqa: F401


def _entries(shelf: Shelf) -> list[RunEntry]:
    """The runs, oldest first. Raises StoreError where there is no results file."""
    from relaybench.workbench.reporting import runs

    return [entry_of(each) for each in runs(shelf.workspace)]
