"""The base of screens that list what is stored: they read when they are shown, and not before."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from time import monotonic
from typing import TYPE_CHECKING, ClassVar, Final

from textual import work
from textual.timer import Timer

from relaybench.tui.work_screen import WorkScreen

if TYPE_CHECKING:
    from relaybench.tui.desk import Desk

#: Seconds in which a screen is drawn: threads that read would slow that down.
_PAINT_S: Final = 0.03


class ResultsReader(WorkScreen):
    """Reads again when results were written: soon while it is shown, else when it next is.

    ``stale`` says that something may have been written since; whoever reads takes it back.
    """

    #: Seconds between two readings at least: a run may write many times a second.
    READ_AFTER_S: ClassVar[float] = 0.0

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.stale = True
        self._read_at = 0.0
        self._later: Timer | None = None

    @abstractmethod
    def read_again(self) -> object:
        """Start to read."""

    def on_mount(self) -> None:
        """Be told when results were written."""
        self.desk.results_changed.subscribe(self, lambda _: self._written())

    @work(exclusive=True, group="resume")
    async def on_screen_resume(self) -> None:
        """Read what was written meanwhile, by others too: the desk looks every few seconds only."""
        self._read_at = 0.0  # what is found now is read at once
        if self._later is not None:
            self._later.stop()
            self._later = None
        await asyncio.sleep(_PAINT_S)
        if not await self.desk.look_at_results():  # else it is told of it like everyone
            self._read_if_shown()

    def _written(self) -> None:
        self.stale = True
        if self.app.screen is self and self._later is None:
            due_in_s = self._read_at + self.READ_AFTER_S - monotonic()
            if due_in_s > 0:
                self._later = self.set_timer(due_in_s, self._read_later)
            else:
                self._read_if_shown()

    def _read_later(self) -> None:
        self._later = None
        self._read_if_shown()

    def _read_if_shown(self) -> None:
        if self.stale and self.app.screen is self:
            self.stale = False
            self._read_at = monotonic()
            self.read_again()
