"""The state of every cell of a run's grid, from what is stored and from the events of a session.

It is made from the results file, so that a resumed run shows its whole grid, and kept up to date by
events, one small step each. One thread takes the events; any other may read at any time: a cell's
state is one value that is replaced, never changed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from relaybench.domain.completion import Usage
from relaybench.domain.model import ModelConfig
from relaybench.domain.results import Cell, Outcome
from relaybench.runner.events import (
    CellFinished,
    CellLeft,
    CellPhase,
    CellQueued,
    CellStarted,
    CellTurn,
    CellWaiting,
    ConcurrencyChanged,
    Event,
    LaneClosed,
    PaceChanged,
    ReachChanged,
)
from relaybench.store.cell_facts import FailedCell
from relaybench.store.grid import GridItem, OutcomeGrid
from relaybench.store.plans import RunRow
from relaybench.store.results import ConfigResult
from relaybench.workbench.runs.cell_state import OF_OUTCOME, OF_PHASE, STORED, CellNow, State
from relaybench.workbench.runs.model_figures import ModelNow, ModelTally
from relaybench.workbench.runs.progress import Progress


@dataclass(slots=True)
class LaneNow:
    """One provider: calls at once at most, what its pace allows now, whether it is reached."""

    most: int
    limit: int
    reached: bool = True
    closed: str = ""  # why nothing more is sent to it


class CellStates:
    """The whole grid of a run: items down, configs across, repeats within."""

    def __init__(
        self,
        grid: OutcomeGrid,
        results: Sequence[ConfigResult],
        failed: Sequence[FailedCell] = (),
        to_send: Collection[Cell] = (),
        *,
        lanes: Mapping[str, int] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start from what is stored; ``to_send`` are the cells of the session about to begin."""
        self.elsewhere = False  # whether another process sends it right now
        self.run: RunRow = grid.runs[0]
        self.items: tuple[GridItem, ...] = tuple(grid.items.values())
        self.configs: tuple[ModelConfig, ...] = tuple(grid.configs.values())
        self.repeats = self.run.repeats
        self.clock = clock
        self.version = 0
        self.ended = False  # whether nothing changes any more
        self.lanes = {name: LaneNow(most, most) for name, most in (lanes or {}).items()}
        self._rows = {item.digest: number for number, item in enumerate(self.items)}
        self._digests = tuple(grid.configs)
        self._columns = {digest: number for number, digest in enumerate(self._digests)}
        self._cells = [STORED[Outcome.PENDING]] * (
            len(self.items) * len(self.configs) * self.repeats
        )
        for (item, config), outcomes in grid.cells.items():
            at = self._place(item, config, 0)
            for repeat, outcome in enumerate(outcomes[: self.repeats]):
                self._cells[at + repeat] = STORED[outcome]
        for each in failed:
            state = State.UNCLEAR if each.answered else State.ERROR
            self._cells[self._at(each.cell)] = CellNow(state, message=each.message)
        for cell in to_send:
            self._cells[self._at(cell)] = CellNow(State.QUEUED, clock())
        self._tallies: dict[str, ModelTally] = {}
        for result in results:
            digest = result.config.digest  # worked out anew whenever it is asked for
            column = self._columns[digest]
            self._tallies[digest] = ModelTally.of(
                result, [self.at(row, column) for row in self._all_rows]
            )
        counts: dict[str, int] = {}
        for cell in to_send:
            counts[cell.config] = counts.get(cell.config, 0) + 1
        self.session = Progress.of(grid.configs, counts, clock)
        self.whole = Progress(
            {digest: tally.counts for digest, tally in self._tallies.items()}, clock, clock()
        )

    def goes_on_elsewhere(self, under_way: Iterable[tuple[Cell, int, float]]) -> None:
        """Another process sends the run; its cells under way, which call it is, since how long."""
        self.elsewhere = True
        for cell, number, seconds in under_way:
            if self._cells[self._at(cell)].state not in (State.OPEN, State.ERROR):
                continue  # answered in the meantime
            self._set(cell, CellNow(State.SENDING, self.clock() - seconds, number))
            self.session.models[cell.config].under_way += 1
            counts = self._tallies[cell.config].counts
            counts.unknown_costs = max(0, counts.unknown_costs - 1)  # it is no lost call

    @property
    def _all_rows(self) -> range:
        return range(len(self.items))

    def _place(self, item: str, config: str, repeat: int) -> int:
        row, column = self._rows[item], self._columns[config]
        return (row * len(self.configs) + column) * self.repeats + repeat

    def _at(self, cell: Cell) -> int:
        return self._place(cell.item, cell.config, cell.repeat)

    def at(self, row: int, column: int) -> list[CellNow]:
        """The cells of an item and a config by repeat."""
        start = (row * len(self.configs) + column) * self.repeats
        return self._cells[start : start + self.repeats]

    def cell(self, row: int, column: int, repeat: int) -> Cell:
        """Which cell stands there."""
        return Cell(self.items[row].digest, self._digests[column], repeat)

    def where(self, cell: Cell) -> tuple[int, int]:
        """Row and column of a cell."""
        return self._rows[cell.item], self._columns[cell.config]

    def take(self, event: Event) -> None:
        """Take note of one event, in a time that does not grow with the grid."""
        self.session.take(event)
        self.whole.take(event)
        now = self.clock()
        match event:
            case CellStarted(cell, number):
                before = self._cells[self._at(cell)]
                self._set(cell, CellNow(State.SENDING, now, number, message=before.message))
            case CellPhase(cell, phase):
                before = self._cells[self._at(cell)]
                if before.state is not OF_PHASE[phase]:
                    self._set(cell, before._replace(state=OF_PHASE[phase], since=now))
            case CellTurn(cell, number, nudged, usage):
                self._used(cell, usage)
                self._set(cell, CellNow(State.NUDGED if nudged else State.PAUSED, now, number))
            case CellWaiting(cell, number, of, wait_s, _, message):
                self._set(cell, CellNow(State.RETRY, now, number + 1, of, now + wait_s, message))
            case CellLeft(cell, _, message):
                self._set(cell, CellNow(State.OPEN, now, message=message))
            case CellFinished():
                self._finished(event, now)
            case CellQueued(cell):
                self._reopened(cell)
                self._set(cell, CellNow(State.QUEUED, now))
            case LaneClosed(lane, config, _, message):
                self._closed(lane, config, message)
            case PaceChanged(lane, limit):
                self._lane(lane).limit = limit
            case ConcurrencyChanged(lane, most, limit):
                self._lane(lane).most, self._lane(lane).limit = most, limit
            case ReachChanged(lane, reached):
                self._lane(lane).reached = reached
        self.version += 1

    def over(self) -> None:
        """The session has ended, however: what has no outcome is open, and time stands still."""
        self.ended = True
        self.session.freeze()
        self.whole.freeze()
        for place, now in enumerate(self._cells):
            if not now.state.final and now.state is not State.OPEN:
                self._cells[place] = CellNow(State.OPEN, self.clock(), message=now.message)
        self.version += 1

    def _set(self, cell: Cell, state: CellNow) -> None:
        self._cells[self._at(cell)] = state

    def _lane(self, name: str) -> LaneNow:
        return self.lanes.setdefault(name, LaneNow(1, 1))

    def _used(self, cell: Cell, usage: Usage) -> None:
        tally = self._tallies[cell.config]
        tally.usage = tally.usage + usage

    def _finished(self, event: CellFinished, now: float) -> None:
        cell, outcome = event.cell, event.outcome
        self._used(cell, event.usage)
        state = OF_OUTCOME[outcome]
        if event.answered and not outcome.scored:
            state = State.UNCLEAR
        if outcome.scored:
            self._tallies[cell.config].scored(self._rows[cell.item], outcome)
        self._set(cell, CellNow(state, now, message=event.message))

    def _reopened(self, cell: Cell) -> None:
        lane = self.lanes.get(self.configs[self._columns[cell.config]].provider_key)
        if lane is not None:
            lane.closed = ""

    def _closed(self, lane: str, config: str | None, message: str) -> None:
        """Cells that waited for a provider, or a config, that is given up are no longer queued."""
        for column, each in enumerate(self.configs):
            if each.provider_key != lane or config not in (None, each.name):
                continue
            for row in self._all_rows:
                start = (row * len(self.configs) + column) * self.repeats
                for place in range(start, start + self.repeats):
                    now = self._cells[place]
                    if now.state in (State.QUEUED, State.RETRY, State.PAUSED, State.NUDGED):
                        self._cells[place] = CellNow(State.OPEN, self.clock(), message=message)
        if config is None:
            self._lane(lane).closed = message

    def open_cells(self) -> tuple[int, int]:
        """How many cells have no answer: those that can be sent, and those of manual models."""
        send = by_hand = 0
        for tally in self._tallies.values():
            count = tally.counts.total - tally.counts.done + tally.counts.failed
            if tally.counts.config.manual:
                by_hand += count
            else:
                send += count
        return send, by_hand

    def model(self, column: int) -> ModelNow:
        """One model's figures."""
        digest = self._digests[column]
        session = self.session.models[digest]
        over = self.ended or session.done >= session.total
        left = 0.0 if over else self.session.model_seconds_left(digest)
        return self._tallies[digest].now(left)

    def models(self) -> Iterator[ModelNow]:
        """The figures of all models, in the order of the columns."""
        return (self.model(column) for column in range(len(self.configs)))
