"""How often each step's part of the answer was right, by item and model config.

No query here reads a prompt or a response.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from relaybench.store.database import Connection
from relaybench.store.plans import RunRow

# Few different verdicts stand in many grades: SQLite counts them, and each is parsed once.
_STEPS = """
SELECT items.digest AS item, model_configs.digest AS config, grades.steps AS steps, COUNT(*) AS n
FROM attempts
JOIN items ON items.id = attempts.item_id
JOIN model_configs ON model_configs.id = attempts.model_config_id
JOIN grades ON grades.id = attempts.grade_id
WHERE attempts.run_id = ? AND attempts.outcome IN ('correct', 'wrong')
GROUP BY attempts.item_id, attempts.model_config_id, grades.steps
"""


@dataclass(frozen=True, slots=True)
class StepTally:
    """Verdicts on one step of one item for one config, over its parsed answers.

    ``unclear`` counts parsed answers in which that step's part could not be told.
    """

    item: str
    config: str
    label: str
    right: int
    wrong: int
    unclear: int


def step_tallies(connection: Connection, runs: Iterable[RunRow]) -> list[StepTally]:
    """The tallies of all runs together, by digest of item and config and label of the step."""
    counts: dict[tuple[str, str, str], list[int]] = {}
    for run in runs:
        for row in connection.each(_STEPS, (run.id,)):
            for label, verdict in json.loads(row["steps"]).items():
                tally = counts.setdefault((row["item"], row["config"], label), [0, 0, 0])
                tally[2 if verdict is None else int(not verdict)] += row["n"]
    return [StepTally(*key, *tally) for key, tally in counts.items()]
