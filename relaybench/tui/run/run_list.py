"""The runs that have open cells, so that they can be gone on with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.app import ComposeResult

from relaybench.tui.run.drawing import model_names
from relaybench.tui.widgets.lines_view import LinesView, Piece
from relaybench.tui.widgets.pane import Pane

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import App

    from relaybench.store.plans import RunRow


#: How the notice of the start ends that leads to the list.
LEADS_HERE: Final = "Run (4) lists what can go on."


def take_notice_away(app: App[int]) -> None:
    """Take away the notice that led to the list, which it covers; it stays behind F9."""
    for each in list(app._notifications):
        if each.message.endswith(LEADS_HERE):
            app._unnotify(each)


class OpenRunList(LinesView):
    """Runs that can be gone on with, a line each."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.runs: list[RunRow] = []

    @property
    def line_count(self) -> int:
        """How many runs."""
        return len(self.runs)

    def line_at(self, number: int) -> list[Piece]:
        """The name, with both ends where it is too long, and what is open."""
        run = self.runs[number]
        note = f"  {run.planned - run.answered:,} of {run.planned:,} open"
        if run.simulated and not run.name.startswith("simulated"):
            note += ", simulated"
        name = model_names([(run.name, run.name)], max(8, self.size.width - len(note)))[0]
        return [(name, ""), (note, "muted")]

    def show(self, runs: Sequence[RunRow]) -> None:
        """Show other runs."""
        self.runs = list(runs)
        self.lines_changed()


class OpenRuns(Pane):
    """Runs that can be gone on with."""

    def compose(self) -> ComposeResult:
        """The list."""
        yield OpenRunList(id="open-runs")
