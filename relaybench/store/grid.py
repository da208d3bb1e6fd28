"""The grid of a run: what became of every cell, and what is known of its items without big texts.

No query here reads a prompt or a response.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from relaybench.domain.item import Form, ItemKind, form_of, problem_digest, text_digest
from relaybench.domain.model import ModelConfig
from relaybench.domain.results import Outcome
from relaybench.store.database import Connection
from relaybench.store.plans import Plans, RunRow
from relaybench.store.text import unpack
from relaybench.store.values import steps_of

_OUTCOMES: Final[Mapping[str, Outcome]] = {each.value: each for each in Outcome}


@dataclass(frozen=True, slots=True)
class GridStep:
    """One step of an item without its answer; ``in_answer``: it has a part in the final answer."""

    label: str
    use: str
    domain: str
    in_answer: bool
    inputs: tuple[tuple[str, str], ...]
    augment: tuple[str, ...]

    @property
    def class_ref(self) -> str:
        """The class that it is an instance of: ``domain/class``."""
        return self.use.partition(":")[0]


@dataclass(frozen=True, slots=True)
class GridItem:
    """What is known of an item without its prompt, key and answers.

    ``problem`` is equal for all forms (plain, bloated, encoded) of one problem with one key.
    ``characters`` is the length of the prompt. Of an imported item only set, name, key and
    domains are known.
    """

    digest: str
    set_name: str
    name: str
    kind: ItemKind
    prompt_sha256: str
    problem: str
    steps: tuple[GridStep, ...]
    domains: tuple[str, ...]
    encoded: bool
    bloat_characters: int
    characters: int
    estimated_tokens: int

    @property
    def ref(self) -> str:
        """The item's name in tables: ``starter/relay-01``."""
        return f"{self.set_name}/{self.name}"

    @property
    def imported(self) -> bool:
        """Whether it was made elsewhere, so that its steps and form are not known."""
        return self.kind is ItemKind.IMPORTED

    @property
    def form(self) -> Form | None:
        """Its form; None where it was asked elsewhere."""
        return form_of(
            encoded=self.encoded,
            bloat_characters=self.bloat_characters,
            imported=self.imported,
        )

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes of its steps, each once, in the order of the steps."""
        return tuple(dict.fromkeys(step.class_ref for step in self.steps))

    @property
    def identity(self) -> tuple[str, ...]:
        """What makes it the same item in another run: name and prompt, whatever its key was.

        Prompts of imported items are not known, so that their name alone tells them apart.
        """
        return (self.ref, self.kind if self.imported else self.prompt_sha256)


@lru_cache(maxsize=4096)  # few different cells stand in many places, and every table asks for them
def _scores(outcomes: tuple[Outcome, ...]) -> tuple[float, ...]:
    return tuple(float(outcome is Outcome.CORRECT) for outcome in outcomes if outcome.scored)


@dataclass(frozen=True, slots=True)
class OutcomeGrid:
    """Outcomes of one run, or of several put together.

    ``items`` and ``configs`` are by digest, in the plan's order. ``cells`` holds by (item digest,
    config digest) the outcomes by repeat, PENDING where nothing came yet; a cell that was never
    begun is not there. Of an import nothing is open: its cells hold what was brought, and
    ``numbers`` the repeats (from 1) of each outcome where they are not just 1, 2, 3 and so on.
    ``disputed`` are items that were graded against more than one key; ``holders`` names the runs
    that hold an item where there are several runs;
    ``aliases`` says under which digest an item stands that is the same as one of another run.
    ``keys`` holds by item digest the hashes of all keys that its current grades rest on; it is
    empty where it was not asked for.
    """

    runs: tuple[RunRow, ...]
    items: Mapping[str, GridItem]
    configs: Mapping[str, ModelConfig]
    cells: Mapping[tuple[str, str], tuple[Outcome, ...]]
    disputed: tuple[GridItem, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[str, frozenset[str]] = field(default_factory=dict)
    numbers: Mapping[tuple[str, str], tuple[int, ...]] = field(default_factory=dict)
    holders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def by_repeat(self, item: str, config: str) -> dict[int, float]:
        """Scores of a cell's scored attempts by the number of the repeat, from 1."""
        outcomes = self.cells.get((item, config), ())
        numbers = self.numbers.get((item, config), range(1, len(outcomes) + 1))
        return {
            number: float(outcome is Outcome.CORRECT)
            for number, outcome in zip(numbers, outcomes, strict=True)
            if outcome.scored
        }

    def scored(self, item: str, config: str) -> tuple[float, ...]:
        """Scores (1 correct, 0 any other scored outcome) of a cell's scored attempts."""
        return _scores(self.cells.get((item, config), ()))

    def scores(self, config: str) -> dict[str, tuple[float, ...]]:
        """Scores of one config by item digest, items without a scored attempt left out."""
        found = {item: self.scored(item, config) for item in self.items}
        return {item: scores for item, scores in found.items() if scores}


