"""Where the screen shows what was asked for: a table, a plot, or words on why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical

from relaybench.tui.results.plot_view import PlotView
from relaybench.tui.results.results_table import ResultsTable
from relaybench.tui.widgets.empty import Empty

if TYPE_CHECKING:
    from relaybench.tui.results.shelf import Shown

_TABLE, _PLOT, _SAID = "#table", "#plot", "#said"


class Stage(Vertical):
    """One of the three stands in front; the focus never stays on one that does not."""

    def compose(self) -> ComposeResult:
        """All three; words stand in front."""
        yield ResultsTable(id="table")
        yield PlotView(id="plot")
        yield Empty("Reading …", id="said")

    def on_mount(self) -> None:
        """Nothing was read yet."""
        self._bring(_SAID)

    @property
    def table(self) -> ResultsTable:
        """The table, which may not be in front."""
        return self.query_one(ResultsTable)

    @property
    def has_table(self) -> bool:
        """Whether a table is in front."""
        return self.table.display

    async def show(self, shown: Shown) -> None:
        """Show what was made."""
        if shown.table is not None:
            self._bring(_TABLE)
            await self.table.show(shown.table)
        elif shown.figure is not None:
            from relaybench.tui.results.plots import Plot  # loaded with the figure, in a thread

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
        for each in (_TABLE, _PLOT, _SAID):
            widget = self.query_one(each)
            lost = lost or (each != wanted and widget.has_focus_within)
            widget.display = each == wanted
        if lost and not self.take_focus():
            self.screen.query_one("#tabs").focus()

    def take_focus(self) -> bool:
        """Focus what is in front; False for words, which take none."""
        if self.has_table:
            self.table.rows.focus()
        elif self.query_one(_PLOT).display:
            self.query_one(_PLOT).focus()
        else:
            return False
        return True
