"""Attempts as a list of many: what became of each, and nothing that takes long to read.

A run of 100,000 attempts is read from indexes alone; no answer, prompt or response is touched.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, overload

from relaybench.domain.item import Form, ItemKind, form_of
from relaybench.domain.results import Outcome
from relaybench.domain.triage import Blame
from relaybench.store.database import Connection
from relaybench.store.plans import Plans, RunRow
from relaybench.store.text import unpack
from relaybench.store.triage import Triage

_ROWS = """
SELECT attempts.id, attempts.run_id, attempts.item_id, attempts.model_config_id, repeat, outcome
FROM attempts
JOIN run_items ON run_items.run_id = attempts.run_id AND run_items.item_id = attempts.item_id
JOIN prices_used ON prices_used.run_id = attempts.run_id
    AND prices_used.model_config_id = attempts.model_config_id
WHERE attempts.run_id = ? {among}
ORDER BY run_items.position, prices_used.position, repeat
"""
_OF_RUN = _ROWS.format(among="")
_AMONG = _ROWS.format(among="AND attempts.id IN (SELECT value FROM json_each(?))")
_RUNS_OF = """
SELECT DISTINCT run_id FROM attempts WHERE id IN (SELECT value FROM json_each(?))
"""
_ITEMS = """
SELECT item_id, set_name, name, kind, encoded, bloat_characters
FROM run_items JOIN items ON items.id = item_id
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
    ``blame`` is the triage mark that counts; ``form`` is None where it was asked elsewhere.
    """

    id: int
    run: str
    item: str
    model: str
    repeat: int
    outcome: Outcome
    near_miss: str | None = None
    blame: Blame | None = None
    form: Form | None = None


#: Attempt, run, item, config, repeat, outcome.
_Row = tuple[int, int, int, int, int, str]


@dataclass(frozen=True, slots=True)
class Names:
    """What a run, its items and its models are called, by row ids."""

    run: str
    items: Mapping[int, tuple[str, Form | None]]
    models: Mapping[int, str]


class AttemptEntries(Sequence[AttemptEntry]):
    """Attempts in an order. Each is made when it is asked for.

    Hundreds of thousands of objects, held for good, would make every collection of garbage felt.
    """

    def __init__(
        self,
        rows: Sequence[_Row] = (),
        names: Mapping[int, Names] = MappingProxyType({}),
        near: Mapping[int, str] = MappingProxyType({}),
        marks: Mapping[int, Blame | None] = MappingProxyType({}),
    ) -> None:
        self._rows, self._names, self._near, self._marks = rows, names, near, marks
        #: The highest number of an attempt; 0 for none.
        self.last = max((row[0] for row in rows), default=0)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._rows)

    @overload
    def __getitem__(self, place: int) -> AttemptEntry: ...

    @overload
    def __getitem__(self, place: slice) -> AttemptEntries: ...

    def __getitem__(self, place: int | slice) -> AttemptEntry | AttemptEntries:
        """The attempt at a place, or those at some."""
        if isinstance(place, slice):
            return self.at(range(len(self))[place])
        number, run, item, config, repeat, outcome = self._rows[place]
        names = self._names[run]
        name, form = names.items[item]
        return AttemptEntry(
            number,
            names.run,
            name,
            names.models[config],
            repeat,
            Outcome(outcome),
            self._near.get(number),
            self._marks.get(number),
            form,
        )

    def at(self, places: Sequence[int]) -> AttemptEntries:
        """The attempts at some places."""
        if places == range(len(self)):
            return self
        rows = [self._rows[place] for place in places]
        return AttemptEntries(rows, self._names, self._near, self._marks)

    def is_wrong(self, place: int) -> bool:
        """Whether the answer of the attempt at a place is wrong."""
        return self._rows[place][5] == Outcome.WRONG


class AttemptLists:
    """Read lists of attempts."""

    def __init__(self, connection: Connection) -> None:
        self._on = connection

    def of_run(self, run: RunRow) -> AttemptEntries:
        """All attempts of a run, in the plan's order."""
        rows = self._rows(_OF_RUN, (run.id,))
        near, marks = self._flags(run)
        return AttemptEntries(rows, {run.id: self._names_of(run)}, near, marks)

    def among(self, ids: Sequence[int]) -> AttemptEntries:
        """These attempts, of whatever runs, in the order given; unknown numbers are left out."""
        numbers = json.dumps(list(ids))
        runs = {run.id: run for run in Plans(self._on).runs()}
        found: dict[int, _Row] = {}
        names: dict[int, Names] = {}
        near: dict[int, str] = {}
        marks: dict[int, Blame | None] = {}
        for (run_id,) in self._on.rows(_RUNS_OF, (numbers,)):
            found.update((row[0], row) for row in self._rows(_AMONG, (run_id, numbers)))
            names[run_id] = self._names_of(runs[run_id])
            more_near, more_marks = self._flags(runs[run_id])
            near |= more_near
            marks |= more_marks
        rows = [found[number] for number in dict.fromkeys(ids) if number in found]
        return AttemptEntries(rows, names, near, marks)

    def _rows(self, sql: str, parameters: tuple[Any, ...]) -> list[_Row]:
        return [tuple(row) for row in self._on.each(sql, parameters)]

    def _names_of(self, run: RunRow) -> Names:
        configs, ids = Plans(self._on).configs_and_ids(run.id)
        items = {}
        for number, set_name, name, kind, encoded, bloat in self._on.rows(_ITEMS, (run.id,)):
            imported = kind == ItemKind.IMPORTED
            form = form_of(encoded=bool(encoded), bloat_characters=bloat, imported=imported)
            items[number] = f"{unpack(set_name)}/{unpack(name)}", form
        models = {ids[digest]: config.label for digest, config in configs.items()}
        return Names(run.name, items, models)

    def _flags(self, run: RunRow) -> tuple[dict[int, str], dict[int, Blame | None]]:
        """Near misses and marks by attempt."""
        near = {row["id"]: unpack(row["note"]) for row in self._on.rows(_NEAR, (run.id,))}
        marks = {number: mark.blame for number, mark in Triage(self._on).of_run(run).items()}
        return near, marks
