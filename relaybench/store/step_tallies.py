"""How often each step's part of the answer was right, by item and model config.

No query here reads a prompt or a response.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from relaybench.store.database import Connection
from relaybench.store.plans import RunRow
from relaybench.store.run_digests import run_digests

_STEPS = """
SELECT attempts.item_id, model_config_id, steps
FROM attempts JOIN grades ON grades.id = attempts.grade_id
WHERE run_id = ? AND attempts.outcome IN ('correct', 'wrong')
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


def step_tallies(
    connection: Connection, runs: Iterable[RunRow], aliases: Mapping[str, str] | None = None
) -> list[StepTally]:
    """The tallies of all runs together, by digest of item and config and label of the step.

    ``aliases`` says under which digest an item counts that is the same as another one.
    """
    same = aliases or {}
    counts: dict[tuple[str, str], dict[str, list[int]]] = {}
    parsed: dict[str, list[tuple[str, int]]] = {}  # few different verdicts stand in many grades
    for run in runs:
        items, configs = run_digests(connection, run.id)
        items = {number: same.get(digest, digest) for number, digest in items.items()}
        for item, config, steps in connection.each(_STEPS, (run.id,)):
            if steps not in parsed:
                parsed[steps] = [
                    (label, 2 if verdict is None else int(not verdict))
                    for label, verdict in json.loads(steps).items()
                ]
            labels = counts.setdefault((items[item], configs[config]), {})
            for label, place in parsed[steps]:
                labels.setdefault(label, [0, 0, 0])[place] += 1
    return [
        StepTally(item, config, label, *tally)
        for (item, config), labels in counts.items()
        for label, tally in labels.items()
    ]
