"""What a run has cost so far, known and unknown apart: what a budget has to count on resume."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal

from relaybench.domain.errors import CallTimedOut, MalformedResponse
from relaybench.domain.money import ZERO
from relaybench.domain.results import Cell
from relaybench.store.database import Connection
from relaybench.store.plans import RunRow
from relaybench.store.values import COST_COLUMNS, reported, usd

_KNOWN = f"""
SELECT {", ".join(f"IFNULL(SUM({name}), 0) AS {name}" for name in COST_COLUMNS)}
FROM attempts WHERE run_id = ?
"""

_UNCOSTED = f"""
SELECT items.digest AS item, model_configs.digest AS config, repeat
FROM attempts JOIN items ON items.id = item_id
JOIN model_configs ON model_configs.id = model_config_id
WHERE run_id = ? AND (answered = 1 OR {reported("attempts")}) AND {" + ".join(COST_COLUMNS)} IS NULL
"""

_MAYBE_BILLED = f"""
SELECT items.digest AS item, model_configs.digest AS config, repeat
FROM calls JOIN attempts ON attempts.id = attempt_id
JOIN items ON items.id = item_id
JOIN model_configs ON model_configs.id = model_config_id
WHERE run_id = ? AND (calls.status IN ('sent', 'lost') OR calls.status = 'failed'
    AND NOT {reported("calls")}
    AND (calls.error_kind IN ('{CallTimedOut.kind}', '{MalformedResponse.kind}')
        OR calls.http_status < 400))
"""


@dataclass(frozen=True, slots=True)
class Spending:
    """``known`` USD, and how many costs of each cell are not known or not wholly.

    Those are answers without token counts or prices, and calls that may have been billed although
    no answer came: lost ones, and those that broke off after they had been taken.
    """

    known: Decimal
    unknown: Counter[Cell]


def spending(connection: Connection, run: RunRow) -> Spending:
    """What a run has cost so far."""
    sums = connection.row(_KNOWN, (run.id,))
    known = sum((usd(sums[name]) or ZERO for name in COST_COLUMNS), ZERO) if sums else ZERO
    unknown: Counter[Cell] = Counter()
    for sql in (_UNCOSTED, _MAYBE_BILLED):
        for row in connection.rows(sql, (run.id,)):
            unknown[Cell(row["item"], row["config"], row["repeat"])] += 1
    return Spending(known, unknown)
