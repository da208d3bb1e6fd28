"""Attempts as a list of many: what became of each, and nothing that takes long to read.

A run of 100,000 attempts is read from indexes alone; no answer, prompt or response is touched.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from relaybench.domain.results import Outcome
from relaybench.domain.triage import Blame
from relaybench.store.database import Connection
from relaybench.store.plans import Plans, RunRow
from relaybench.store.text import unpack
from relaybench.store.triage import Triage

_OF_RUN = """
SELECT id, item_id, model_config_id, repeat, outcome FROM attempts WHERE run_id = ?
"""
_AMONG = """
SELECT id, item_id, model_config_id, repeat, outcome FROM attempts
WHERE run_id = ? AND id IN (SELECT value FROM json_each(?))
"""
_RUNS_OF = """
SELECT DISTINCT run_id FROM attempts WHERE id IN (SELECT value FROM json_each(?))
"""
_ITEMS = """
SELECT item_id, set_name, name, position FROM run_items JOIN items ON items.id = item_id
WHERE run_id = ?
"""
_NEAR = """
SELECT attempts.id, grades.note FROM grades JOIN attempts ON attempts.grade_id = grades.id
WHERE (grades.repaired = 1 OR grades.near_miss = 1) AND grades.near_miss = 1 AND run_id = ?
"""


@dataclass(frozen=True, slots=True)
class AttemptEntry:
    """One attempt in a list.

    ``near_miss`` says by what a wrong answer misses the key where that is its form only;
    ``blame`` is the triage mark that counts.
    """

    id: int
    run: str
    item: str
    model: str
    repeat: int
    outcome: Outcome
    near_miss: str | None = None
    blame: Blame | None = None


class AttemptLists:
    """Read lists of attempts."""

    def __init__(self, connection: Connection) -> None:
        self._on = connection

    def of_run(self, run: RunRow) -> list[AttemptEntry]:
        """All attempts of a run, in the plan's order."""
        return self._entries(run, _OF_RUN, (run.id,))

    def among(self, ids: Sequence[int]) -> list[AttemptEntry]:
        """These attempts, of whatever runs, in the order given; unknown numbers are left out."""
        numbers = json.dumps(list(ids))
        runs = {run.id: run for run in Plans(self._on).runs()}
        found: dict[int, AttemptEntry] = {}
        for (run_id,) in self._on.rows(_RUNS_OF, (numbers,)):
            entries = self._entries(runs[run_id], _AMONG, (run_id, numbers))
            found.update((each.id, each) for each in entries)
        return [found[number] for number in dict.fromkeys(ids) if number in found]

    def _entries(self, run: RunRow, sql: str, parameters: tuple[Any, ...]) -> list[AttemptEntry]:
        configs, config_ids = Plans(self._on).configs_and_ids(run.id)
        labels = {config_ids[digest]: config.label for digest, config in configs.items()}
        places = {number: place for place, number in enumerate(labels)}
        items, positions = self._items(run)
        near = {row["id"]: unpack(row["note"]) for row in self._on.rows(_NEAR, (run.id,))}
        marks = {n: mark.blame for n, mark in Triage(self._on).of_run(run).items()}
        rows = sorted(
            map(tuple, self._on.each(sql, parameters)),
            key=lambda row: (positions[row[1]], places[row[2]], row[3]),
        )
        return [
            AttemptEntry(
                number,
                run.name,
                items[item],
                labels[config],
                repeat,
                Outcome(outcome),
                near.get(number),
                marks.get(number),
            )
            for number, item, config, repeat, outcome in rows
        ]

    def _items(self, run: RunRow) -> tuple[Mapping[int, str], Mapping[int, int]]:
        names, positions = {}, {}
        for number, set_name, name, position in self._on.rows(_ITEMS, (run.id,)):
            names[number] = f"{unpack(set_name)}/{unpack(name)}"
            positions[number] = position
        return names, positions
