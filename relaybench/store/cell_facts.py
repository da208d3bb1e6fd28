"""Single cells of a run: which have failed and why, and what was tried for one of them.

No query here reads a prompt or a response.
"""

from __future__ import annotations

from dataclasses import dataclass

from relaybench.domain.results import Cell, Outcome
from relaybench.store.database import Connection
from relaybench.store.plans import RunRow
from relaybench.store.text import unpack_or_none

_FAILED = f"""
SELECT items.digest AS item, model_configs.digest AS config, repeat, answered, error_message
FROM attempts JOIN items ON items.id = item_id
JOIN model_configs ON model_configs.id = model_config_id
WHERE run_id = ? AND outcome = '{Outcome.ERROR.value}'
"""

_SENT = """
SELECT items.digest AS item, model_configs.digest AS config, repeat, number, calls.started_at
FROM calls CROSS JOIN attempts ON attempts.id = attempt_id
JOIN items ON items.id = item_id
JOIN model_configs ON model_configs.id = model_config_id
WHERE run_id = ? AND calls.status != 'answered' AND calls.status = 'sent'
"""

_ATTEMPT = """
SELECT attempts.id, outcome, answered FROM attempts
JOIN items ON items.id = item_id JOIN model_configs ON model_configs.id = model_config_id
WHERE run_id = ? AND items.digest = ? AND model_configs.digest = ? AND repeat = ?
"""

_TRIES = """
SELECT number, status, started_at, finished_at, http_status, error_kind, error_message, wait_s
FROM calls WHERE attempt_id = ? ORDER BY number
"""


@dataclass(frozen=True, slots=True)
class FailedCell:
    """A cell whose outcome is an error; ``answered``: an answer is kept that is not scored."""

    cell: Cell
    answered: bool
    message: str


@dataclass(frozen=True, slots=True)
class SentCell:
    """A cell with a call that has no end yet: the ``number`` of the call, and since when."""

    cell: Cell
    number: int
    started_at: str


@dataclass(frozen=True, slots=True)
class Try:
    """One call of an attempt, without its texts; ``wait_s`` is what was waited after it."""

    number: int
    status: str
    started_at: str
    finished_at: str | None
    http_status: int | None
    error_kind: str | None
    error_message: str | None
    wait_s: float | None


@dataclass(frozen=True, slots=True)
class CellAttempt:
    """The attempt of a cell by its number in the results file, and its calls so far."""

    attempt_id: int
    outcome: Outcome
    answered: bool
    tries: tuple[Try, ...]


def failed_cells(connection: Connection, run: RunRow) -> list[FailedCell]:
    """The cells of a run whose outcome is an error, in no particular order."""
    return [
        FailedCell(
            Cell(row["item"], row["config"], row["repeat"]),
            bool(row["answered"]),
            unpack_or_none(row["error_message"]) or "",
        )
        for row in connection.each(_FAILED, (run.id,))
    ]


def sent_cells(connection: Connection, run: RunRow) -> list[SentCell]:
    """The cells of a run with a call under way; where no process holds the run, with a lost one."""
    return [
        SentCell(Cell(row["item"], row["config"], row["repeat"]), row["number"], row["started_at"])
        for row in connection.each(_SENT, (run.id,))
    ]


def attempt_at(connection: Connection, run: RunRow, cell: Cell) -> CellAttempt | None:
    """What was tried for a cell; None where nothing was sent yet."""
    row = connection.row(_ATTEMPT, (run.id, cell.item, cell.config, cell.repeat))
    if row is None:
        return None
    tries = tuple(
        Try(
            number=each["number"],
            status=each["status"],
            started_at=each["started_at"],
            finished_at=each["finished_at"],
            http_status=each["http_status"],
            error_kind=each["error_kind"],
            error_message=unpack_or_none(each["error_message"]),
            wait_s=each["wait_s"],
        )
        for each in connection.rows(_TRIES, (row["id"],))
    )
    return CellAttempt(row["id"], Outcome(row["outcome"]), bool(row["answered"]), tries)
