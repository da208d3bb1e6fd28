"""The runs that have open cells, so that they can be gone on with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult

from relaybench.domain.literal import visible
from relaybench.tui.widgets.lines_view import LinesView, Piece
from relaybench.tui.widgets.pane import Pane

if TYPE_CHECKING:
    from collections.abc import Sequence

    from relaybench.store.plans import RunRow


class RunList(LinesView):
    """Runs that can be gone on with, a line each."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.runs: list[RunRow] = []

    @property
    def line_count(self) -> int:
        """How many runs."""
        return len(self.runs)

    def line_at(self, number: int) -> list[Piece]:
        """What is open, and the name."""
        run = self.runs[number]
        kind = "simulated " if run.simulated else ""
        note = f"{run.planned - run.answered}/{run.planned} open  {kind}"
        return [(note, "muted"), (visible(run.name), "")]

    def show(self, runs: Sequence[RunRow]) -> None:
        """Show other runs."""
        self.runs = list(runs)
        self.lines_changed()


class OpenRuns(Pane):
    """Runs that can be gone on with."""

    def compose(self) -> ComposeResult:
        """The list."""
        yield RunList(id="open-runs")
