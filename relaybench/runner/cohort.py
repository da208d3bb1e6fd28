"""Run the cells of a plan: every provider at its own pace, every answer stored before it is used.

Stopping has two stages. ``stop`` lets what is under way finish and sends nothing more; cancelling
the task that runs ``run`` leaves at once, after writing down which calls were abandoned.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypeVar

from relaybench.domain.completion import Completion, Usage
from relaybench.domain.errors import (
    FaultScope,
    MalformedResponse,
    ProviderError,
    RateLimited,
    RelaybenchError,
    RequestRejected,
)
from relaybench.domain.item import Item
from relaybench.domain.model import ModelConfig
from relaybench.domain.money import cost_of
from relaybench.domain.results import Cell, Outcome
from relaybench.providers.protocol import Phase, Provider, Request
from relaybench.runner.budget import Budget
from relaybench.runner.clock import Clock, SystemClock
from relaybench.runner.events import (
    CellFinished,
    CellPhase,
    CellStarted,
    CellWaiting,
    Ending,
    Event,
    LaneClosed,
    PaceChanged,
    RunEnded,
)
from relaybench.runner.lane import Job, Lane
from relaybench.runner.recorder import CallTicket, Recorder
from relaybench.runner.retry import RetryPolicy

T = TypeVar("T")

#: After so many rejected requests in a row, with no answer ever, a config is given up.
REJECTIONS_IN_A_ROW = 3


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What a run may send: items and configs by digest, and what one call is expected to cost.

    ``expected`` gives USD at the high end for a cell, or None where the price is unknown.
    """

    items: Mapping[str, Item]
    configs: Mapping[str, ModelConfig]
    expected: Callable[[Cell], Decimal | None] = lambda _: None


