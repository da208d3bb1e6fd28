"""The recorder that writes to the store: one thread owns the file while a run goes on."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from relaybench.domain.completion import Completion
from relaybench.domain.errors import ProviderError, StoreError
from relaybench.domain.results import Cell, Outcome
from relaybench.runner.recorder import CallTicket
from relaybench.store.attempts import Attempts
from relaybench.store.database import Connection
from relaybench.store.plans import StoredPlan
from relaybench.store.recording import Recording
from relaybench.workbench.judging import judge
from relaybench.workbench.rescuing import Rescued, rescue, take_in

T = TypeVar("T")

_LOG: Final = logging.getLogger(__name__)


class StoreRecorder:
    """Writes calls and answers in a thread of its own, so that no disk holds up the event loop.

    Every method returns when its transaction is on the disk. An answer that the store will not
    take is put into a rescue file, from which the run's next session takes it in.
    """

    def __init__(self, connection: Connection, plan: StoredPlan) -> None:
        self._plan = plan
        self._path = connection.path
        self._recording = Recording(connection, plan)
        self._attempts = Attempts(connection)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="relaybench-store")

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def call_started(self, cell: Cell, handle: str | None = None) -> CallTicket:
        """Write down a call before it is sent."""
        number = await self._in_thread(lambda: self._recording.call_started(cell, handle))
        return CallTicket(cell, number)

    async def handle_given(self, ticket: CallTicket, handle: str) -> None:
        """Write down how work at the provider can be asked for."""
        await self._in_thread(lambda: self._recording.handle_given(ticket.id, handle))

    async def call_failed(
        self, ticket: CallTicket, error: ProviderError, wait_s: float | None
    ) -> None:
        """Write down a call's failure."""
        await self._in_thread(lambda: self._recording.call_failed(ticket.id, error, wait_s))

    async def call_lost(self, ticket: CallTicket) -> None:
        """Write down that a call was abandoned."""
        await self._in_thread(lambda: self._recording.call_lost(ticket.id))

    async def gave_up(self, cell: Cell, error: ProviderError) -> None:
        """Write down that an attempt has failed for good."""
        await self._in_thread(lambda: self._recording.gave_up(cell, error))

    async def answered(self, ticket: CallTicket, completion: Completion) -> Outcome:
        """Store the answer in a transaction of its own; only then read it back and grade it."""

        def store_then_grade() -> Outcome:
            try:
                attempt = self._recording.answered(ticket.cell, ticket.id, completion)
            except Exception as error:
                raise self._rescued(ticket, Rescued(completion), error) from error
            return self._grade(attempt)

        return await self._in_thread(store_then_grade)

    async def turn_taken(
        self, ticket: CallTicket, completion: Completion, nudge: str | None
    ) -> None:
        """Store a response on which another turn follows."""

        def store() -> None:
            try:
                self._recording.turn_taken(ticket.cell, ticket.id, completion, nudge)
            except Exception as error:
                turn = Rescued(completion, last=False, nudge=nudge)
                raise self._rescued(ticket, turn, error) from error

        await self._in_thread(store)

    def _rescued(self, ticket: CallTicket, response: Rescued, error: Exception) -> StoreError:
        """Put a response that the store will not take into a file, and say where."""
        path = rescue(self._path, self._plan.run.name, ticket, response)
        return StoreError(
            f"{error}. The answer that could not be stored was put into {path}; "
            f"`relaybench run --resume {self._plan.run.name}` takes it in from there."
        )

    def _grade(self, attempt: int) -> Outcome:
        """Grade a stored answer; one that the grader trips over stays ungraded."""
        try:
            answer = self._attempts.gradable(attempt)
            strict = self._plan.run.strict
            verdict = judge(answer, self._attempts.item(answer.item_id), strict=strict)
        except StoreError:
            raise
        except Exception:
            # The answer is safe, and grading is free: no reason to end a run that costs money.
            _LOG.exception("attempt %d could not be graded", attempt)
            return Outcome.PENDING
        self._recording.graded(attempt, answer.item_id, verdict, strict=strict)
        return verdict.outcome

    def grade_ungraded(self) -> int:
        """Grade answers whose grading a dead process did not reach; returns how many."""
        outcomes = [self._grade(each) for each in self._attempts.ungraded(self._plan.run)]
        return sum(outcome is not Outcome.PENDING for outcome in outcomes)

    def mark_lost(self) -> int:
        """Mark calls that a dead process left open; returns how many."""
        return self._recording.mark_lost()

    def take_in_rescued(self) -> int:
        """Store answers that an earlier session could only put into a rescue file; how many."""
        return take_in(self._path, self._plan, self._recording)

    def close(self) -> None:
        """Wait for what is being written."""
        self._thread.shutdown(wait=True)
