"""A run under way beside the screens: in a thread of its own, with an event loop of its own.

Neither SQLite nor an SDK that parses a long answer can hold the screen up there. Screens come and
go; the run goes on while the application lives. Everything here may be called from any thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from relaybench.domain.errors import RelaybenchError, RunBusyError
from relaybench.domain.money import ZERO

if TYPE_CHECKING:
    from relaybench.runner.events import Event, RunEnded
    from relaybench.tui.app import WorkbenchApp
    from relaybench.tui.work_screen import Severity
    from relaybench.workbench.runs.cell_states import CellStates
    from relaybench.workbench.runs.planning import Proposal, RunOptions
    from relaybench.workbench.runs.running import RunSession
    from relaybench.workbench.workspace import Workspace

_LOG: Final = logging.getLogger(__name__)


class How(StrEnum):
    """How a run ended."""

    COMPLETE = "complete"
    INCOMPLETE = "incomplete"
    STOPPED = "stopped"
    BUDGET = "stopped by the budget"
    LEFT = "left at once"
    BUSY = "not started"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a run's session: how, and what is to be said about it."""

    how: How
    words: str

    @property
    def severity(self) -> Severity:
        """How loudly the user is told."""
        if self.how is How.FAILED:
            return "error"
        return "warning" if self.how in (How.INCOMPLETE, How.BUSY) else "information"


@dataclass(frozen=True, slots=True)
class BudgetNow:
    """A run's money in USD: the limit (None: none), what is spent, and set aside for calls out."""

    limit: Decimal | None = None
    spent: Decimal = ZERO
    reserved: Decimal = ZERO


