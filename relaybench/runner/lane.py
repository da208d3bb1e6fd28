"""The queue of one provider: which cell is sent next, and when.

Failed tries wait in a heap without holding a place, so that one bad cell does not block others.
"""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from relaybench.domain.completion import Turn
from relaybench.domain.results import Cell
from relaybench.runner.outage import Outage
from relaybench.runner.pace import Pace


@dataclass(slots=True)
class Job:
    """A cell on its way: its turns so far, and how often the next one was tried in this session.

    ``handle`` names work under way at the provider that the next call asks for.
    """

    cell: Cell
    tried: int = 0
    billed: int = 0  # tries that failed and may have been billed
    turns: list[Turn] = field(default_factory=list)
    handle: str | None = None


@dataclass(slots=True)
class Lane:
    """Cells of one provider that are still to send, and the calls under way."""

    name: str
    pace: Pace
    fresh: deque[Job] = field(default_factory=deque)
    waiting: list[tuple[float, int, Job]] = field(default_factory=list)
    under_way: int = 0
    closed: bool = False
    closed_configs: set[str] = field(default_factory=set)
    held: set[str] = field(default_factory=set)  # configs that wait for calls under way
    outage: Outage = field(default_factory=Outage)
    left_out: list[Job] = field(default_factory=list)  # neither sent any more nor with an outcome
    failed: list[Job] = field(default_factory=list)  # their outcome is an error
    _numbers: Callable[[], int] = field(default_factory=lambda: itertools.count().__next__)

    @classmethod
    def of(cls, name: str, most: int, jobs: Iterable[Job]) -> Lane:
        """A lane with these jobs to send, at most ``most`` at a time."""
        return cls(name, Pace(most), deque(jobs))

    def put_back(self, job: Job, ready_at: float) -> None:
        """Let a job wait until a moment of the clock."""
        heapq.heappush(self.waiting, (ready_at, self._numbers(), job))

    def take(self, now: float) -> Job | None:
        """The next job that may be sent now, retries first; None where none may."""
        if self.under_way >= self.pace.limit or self.outage.opens(now) is not None:
            return None
        job = self._next(now)
        if job:
            self.outage.sent(now)
        return job

    def _next(self, now: float) -> Job | None:
        if self.held:
            return self._take_past_held(now)
        if self.waiting and self.waiting[0][0] <= now:
            return heapq.heappop(self.waiting)[2]
        return self.fresh.popleft() if self.fresh else None

    def _take_past_held(self, now: float) -> Job | None:
        ready = [e for e in self.waiting if e[0] <= now and e[2].cell.config not in self.held]
        if ready:
            entry = min(ready)
            self.waiting.remove(entry)
            heapq.heapify(self.waiting)
            return entry[2]
        for job in self.fresh:
            if job.cell.config not in self.held:
                self.fresh.remove(job)
                return job
        return None

    def next_ready(self, now: float) -> float | None:
        """When the next waiting job becomes ready, or time itself makes room for one that has none.

        None where only the end of a call can change anything.
        """
        if self.under_way >= self.pace.limit:
            return self.pace.rises_at if self.queued else None
        waiting = (e[0] for e in self.waiting if e[2].cell.config not in self.held)
        ready = now if self.fresh and not self.held else min(waiting, default=None)
        opens = self.outage.opens(now)
        return ready if ready is None or opens is None else max(ready, opens)

    def open_for(self, config: str) -> bool:
        """Whether jobs of that config may still be sent."""
        return not self.closed and config not in self.closed_configs

    def leave(self, job: Job) -> None:
        """Take note of a job that will not be sent any more and has no outcome."""
        self.left_out.append(job)

    def close(self, config: str | None) -> int:
        """Send nothing more of one config, or at all for None; returns how many jobs that drops."""
        if config is None:
            self.closed = True
        else:
            self.closed_configs.add(config)
        jobs = [*self.fresh, *(entry[2] for entry in self.waiting)]
        dropped = [job for job in jobs if not self.open_for(job.cell.config)]
        self.fresh = deque(job for job in self.fresh if self.open_for(job.cell.config))
        self.waiting = [entry for entry in self.waiting if self.open_for(entry[2].cell.config)]
        heapq.heapify(self.waiting)
        self.left_out += dropped
        return len(dropped)

    def take_back(self) -> tuple[list[Job], list[Job]]:
        """Open the lane again and queue, as if never tried, what failed and what was left out.

        Returns both, in this order.
        """
        self.closed = False
        self.closed_configs.clear()
        self.held.clear()
        failed, left_out = self.failed, self.left_out
        self.failed, self.left_out = [], []
        for job in (*failed, *left_out):
            job.tried = job.billed = 0
            self.fresh.append(job)
        return failed, left_out

    @property
    def queued(self) -> int:
        """Jobs that are still to be sent, now or after a wait."""
        return len(self.fresh) + len(self.waiting)

    @property
    def left(self) -> int:
        """Jobs that are neither under way nor have an outcome."""
        return self.queued + len(self.left_out)
