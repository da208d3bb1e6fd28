"""The base of screens that list what is stored: they read when they are shown, and not before.

What needs what was read waits for it: a key that comes sooner acts on what it was meant for. Where
the file cannot be read that is said, and it is tried again; nothing false is told meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
from abc import abstractmethod
from collections.abc import Callable, Iterator
from functools import partial, wraps
from inspect import isawaitable
from time import monotonic
from typing import TYPE_CHECKING, ClassVar, Concatenate, Final, ParamSpec, TypeVar

from textual import work
from textual.timer import Timer

from relaybench.domain.errors import RelaybenchError
from relaybench.tui.work_screen import WorkScreen, reason

if TYPE_CHECKING:
    from pathlib import Path

    from relaybench.tui.desk import Desk
    from relaybench.workbench.workspace import Workspace

#: Seconds in which a screen is drawn: threads that read would slow that down.
_PAINT_S: Final = 0.03
#: Seconds between two tries to read what could not be read.
RETRY_S: Final = 5.0
#: What an empty place says of a file that cannot be read, above the reason.
CANNOT_READ: Final = "The results cannot be read"

P = ParamSpec("P")
S = TypeVar("S", bound="ResultsReader")


class ResultsReader(WorkScreen):
    """Reads again when results were written: soon while it is shown, else when it next is.

    ``stale`` says that something may have been written since; whoever reads takes it back, and
    reads within ``reading``, which sets it again where that fails.
    """

    #: Seconds between two readings at least: a run may write many times a second.
    READ_AFTER_S: ClassVar[float] = 0.0

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.stale = True
        self._read_at = 0.0
        self._later: Timer | None = None
        self._read_of: Path | None = None  # the results file that was read
        self._failed: tuple[Path, str] | None = None  # the one that was not, and why
        self._over = asyncio.Event()
        self._due: list[Callable[[], object]] = []

    @abstractmethod
    def read_again(self) -> object:
        """Start to read."""

    @abstractmethod
    def show_fault(self) -> None:
        """Say where nothing was read that it cannot be, by ``CANNOT_READ`` and ``told``."""

    @property
    def has_read(self) -> bool:
        """Whether the results file in use was read: what is shown is of it, if not all new."""
        return self._read_of == self.desk.workspace.database

    @property
    def fault(self) -> str:
        """Why the last reading of the results file in use failed, "" where it did not."""
        database, why = self._failed or (None, "")
        return why if database == self.desk.workspace.database else ""

    @property
    def told(self) -> str:
        """The fault, and what is done about it."""
        return f"{self.fault}\n\nIt is tried again every {RETRY_S:.0f} s."

    def on_mount(self) -> None:
        """Be told when results were written."""
        self.desk.results_changed.subscribe(self, lambda _: self._written())

    @work(exclusive=True, group="resume")
    async def on_screen_resume(self) -> None:
        """Read what was written meanwhile, by others too: the desk looks every few seconds only."""
        self._read_at = 0.0  # what is found now is read at once
        self._wait_no_more()
        await asyncio.sleep(_PAINT_S)
        if not await self.desk.look_at_results():  # else it is told of it like everyone
            self._read_if_shown()

    def on_screen_suspend(self) -> None:
        """What was to be done here is not done over another screen."""
        self._due.clear()

    def _written(self) -> None:
        self.stale = True
        if self.fault:  # it may have been mended
            self._wait_no_more()
        if self.app.screen is self and self._later is None:
            due_in_s = self._read_at + self.READ_AFTER_S - monotonic()
            if due_in_s > 0:
                self._later = self.set_timer(due_in_s, self._read_later)
            else:
                self._read_if_shown()

    def _read_later(self) -> None:
        self._later = None
        self._read_if_shown()

    def _wait_no_more(self) -> None:
        if self._later is not None:
            self._later.stop()
            self._later = None

    def _read_if_shown(self) -> None:
        if self.stale and self.app.screen is self:
            self.stale = False
            self._read_at = monotonic()
            self.read_again()

    @contextlib.contextmanager
    def reading(self, workspace: Workspace, *, whole: bool = True) -> Iterator[None]:
        """Around a reading, or (``whole`` False) a part of one that others follow.

        One that fails is told of once, shown, and tried again in a while.
        """
        try:
            yield
        except (RelaybenchError, OSError) as error:
            why = reason(error)
            self._failed = (workspace.database, why)
            if self._failed != self.desk.results_fault:  # the other screens show it
                self.desk.results_fault = self._failed
                self.notice(f"{CANNOT_READ}: {why}", "error")
            self.stale = True
            self._wait_no_more()
            self._later = self.set_timer(RETRY_S, self._read_later)
            self._due.clear()
            self.show_fault()
        else:
            if not whole:
                return
            self._failed = self.desk.results_fault = None
            self._read_of = workspace.database
        self._over.set()

    def when_read(self, act: Callable[[], object]) -> None:
        """Act behind the first reading, after what is to be done then already."""
        self._due.append(act)
        if len(self._due) == 1:
            self.do_due()

    @work(group="value")
    async def do_due(self) -> None:
        """Do what waits for the first reading. Keys wait for this worker, as for a question."""
        while not (self.has_read or self.fault):
            self._over.clear()
            await self._over.wait()
        while self._due:
            done = self._due.pop(0)()
            if isawaitable(done):
                await done


def once_read(
    action: Callable[Concatenate[S, P], object],
) -> Callable[Concatenate[S, P], object]:
    """An action that needs what is read: it waits for the first reading, or says that it failed."""

    @wraps(action)
    def acts(self: S, /, *args: P.args, **named: P.kwargs) -> object:
        if self.has_read:
            return action(self, *args, **named)
        if self.fault:
            self.notice(f"{CANNOT_READ}: {self.fault}", "error")
        else:
            self.when_read(partial(action, self, *args, **named))
        return None

    return acts
