"""Which extractors the current grades of a run come from.

No query here reads a prompt or a response.
"""

from __future__ import annotations

from dataclasses import dataclass

from relaybench.store.database import Connection
from relaybench.store.plans import RunRow

_EXTRACTORS = """
SELECT grades.extractor AS extractor, grades.strict AS strict, COUNT(*) AS n
FROM attempts JOIN grades ON grades.id = attempts.grade_id
WHERE attempts.run_id = ? GROUP BY grades.extractor, grades.strict ORDER BY n DESC, extractor
"""


@dataclass(frozen=True, slots=True)
class ExtractorUse:
    """An extractor by name and version, and how many current grades of a run it gave."""

    name: str
    strict: bool
    grades: int


def extractors(connection: Connection, run: RunRow) -> list[ExtractorUse]:
    """The extractors behind a run's current grades, most used first; none for an ungraded run."""
    return [
        ExtractorUse(row["extractor"], bool(row["strict"]), row["n"])
        for row in connection.rows(_EXTRACTORS, (run.id,))
    ]
