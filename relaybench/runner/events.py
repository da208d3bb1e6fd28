"""What a run tells its front ends, as it happens. Plain values; no text of a model in them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from relaybench.domain.completion import Usage
from relaybench.domain.money import UNKNOWN_COST, Cost
from relaybench.domain.results import Cell, Outcome
from relaybench.providers.protocol import Phase


@dataclass(frozen=True, slots=True)
class CellStarted:
    """A call of a cell goes out; ``number`` counts the tries of this session from 1."""

    cell: Cell
    number: int


@dataclass(frozen=True, slots=True)
class CellPhase:
    """What the model is doing right now."""

    cell: Cell
    phase: Phase


@dataclass(frozen=True, slots=True)
class CellTurn:
    """A turn of a cell came back and another follows; ``number`` counts its turns from 1.

    ``nudged``: the model is asked to go on, else it goes on with a turn that it paused.
    """

    cell: Cell
    number: int
    nudged: bool
    usage: Usage
    cost: Cost


@dataclass(frozen=True, slots=True)
class CellWaiting:
    """A try failed, at its own ``cost``, and the next comes in ``wait_s`` seconds."""

    cell: Cell
    number: int
    of: int
    wait_s: float
    kind: str
    message: str
    cost: Cost = UNKNOWN_COST


@dataclass(frozen=True, slots=True)
class CellLeft:
    """A try failed after sending had been stopped: the cell stays open."""

    cell: Cell
    kind: str
    message: str
    cost: Cost = UNKNOWN_COST


@dataclass(frozen=True, slots=True)
class CellFinished:
    """A cell has an outcome. ``cost`` is that of its last call.

    ``answered``: an answer is stored, so the cell is never sent again whatever its outcome.
    """

    cell: Cell
    outcome: Outcome
    usage: Usage
    cost: Cost
    message: str = ""
    answered: bool = False


@dataclass(frozen=True, slots=True)
class LaneClosed:
    """Nothing more is sent to a provider, or for one config: ``message`` says why."""

    lane: str
    config: str | None
    kind: str
    message: str
    dropped: int


@dataclass(frozen=True, slots=True)
class PaceChanged:
    """How many calls may be under way at a provider has changed."""

    lane: str
    limit: int


@dataclass(frozen=True, slots=True)
class ReachChanged:
    """A provider is out of reach, so that single calls feel for it; or it is back."""

    lane: str
    reached: bool
    message: str = ""


@dataclass(frozen=True, slots=True)
class Paused:
    """Nothing more goes out until ``Resumed``; calls under way finish, waits run on."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """Calls go out again after a pause."""


@dataclass(frozen=True, slots=True)
class ConcurrencyChanged:
    """The user changed how many calls may be under way at a provider at most.

    ``limit`` is what its pace allows now: less where the provider has asked for less.
    """

    lane: str
    most: int
    limit: int


@dataclass(frozen=True, slots=True)
class CellQueued:
    """A cell that failed, or was dropped, waits to be sent again because the user asked for it.

    ``failed``: it had an outcome (``CellFinished`` with an error), which no longer counts.
    """

    cell: Cell
    failed: bool


class Ending(StrEnum):
    """Why a run came to its end."""

    COMPLETE = "complete"  # nothing more could be sent: every cell was tried, or its lane closed
    STOPPED = "stopped"  # stopped gently: what was under way has finished
    BUDGET = "budget"  # the next call could have gone over the budget


@dataclass(frozen=True, slots=True)
class RunEnded:
    """The run is over; ``left`` cells stay open: not sent, or stopped between two tries."""

    ending: Ending
    left: int


Event = (
    CellStarted
    | CellPhase
    | CellTurn
    | CellWaiting
    | CellLeft
    | CellFinished
    | LaneClosed
    | PaceChanged
    | ReachChanged
    | Paused
    | Resumed
    | ConcurrencyChanged
    | CellQueued
    | RunEnded
)
