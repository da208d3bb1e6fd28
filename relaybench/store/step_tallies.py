"""How often each step's part of the answer was right, by item and model config.

No query here reads a prompt or a response.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import add
from typing import NamedTuple

from relaybench.store.database import Connection
from relaybench.store.plans import RunRow
from relaybench.store.run_digests import run_digests

_STEPS = """
SELECT attempts.item_id, model_config_id, steps
FROM attempts JOIN grades ON grades.id = attempts.grade_id
WHERE run_id = ? AND attempts.outcome IN ('correct', 'wrong')
"""


class StepTally(NamedTuple):
    """Verdicts on one step of one item for one config, over its parsed answers.

    ``unclear`` counts parsed answers in which that step's part could not be told. A tuple, since
    a large run has some hundred thousand of them.
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
    # Few different verdicts stand in many grades: each is parsed once, into its labels and the
    # places of its verdicts among three counts a label.
    parsed: dict[str, tuple[tuple[str, ...], list[int]]] = {}
    cells: dict[tuple[str, str], dict[tuple[str, ...], list[int]]] = {}
    for run in runs:
        items, configs = run_digests(connection, run.id, aliases or {})
        for item, config, steps in connection.each(_STEPS, (run.id,)):
            if steps not in parsed:
                parsed[steps] = _parsed(steps)
            labels, places = parsed[steps]
            cell = cells.setdefault((items[item], configs[config]), {})
            if labels not in cell:
                cell[labels] = [0] * (3 * len(labels))
            counts = cell[labels]
            for place in places:
                counts[place] += 1
    return [tally for key, cell in cells.items() for tally in _tallies(*key, cell)]


def _parsed(steps: str) -> tuple[tuple[str, ...], list[int]]:
    verdicts: dict[str, bool | None] = json.loads(steps)
    return tuple(verdicts), [
        3 * number + (2 if verdict is None else int(not verdict))
        for number, verdict in enumerate(verdicts.values())
    ]


def _tallies(
    item: str, config: str, cell: Mapping[tuple[str, ...], Sequence[int]]
) -> Iterator[StepTally]:
    """The tallies of one cell; its grades may name different steps, where a key was corrected."""
    summed: dict[str, list[int]] = {}
    for labels, counts in cell.items():
        for number, label in enumerate(labels):
            three = list(counts[3 * number : 3 * number + 3])
            summed[label] = list(map(add, summed[label], three)) if label in summed else three
    for label, (right, wrong, unclear) in summed.items():
        yield StepTally(item, config, label, right, wrong, unclear)
