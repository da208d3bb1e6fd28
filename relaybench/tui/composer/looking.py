"""What is worked out in threads for the composer: previews, drawings, measured rates."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from textual import work
from textual.worker import Worker

from relaybench.domain.errors import RelaybenchError
from relaybench.tui.composer.editing_keys import EditingKeys

if TYPE_CHECKING:
    from textual.timer import Timer

    from relaybench.reports.predictions import MeasuredRates
    from relaybench.tui.composer.graph_values import Drawing
    from relaybench.tui.composer.open_composite import OpenComposite
    from relaybench.tui.desk import Desk, Problems
    from relaybench.workbench.problems.previewing import Preview

#: Seconds from an answer that a run was given until rates are read anew.
RATES_AFTER_S: Final = 15.0


class Looking(EditingKeys):
    """Base of the composer that knows how often each step was right in past runs."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.measured: MeasuredRates | None = None
        self._rates_stale = True
        self._rates_timer: Timer | None = None

    def look(self) -> Worker[None]:
        """Work out what there is to be seen of the open composite, and show it."""
        raise NotImplementedError

    def on_screen_resume(self) -> None:
        """Coming here: rates are read where they may have changed."""
        if self._rates_stale:
            self.read_rates()

    def rates_changed(self) -> None:
        """Something was answered: a run that goes on says so every few seconds."""
        self._rates_stale = True
        if self._rates_timer is None:
            self._rates_timer = self.set_timer(RATES_AFTER_S, self._rates_due)

    def _rates_due(self) -> None:
        self._rates_timer = None
        if self.is_current:
            self.read_rates()

    @work(exclusive=True, group="rates")
    async def read_rates(self) -> None:
        """Read how often each step was right in past runs."""
        from relaybench.reports.predictions import MeasuredRates
        from relaybench.workbench.results.predicting import measured_rates

        self._rates_stale = False
        try:
            self.measured = await asyncio.to_thread(measured_rates, self.desk.workspace)
        except RelaybenchError:  # the results screen says what is wrong with that file
            self.measured = MeasuredRates()
        self.look()


def looked_at(
    each: OpenComposite, problems: Problems, measured: MeasuredRates | None, room: int
) -> tuple[Preview, Drawing]:
    """Preview and drawing of a composite within ``room`` cells; for a thread."""
    from relaybench.reports.predictions import MeasuredRates
    from relaybench.tui.composer.graph_drawing import draw
    from relaybench.tui.composer.graph_of import graph_of
    from relaybench.workbench.problems.previewing import preview

    seen = preview(each.draft, problems.library, problems.styles, measured or MeasuredRates())
    return seen, draw(graph_of(seen), room)