@dataclass(slots=True)
class CohortRunner:
    """One run of a cohort. ``providers`` holds the adapter of every config's ``provider_key``."""

    plan: RunPlan
    providers: Mapping[str, Provider]
    recorder: Recorder
    on_event: Callable[[Event], None] = lambda _: None
    policy: RetryPolicy = field(default_factory=RetryPolicy)
    clock: Clock = field(default_factory=SystemClock)
    budget: Budget = field(default_factory=Budget)
    concurrency: int | None = None
    draw: random.Random = field(default_factory=random.Random)
    _lanes: list[Lane] = field(default_factory=list)
    _bells: dict[str, asyncio.Event] = field(default_factory=dict)
    _ending: Ending = Ending.COMPLETE
    _fatal: RelaybenchError | None = None
    _rejections: dict[str, int] = field(default_factory=dict)
    _answered: set[str] = field(default_factory=set)

    def stop(self, ending: Ending = Ending.STOPPED) -> None:
        """Send nothing more; ``run`` returns when what is under way has finished."""
        if self._ending is Ending.COMPLETE:
            self._ending = ending
        self._ring()

    async def run(self, cells: Sequence[Cell]) -> RunEnded:
        """Send all cells. Returns when each was tried, or after ``stop`` or the budget's end.

        Raises what the recorder raised (the store cannot be written), after everything under way
        has come back.
        """
        self._lanes = self._make_lanes(cells)
        self._bells = {lane.name: asyncio.Event() for lane in self._lanes}
        async with asyncio.TaskGroup() as group:
            for lane in self._lanes:
                group.create_task(self._drive(lane, group))
        if self._fatal:
            raise self._fatal
        ended = RunEnded(self._ending, sum(lane.left for lane in self._lanes))
        self.on_event(ended)
        return ended

    def _make_lanes(self, cells: Sequence[Cell]) -> list[Lane]:
        by_provider: dict[str, list[Cell]] = {}
        most: dict[str, int] = {}
        for cell in cells:
            config = self.plan.configs[cell.config]
            by_provider.setdefault(config.provider_key, []).append(cell)
            limit = self.concurrency or config.concurrency
            most[config.provider_key] = max(limit, most.get(config.provider_key, 0))
        return [Lane.of(name, most[name], own) for name, own in by_provider.items()]

    def _ring(self) -> None:
        for bell in self._bells.values():
            bell.set()

    async def _drive(self, lane: Lane, group: asyncio.TaskGroup) -> None:
        """Send a lane's jobs as its pace and the budget allow."""
        bell = self._bells[lane.name]
        while True:
            bell.clear()
            sending = self._ending is Ending.COMPLETE
            job = lane.take(self.clock.time()) if sending else None
            if job:
                if self._start(lane, job, group):
                    continue
                lane.put_back(job, self.clock.time())
                if not self.budget.reserved:  # nothing under way will give money back
                    self.stop(Ending.BUDGET)
                    continue
                await bell.wait()
                continue
            if lane.under_way == 0 and (not sending or lane.left == 0):
                return
            await self._wait(bell, lane.next_ready() if sending else None)

    async def _wait(self, bell: asyncio.Event, until: float | None) -> None:
        """Wait for something to happen, or for a moment of the clock."""
        if until is None:
            await bell.wait()
            return
        waits = [
            asyncio.ensure_future(bell.wait()),
            asyncio.ensure_future(self.clock.sleep(max(0.0, until - self.clock.time()))),
        ]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in waits:
                each.cancel()
            await asyncio.gather(*waits, return_exceptions=True)

    def _start(self, lane: Lane, job: Job, group: asyncio.TaskGroup) -> bool:
        """Set money aside and send a job; False where the budget has no room for it now."""
        reserved = self.budget.price_of_next(job.cell.config, self.plan.expected(job.cell))
        if not self.budget.reserve(reserved):
            return False
        lane.under_way += 1
        group.create_task(self._send(lane, job, reserved))
        return True

    async def _send(self, lane: Lane, job: Job, reserved: Decimal) -> None:
        """One call, from its first line in the store to its last."""
        cell, config = job.cell, self.plan.configs[job.cell.config]
        epoch = lane.pace.epoch
        job.tried += 1
        settled = False
        try:
            ticket = await self._finish(self.recorder.call_started(cell))
            self.on_event(CellStarted(cell, job.tried))
            try:
                completion = await self._complete(cell, config)
            except ProviderError as error:
                cost = cost_of(error.usage, {}, config.prices).total if error.usage else None
                if error.usage:
                    self.budget.settle(cell.config, reserved, cost)
                    settled = True
                await self._failed(lane, job, ticket, error, epoch)
            except BaseException:
                await self.recorder.call_lost(ticket)
                raise
            else:
                cost = cost_of(completion.usage, completion.tool_fees, config.prices).total
                self.budget.settle(cell.config, reserved, cost)
                settled = True
                outcome = await self._finish(self.recorder.answered(ticket, completion))
                self._came_back(lane, cell)
                self.on_event(CellFinished(cell, outcome, completion.usage, cost))
        except RelaybenchError as error:  # the store cannot be written: send nothing more
            self._fatal = self._fatal or error
            self.stop()
        finally:
            if not settled:
                self.budget.release(reserved)
            lane.under_way -= 1
            self._ring()

    async def _complete(self, cell: Cell, config: ModelConfig) -> Completion:
        request = Request(
            prompt=self.plan.items[cell.item].prompt,
            config=config,
            cell=cell.id,
            on_phase=lambda phase: self._phase(cell, phase),
        )
        try:
            return await self.providers[config.provider_key].complete(request)
        except (ProviderError, asyncio.CancelledError):
            raise
        except Exception as error:  # a fault of an adapter must not end the whole run
            raise MalformedResponse(
                f"the {config.provider} adapter failed on this response: "
                f"{type(error).__name__}: {error}"
            ) from error

    def _phase(self, cell: Cell, phase: Phase) -> None:
        self.on_event(CellPhase(cell, phase))

    async def _finish(self, work: Awaitable[T]) -> T:
        """Await something that must be brought to its end even when we are cancelled."""
        task = asyncio.ensure_future(work)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            with contextlib.suppress(Exception):
                await task
            raise

    def _came_back(self, lane: Lane, cell: Cell) -> None:
        self._answered.add(cell.config)
        self._rejections[cell.config] = 0
        if lane.pace.answered():
            self.on_event(PaceChanged(lane.name, lane.pace.limit))

    async def _failed(
        self, lane: Lane, job: Job, ticket: CallTicket, error: ProviderError, epoch: int
    ) -> None:
        """Decide what a failure means for this cell, its config and its provider."""
        if isinstance(error, RateLimited) and lane.pace.limited(epoch):
            self.on_event(PaceChanged(lane.name, lane.pace.limit))
        wait = self.policy.wait_before_next(job.tried, error, self.draw)
        await self._finish(self.recorder.call_failed(ticket, error, wait))
        if wait is not None and self._ending is Ending.COMPLETE and not lane.closed:
            lane.put_back(job, self.clock.time() + wait)
            self.on_event(
                CellWaiting(job.cell, job.tried, self.policy.tries, wait, error.kind, str(error))
            )
            return
        if wait is not None:  # stopped while this try was under way: the cell stays open
            lane.fresh.append(job)
            return
        await self._finish(self.recorder.gave_up(job.cell, error))
        self.on_event(
            CellFinished(job.cell, Outcome.ERROR, error.usage or Usage(), None, str(error))
        )
        self._close_if_hopeless(lane, job.cell.config, error)

    def _close_if_hopeless(self, lane: Lane, config: str, error: ProviderError) -> None:
        scope = error.scope
        if isinstance(error, RequestRejected) and config not in self._answered:
            self._rejections[config] = self._rejections.get(config, 0) + 1
            if self._rejections[config] >= REJECTIONS_IN_A_ROW:
                scope = FaultScope.CONFIG
        if scope is FaultScope.PROVIDER:
            lane.closed = True
            dropped = lane.drop(lambda _: True)
        elif scope is FaultScope.CONFIG:
            dropped = lane.drop(lambda job: job.cell.config == config)
        else:
            return
        name = self.plan.configs[config].name if scope is FaultScope.CONFIG else None
        self.on_event(LaneClosed(lane.name, name, error.kind, str(error), len(dropped)))
