"""Which wrong answers to an item agree: several models with one wrong answer make a key suspect.

No query here reads a prompt or a response.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from relaybench.store.database import Connection
from relaybench.store.plans import RunRow
from relaybench.store.text import unpack

_WRONG = """
SELECT items.digest AS item, model_configs.digest AS config, grades.answer AS answer,
    COUNT(*) AS n, SUM(grades.near_miss) AS near
FROM attempts
JOIN items ON items.id = attempts.item_id
JOIN model_configs ON model_configs.id = attempts.model_config_id
JOIN grades ON grades.id = attempts.grade_id
WHERE attempts.run_id = ? AND attempts.outcome = 'wrong'
GROUP BY attempts.item_id, attempts.model_config_id, grades.answer
"""


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """One wrong answer to one item: how often it came, by config digest.

    ``answer`` is the text itself: it must not leave the results file unless asked for.
    """

    item: str
    answer: str
    configs: dict[str, int]
    near_miss: bool


def wrong_answers(connection: Connection, runs: Iterable[RunRow]) -> list[WrongAnswer]:
    """All different wrong answers of all runs together, most frequent first within an item."""
    found: dict[tuple[str, str], WrongAnswer] = {}
    for run in runs:
        for row in connection.each(_WRONG, (run.id,)):
            answer = unpack(row["answer"])
            each = found.setdefault(
                (row["item"], answer), WrongAnswer(row["item"], answer, {}, bool(row["near"]))
            )
            each.configs[row["config"]] = each.configs.get(row["config"], 0) + row["n"]
    return sorted(
        found.values(), key=lambda each: (each.item, -sum(each.configs.values()), each.answer)
    )
