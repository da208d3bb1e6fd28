"""One call of a cell: written down, sent, and its response stored before anything follows on it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from relaybench.domain.completion import Completion, Turn
from relaybench.domain.errors import ProviderError
from relaybench.domain.item import Item
from relaybench.domain.model import PERSISTENT, ModelConfig
from relaybench.domain.money import Cost
from relaybench.domain.results import Outcome
from relaybench.providers.protocol import Provider, Request
from relaybench.runner.budget import Budget, cost_of_failure, cost_of_response
from relaybench.runner.events import CellPhase, CellStarted, Event
from relaybench.runner.harness import Final, GoOn, next_step
from relaybench.runner.lane import Job
from relaybench.runner.recorder import CallTicket, Recorder
from relaybench.runner.seeing_through import finish, response_of


@dataclass(frozen=True, slots=True)
class Answered:
    """The cell's last response is stored and graded."""

    completion: Completion
    cost: Cost
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class TurnTaken:
    """A response is stored on which another turn follows: after a nudge, or a pause."""

    completion: Completion
    cost: Cost
    nudged: bool


@dataclass(frozen=True, slots=True)
class Failed:
    """The call failed, which is not written down yet."""

    ticket: CallTicket
    error: ProviderError
    cost: Cost


@dataclass(frozen=True, slots=True)
class Caller:
    """Makes single calls. ``fail`` is told of a store that cannot be written in mid-call."""

    items: Mapping[str, Item]
    configs: Mapping[str, ModelConfig]
    providers: Mapping[str, Provider]
    recorder: Recorder
    budget: Budget
    tell: Callable[[Event], None]
    fail: Callable[[Exception], None]

    async def call(self, job: Job, reserved: Decimal) -> Answered | TurnTaken | Failed:
        """Make the next call of a job, for which ``reserved`` USD are set aside.

        Raises what the recorder raised, and CancelledError after the call was marked as lost.
        """
        digest = job.cell.config
        config = self.configs[digest]
        try:
            ticket = await self._written_down(job)
        except BaseException:  # nothing was sent
            self.budget.release(digest, reserved)
            raise
        job.tried += 1
        self.tell(CellStarted(job.cell, job.tried))
        provider = self.providers[config.provider_key]
        try:
            completion = await response_of(provider, self._request(job, ticket))
        except ProviderError as error:
            cost = cost_of_failure(error, config.prices)
            self.budget.settle(digest, reserved, cost.total)
            job.handle = error.handle
            return Failed(ticket, error, cost)
        except BaseException:
            self.budget.settle(digest, reserved, None)
            await finish(self.recorder.call_lost(ticket))
            raise
        cost = cost_of_response(completion, config.prices)
        try:
            return await finish(self._take(job, ticket, completion, cost))
        finally:  # under way until it is stored: only then is it known that the config answers
            self.budget.settle(digest, reserved, cost.total)

    async def _written_down(self, job: Job) -> CallTicket:
        """Write a call down before it is sent; one that we leave just then is marked as lost."""
        writing = asyncio.ensure_future(self.recorder.call_started(job.cell, job.handle))
        try:
            return await finish(writing)
        except asyncio.CancelledError:
            if not writing.cancelled() and writing.exception() is None:
                await finish(self.recorder.call_lost(writing.result()))
            raise

    def _request(self, job: Job, ticket: CallTicket) -> Request:
        async def keep(handle: str) -> None:
            job.handle = handle
            try:
                await finish(self.recorder.handle_given(ticket, handle))
            except Exception as error:
                # The work is under way and paid for: wait for it, but send nothing more.
                self.fail(error)

        cell = job.cell
        return Request(
            prompt=self.items[cell.item].prompt,
            config=self.configs[cell.config],
            cell=cell.id,
            on_phase=lambda phase: self.tell(CellPhase(cell, phase)),
            earlier=tuple(job.turns),
            handle=job.handle,
            on_handle=keep,
        )

    async def _take(
        self, job: Job, ticket: CallTicket, completion: Completion, cost: Cost
    ) -> Answered | TurnTaken:
        """Store a response: the cell's last one, or a turn that another follows."""
        match await self._step(job, completion):
            case Final(last):
                outcome = await self.recorder.answered(ticket, last)
                return Answered(last, cost, outcome)
            case GoOn(nudge):
                await self.recorder.turn_taken(ticket, completion, nudge)
                job.turns.append(Turn(completion.response_raw, nudge))
                job.tried, job.handle = 0, None
                return TurnTaken(completion, cost, nudge is not None)

    async def _step(self, job: Job, completion: Completion) -> Final | GoOn:
        config = self.configs[job.cell.config]
        if config.harness != PERSISTENT:
            return next_step(config, job.turns, completion)
        # It looks for a code block, which a hostile text can make slow.
        return await asyncio.to_thread(next_step, config, job.turns, completion)
