"""Marks that people put on attempts: only ever added to, and the newest of an attempt counts."""

from __future__ import annotations

import sqlite3

from relaybench.domain.errors import UnknownNameError
from relaybench.domain.triage import Blame, TriageMark
from relaybench.store.database import Connection, now
from relaybench.store.plans import RunRow
from relaybench.store.text import pack, unpack

#: How a mark that takes the earlier ones back is stored.
_CLEAR = "clear"

_OF_RUN = """
SELECT triage_marks.* FROM triage_marks JOIN attempts ON attempts.id = attempt_id
WHERE run_id = ? AND triage_marks.id = (
    SELECT MAX(id) FROM triage_marks AS newest WHERE newest.attempt_id = triage_marks.attempt_id
) ORDER BY attempt_id
"""


class Triage:
    """Read and add marks."""

    def __init__(self, connection: Connection) -> None:
        self._on = connection

    def add(self, attempt_id: int, blame: Blame | None, note: str = "") -> TriageMark:
        """Put a mark on an attempt, None to take the earlier ones back; outcomes stay as they are.

        Raises UnknownNameError where there is no such attempt.
        """
        with self._on.writing():
            if self._on.row("SELECT 1 FROM attempts WHERE id = ?", (attempt_id,)) is None:
                raise UnknownNameError(
                    f"there is no attempt {attempt_id}; `relaybench attempts RUN` lists their "
                    "numbers"
                )
            mark = TriageMark(attempt_id, blame, note, now())
            self._on.write(
                "INSERT INTO triage_marks (attempt_id, fault, note, created_at) "
                "VALUES (?, ?, ?, ?)",
                (attempt_id, blame.value if blame else _CLEAR, pack(note), mark.created_at),
            )
        return mark

    def trail(self, attempt_id: int) -> list[TriageMark]:
        """All marks of an attempt, oldest first."""
        sql = "SELECT * FROM triage_marks WHERE attempt_id = ? ORDER BY id"
        return [_mark(row) for row in self._on.rows(sql, (attempt_id,))]

    def of_run(self, run: RunRow) -> dict[int, TriageMark]:
        """The marks that count in a run, by attempt; attempts without one are not there."""
        found = (_mark(row) for row in self._on.rows(_OF_RUN, (run.id,)))
        return {each.attempt_id: each for each in found if each.blame is not None}


def _mark(row: sqlite3.Row) -> TriageMark:
    blame = None if row["fault"] == _CLEAR else Blame(row["fault"])
    return TriageMark(row["attempt_id"], blame, unpack(row["note"]), row["created_at"])
