"""What is known of costs of which an attempt's own columns only say that they are not known.

A bucket of an attempt is unknown as soon as it is so for one of its calls. Other calls of the same
attempt may have reported theirs, and that was paid: it belongs to what is known of a run's cost.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal

from relaybench.domain.model import Prices
from relaybench.domain.money import ZERO, cost_of
from relaybench.store.database import Connection
from relaybench.store.values import COST_COLUMNS, USAGE_COLUMNS, reported, usage_of

_CALLS = f"""
SELECT {", ".join(f"attempts.{name} AS {name}" for name in COST_COLUMNS)}, tool_fees,
    {", ".join(f"calls.{name} AS {name}" for name in USAGE_COLUMNS)},
    unbilled_calls.call_id AS unbilled
FROM attempts CROSS JOIN calls ON calls.attempt_id = attempts.id
LEFT JOIN unbilled_calls ON unbilled_calls.call_id = calls.id
WHERE run_id = ? AND model_config_id = ? AND call_count > 1
    AND {" + ".join(COST_COLUMNS)} IS NULL
    AND (calls.status = 'answered' OR {reported("calls")})
"""


def known_of_unknown(
    connection: Connection, run_id: int, config_id: int, prices: Prices
) -> Decimal:
    """USD that single calls of a config are known to have cost in buckets unknown as a whole."""
    found = ZERO
    for row in connection.each(_CALLS, (run_id, config_id)):
        fees: Mapping[str, int] = json.loads(row["tool_fees"] or "{}")
        cost = cost_of(usage_of(row), fees, prices, billed=row["unbilled"] is None)
        buckets = (cost.input, cost.cached_input, cost.cache_write, cost.output, cost.tools)
        for name, amount in zip(COST_COLUMNS, buckets, strict=True):
            if row[name] is None:
                found += amount or ZERO
    return found
