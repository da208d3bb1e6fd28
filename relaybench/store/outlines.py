"""A run's plan without prompts and keys: all that counts, costs and tables need of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from relaybench.domain.model import ModelConfig
from relaybench.store.database import Connection
from relaybench.store.plans import Plans, RunRow

_ITEMS = """
SELECT digest, estimated_tokens FROM run_items JOIN items ON items.id = run_items.item_id
WHERE run_id = ? ORDER BY position
"""

# As ``domain.item.problem_digest`` tells problems apart.
_PROBLEMS = """
SELECT COUNT(*) FROM (
    SELECT DISTINCT set_name, items.name, key
    FROM run_items JOIN items ON items.id = run_items.item_id WHERE run_id = ?
)
"""


@dataclass(frozen=True, slots=True)
class OutlineItem:
    """An item of which only the estimated length of its prompt is known."""

    digest: str
    estimated_tokens: int


@dataclass(frozen=True, slots=True)
class RunOutline:
    """A run with its items and configs by digest, in the plan's order; no prompt was read."""

    run: RunRow
    items: Mapping[str, OutlineItem]
    configs: Mapping[str, ModelConfig]
    config_ids: Mapping[str, int]
    #: How many problems the items are; forms of one problem have one set, name and key.
    problems: int


def outline(connection: Connection, run: RunRow) -> RunOutline:
    """Read a run's plan without prompts and keys, prices as they were when it was made."""
    items = {
        row["digest"]: OutlineItem(row["digest"], row["estimated_tokens"])
        for row in connection.rows(_ITEMS, (run.id,))
    }
    configs, config_ids = Plans(connection).configs_and_ids(run.id)
    problems = connection.row(_PROBLEMS, (run.id,))
    return RunOutline(run, items, configs, config_ids, problems[0] if problems else 0)
