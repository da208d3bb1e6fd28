"""How a run is going, per model, from its events: for a progress line or a grid of cells."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from relaybench.domain.model import ModelConfig
from relaybench.domain.money import ZERO, Cost
from relaybench.domain.results import Outcome
from relaybench.runner.events import (
    CellFinished,
    CellLeft,
    CellQueued,
    CellStarted,
    CellTurn,
    CellWaiting,
    Event,
    LaneClosed,
    Paused,
    ReachChanged,
    Resumed,
)


def duration(seconds: float | None) -> str:
    """Seconds for people: ``42 s``, ``3 min``, ``2 h 05 min``; ``…`` where it is not known."""
    if seconds is None:
        return "…"
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d} min"


@dataclass(slots=True)
class ModelProgress:
    """One model's part of a session. ``cost`` is what is known of it, in USD.

    ``unknown_costs`` calls have a part that is not known.
    """

    config: ModelConfig
    total: int
    done: int = 0
    failed: int = 0
    unclear: int = 0  # answered, but not scored
    outcomes: dict[Outcome, int] = field(default_factory=dict)
    cost: Decimal = ZERO
    unknown_costs: int = 0
    retries: int = 0
    under_way: int = 0
    note: str = ""

    @property
    def correct(self) -> int:
        """Right answers so far in this session."""
        return self.outcomes.get(Outcome.CORRECT, 0)

    def charge(self, cost: Cost) -> None:
        """Add what is known of one call's cost, as the results file does."""
        self.cost += cost.known
        self.unknown_costs += cost.total is None


@dataclass(slots=True)
class Progress:
    """Counts a session's events. ``clock`` gives seconds."""

    models: dict[str, ModelProgress]
    clock: Callable[[], float] = time.monotonic
    started: float = 0.0
    messages: list[str] = field(default_factory=list)
    paused_at: float | None = None  # by the clock; None: not paused
    paused_s: float = 0.0  # seconds of pauses that are over

    @classmethod
    def of(
        cls,
        configs: Mapping[str, ModelConfig],
        cells_by_config: Mapping[str, int],
        clock: Callable[[], float] = time.monotonic,
    ) -> Progress:
        """Progress of a session that is about to start."""
        models = {
            digest: ModelProgress(config, cells_by_config.get(digest, 0))
            for digest, config in configs.items()
        }
        return cls(models, clock, clock())

    def take(self, event: Event) -> None:
        """Count one event."""
        if isinstance(event, CellStarted):
            model = self.models[event.cell.config]
            model.under_way += 1
            if event.number > 1:
                model.retries += 1
        elif isinstance(event, CellWaiting | CellLeft | CellTurn):
            model = self.models[event.cell.config]
            model.under_way -= 1
            model.charge(event.cost)
        elif isinstance(event, CellFinished):
            self._finished(event)
        elif isinstance(event, CellQueued):
            self._queued(event)
        elif isinstance(event, Paused):
            self.paused_at = self.clock()
        elif isinstance(event, Resumed):
            self.paused_s, self.paused_at = self._in_pauses(), None
        elif isinstance(event, ReachChanged):
            self.messages.append(
                f"{event.lane} is back: going on"
                if event.reached
                else f"{event.lane} is out of reach ({event.message}): single calls feel for it, "
                "the others wait and keep their tries"
            )
        elif isinstance(event, LaneClosed):
            who = event.config or event.lane
            left = f" ({event.dropped} left)" if event.dropped else ""
            self.messages.append(f"{who}: nothing more is sent{left}: {event.message}")

    def _finished(self, event: CellFinished) -> None:
        model = self.models[event.cell.config]
        model.under_way -= 1
        model.done += 1
        model.outcomes[event.outcome] = model.outcomes.get(event.outcome, 0) + 1
        if event.outcome is Outcome.ERROR:
            model.unclear += event.answered
            model.failed += not event.answered
            model.note = event.message
        model.charge(event.cost)

    def freeze(self) -> None:
        """The session is over: time stands still, and nothing is under way any more."""
        if self.paused_at is None:
            self.paused_at = self.clock()
        for model in self.models.values():
            model.under_way = 0

    def _queued(self, event: CellQueued) -> None:
        """A cell is open again."""
        if event.failed:
            model = self.models[event.cell.config]
            model.done -= 1
            model.failed -= 1
            model.outcomes[Outcome.ERROR] -= 1

    def _in_pauses(self) -> float:
        running = 0.0 if self.paused_at is None else self.clock() - self.paused_at
        return self.paused_s + running

    @property
    def done(self) -> int:
        """Cells with an outcome so far."""
        return sum(model.done for model in self.models.values())

    @property
    def total(self) -> int:
        """Cells of this session."""
        return sum(model.total for model in self.models.values())

    @property
    def cost(self) -> Decimal:
        """What is known to have been spent in this session, in USD."""
        return sum((model.cost for model in self.models.values()), ZERO)

    @property
    def elapsed(self) -> float:
        """Seconds since the session began, pauses left out."""
        return self.clock() - self.started - self._in_pauses()

    def seconds_left(self) -> float | None:
        """Time left at the pace so far, or None before anything is done.

        That is the time of all cells, but never less than of the model that takes longest.
        """
        if not self.done:
            return None
        counts = [(self.done, self.total), *((m.done, m.total) for m in self.models.values())]
        elapsed = self.elapsed
        return max(elapsed / done * (total - done) for done, total in counts if done)

    def model_seconds_left(self, digest: str) -> float | None:
        """Time left for one model."""
        model = self.models[digest]
        return self.elapsed / model.done * (model.total - model.done) if model.done else None
