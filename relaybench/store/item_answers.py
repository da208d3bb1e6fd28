"""What every model answered to each item of a run, item by item: prompt, key, extracted answers.

Responses are not read. Texts here must not leave the results file unless asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from relaybench.domain.results import Outcome
from relaybench.store.database import Connection
from relaybench.store.plans import RunRow
from relaybench.store.text import unpack, unpack_or_none

_ITEMS = """
SELECT items.id AS id, digest, prompt, key FROM run_items JOIN items ON items.id = run_items.item_id
WHERE run_id = ? ORDER BY position
"""

_GIVEN = """
SELECT model_configs.digest AS config, attempts.repeat AS repeat, attempts.outcome AS outcome,
    grades.answer AS answer, grades.near_miss AS near_miss, grades.repaired AS repaired,
    graded.key AS key
FROM attempts
JOIN model_configs ON model_configs.id = attempts.model_config_id
JOIN prices_used ON prices_used.run_id = attempts.run_id
    AND prices_used.model_config_id = attempts.model_config_id
LEFT JOIN grades ON grades.id = attempts.grade_id
LEFT JOIN items AS graded ON graded.id = grades.item_id
WHERE attempts.run_id = ? AND attempts.item_id = ?
ORDER BY prices_used.position, attempts.repeat
"""


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """One attempt's answer as it was extracted, None where there is none."""

    config: str
    repeat: int
    outcome: Outcome
    answer: str | None
    near_miss: bool
    repaired: bool


@dataclass(frozen=True, slots=True)
class ItemAnswers:
    """One item (digest) with the prompt as sent and all keys that its grades rest on.

    ``keys`` holds its own key where nothing is graded yet.
    """

    item: str
    prompt: str
    keys: tuple[str, ...]
    given: tuple[GivenAnswer, ...]


def item_answers(connection: Connection, run: RunRow) -> Iterator[ItemAnswers]:
    """Items in the plan's order, one by one in flat memory."""
    for item in connection.each(_ITEMS, (run.id,)):
        rows = connection.rows(_GIVEN, (run.id, item["id"]))
        keys = dict.fromkeys(unpack(row["key"]) for row in rows if row["key"] is not None)
        yield ItemAnswers(
            item=item["digest"],
            prompt=unpack(item["prompt"]),
            keys=tuple(keys) or (unpack(item["key"]),),
            given=tuple(
                GivenAnswer(
                    row["config"],
                    row["repeat"],
                    Outcome(row["outcome"]),
                    unpack_or_none(row["answer"]),
                    bool(row["near_miss"]),
                    bool(row["repaired"]),
                )
                for row in rows
            ),
        )
