"""Cells of a run that are answered by hand: which there are, and what their answers cost.

Nothing here reads a prompt: a list of some hundred cells is read each time one was answered.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal

from relaybench.domain.model import ModelConfig
from relaybench.domain.results import Cell, Outcome
from relaybench.store.attempts import Attempts
from relaybench.store.database import Connection
from relaybench.store.plans import Plans, RunRow, StoredPlan
from relaybench.store.text import unpack
from relaybench.store.values import COST_COLUMNS, pico

_ITEMS = """
SELECT items.id AS id, digest, set_name, items.name AS name, characters, encoded, bloat_characters,
    domains
FROM run_items JOIN items ON items.id = run_items.item_id WHERE run_id = ? ORDER BY position
"""

_ATTEMPTS = """
SELECT id, item_id, model_config_id, repeat, outcome FROM attempts
WHERE run_id = ? AND answered = 1 AND model_config_id IN (SELECT value FROM json_each(?))
"""


@dataclass(frozen=True, slots=True)
class ManualCell:
    """A cell of a manual model; ``attempt`` and ``outcome`` are None while it is open.

    ``characters`` is the length of its prompt.
    """

    cell: Cell
    item: str
    item_id: int
    characters: int
    encoded: bool
    bloated: bool
    config: ModelConfig
    attempt: int | None = None
    outcome: Outcome | None = None

    @property
    def open(self) -> bool:
        """Whether it waits for its answer."""
        return self.attempt is None

    @property
    def form(self) -> str:
        """In which form the problem is asked, in a word or two."""
        words = [word for word, on in (("bloated", self.bloated), ("encoded", self.encoded)) if on]
        return " and ".join(words) or "plain"


def manual_cells(connection: Connection, run: RunRow) -> list[ManualCell]:
    """All cells of a run's manual models, answered ones too, in the order of the plan."""
    configs, ids = Plans(connection).configs_and_ids(run.id)
    manual = {digest: config for digest, config in configs.items() if config.manual}
    if not manual:
        return []
    wanted = json.dumps([ids[digest] for digest in manual])
    done = {
        (row["item_id"], row["model_config_id"], row["repeat"]): row
        for row in connection.rows(_ATTEMPTS, (run.id, wanted))
    }
    items = connection.rows(_ITEMS, (run.id,))
    found = []
    for repeat in range(run.repeats):
        for row in items:
            for digest, config in manual.items():
                answered = done.get((row["id"], ids[digest], repeat))
                found.append(
                    ManualCell(
                        Cell(row["digest"], digest, repeat),
                        f"{unpack(row['set_name'])}/{unpack(row['name'])}",
                        row["id"],
                        row["characters"],
                        bool(row["encoded"]),
                        bool(row["bloat_characters"]),
                        config,
                        answered["id"] if answered else None,
                        Outcome(answered["outcome"]) if answered else None,
                    )
                )
    return found


def plan_of(connection: Connection, run: RunRow, cell: ManualCell) -> StoredPlan:
    """A run's plan with one item only: what recording an answer to it needs."""
    configs, config_ids = Plans(connection).configs_and_ids(run.id)
    item = Attempts(connection).item(cell.item_id)
    digest = cell.cell.item
    return StoredPlan(run, {digest: item}, configs, {digest: cell.item_id}, config_ids)


def set_cost(connection: Connection, attempt: int, call: int, usd: Decimal) -> None:
    """Give an answer the cost that a person named, as one fee that no other prices change.

    Inside a transaction.
    """
    connection.write("INSERT INTO given_costs (call_id) VALUES (?)", (call,))
    zero = ", ".join(f"{name} = 0" for name in COST_COLUMNS if name != "cost_tools")
    amount = pico(usd)
    connection.write(
        f"UPDATE attempts SET {zero}, cost_tools = ?, cost_uncached = ? WHERE id = ?",
        (amount, amount, attempt),
    )
