"""The base of screens that list what is stored: they read when they are shown, and not before."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from relaybench.tui.work_screen import WorkScreen

if TYPE_CHECKING:
    from relaybench.tui.desk import Desk


class ResultsReader(WorkScreen):
    """Reads again when results were written: at once while it is shown, else when it next is.

    ``stale`` says that something may have been written since; whoever reads takes it back.
    """

    #: Seconds to wait before reading: a run may write many times a second.
    READ_AFTER_S: ClassVar[float] = 0.0

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.stale = True

    @abstractmethod
    def read_again(self) -> object:
        """Start to read."""

    def on_mount(self) -> None:
        """Be told when results were written."""
        self.desk.results_changed.subscribe(self, lambda _: self._written())

    def on_screen_resume(self) -> None:
        """Read what was written meanwhile."""
        if self.stale:
            self.read_again()

    def _written(self) -> None:
        self.stale = True
        if self.app.screen is not self:
            return
        if self.READ_AFTER_S:
            self.set_timer(self.READ_AFTER_S, self._read_if_shown)
        else:
            self.read_again()

    def _read_if_shown(self) -> None:
        if self.stale and self.app.screen is self:
            self.read_again()
