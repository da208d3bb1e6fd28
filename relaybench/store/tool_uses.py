"""Uses of server tools, as they are stored with the call that they belong to."""

from __future__ import annotations

from dataclasses import dataclass

from relaybench.store.database import Connection
from relaybench.store.text import unpack

_OF_CALL = "SELECT kind, status, detail FROM tool_events WHERE call_id = ? ORDER BY number"


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One use of a server tool: what it was asked (query, address or code) and how it went."""

    kind: str
    detail: str
    status: str


def tools_of(connection: Connection, call_id: int) -> tuple[ToolUse, ...]:
    """The uses of tools in a call, in order, by the call's row id."""
    return tuple(
        ToolUse(unpack(row["kind"]), unpack(row["detail"]), unpack(row["status"]))
        for row in connection.rows(_OF_CALL, (call_id,))
    )
