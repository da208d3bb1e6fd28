"""How attempts that were sent again were scored, against those that came at the first call.

No query here reads a prompt or a response.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from relaybench.store.database import Connection
from relaybench.store.plans import Plans, RunRow

# A turn that another one follows is no retry.
_RETRIED = """
SELECT model_configs.digest AS config, COUNT(*) AS n, SUM(outcome = 'correct') AS correct,
    call_count - 1 - turn_count > 0 AS retried
FROM attempts JOIN model_configs ON model_configs.id = model_config_id
WHERE run_id = ? AND outcome NOT IN ('error', 'pending')
GROUP BY model_config_id, retried
"""


@dataclass(frozen=True, slots=True)
class RetriedRow:
    """One config's (digest) scored attempts: those that needed a retry, and those that did not.

    The counts of correct ones are parts of them.
    """

    config: str
    retried: int = 0
    retried_correct: int = 0
    first_time: int = 0
    first_time_correct: int = 0


def retried(connection: Connection, run: RunRow) -> list[RetriedRow]:
    """A row for each config of a run with scored attempts, in the plan's order."""
    found: dict[str, RetriedRow] = {}
    for row in connection.rows(_RETRIED, (run.id,)):
        before = found.get(row["config"], RetriedRow(row["config"]))
        found[row["config"]] = (
            replace(before, retried=row["n"], retried_correct=row["correct"])
            if row["retried"]
            else replace(before, first_time=row["n"], first_time_correct=row["correct"])
        )
    return [found[digest] for digest in Plans(connection).configs(run.id) if digest in found]
