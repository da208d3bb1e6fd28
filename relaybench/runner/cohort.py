"""Run the cells of a plan: every provider at its own pace, every answer stored before it is used.

Stopping has two stages. ``stop`` lets what is under way finish and sends nothing more; cancelling
the task that runs ``run`` leaves at once, after writing down which calls were abandoned. While it
goes on it can be paused, made faster or slower, and told to try again what has failed.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from relaybench.domain.completion import Trail, Usage
from relaybench.domain.results import Cell, Outcome
from relaybench.providers.protocol import Phase, Provider
from relaybench.runner.budget import Budget
from relaybench.runner.calls import Answered, Caller, Failed, TurnTaken
from relaybench.runner.clock import Clock, SystemClock, ring_or_moment
from relaybench.runner.closing import Closing
from relaybench.runner.events import (
    CellFinished,
    CellLeft,
    CellPhase,
    CellQueued,
    CellTurn,
    CellWaiting,
    ConcurrencyChanged,
    Ending,
    Event,
    PaceChanged,
    Paused,
    ReachChanged,
    Resumed,
    RunEnded,
)
from relaybench.runner.lane import Job, Lane
from relaybench.runner.pace import asks_for_less
from relaybench.runner.plan import RunPlan
from relaybench.runner.recorder import Recorder
from relaybench.runner.retry import RetryPolicy
from relaybench.runner.seeing_through import finish

_LOG: Final = logging.getLogger(__name__)


@dataclass(slots=True)
class CohortRunner:
    """One run of a cohort. ``providers`` holds the adapter of every config's ``provider_key``.

    ``on_event`` is for show: what it raises is logged and does not disturb the run.
    """

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
    _fatal: Exception | None = None
    _paused: bool = False
    _group: asyncio.TaskGroup | None = None
    _driven: set[str] = field(default_factory=set)  # lanes that still look for jobs to send
    _of_lane: dict[str, int] = field(default_factory=dict)  # calls at once where they were set
    _closing: Closing = field(init=False)

    def __post_init__(self) -> None:
        """Remember who has answered before."""
        self._closing = Closing(self.plan.configs, self.budget, set(self.plan.answered))

    def stop(self, ending: Ending = Ending.STOPPED) -> None:
        """Send nothing more; ``run`` returns when what is under way has finished."""
        if self._ending is Ending.COMPLETE:
            self._ending = ending
        self._ring()

    @property
    def paused(self) -> bool:
        """Whether nothing goes out until ``resume``."""
        return self._paused

    def pause(self) -> None:
        """Send nothing for now: calls under way finish, waits run on and keep their places."""
        if not self._paused and self._ending is Ending.COMPLETE:
            self._paused = True
            self._tell(Paused())

    def resume(self) -> None:
        """Go on after ``pause``."""
        if self._paused:
            self._paused = False
            self._tell(Resumed())
            self._ring()

    def set_concurrency(self, most: int, lane: str | None = None) -> None:
        """Let at most so many calls be under way: at each provider, or at the one ``lane`` names.

        Calls beyond a lowered number finish. Raises ValueError unless ``most`` is at least 1.
        """
        if most < 1:
            raise ValueError(f"at least one call must be allowed at once, not {most}")
        if lane is None:
            self.concurrency = most
            self._of_lane.clear()
        else:
            self._of_lane[lane] = most
        for each in self._lanes:
            if lane in (None, each.name):
                each.pace.change(most)
                self._tell(ConcurrencyChanged(each.name, most, each.pace.limit))
        self._ring()

    def retry_failed(self) -> int:
        """Queue again what has failed in this session or was dropped with its provider or config.

        Returns how many cells; 0 where the run is stopping or over: then a resume does it.
        """
        if self._group is None or not self._driven or self._ending is not Ending.COMPLETE:
            return 0
        count = 0
        self._closing.forget()
        for lane in self._lanes:
            failed, left_out = lane.take_back()
            for job in (*failed, *left_out):
                self._tell(CellQueued(job.cell, failed=job in failed))
            count += len(failed) + len(left_out)
            if lane.queued and lane.name not in self._driven:
                self._group.create_task(self._drive(lane, self._group))
                self._driven.add(lane.name)
        self._ring()
        return count

    def most_at_once(self, cells: Sequence[Cell]) -> dict[str, int]:
        """How many calls of these cells may be under way at most, by lane (``provider_key``)."""
        most: dict[str, int] = {}
        for digest in {cell.config for cell in cells}:
            config = self.plan.configs[digest]
            lane = config.provider_key
            limit = self._of_lane.get(lane) or self.concurrency or config.concurrency
            most[lane] = max(limit, most.get(lane, 0))
        return most

    async def run(self, cells: Sequence[Cell]) -> RunEnded:
        """Send all cells. Returns when each was tried, or after ``stop`` or the budget's end.

        Raises what the recorder raised (the store cannot be written), after everything under way
        has come back.
        """
        self._lanes = self._make_lanes(list(dict.fromkeys(cells)))
        self._bells = {lane.name: asyncio.Event() for lane in self._lanes}
        try:
            async with asyncio.TaskGroup() as group:
                self._group = group
                self._driven.update(self._bells)
                for lane in self._lanes:
                    group.create_task(self._drive(lane, group))
        except asyncio.CancelledError:
            if self._fatal:  # it may say where an answer was put that the store would not take
                raise self._fatal from None
            raise
        finally:
            self._group = None
        if self._fatal:
            raise self._fatal
        left = sum(lane.left for lane in self._lanes)
        ended = RunEnded(self._ending if left else Ending.COMPLETE, left)
        self._tell(ended)
        return ended

    def _make_lanes(self, cells: Sequence[Cell]) -> list[Lane]:
        by_provider: dict[str, list[Job]] = {}
        most = self.most_at_once(cells)
        for cell in cells:
            config = self.plan.configs[cell.config]
            if config.provider_key not in self.providers:
                raise ValueError(f"no adapter is open for {config.name}")
            trail = self.plan.trails.get(cell, Trail())
            job = Job(cell, turns=list(trail.turns), handle=trail.handle)
            by_provider.setdefault(config.provider_key, []).append(job)
        return [Lane.of(name, most[name], own) for name, own in by_provider.items()]

    def _ring(self) -> None:
        for bell in self._bells.values():
            bell.set()

    def _tell(self, event: Event) -> None:
        try:
            self.on_event(event)
        except Exception:
            # An answer that is paid for must not be lost because a screen cannot show it.
            _LOG.exception("a front end failed on %s", type(event).__name__)

    def _fail(self, error: Exception) -> None:
        """The store cannot be written, or something of ours is broken: send nothing more."""
        self._fatal = self._fatal or error
        self.stop()

    async def _drive(self, lane: Lane, group: asyncio.TaskGroup) -> None:
        try:
            await self._feed(lane, group)
        except Exception as error:
            self._fail(error)
        finally:
            self._driven.discard(lane.name)

    async def _feed(self, lane: Lane, group: asyncio.TaskGroup) -> None:
        """Send a lane's jobs as its pace and the budget allow."""
        bell = self._bells[lane.name]
        while True:
            bell.clear()
            if lane.pace.rested(self.clock.time()):
                self._tell(PaceChanged(lane.name, lane.pace.limit))
            sending = self._ending is Ending.COMPLETE
            job = lane.take(self.clock.time()) if sending and not self._paused else None
            if job:
                if self._start(lane, job, group):
                    continue
                lane.put_back(job, self.clock.time())
                if not self.budget.waits:  # nothing under way will give money back
                    self.stop(Ending.BUDGET)
                    continue
                await bell.wait()
                continue
            if lane.under_way == 0 and (not sending or lane.queued == 0):
                return
            moment = lane.next_ready(self.clock.time()) if sending and not self._paused else None
            await ring_or_moment(bell, self.clock, moment)

    def _start(self, lane: Lane, job: Job, group: asyncio.TaskGroup) -> bool:
        """Set money aside and send a job; False where the budget has no room for it now."""
        try:
            reserved = self.budget.price_of_next(job.cell.config, self.plan.expected(job.cell))
        except BaseException:
            lane.leave(job)
            raise
        if not self.budget.reserve(job.cell.config, reserved):
            return False
        lane.under_way += 1
        group.create_task(self._send(lane, job, reserved))
        return True

    async def _send(self, lane: Lane, job: Job, reserved: Decimal) -> None:
        try:
            await self._call(lane, job, reserved)
        except Exception as error:
            self._fail(error)
        finally:
            lane.under_way -= 1
            self._ring()

    async def _call(self, lane: Lane, job: Job, reserved: Decimal) -> None:
        """One call of a job, and what follows on it."""
        epoch = lane.pace.epoch
        match await self._caller(lane).call(job, reserved):
            case Failed() as failed:
                await self._failed(lane, job, failed, epoch)
            case Answered(completion, cost, outcome):
                self._came_back(lane, job.cell)
                note = ""
                if outcome is Outcome.ERROR:
                    raw = completion.raw_stop_reason
                    note = f"an unknown stop reason, {raw!r}: the answer is kept but not scored"
                self._tell(
                    CellFinished(job.cell, outcome, completion.usage, cost, note, answered=True)
                )
            case TurnTaken(completion, cost, nudged):
                self._came_back(lane, job.cell)
                self._tell(CellTurn(job.cell, len(job.turns), nudged, completion.usage, cost))
                if self._goes_on(lane, job):
                    lane.put_back(job, self.clock.time())
                else:
                    lane.leave(job)

    def _caller(self, lane: Lane) -> Caller:
        def tell(event: Event) -> None:
            if isinstance(event, CellPhase) and event.phase is not Phase.SENDING:
                self._heard(lane)
            self._tell(event)

        return Caller(
            self.plan.items,
            self.plan.configs,
            self.providers,
            self.recorder,
            self.budget,
            tell,
            self._fail,
        )

    def _heard(self, lane: Lane) -> None:
        """A provider gave a sign of life: what waited for one may go out."""
        if lane.outage.heard():
            self._tell(ReachChanged(lane.name, reached=True))
            self._bells[lane.name].set()

    def _came_back(self, lane: Lane, cell: Cell) -> None:
        self._closing.answered.add(cell.config)
        self._heard(lane)
        lane.held.discard(cell.config)
        if lane.pace.answered():
            self._tell(PaceChanged(lane.name, lane.pace.limit))

    async def _failed(self, lane: Lane, job: Job, failed: Failed, epoch: int) -> None:
        """Decide what a failure means for this cell, its config and its provider."""
        ticket, error, cost = failed.ticket, failed.error, failed.cost
        if not self.budget.under_way[job.cell.config]:
            lane.held.discard(job.cell.config)  # nothing is left to wait for
        # Of a wave that meets a limit together only the first counts: the pace sees to the rest.
        first = epoch == lane.pace.epoch or not asks_for_less(error)
        if first and lane.outage.failed(error, self.clock.time()):
            self._tell(ReachChanged(lane.name, reached=False, message=str(error)))
        if asks_for_less(error) and lane.pace.limited(
            epoch, now=self.clock.time(), wait_s=error.retry_after_s, under_way=lane.under_way
        ):
            self._tell(PaceChanged(lane.name, lane.pace.limit))
        job.billed += error.may_be_billed and error.handle is None
        wait = self.policy.wait_before_next(job.tried, error, self.draw, billed=job.billed)
        if wait is None:
            closed = self._closing.after(lane, job.cell.config, error)
            await finish(self.recorder.call_failed(ticket, error, None))
            await finish(self.recorder.gave_up(job.cell, error))
            usage = error.usage or Usage()
            lane.failed.append(job)
            self._tell(CellFinished(job.cell, Outcome.ERROR, usage, cost, str(error)))
            if closed:
                self._tell(closed)
            return
        again = wait if self._goes_on(lane, job) else None
        await finish(self.recorder.call_failed(ticket, error, again))
        if self._goes_on(lane, job):
            lane.put_back(job, self.clock.time() + wait)
            of = self.policy.tries
            self._tell(CellWaiting(job.cell, job.tried, of, wait, error.kind, str(error), cost))
        else:  # stopped or closed while this try was under way: the cell stays open
            lane.leave(job)
            self._tell(CellLeft(job.cell, error.kind, str(error), cost))

    def _goes_on(self, lane: Lane, job: Job) -> bool:
        return self._ending is Ending.COMPLETE and lane.open_for(job.cell.config)