_ITEMS = """
SELECT items.id, digest, set_name, items.name, kind, prompt_sha256, steps, domains, encoded,
    bloat_characters, characters, estimated_tokens, key
FROM run_items JOIN items ON items.id = run_items.item_id
WHERE run_id = ? ORDER BY position
"""

# One row a cell, with its outcomes by repeat: many cells read the same.
_CELLS = """
SELECT item_id, model_config_id, GROUP_CONCAT(repeat || ' ' || outcome) AS outcomes
FROM attempts WHERE run_id = ? GROUP BY model_config_id, item_id
"""

_GRADED = """
SELECT DISTINCT attempts.item_id AS item, grades.item_id AS graded
FROM attempts JOIN grades ON grades.id = attempts.grade_id WHERE run_id = ?
"""

_REGRADED = f"{_GRADED} AND grades.item_id != attempts.item_id LIMIT 1"

_KEYS = """
SELECT id, key FROM items WHERE id IN (SELECT value FROM json_each(?))
"""


def _outcomes(text: str, run: RunRow) -> tuple[tuple[int, ...], tuple[Outcome, ...]]:
    """A cell's repeats, from 1, and their outcomes, from ``0 correct,2 wrong``."""
    by_repeat = dict(part.split(" ") for part in text.split(","))
    found = {int(repeat) + 1: _OUTCOMES[outcome] for repeat, outcome in by_repeat.items()}
    if run.kind == "import":
        numbers = tuple(sorted(found))
    else:
        numbers = tuple(range(1, max(run.repeats, *found) + 1))
    return numbers, tuple(found.get(number, Outcome.PENDING) for number in numbers)


class Grids:
    """Read the grids of runs."""

    def __init__(self, connection: Connection) -> None:
        self._on = connection

    def load(self, run: RunRow, *, with_keys: bool = False) -> OutcomeGrid:
        """The grid of one run; ``with_keys`` to tell the keys of several runs apart."""
        items = self._items(run)
        configs, ids = Plans(self._on).configs_and_ids(run.id)
        digests = {number: digest for digest, number in ids.items()}
        read: dict[str, tuple[tuple[int, ...], tuple[Outcome, ...]]] = {}
        cells: dict[tuple[str, str], tuple[Outcome, ...]] = {}
        numbers: dict[tuple[str, str], tuple[int, ...]] = {}
        for item, config, text in self._on.each(_CELLS, (run.id,)):
            if text not in read:
                read[text] = _outcomes(text, run)
            cell, (repeats, outcomes) = (items[item].digest, digests[config]), read[text]
            cells[cell] = outcomes
            if repeats[-1] != len(repeats):
                numbers[cell] = repeats
        return OutcomeGrid(
            runs=(run,),
            items={item.digest: item for item in items.values()},
            configs=configs,
            cells=cells,
            numbers=numbers,
            disputed=self._disputed(run, items),
            keys=self._keys(run, items) if with_keys else {},
        )

    def _items(self, run: RunRow) -> dict[int, GridItem]:
        """A run's items by row id, in the plan's order."""
        items: dict[int, GridItem] = {}
        for row in self._on.each(_ITEMS, (run.id,)):
            steps = tuple(
                GridStep(
                    step.label, step.use, step.domain, step.in_answer, step.inputs, step.augment
                )
                for step in steps_of(row["steps"])
            )
            set_name, name = unpack(row["set_name"]), unpack(row["name"])
            items[row["id"]] = GridItem(
                digest=row["digest"],
                set_name=set_name,
                name=name,
                kind=ItemKind(row["kind"]),
                prompt_sha256=row["prompt_sha256"],
                problem=problem_digest(set_name, name, unpack(row["key"])),
                steps=steps,
                domains=tuple(json.loads(row["domains"])),
                encoded=bool(row["encoded"]),
                bloat_characters=row["bloat_characters"],
                characters=row["characters"],
                estimated_tokens=row["estimated_tokens"],
            )
        return items

    def _disputed(self, run: RunRow, items: Mapping[int, GridItem]) -> tuple[GridItem, ...]:
        if not self._on.row(_REGRADED, (run.id,)):
            return ()
        versions: dict[int, set[int]] = {}
        for item, graded in self._on.each(_GRADED, (run.id,)):
            versions.setdefault(item, set()).add(graded)
        return tuple(items[item] for item, graded in versions.items() if len(graded) > 1)

    def _keys(self, run: RunRow, items: Mapping[int, GridItem]) -> dict[str, frozenset[str]]:
        graded: dict[int, set[int]] = {}
        for item, against in self._on.each(_GRADED, (run.id,)):
            graded.setdefault(item, set()).add(against)
        wanted = json.dumps(sorted({against for each in graded.values() for against in each}))
        hashes = {
            number: text_digest(unpack(key)) for number, key in self._on.rows(_KEYS, (wanted,))
        }
        return {
            items[item].digest: frozenset(hashes[against] for against in each)
            for item, each in graded.items()
        }
