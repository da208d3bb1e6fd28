"""The recorder that writes to the store: one thread owns the file while a run goes on."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final, TypeVar

from relaybench.domain.completion import Completion
from relaybench.domain.errors import ProviderError, StoreError
from relaybench.domain.results import Cell, Grade, Outcome
from relaybench.runner.recorder import CallTicket
from relaybench.store.attempts import Attempts
from relaybench.store.database import Connection
from relaybench.store.plans import StoredPlan
from relaybench.store.recording import Recording
from relaybench.workbench.results.judging import Versions, judge
from relaybench.workbench.runs.rescuing import Rescued, rescue, take_in
from relaybench.workbench.runs.writer import Writer

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
        self._versions = Versions(self._attempts)
        self._writer = Writer(connection)

    async def call_started(self, cell: Cell, handle: str | None = None) -> CallTicket:
        """Write down a call before it is sent."""
        number = await self._writer.write(lambda: self._recording.call_started(cell, handle))
        return CallTicket(cell, number)

    async def handle_given(self, ticket: CallTicket, handle: str) -> None:
        """Write down how work at the provider can be asked for."""
        await self._writer.write(lambda: self._recording.handle_given(ticket.id, handle))

    async def call_failed(
        self, ticket: CallTicket, error: ProviderError, wait_s: float | None
    ) -> None:
        """Write down a call's failure."""
        await self._writer.write(lambda: self._recording.call_failed(ticket.id, error, wait_s))

    async def call_lost(self, ticket: CallTicket) -> None:
        """Write down that a call was abandoned."""
        await self._writer.write(lambda: self._recording.call_lost(ticket.id))

    async def gave_up(self, cell: Cell, error: ProviderError) -> None:
        """Write down that an attempt has failed for good."""
        await self._writer.write(lambda: self._recording.gave_up(cell, error))

    async def answered(self, ticket: CallTicket, completion: Completion) -> Outcome:
        """Store the answer; only when it is on the disk read it back and grade it."""

        def store() -> int:
            return self._recording.answered(ticket.cell, ticket.id, completion)

        attempt = await self._stored(ticket, Rescued(completion), store)
        graded = await self._writer.read(lambda: self._verdict(attempt))
        if graded is None:
            return Outcome.PENDING
        await self._writer.write(lambda: self._grade_is(attempt, *graded))
        return graded[1].outcome

    async def turn_taken(
        self, ticket: CallTicket, completion: Completion, nudge: str | None
    ) -> None:
        """Store a response on which another turn follows."""

        def store() -> None:
            self._recording.turn_taken(ticket.cell, ticket.id, completion, nudge)

        await self._stored(ticket, Rescued(completion, last=False, nudge=nudge), store)

    async def _stored(self, ticket: CallTicket, response: Rescued, store: Callable[[], T]) -> T:
        """Store a response; one that the store will not take is put into a file."""
        try:
            return await self._writer.write(store)
        except Exception as error:
            told = error
        raise await self._writer.read(lambda: self._rescued(ticket, response, told)) from told

    def _rescued(self, ticket: CallTicket, response: Rescued, error: Exception) -> StoreError:
        """Put a response that the store will not take into a file, and say where."""
        path = rescue(self._path, self._plan.run.name, ticket, response)
        return StoreError(
            f"{error}. The answer that could not be stored was put into {path}; "
            "resuming the run takes it in from there."
        )

    def _verdict(self, attempt: int) -> tuple[int, Grade] | None:
        """Item and grade of a stored answer; None for one that the grader trips over."""
        try:
            answer = self._attempts.gradable(attempt)
            item = self._versions.get(answer.item_id)
            return answer.item_id, judge(answer, item, strict=self._plan.run.strict)
        except StoreError:
            raise
        except Exception:
            # The answer is safe, and grading is free: no reason to end a run that costs money.
            _LOG.exception("attempt %d could not be graded", attempt)
            return None

    def _grade_is(self, attempt: int, item_id: int, verdict: Grade) -> None:
        self._recording.graded(attempt, item_id, verdict, strict=self._plan.run.strict)

    def grade_ungraded(self) -> int:
        """Grade answers whose grading a dead process did not reach; returns how many."""
        done = 0
        for attempt in self._attempts.ungraded(self._plan.run):
            graded = self._verdict(attempt)
            if graded is not None:
                self._grade_is(attempt, *graded)
                done += graded[1].outcome is not Outcome.PENDING
        return done

    def mark_lost(self) -> int:
        """Mark calls that a dead process left open; returns how many."""
        return self._recording.mark_lost()

    def take_in_rescued(self) -> int:
        """Store answers that an earlier session could only put into a rescue file; how many."""
        return take_in(self._path, self._plan, self._recording)

    def close(self) -> None:
        """Wait for what is being written."""
        self._writer.close()
