"""Add grades to attempts; the newest one counts, the older ones stay in the trail."""

from __future__ import annotations

from relaybench.domain.results import Grade
from relaybench.store.database import Connection, now
from relaybench.store.text import pack
from relaybench.store.values import to_json


def add_grade(
    connection: Connection, attempt: int, item_id: int, grade: Grade, *, strict: bool
) -> int:
    """Insert a grade and point its attempt at it. Inside a transaction."""
    span = grade.span or (None, None)
    grade_id = connection.write(
        "INSERT INTO grades (attempt_id, item_id, created_at, outcome, extractor, strict, "
        "repaired, near_miss, span_start, span_end, steps, note, answer) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            attempt,
            item_id,
            now(),
            grade.outcome.value,
            grade.extractor,
            int(strict),
            int(grade.repaired),
            int(grade.near_miss),
            *span,
            to_json(dict(grade.steps)),
            pack(grade.note),
            pack(grade.answer),
        ),
    )
    connection.write(
        "UPDATE attempts SET grade_id = ?, outcome = ? WHERE id = ?",
        (grade_id, grade.outcome.value, attempt),
    )
    return grade_id
