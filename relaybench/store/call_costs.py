"""What single calls of an attempt cost at the prices of their run."""

from __future__ import annotations

import json
from decimal import Decimal

from relaybench.domain.model import Prices
from relaybench.domain.money import cost_of
from relaybench.store.database import Connection
from relaybench.store.values import USAGE_COLUMNS, reported, usage_of

_CALLS = f"""
SELECT number, tool_fees, {", ".join(USAGE_COLUMNS)}, unbilled_calls.call_id AS unbilled
FROM calls LEFT JOIN unbilled_calls ON unbilled_calls.call_id = calls.id
WHERE attempt_id = ? AND (status = 'answered' OR {reported("calls")})
"""


def call_costs(
    connection: Connection, attempt_id: int, prices: Prices | None
) -> dict[int, Decimal | None]:
    """USD by number of the call, None where a part is not known; calls that cost nothing lack."""
    return {
        row["number"]: cost_of(
            usage_of(row),
            json.loads(row["tool_fees"] or "{}"),
            prices,
            billed=row["unbilled"] is None,
        ).total
        for row in connection.rows(_CALLS, (attempt_id,))
    }
