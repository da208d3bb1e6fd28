"""What answers of a model config took in the past, call by call: the base of estimates.

Only token counts and fees are read, never a prompt or a response.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from relaybench.domain.completion import Usage
from relaybench.store.database import Connection
from relaybench.store.values import USAGE_COLUMNS, reported, usage_of

#: How many of a config's newest answers are looked at; more would not tell more.
NEWEST: Final = 1000

_PAST = f"""
WITH newest AS (
    SELECT attempts.id AS id, item_id FROM attempts
    JOIN model_configs ON model_configs.id = model_config_id
    WHERE model_configs.digest = ? AND answered = 1 ORDER BY attempts.id DESC LIMIT {NEWEST}
)
SELECT newest.id AS attempt, items.digest AS item, estimated_tokens,
    {", ".join(f"calls.{name}" for name in USAGE_COLUMNS)}, tool_fees,
    unbilled_calls.call_id IS NULL AS billed
FROM newest JOIN items ON items.id = newest.item_id JOIN calls ON attempt_id = newest.id
LEFT JOIN unbilled_calls ON unbilled_calls.call_id = calls.id
WHERE calls.status = 'answered' OR {reported("calls")}
ORDER BY newest.id
"""


@dataclass(frozen=True, slots=True)
class PastCall:
    """What one call used: tokens, and tools that are charged by use."""

    usage: Usage
    tool_fees: Mapping[str, int]
    billed: bool


@dataclass(frozen=True, slots=True)
class PastAnswer:
    """One answer to an item (digest, and its tokens as estimated) with all its charged calls."""

    item: str
    estimated_tokens: int
    calls: tuple[PastCall, ...]


def past_answers(connection: Connection, digest: str) -> list[PastAnswer]:
    """The newest answers of a config (digest) in any run."""
    rows = connection.rows(_PAST, (digest,))
    found = []
    for _, group in itertools.groupby(rows, key=lambda row: row["attempt"]):
        calls = list(group)
        found.append(
            PastAnswer(
                item=calls[0]["item"],
                estimated_tokens=calls[0]["estimated_tokens"],
                calls=tuple(
                    PastCall(usage_of(row), json.loads(row["tool_fees"]), bool(row["billed"]))
                    for row in calls
                ),
            )
        )
    return found
