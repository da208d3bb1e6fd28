"""Counts and sums over a run's attempts, by row id of the model config.

No query here reads a prompt or a response. Counts are made of the index ``attempts_cells`` alone,
or of the few rows of an index of exceptions; only the sums read the attempts themselves.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field

from relaybench.domain.model import ModelConfig
from relaybench.domain.model_ids import same_model
from relaybench.domain.results import Outcome
from relaybench.store.database import Connection
from relaybench.store.text import unpack
from relaybench.store.values import CHARGE_COLUMNS, COST_COLUMNS, USAGE_COLUMNS, charged

_TOTAL = " + ".join(COST_COLUMNS)


def _uncharged(amount: str) -> str:
    """SQL that counts rows that were charged for something, but not known what."""
    # As CASE, since SQLite works out both sides of an AND, for every row and amount.
    return f"IFNULL(SUM(CASE WHEN {amount} IS NULL THEN {charged('attempts')} END), 0)"


_SUMS = f"""
SELECT model_config_id AS config,
    {", ".join(f"SUM({name}) AS {name}" for name in (*USAGE_COLUMNS, *CHARGE_COLUMNS))},
    {", ".join(f"{_uncharged(name)} AS no_{name}" for name in CHARGE_COLUMNS)},
    {_uncharged(_TOTAL)} AS uncosted,
    IFNULL(SUM(CASE WHEN input IS NULL OR output IS NULL THEN answered = 1
        AND attempts.id NOT IN (SELECT attempt_id FROM unbilled_calls
            CROSS JOIN calls ON calls.id = call_id) END), 0) AS unreported,
    SUM(MAX(call_count - 1 - turn_count, 0)) AS retries,
    MIN(CASE answered WHEN 1 THEN served_model END) AS first_served,
    MAX(CASE answered WHEN 1 THEN served_model END) AS last_served
FROM attempts WHERE id BETWEEN :first AND :last AND +run_id = :run GROUP BY model_config_id
"""

# A run's attempts stand close together. To read them as they stand and to sort them is a good deal
# faster than to look up each of them in the order of an index.
_PLACES = """
SELECT MIN(id) AS first, MAX(id) AS last, :run AS run FROM attempts WHERE run_id = :run
"""

_MARKED = """
SELECT model_config_id AS config, SUM(repaired) AS repaired, SUM(near_miss) AS near_misses
FROM grades CROSS JOIN attempts ON attempts.id = grades.attempt_id
WHERE (repaired = 1 OR near_miss = 1) AND attempts.grade_id = grades.id AND run_id = ?
GROUP BY model_config_id
"""

# In the order of the index, so that nothing is sorted.
_OUTCOMES = f"""
SELECT model_config_id AS config,
    {", ".join(f"SUM(outcome = '{each.value}') AS {each.value}" for each in Outcome)}
FROM attempts WHERE run_id = ? GROUP BY model_config_id
"""

_PROBLEMS = """
SELECT model_config_id AS config, SUM(outcome = 'correct') AS correct, COUNT(*) AS scored
FROM attempts WHERE run_id = ? AND outcome NOT IN ('error', 'pending')
GROUP BY model_config_id, item_id ORDER BY model_config_id, item_id
"""

_SERVED = """
SELECT served_model, COUNT(*) AS n FROM attempts
WHERE run_id = ? AND model_config_id = ? AND answered = 1 AND served_model IS NOT NULL
GROUP BY served_model ORDER BY n DESC, served_model
"""

_ATTEMPTED = """
SELECT COUNT(DISTINCT item_id) AS n FROM attempts WHERE run_id = ? AND model_config_id = ?
"""

_LOST = """
SELECT model_config_id AS config, COUNT(*) AS n
FROM calls CROSS JOIN attempts ON attempts.id = attempt_id
WHERE calls.status != 'answered' AND calls.status = 'lost' AND run_id = ?
    AND NOT EXISTS (SELECT 1 FROM handles WHERE call_id = calls.id AND state = 'passed')
GROUP BY model_config_id
"""


@dataclass(frozen=True, slots=True)
class ConfigCounts:
    """What stands in a run for one config; ``sums`` is None where it has no attempt.

    ``problems`` holds (correct, scored) for every item with scored attempts.
    """

    sums: sqlite3.Row | None = None
    outcomes: Mapping[Outcome, int] = field(default_factory=dict)
    problems: tuple[tuple[int, int], ...] = ()
    repaired: int = 0
    near_misses: int = 0
    lost_calls: int = 0


def config_counts(connection: Connection, run_id: int) -> dict[int, ConfigCounts]:
    """The counts of every config that has attempts in a run."""
    run = (run_id,)
    places = connection.row(_PLACES, {"run": run_id}) or (None, None, run_id)
    marked = {row["config"]: row for row in connection.rows(_MARKED, run)}
    lost = {row["config"]: row["n"] for row in connection.rows(_LOST, run)}
    outcomes = {
        row["config"]: {each: row[each.value] for each in Outcome if row[each.value]}
        for row in connection.rows(_OUTCOMES, run)
    }
    problems: dict[int, list[tuple[int, int]]] = {}
    for row in connection.each(_PROBLEMS, run):
        problems.setdefault(row["config"], []).append((row["correct"], row["scored"]))
    return {
        (config := row["config"]): ConfigCounts(
            sums=row,
            outcomes=outcomes.get(config, {}),
            problems=tuple(problems.get(config, ())),
            repaired=marked[config]["repaired"] if config in marked else 0,
            near_misses=marked[config]["near_misses"] if config in marked else 0,
            lost_calls=lost.get(config, 0),
        )
        for row in connection.rows(_SUMS, dict(zip(("first", "last", "run"), places, strict=True)))
    }


def attempted_items(connection: Connection, run_id: int, config_id: int) -> int:
    """At how many items of a run a config has any attempt."""
    row = connection.row(_ATTEMPTED, (run_id, config_id))
    return int(row["n"]) if row else 0


def served_by_others(
    connection: Connection,
    run_id: int,
    config_id: int,
    config: ModelConfig,
    sums: sqlite3.Row | None,
) -> dict[str, int]:
    """Answers by the model that gave them, where it is another than was asked for.

    They are only counted where the ``sums`` leave a doubt: for most configs all answers name the
    model that was asked for.
    """
    first = sums["first_served"] if sums else None
    if (
        sums is None
        or first is None
        or (first == sums["last_served"] and same_model(config.model, unpack(first)))
    ):
        return {}
    served = {
        unpack(row["served_model"]): row["n"]
        for row in connection.rows(_SERVED, (run_id, config_id))
    }
    return {name: n for name, n in served.items() if not same_model(config.model, name)}
