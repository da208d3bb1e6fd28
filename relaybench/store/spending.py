"""What a run has cost so far, known and unknown apart: what a budget has to count on resume."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from relaybench.domain.errors import CallTimedOut, MalformedResponse
from relaybench.domain.money import ZERO
from relaybench.domain.results import Cell
from relaybench.store.database import Connection
from relaybench.store.plans import RunRow
from relaybench.store.values import COST_COLUMNS, charged, reported, to_json, usd

_TOTAL = " + ".join(COST_COLUMNS)

_KNOWN = f"""
SELECT {", ".join(f"IFNULL(SUM({name}), 0) AS {name}" for name in COST_COLUMNS)}
FROM attempts WHERE run_id = ?
"""

_UNCOSTED = f"""
SELECT items.digest AS item, model_configs.digest AS config, repeat
FROM attempts JOIN items ON items.id = item_id
JOIN model_configs ON model_configs.id = model_config_id
WHERE run_id = ? AND {charged("attempts")} AND {_TOTAL} IS NULL
"""

# Work that a later call of the attempt asked for is counted with that call. Where there is a
# handle the provider had taken the call, however it ended for us. Few calls have no answer:
# `calls_not_answered` names them.
_MAYBE_BILLED = f"""
SELECT items.digest AS item, model_configs.digest AS config, repeat,
    IFNULL(handles.state, '') = 'open' AS under_way
FROM calls CROSS JOIN attempts ON attempts.id = attempt_id
JOIN items ON items.id = item_id
JOIN model_configs ON model_configs.id = model_config_id
LEFT JOIN handles ON handles.call_id = calls.id
WHERE run_id = ? AND calls.status != 'answered' AND IFNULL(handles.state, '') != 'passed'
    AND (calls.status IN ('sent', 'lost') OR calls.status = 'failed'
        AND NOT {reported("calls")}
        AND (calls.error_kind IN ('{CallTimedOut.kind}', '{MalformedResponse.kind}')
            OR calls.http_status < 400 OR handles.state IS NOT NULL
            OR calls.id IN (SELECT call_id FROM maybe_billed_calls)))
"""

_ANSWERS = f"""
SUM(turn_count + 1) AS answers, SUM({_TOTAL}) AS cost
FROM wanted CROSS JOIN attempts ON run_id = ? AND model_config_id = config_id
"""
_OF_KNOWN_COST = f"answered = 1 AND {_TOTAL} IS NOT NULL"

_CELL_COSTS = f"""
WITH wanted AS (
    SELECT DISTINCT items.id AS own_item_id, items.digest AS item,
        model_configs.id AS config_id, model_configs.digest AS config
    FROM json_each(?)
    JOIN items ON items.digest = json_extract(value, '$[0]')
    JOIN model_configs ON model_configs.digest = json_extract(value, '$[1]')
)
SELECT item, config, {_ANSWERS} AND item_id = own_item_id
WHERE {_OF_KNOWN_COST} GROUP BY own_item_id, config_id
"""

_CONFIG_COSTS = f"""
WITH wanted AS (
    SELECT id AS config_id, digest AS config FROM model_configs
    WHERE digest IN (SELECT value FROM json_each(?))
)
SELECT config, {_ANSWERS} WHERE {_OF_KNOWN_COST} GROUP BY config_id
"""


# An answer that was not charged says nothing of what one costs.
_DEAREST = f"""
SELECT model_configs.digest AS config, MAX({_TOTAL}) AS cost
FROM attempts JOIN model_configs ON model_configs.id = model_config_id
WHERE run_id = ? AND answered = 1 AND {_TOTAL} > 0 GROUP BY model_config_id
"""


@dataclass(frozen=True, slots=True)
class Spending:
    """``known`` USD, and how many costs of each cell are not known or not wholly.

    Those are answers without token counts or prices, and calls that may have been billed although
    no answer came: ``unsaved`` of all. ``dearest`` is the dearest known cost of an answer in USD,
    by config (digest), for those that have any.
    """

    known: Decimal
    unknown: Counter[Cell]
    unsaved: int = 0
    dearest: Mapping[str, Decimal] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Unsaved:
    """Calls by cell that may have been billed although no answer was kept.

    They were lost with their process, timed out, broke off after they had been taken, or wait for
    an answer. ``under_way`` are those among them whose work goes on at the provider.
    """

    calls: Counter[Cell]
    under_way: Counter[Cell]


def unsaved_calls(connection: Connection, run: RunRow) -> Unsaved:
    """Calls of a run that may have been billed although no answer was kept."""
    found = Unsaved(Counter(), Counter())
    for row in connection.rows(_MAYBE_BILLED, (run.id,)):
        cell = Cell(row["item"], row["config"], row["repeat"])
        found.calls[cell] += 1
        if row["under_way"]:
            found.under_way[cell] += 1
    return found


def spending(connection: Connection, run: RunRow) -> Spending:
    """What a run has cost so far."""
    sums = connection.row(_KNOWN, (run.id,))
    known = sum((usd(sums[name]) or ZERO for name in COST_COLUMNS), ZERO) if sums else ZERO
    unknown = unsaved_calls(connection, run).calls
    unsaved = unknown.total()
    for row in connection.rows(_UNCOSTED, (run.id,)):
        unknown[Cell(row["item"], row["config"], row["repeat"])] += 1
    dearest = {
        row["config"]: usd(row["cost"]) or ZERO for row in connection.rows(_DEAREST, (run.id,))
    }
    return Spending(known, unknown, unsaved, dearest)


@dataclass(frozen=True, slots=True)
class AnswerCosts:
    """How many responses of known cost a run has, and what they cost in USD.

    ``of_cell`` by item and config (digests), ``of_config`` by config for those that have no such
    response to one of the items asked about.
    """

    of_cell: Mapping[tuple[str, str], tuple[int, Decimal]] = field(default_factory=dict)
    of_config: Mapping[str, tuple[int, Decimal]] = field(default_factory=dict)


def answer_costs(connection: Connection, run: RunRow, cells: Iterable[Cell]) -> AnswerCosts:
    """What responses to the items and of the configs of these cells cost in a run.

    An attempt of several turns has several responses: a call that was lost is one of them, not
    all.
    """
    wanted = {(cell.item, cell.config) for cell in cells}
    of_cell = {
        (row["item"], row["config"]): (row["answers"], usd(row["cost"]) or ZERO)
        for row in connection.rows(_CELL_COSTS, (to_json(sorted(wanted)), run.id))
    }
    without = sorted({config for item, config in wanted if (item, config) not in of_cell})
    of_config = {
        row["config"]: (row["answers"], usd(row["cost"]) or ZERO)
        for row in connection.rows(_CONFIG_COSTS, (to_json(without), run.id))
    }
    return AnswerCosts(of_cell, of_config)
