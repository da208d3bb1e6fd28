"""A plot in characters that is drawn anew for every size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from relaybench.tui.results.colours import content_of

if TYPE_CHECKING:
    from relaybench.reports.figures.figure import Figure
    from relaybench.tui.results.plots import Plot


class PlotView(VerticalScroll):
    """One plot; it scrolls where it is taller than its place."""

    DEFAULT_CSS = """
    PlotView {
        padding: 0 1;
    }
    PlotView:focus {
        background: $surface;
    }
    PlotView Static {
        height: auto;
    }
    """

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._plot: Plot | None = None
        self._figure: Figure | None = None

    def compose(self) -> ComposeResult:
        """The drawing."""
        yield Static(markup=False)

    def show(self, plot: Plot, figure: Figure) -> None:
        """Draw this."""
        if plot is not self._plot:
            self.scroll_home(animate=False)
        self._plot, self._figure = plot, figure
        self.draw(self.size.width, self.size.height)

    def draw(self, width: int, height: int) -> None:
        """Draw it for that size."""
        from relaybench.tui.results.plots import drawn

        if self._plot is not None and self._figure is not None and width:
            # One column less: whether a scroll bar stands there must not change the drawing.
            lines = drawn(self._plot, self._figure, width - 4, height)
            self.query_one(Static).update(content_of(lines))

    def on_resize(self, event: events.Resize) -> None:
        """Draw it for the size that it has now."""
        self.draw(event.size.width, event.size.height)