class LiveRun:
    """One session of a run. ``on_change`` is called in the run's thread when it begins and ends."""

    def __init__(
        self,
        workspace: Workspace,
        proposal: Proposal,
        options: RunOptions,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        self.name = proposal.name
        self.simulated = proposal.simulated
        self.proposal = proposal
        self.states: CellStates | None = None
        self.opening: list[str] = []  # what earlier sessions left behind, in words
        self.ended: Ended | None = None
        self._ended = Ended(How.STOPPED, "")
        self.stopping = False
        self.leaving = False
        self.workspace, self._options, self._on_change = workspace, options, on_change
        self._session: RunSession | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._over = threading.Event()
        # A daemon: should the application die, it must not keep a process without a screen alive.
        self._thread = threading.Thread(target=self._work, name="relaybench-run", daemon=True)

    def start(self) -> None:
        """Begin; returns at once."""
        self._thread.start()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end; False where it has not come by then."""
        if not self._over.wait(seconds):
            return False
        self._thread.join(seconds)
        return True

    def is_run(self, name: str, workspace: Workspace) -> bool:
        """Whether it is the run of that name in the results file of a workspace."""
        return (self.name, self.workspace.database) == (name, workspace.database)

    @property
    def paused(self) -> bool:
        """Whether nothing goes out for now."""
        return self._session is not None and self._session.paused and self.ended is None

    @property
    def budget(self) -> BudgetNow:
        """Money by what is known right now."""
        if self._session is None:
            return BudgetNow(self.proposal.budget, self.proposal.spent.total)
        budget = self._session.runner.budget
        return BudgetNow(budget.limit, budget.spent, budget.reserved)

    @property
    def done(self) -> int:
        """Cells with an outcome, those of earlier sessions included."""
        return self.states.whole.done if self.states else 0

    @property
    def total(self) -> int:
        """All cells of the run."""
        proposal = self.proposal
        return len(proposal.items) * len(proposal.configs) * proposal.repeats

    @property
    def word(self) -> str:
        """What the run is doing, in a word."""
        if self.ended is not None:
            return self._last_word(self.ended.how)
        if self.leaving:
            return "leaving"
        if self.stopping:
            return "stopping"
        if self.states is None:
            return "starting"
        return "paused" if self.paused else "running"

    def _last_word(self, how: How) -> str:
        if self.states is None or how not in (How.COMPLETE, How.INCOMPLETE):
            return how.value
        from relaybench.workbench.runs.session_words import standing

        return standing(self.states)

    @property
    def headline(self) -> str:
        """The run in a few words, for the line on top of every screen."""
        kind = ", simulated" if self.simulated else ""
        return f"{self.done}/{self.total} {self.word}{kind}: {self.name}"

    def pause(self) -> None:
        """Send nothing for now."""
        self._steer(lambda session: session.pause())

    def resume(self) -> None:
        """Go on after a pause."""
        self._steer(lambda session: session.resume())

    def stop(self) -> None:
        """Send nothing more, and end when calls under way have finished."""
        self.stopping = True
        self._steer(lambda session: session.stop())

    def retry_failed(self) -> None:
        """Queue again what has failed in this session."""
        self._steer(lambda session: session.retry_failed())

    def set_concurrency(self, most: int, lane: str | None = None) -> None:
        """Let so many calls be under way at each provider, or at the one named."""
        self._steer(lambda session: session.set_concurrency(most, lane))

    def change_concurrency(self, by: int) -> None:
        """Let so many calls more (or fewer) be under way at each provider, one at least."""

        def change(session: RunSession) -> None:
            for lane, most in session.limits.items():
                session.set_concurrency(max(1, most + by), lane)

        self._steer(change)

    def leave(self) -> None:
        """End now: calls under way are noted as abandoned, answers that arrived are kept."""
        self.leaving = True
        loop, task = self._loop, self._task
        if loop is not None and task is not None:
            with contextlib.suppress(RuntimeError):  # it has just ended
                loop.call_soon_threadsafe(task.cancel)

    def _steer(self, action: Callable[[RunSession], object]) -> None:
        loop, session = self._loop, self._session
        if loop is None or session is None or self.ended is not None:
            return
        with contextlib.suppress(RuntimeError):  # it has just ended
            loop.call_soon_threadsafe(action, session)

    def _work(self) -> None:
        """What the thread does; nothing that goes wrong in it gets out but as words."""
        try:
            asyncio.run(self._main())
        except RunBusyError:
            ended = Ended(How.BUSY, "Another window or terminal sends it right now.")
        except RelaybenchError as error:
            ended = Ended(How.FAILED, str(error))
        except OSError as error:
            ended = Ended(How.FAILED, f"cannot write or read: {error.strerror or error}")
        except asyncio.CancelledError:
            ended = Ended(How.LEFT, "Left at once; calls under way are lost, though billed.")
        except BaseException as error:
            _LOG.exception("a run failed")
            ended = Ended(
                How.FAILED,
                f"internal error: {type(error).__name__}: {error}. This is a fault of relaybench, "
                "not yours. Answers that were stored are safe; the run can be resumed.",
            )
        else:
            ended = self._ended
        if self.states is not None:
            self.states.over()
        self.ended = ended
        self._over.set()
        self._on_change()

    async def _main(self) -> None:
        from relaybench.workbench.runs.running import open_session
        from relaybench.workbench.runs.session_words import opening_words
        from relaybench.workbench.runs.watching import load_states

        self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        if self.leaving:
            raise asyncio.CancelledError
        async with open_session(
            self.workspace, self.proposal, self._options, self._take
        ) as session:
            self.opening = opening_words(session)
            states = load_states(self.workspace, self.name, session.cells, session.limits)
            self._session = session  # first: who sees the states may steer
            self.states = states
            if self.stopping:
                session.stop()
            self._on_change()
            self._ended = _ended(await session.run(), session, self.states)

    def _take(self, event: Event) -> None:
        if self.states is not None:
            self.states.take(event)

    async def ask_before_quitting(self, app: WorkbenchApp) -> bool:
        """Ask what is to become of the run; True where the application may end now."""
        from relaybench.tui.dialogs.pick import Choice, Pick

        choices = [
            Choice("stay", "Stay", "the run goes on"),
            Choice("stop", "Stop gently, then quit", "calls under way may finish"),
            Choice("leave", "Quit now", "calls under way are lost, though billed; resume later"),
        ]
        answer: str | None = await app.push_screen_wait(
            Pick(f"Run {self.name} is {self.word}: quit?", choices, current="stay")
        )
        if answer == "stop":
            self.stop()
        elif answer == "leave":
            self.leave()
        else:
            return False
        while not self._over.is_set():  # noqa: ASYNC110 (it is set by another thread)
            await asyncio.sleep(0.05)
        return True


def _ended(ended: RunEnded, session: RunSession, states: CellStates) -> Ended:
    """How a session ended, and what is open for which reason."""
    from relaybench.runner.events import Ending
    from relaybench.workbench.runs.session_words import budget_words

    failed = sum(model.failed for model in states.session.models.values())
    unclear = sum(model.unclear for model in states.session.models.values())
    parts = [
        f"{count:,} {what}"
        for count, what in (
            (failed, "failed"),
            (ended.left, "not sent"),
            (unclear, "kept but not scored, for an unknown stop reason"),
        )
        if count
    ]
    words = f"{states.session.done - failed:,} answered{''.join(f', {part}' for part in parts)}."
    if ended.ending is Ending.BUDGET:
        return Ended(
            How.BUDGET,
            f"{budget_words(session)} {words} r on the screen Run goes on with a higher budget.",
        )
    if ended.ending is Ending.STOPPED:
        return Ended(How.STOPPED, words)
    still_open, _ = states.open_cells()
    if not still_open:
        return Ended(How.COMPLETE, words)
    are = "cell is" if still_open == 1 else "cells are"
    return Ended(
        How.INCOMPLETE,
        f"{words} {still_open:,} of {states.whole.total:,} {are} open; r on the screen Run sends "
        "them again.",
    )
