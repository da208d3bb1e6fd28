"""A plot in characters that is drawn anew for every size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events

from relaybench.tui.results.ink_view import InkView

if TYPE_CHECKING:
    from relaybench.reports.figures.figure import Figure
    from relaybench.tui.results.plots import Plot


class PlotView(InkView):
    """One plot; it scrolls where it is taller than its place."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._plot: Plot | None = None
        self._figure: Figure | None = None

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
            # Narrower: whether a scroll bar stands there must not change the drawing.
            self.lay(drawn(self._plot, self._figure, width - 3, height))

    def on_resize(self, event: events.Resize) -> None:
        """Draw it for the size that it has now."""
        self.draw(event.size.width, event.size.height)
