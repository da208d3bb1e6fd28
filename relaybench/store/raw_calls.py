"""The big texts of single calls, read when somebody looks at them and not before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from relaybench.domain.errors import UnknownNameError
from relaybench.store.database import Connection
from relaybench.store.text import unpack, unpack_or_none
from relaybench.store.tool_uses import ToolUse, tools_of

_RAW = "SELECT request_json, response_raw FROM calls WHERE attempt_id = ? AND number = ?"
_TURNS = """
SELECT calls.id, calls.number, calls.refusal, calls.text, calls.answer_text, calls.thinking,
    calls.response_raw, turns.call_id AS followed, turns.nudge AS nudge
FROM calls LEFT JOIN turns ON turns.call_id = calls.id
WHERE attempt_id = ? AND status = 'answered' ORDER BY number
"""


@dataclass(frozen=True, slots=True)
class RawCall:
    """Request and response of a call as they went over the wire; None where there is none."""

    request: str | None
    response: str | None


@dataclass(frozen=True, slots=True)
class SaidTurn:
    """Everything that one response of an attempt said, with the response itself."""

    number: int
    refusal: str | None
    text: str
    answer_text: str | None
    thinking: str
    response: str
    tools: tuple[ToolUse, ...]
    followed: bool
    nudge: str | None


class RawCalls:
    """Read the big texts of an attempt's calls."""

    def __init__(self, connection: Connection) -> None:
        self._on = connection

    def raw(self, attempt_id: int, number: int) -> RawCall:
        """Request and response of one call; raises UnknownNameError where there is none."""
        row = self._on.row(_RAW, (attempt_id, number))
        if row is None:
            raise UnknownNameError(f"attempt {attempt_id} has no call {number}")
        return RawCall(unpack_or_none(row["request_json"]), unpack_or_none(row["response_raw"]))

    def turns(self, attempt_id: int) -> Iterator[SaidTurn]:
        """The responses of an attempt, in order and one at a time."""
        for row in self._on.each(_TURNS, (attempt_id,)):
            yield SaidTurn(
                number=row["number"],
                refusal=unpack_or_none(row["refusal"]),
                text=unpack(row["text"]),
                answer_text=unpack_or_none(row["answer_text"]),
                thinking=unpack(row["thinking"]),
                response=unpack(row["response_raw"]),
                tools=tools_of(self._on, row["id"]),
                followed=row["followed"] is not None,
                nudge=unpack_or_none(row["nudge"]),
            )
