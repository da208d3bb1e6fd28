"""Which wrong answers to an item agree: several models with one wrong answer make a key suspect.

No query here reads a prompt or a response.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from relaybench.store.database import Connection
from relaybench.store.plans import RunRow
from relaybench.store.run_digests import run_digests
from relaybench.store.text import unpack

_WRONG = """
SELECT attempts.item_id, model_config_id, answer, near_miss
FROM attempts JOIN grades ON grades.id = attempts.grade_id
WHERE run_id = ? AND attempts.outcome = 'wrong'
"""


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """One wrong answer to one item: how often it came, by config digest.

    ``answer`` is the text itself: it must not leave the results file unless asked for.
    ``near_miss``: at least once it was found to miss the key in its form only.
    """

    item: str
    answer: str
    configs: dict[str, int]
    near_miss: bool


def wrong_answers(
    connection: Connection, runs: Iterable[RunRow], aliases: Mapping[str, str] | None = None
) -> list[WrongAnswer]:
    """All different wrong answers of all runs together, most frequent first within an item.

    ``aliases`` says under which digest an item counts that is the same as another one.
    """
    found: dict[tuple[str, str], dict[str, int]] = {}
    near_misses: set[tuple[str, str]] = set()
    for run in runs:
        items, configs = run_digests(connection, run.id, aliases or {})
        for item, config, packed, near in connection.each(_WRONG, (run.id,)):
            key = (items[item], unpack(packed))
            counts = found.setdefault(key, {})
            digest = configs[config]
            counts[digest] = counts.get(digest, 0) + 1
            if near:
                near_misses.add(key)
    return sorted(
        (WrongAnswer(*key, counts, key in near_misses) for key, counts in found.items()),
        key=lambda each: (each.item, -sum(each.configs.values()), each.answer),
    )
