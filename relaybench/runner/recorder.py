"""Where the runner puts what has to last. The workbench gives it one that writes to the store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from relaybench.domain.completion import Completion
from relaybench.domain.errors import ProviderError
from relaybench.domain.results import Cell, Outcome


@dataclass(frozen=True, slots=True)
class CallTicket:
    """A call that has been written down and may now be sent."""

    cell: Cell
    id: int


class Recorder(Protocol):
    """Every method returns only when what it was given is durable."""

    async def call_started(self, cell: Cell, handle: str | None = None) -> CallTicket:
        """A call is about to be sent, or asks for the work that ``handle`` names."""
        ...

    async def handle_given(self, ticket: CallTicket, handle: str) -> None:
        """A call has begun work at the provider that can be asked for by this handle."""
        ...

    async def turn_taken(
        self, ticket: CallTicket, completion: Completion, nudge: str | None
    ) -> None:
        """Store a response on which another turn of its attempt follows."""
        ...

    async def call_failed(
        self, ticket: CallTicket, error: ProviderError, wait_s: float | None
    ) -> None:
        """A call failed; None: there will be no further try."""
        ...

    async def call_lost(self, ticket: CallTicket) -> None:
        """A call was left before it ended, because the user wanted out at once."""
        ...

    async def answered(self, ticket: CallTicket, completion: Completion) -> Outcome:
        """Store an answer, then grade it."""
        ...

    async def gave_up(self, cell: Cell, error: ProviderError) -> None:
        """An attempt has failed for good."""
        ...
