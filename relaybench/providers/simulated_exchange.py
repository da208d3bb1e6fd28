"""What the simulator's wire formats share: replies, objections, ids, event streams, the ledger."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from relaybench.domain.completion import Usage

EVENT_STREAM: Final = "text/event-stream; charset=utf-8"
JSON: Final = "application/json"
#: 2026-01-01: a fixed time in seconds, so that equal cells give equal bytes.
CREATED: Final = 1_767_225_600


class Objection(Exception):
    """A request that the simulated provider refuses with a 400; the message says why."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A response as it goes out, and what it costs.

    ``turn`` and ``number`` are its place in the conversation: nudges so far, pieces of this turn.
    ``fees`` are billed uses by tool; ``charged`` is False where the provider does not charge.
    """

    content: bytes
    content_type: str
    usage: Usage
    fees: Mapping[str, int] = field(default_factory=dict)
    charged: bool = True
    turn: int = 0
    number: int = 0


@dataclass(frozen=True, slots=True)
class Billed:
    """One entry of a provider's books: a response that it made.

    ``delivered`` says whether the whole of it was handed over; what was cut off or given up by
    the client is billed all the same. ``turn`` and ``number`` are its place in the conversation.
    """

    wire: str
    model: str
    cell: str
    usage: Usage
    fees: Mapping[str, int]
    charged: bool = True
    delivered: bool = False
    turn: int = 0
    number: int = 0

    @property
    def place(self) -> tuple[str, str, int, int]:
        """What may be delivered only once: model, cell and place in its conversation."""
        return self.model, self.cell, self.turn, self.number


def sent_again(ledger: Sequence[Billed]) -> list[tuple[str, str, int, int]]:
    """Places whose response was delivered more than once: something was paid for twice."""
    delivered = Counter(entry.place for entry in ledger if entry.delivered)
    return [place for place, number in delivered.items() if number > 1]


def digest_of(*parts: object) -> str:
    """A hexadecimal name that follows from the parts."""
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()


def event(data: Mapping[str, object], *, named: bool = True) -> str:
    """One server-sent event, with its type as its name."""
    name = f"event: {data['type']}\n" if named else ""
    return f"{name}data: {json.dumps(data, ensure_ascii=False)}\n\n"


def in_pieces(body: bytes, size: int = 0) -> list[bytes]:
    """A body in pieces that split events and characters: about twenty, or of ``size`` bytes."""
    size = size or max(61, len(body) // 20 | 1)
    return [body[start : start + size] for start in range(0, len(body), size)]


def in_deltas(text: str, size: int = 48) -> Iterable[str]:
    """A text in parts of so many characters."""
    return (text[start : start + size] for start in range(0, len(text), size))


def difference(expected: Sequence[object], got: Sequence[object]) -> str:
    """Where two lists of blocks first differ, in words; empty where they are equal."""
    for place, (one, other) in enumerate(zip(expected, got, strict=False)):
        if one != other:
            return f"block {place} is not as it was sent: {_shown(other)} for {_shown(one)}"
    if len(expected) != len(got):
        return f"{len(got)} blocks came back of {len(expected)}"
    return ""


def _shown(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)[:200]
