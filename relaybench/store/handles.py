"""Handles to work that goes on at a provider while nobody listens, and how far attempts have come.

What an attempt goes on from after a crash is always read from here: its turns that have arrived,
and the work that is still under way for it. Nothing that is paid for is sent a second time.
"""

from __future__ import annotations

from collections.abc import Mapping

from relaybench.domain.completion import Trail, Turn
from relaybench.domain.errors import RequestRejected
from relaybench.domain.results import Cell
from relaybench.store.database import Connection
from relaybench.store.plans import RunRow
from relaybench.store.text import pack, unpack, unpack_or_none

_BEGUN = """
SELECT attempts.id, items.digest AS item, model_configs.digest AS config, repeat
FROM attempts JOIN items ON items.id = item_id
JOIN model_configs ON model_configs.id = model_config_id
WHERE run_id = ? AND answered = 0 AND (turn_count > 0 OR EXISTS (
    SELECT 1 FROM handles JOIN calls ON calls.id = call_id
    WHERE attempt_id = attempts.id AND state = 'open'))
"""

# Turns before a request that the provider would not take are given up: the next try starts anew.
_TURNS = """
SELECT response_raw, nudge FROM turns JOIN calls ON calls.id = call_id
WHERE attempt_id = :attempt AND number > (
    SELECT IFNULL(MAX(number), 0) FROM calls
    WHERE attempt_id = :attempt AND status = 'failed' AND error_kind = :rejected)
ORDER BY number
"""

_OPEN = """
SELECT handle FROM handles JOIN calls ON calls.id = call_id
WHERE attempt_id = ? AND state = 'open' ORDER BY number DESC LIMIT 1
"""


def add_handle(connection: Connection, call: int, handle: str) -> None:
    """Note a call's handle; an earlier call of the attempt passes its own on. In a transaction."""
    connection.write(
        "UPDATE handles SET state = 'passed' WHERE state = 'open' AND call_id IN (SELECT id "
        "FROM calls WHERE attempt_id = (SELECT attempt_id FROM calls WHERE id = ?) AND id != ?)",
        (call, call),
    )
    connection.write(
        "INSERT INTO handles (call_id, handle, state) VALUES (?, ?, 'open') "
        "ON CONFLICT (call_id) DO UPDATE SET handle = excluded.handle, state = 'open'",
        (call, pack(handle)),
    )


def end_handle(connection: Connection, call: int) -> None:
    """Note that a call's work is done or gone. In a transaction."""
    connection.write("UPDATE handles SET state = 'ended' WHERE call_id = ?", (call,))


def trails(connection: Connection, run: RunRow) -> Mapping[Cell, Trail]:
    """Attempts of a run that were begun and have no answer yet, and how far they have come."""
    found: dict[Cell, Trail] = {}
    for row in connection.rows(_BEGUN, (run.id,)):
        key = {"attempt": row["id"], "rejected": RequestRejected.kind}
        turns = tuple(
            Turn(unpack(each["response_raw"]), unpack_or_none(each["nudge"]))
            for each in connection.rows(_TURNS, key)
        )
        open_work = connection.row(_OPEN, (row["id"],))
        handle = unpack(open_work["handle"]) if open_work else None
        if turns or handle is not None:
            found[Cell(row["item"], row["config"], row["repeat"])] = Trail(turns, handle)
    return found
