"""Where the screen shows what was asked for: a table, a plot, or words on why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widget import Widget

from relaybench.tui.results.plot_view import PlotView
from relaybench.tui.results.results_table import ResultsTable
from relaybench.tui.widgets.empty import Empty
from relaybench.tui.widgets.late import Late

if TYPE_CHECKING:
    from relaybench.tui.results.shelf import Shown

_TABLE, _PLOT, _SAID = "#table", "#plot", "#said"


class Stage(Vertical):
    """One of the three stands in front; the focus never stays on one that does not.

    Table and plot are mounted when one of them is first shown.
    """

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._tables = Late(self, lambda: [_hidden(ResultsTable(id="table"))])
        self._lent = False  # whether the tabs have the focus only because nothing here takes it
        self._plots = Late(self, lambda: [_hidden(PlotView(id="plot"))])

    def compose(self) -> ComposeResult:
        """Words stand in front: nothing was read yet."""
        yield Empty("Reading …", id="said")

    @property
    def table(self) -> ResultsTable | None:
        """The table, where it is in front."""
        return next((each for each in self.query(ResultsTable) if each.display), None)

    async def show(self, shown: Shown) -> None:
        """Show what was made."""
        if shown.table is not None:
            await self._tables.there()
            # Filled before it is seen: one drawing for both.
            await self.query_one(ResultsTable).show(shown.table)
            self._bring(_TABLE)
        elif shown.figure is not None:
            from relaybench.tui.results.plots import Plot  # loaded with the figure, in a thread

            await self._plots.there()
            self._bring(_PLOT)
            self.query_one(PlotView).show(Plot(shown.view), shown.figure)
        else:
            self.say("Nothing to show here", shown.said)

    def say(self, what: str, next_step: str = "") -> None:
        """Show words."""
        self.query_one(_SAID, Empty).say(what, next_step)
        self._bring(_SAID)

    def _bring(self, wanted: str) -> None:
        lost = False
        for widget in self.children:
            in_front = f"#{widget.id}" == wanted
            lost = lost or (not in_front and widget.has_focus_within)
            widget.display = in_front
        tabs = self.screen.query_one("#tabs")
        back = self._lent and tabs.has_focus
        self._lent = False
        if (lost or back) and not self.take_focus():
            self._lent = True
            tabs.focus()

    def take_focus(self) -> bool:
        """Focus what is in front; False for words, which take none."""
        if self.table is not None:
            self.table.rows.focus()
            return True
        for plot in self.query(PlotView):
            if plot.display:
                plot.focus()
                return True
        return False


def _hidden(widget: Widget) -> Widget:
    widget.display = False
    return widget
