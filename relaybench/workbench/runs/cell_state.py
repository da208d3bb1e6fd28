"""What one cell of a run is doing right now, or what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from relaybench.domain.results import Outcome
from relaybench.providers.protocol import Phase


class State(StrEnum):
    """What a cell is doing, or what became of it."""

    QUEUED = "queued"
    SENDING = "sending"
    AT_PROVIDER = "queued at the provider"
    THINKING = "thinking"
    SEARCHING = "searching"
    RUNNING_CODE = "running code"
    ANSWERING = "answering"
    RETRY = "retry"  # a try failed, the next one waits for its moment
    PAUSED = "paused turn"  # the model paused; the next call goes on with its turn
    NUDGED = "nudged turn"  # the model stopped without an answer and is asked to go on
    OPEN = "open"  # not sent, and not among what this session sends
    CORRECT = "correct"
    WRONG = "wrong"
    UNPARSEABLE = "unparseable"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    STALLED = "stalled"
    ERROR = "error"  # failed for good in this session: open for a retry
    UNCLEAR = "unclear"  # an answer is kept, but not scored

    @property
    def under_way(self) -> bool:
        """Whether a call of it is out."""
        return self in _UNDER_WAY

    @property
    def ages(self) -> bool:
        """Whether its age means something: it will change by itself."""
        return self in _UNDER_WAY or self is State.RETRY

    @property
    def final(self) -> bool:
        """Whether it has an outcome."""
        return self in _FINAL


_UNDER_WAY: Final = frozenset(
    {
        State.SENDING,
        State.AT_PROVIDER,
        State.THINKING,
        State.SEARCHING,
        State.RUNNING_CODE,
        State.ANSWERING,
    }
)
#: The state of a stored outcome.
OF_OUTCOME: Final[Mapping[Outcome, State]] = {
    Outcome.CORRECT: State.CORRECT,
    Outcome.WRONG: State.WRONG,
    Outcome.UNPARSEABLE: State.UNPARSEABLE,
    Outcome.REFUSED: State.REFUSED,
    Outcome.TRUNCATED: State.TRUNCATED,
    Outcome.STALLED: State.STALLED,
    Outcome.ERROR: State.ERROR,
    Outcome.PENDING: State.OPEN,
}
_FINAL: Final = frozenset({*OF_OUTCOME.values(), State.UNCLEAR} - {State.OPEN})
#: The state that a phase of a call puts its cell into.
OF_PHASE: Final[Mapping[Phase, State]] = {
    Phase.SENDING: State.SENDING,
    Phase.QUEUED: State.AT_PROVIDER,
    Phase.THINKING: State.THINKING,
    Phase.SEARCHING: State.SEARCHING,
    Phase.RUNNING_CODE: State.RUNNING_CODE,
    Phase.ANSWERING: State.ANSWERING,
}


class CellNow(NamedTuple):
    """A cell's state and since when (by the clock of the states; 0: from an earlier session).

    ``number`` is the try or turn that comes next or is under way, ``of`` how many there may be,
    ``until`` when a wait is over, ``message`` the last failure in the provider's words.
    """

    state: State
    since: float = 0.0
    number: int = 0
    of: int = 0
    until: float = 0.0
    message: str = ""


#: Cells as they are read from the results file.
STORED: Final[Mapping[Outcome, CellNow]] = {
    outcome: CellNow(state) for outcome, state in OF_OUTCOME.items()
}


def outcome_of(state: State) -> Outcome:
    """The outcome that a state stands for; PENDING for an open cell."""
    if state is State.UNCLEAR:
        return Outcome.ERROR
    return Outcome(state.value) if state.final else Outcome.PENDING
