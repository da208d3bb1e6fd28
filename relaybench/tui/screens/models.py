"""The screen Models: configs and cohorts of models.toml, to be tried, copied, changed, ticked."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.widgets import Input, Static

from relaybench.tui.models import changing, pinging
from relaybench.tui.models.cohort_table import CohortTable
from relaybench.tui.models.keys import BINDINGS, EXPLAINS
from relaybench.tui.models.model_rows import ModelRow, model_rows
from relaybench.tui.models.model_table import ModelTable
from relaybench.tui.models.panel import ModelPanel
from relaybench.tui.models.ping_thread import PingThread
from relaybench.tui.results_reader import ResultsReader
from relaybench.tui.showing import running
from relaybench.tui.widgets.late import Late
from relaybench.tui.widgets.lines_view import LinesView
from relaybench.tui.widgets.pane import Pane
from relaybench.workbench.models.ping_history import last_pings, ping_row

if TYPE_CHECKING:
    from relaybench.store.pings import PingRow
    from relaybench.tui.desk import Desk
    from relaybench.workbench.models.model_editing import Saved
    from relaybench.workbench.models.pinging import PingPlan, PingResult


class _Cohorts(Pane):
    def __init__(self, cohorts: CohortTable) -> None:
        super().__init__("Cohorts", id="cohorts-pane")
        self._cohorts = cohorts

    def compose(self) -> ComposeResult:
        yield self._cohorts


class ModelsScreen(ResultsReader):
    """Model configs in a table, cohorts and one of them in full beside it."""

    MODE: ClassVar[str] = "models"
    CSS_PATH = "models.tcss"
    AUTO_FOCUS = "#models"
    EXPLAINS: ClassVar[str] = EXPLAINS
    # Only from there on is there room for all columns beside the rest.
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - an instance variable in Textual
        (0, "-narrow"),
        (100, "-normal"),
        (196, "-wide"),
    ]
    BINDINGS: ClassVar[list[BindingType]] = [*BINDINGS]

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._rows: Sequence[ModelRow] = ()
        self.stale = False
        self._pings: Mapping[str, PingRow] = {}
        self._results: dict[str, PingResult] = {}
        self._thread: PingThread | None = None
        self._wanted: str | None = None
        self.cohorts = CohortTable(id="cohorts")
        self.panel = ModelPanel(id="one-pane")
        self._beside: Late | None = None

    def compose_work(self) -> ComposeResult:
        """The table with its filter; cohorts and one in full."""
        with Container(id="work"):
            with Pane("Models", id="models-pane"):
                yield Input(placeholder="words to filter by; Enter or Esc: table", id="filter")
                yield Static(id="models-fault", classes="hidden")
                yield ModelTable(id="models")
            yield Container(id="beside")

    def on_mount(self) -> None:
        """Show what is known of the models, and what is read later."""
        self.desk.catalog_changed.subscribe(self, lambda _: self.reread())
        self.table.focus()
        self.call_after_refresh(self.reread)

    def read_again(self) -> None:
        """Read the last pings."""
        self.reread()

    def on_unmount(self) -> None:
        """No ping goes on behind a screen that is gone."""
        if self._thread is not None:
            self._thread.stop()

    @property
    def table(self) -> ModelTable:
        """The models."""
        return self.query_one(ModelTable)

    # --- what is shown ---

    @work(exclusive=True, group="models")
    async def reread(self) -> None:
        """Read the last pings and show all again; the cursor goes where it was sent."""
        self.stale = False
        if self._beside is None:
            self._beside = Late(
                self.query_one("#beside"), lambda: [_Cohorts(self.cohorts), self.panel]
            )
        await self._beside.there()
        catalog = self.desk.catalog
        self._blame(self.desk.blame_catalog(listed=catalog is not None))
        if catalog is None:
            self.panel.show_nothing(known=False)
            return
        workspace = self.desk.workspace
        with self.reading(workspace):
            self._pings = await asyncio.to_thread(last_pings, workspace)
        with self.reporting("models cannot be shown"):
            environment = workspace.environment
            self._rows = await asyncio.to_thread(model_rows, catalog, environment, self._pings)
            names = {row.config.name for row in self._rows}
            self.table.ticked = [name for name in self.table.ticked if name in names]
            self._show(self._wanted)
            self._wanted = None
            self.cohorts.show(catalog)
            self._show_one()

    def _blame(self, fault: str) -> None:
        words = self.query_one("#models-fault", Static)
        words.set_class(not fault, "hidden")
        words.update(running(fault))

    def show_fault(self) -> None:
        """The models themselves can be shown: their last pings stay as they were, if known."""

    def _show(self, at: str | None = None) -> None:
        """Show what fits the filter, which goes where it would hide the config ``at``."""
        field = self.query_one("#filter", Input)
        words = field.value
        if any(row.config.name == at and not row.fits(words) for row in self._rows):
            field.value = words = ""
            field.remove_class("-open")
        rows = [row for row in self._rows if row.fits(words)]
        self.table.show(rows, at)
        self._count(len(rows))

    def _count(self, shown: int) -> None:
        ticked = len(self.table.ticked)
        words = f"{shown} of {len(self._rows)}" if shown < len(self._rows) else f"{shown}"
        more = f" · {ticked} ticked" if ticked else ""
        self.query_one("#models-pane", Pane).call_it("Models", words + more)

    def _show_one(self) -> None:
        """Show what is under the cursor of the table that had the focus last."""
        catalog = self.desk.catalog
        if catalog is None or self._beside is None or not self._beside.stands:
            return
        name = self.cohorts.current if self.cohorts.chosen else self.table.current
        row = next((row for row in self._rows if row.config.name == name), None)
        if self.cohorts.chosen and name in catalog.cohorts:
            self.panel.show_cohort(name, catalog, self._rows)
        elif row is not None:
            result = self._results.get(row.config.digest)
            self.panel.show_model(row, catalog, self.desk.workspace.environment, result)
        else:
            self.panel.show_nothing(known=bool(self._rows))

    @on(LinesView.Moved)
    def _moved(self) -> None:
        self._show_one()

    @on(events.DescendantFocus)
    def _focused(self) -> None:
        if self.focused in (self.table, self.cohorts):
            self.cohorts.chosen = self.focused is self.cohorts
            self._show_one()

    @on(LinesView.Chosen, "#models")
    def _entered(self) -> None:
        self.panel.text.body.focus()

    @on(LinesView.Chosen, "#cohorts")
    def _tick_members(self) -> None:
        catalog, name = self.desk.catalog, self.cohorts.current
        if catalog is not None and name is not None:
            self.table.tick(catalog.cohorts[name])
            self.table.focus()

    @on(ModelTable.Ticked)
    def _ticked(self) -> None:
        self._count(self.table.line_count)

    # --- filter ---

    def action_filter(self) -> None:
        """Open the filter."""
        field = self.query_one("#filter", Input)
        field.add_class("-open")
        field.focus()

    def action_back(self) -> None:
        """Close an empty filter, and go back to the table."""
        field = self.query_one("#filter", Input)
        if self.focused is self.table:
            field.value = ""
        field.set_class(bool(field.value), "-open")
        self.table.focus()

    @on(Input.Changed, "#filter")
    def _filtered(self) -> None:
        self._show()
        self._show_one()

    @on(Input.Submitted, "#filter")
    def _filter_entered(self) -> None:
        self.action_back()

    # --- changes ---

    @work(exclusive=True, group="ask")
    async def action_save_cohort(self) -> None:
        """Ask for a name and save the ticked models as a cohort."""
        if not self.table.ticked:
            self.notice("Tick the models of the cohort first, with Space, in their order.")
        else:
            await self._tell(await changing.save_ticked(self, self.table.ticked), "saved")

    def _current(self) -> str | None:
        name = self.table.current
        if name is None:
            self.notice("There is no model under the cursor.")
        return name

    @work(exclusive=True, group="ask")
    async def action_edit(self) -> None:
        """Change settings of the model; a cohort is edited by ticking."""
        if self.focused is self.cohorts:
            self._tick_members()
            self.notice("Tick and untick its members, then save it by ^s under the same name.")
        elif name := self._current():
            await self._tell(await changing.edit(self, name), "saved")

    @work(exclusive=True, group="ask")
    async def action_duplicate(self) -> None:
        """Copy the model under another name."""
        if name := self._current():
            await self._tell(await changing.duplicate(self, name), "added")

    @work(exclusive=True, group="ask")
    async def action_new(self) -> None:
        """A model from nothing."""
        await self._tell(await changing.new(self), "added")

    @work(exclusive=True, group="ask")
    async def action_remove(self) -> None:
        """Take a model or a cohort out, after a question."""
        cohort = self.focused is self.cohorts
        name = self.cohorts.current if cohort else self._current()
        if name is not None:
            await self._tell(await changing.remove(self, name, cohort=cohort), "removed")

    async def _tell(self, saved: Saved | None, what: str) -> None:
        """Say what was written, and read it again."""
        if saved is None:
            return
        notes = "".join(f"\n{each}" for each in saved.notes)
        words = f"models.toml: {saved.name} {what}{notes}"
        self.notice(words, "warning" if notes else "information")
        self._wanted = saved.name
        with self.reporting("models cannot be read again"):
            await self.desk.read_catalog()

    def action_untick(self) -> None:
        """Untick all."""
        self.table.tick([])

    # --- pings ---

    @work(exclusive=True, group="ping-ask")
    async def action_ping(self) -> None:
        """Ping what is ticked, the cohort or the model; while pings are out: stop waiting."""
        if self._thread is not None:
            if await pinging.asks_to_stop(self) and self._thread is not None:
                self._thread.stop()
            return
        with self.reporting("nothing was pinged"):
            plan = await pinging.ask_and_plan(self, *self._chosen())
            if plan is not None:
                self._send(plan)

    def _chosen(self) -> tuple[list[str], list[str]]:
        """Names of models and of cohorts to ping."""
        if self.focused is self.cohorts and self.cohorts.current is not None:
            return [], [self.cohorts.current]
        one = self.table.current
        return list(self.table.ticked) or ([one] if one else []), []

    @work(exclusive=True, group="ping")
    async def _send(self, plan: PingPlan) -> None:
        names = {each.config.name for each in plan.open}
        self.table.pinging |= names
        self.table.refresh()
        thread = self._thread = PingThread(
            self.desk.workspace, plan, lambda result: self.call_later(self._take, result)
        )
        try:
            with self.reporting("the pings could not be kept"):
                await thread.run()
        finally:
            self._thread = None
            self.table.pinging -= names
        for each in thread.came:
            self._results[each.planned.config.digest] = each
        words, good = pinging.told(plan, thread.came)
        self.notice(words, "information" if good else "warning")
        self.reread()

    def _take(self, result: PingResult) -> None:
        """Show a result that has come while others are still out."""
        name = result.planned.config.name
        self._results[result.planned.config.digest] = result
        self.table.take_ping(name, ping_row(result))
        if name == self.table.current:
            self._show_one()
