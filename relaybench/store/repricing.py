"""Price the stored calls of a run anew; the prices that it had stay on record.

Only token counts and fees are read, never a prompt or a response, and nothing is rounded: each
call is charged by its own tier in whole picodollars, as it was when it came.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from relaybench.domain.model import ModelConfig, Prices
from relaybench.store.database import Connection, now
from relaybench.store.plans import StoredPlan
from relaybench.store.text import pack
from relaybench.store.values import (
    CHARGE_COLUMNS,
    COST_COLUMNS,
    USAGE_COLUMNS,
    charge_row,
    charged,
    prices_json,
    reported,
    usage_of,
    usd,
)

_ATTEMPTS = f"""
SELECT id, {charged("attempts")} AS charged, {", ".join(CHARGE_COLUMNS)}
FROM attempts WHERE run_id = ? AND model_config_id = ?
"""

# What a person said that an answer cost is no matter of prices.
_CALLS = f"""
SELECT calls.attempt_id AS attempt_id, {", ".join(f"calls.{name}" for name in USAGE_COLUMNS)},
    calls.tool_fees AS tool_fees, unbilled_calls.call_id IS NULL AS billed
FROM attempts JOIN calls ON calls.attempt_id = attempts.id
LEFT JOIN unbilled_calls ON unbilled_calls.call_id = calls.id
WHERE run_id = ? AND model_config_id = ? AND (calls.status = 'answered' OR {reported("calls")})
    AND NOT EXISTS (SELECT 1 FROM given_costs WHERE call_id = calls.id)
"""

_UPDATE = f"UPDATE attempts SET {', '.join(f'{name} = ?' for name in CHARGE_COLUMNS)} WHERE id = ?"

_REPLACE = """
INSERT INTO replaced_prices (run_id, model_config_id, replaced_at, as_of, source, prices, cost)
SELECT run_id, model_config_id, ?, as_of, source, prices, ? FROM prices_used
WHERE run_id = ? AND model_config_id = ?
"""

_Charge = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Repriced:
    """One config's costs in a run before and after, in USD; None where unknown.

    ``replaced`` says whether its prices are others than before; ``attempts`` is how many attempts
    have another cost now, or one that was not computed yet.
    """

    config: ModelConfig
    old_prices: Prices | None
    new_prices: Prices
    old_cost: Decimal | None
    new_cost: Decimal | None
    replaced: bool
    attempts: int


def reprice(
    connection: Connection, plan: StoredPlan, prices: Mapping[str, Prices], *, dry: bool = False
) -> list[Repriced]:
    """Compute the costs of a run's configs anew, by digest, all in one transaction.

    ``dry`` writes nothing. Prices that a config has already are not recorded once more. Only for
    the holder of the run's lock.
    """
    with contextlib.nullcontext() if dry else connection.writing():
        return [
            _reprice(connection, plan, digest, prices[digest], dry)
            for digest in plan.configs
            if digest in prices
        ]


def _reprice(
    connection: Connection, plan: StoredPlan, digest: str, prices: Prices, dry: bool
) -> Repriced:
    config, key = plan.configs[digest], (plan.run.id, plan.config_ids[digest])
    old: dict[int, _Charge] = {}
    charges: set[int] = set()
    for row in connection.each(_ATTEMPTS, key):
        old[row["id"]] = tuple(row[name] for name in CHARGE_COLUMNS)
        if row["charged"]:
            charges.add(row["id"])
    new = _charges(connection, key, prices)
    changes = [(*charge, number) for number, charge in new.items() if charge != old[number]]
    old_cost = _total([old[number] for number in charges])
    replaced = _columns(config.prices) != _columns(prices)
    if not dry:
        connection.write_many(_UPDATE, changes)
        if replaced:
            connection.write(_REPLACE, (now(), old_cost, *key))
            connection.write(
                "UPDATE prices_used SET as_of = ?, source = ?, prices = ? "
                "WHERE run_id = ? AND model_config_id = ?",
                (*_columns(prices), *key),
            )
    return Repriced(
        config=config,
        old_prices=config.prices,
        new_prices=prices,
        old_cost=usd(old_cost),
        new_cost=usd(_total([new.get(number, old[number]) for number in charges])),
        replaced=replaced,
        attempts=len(changes),
    )


def _charges(connection: Connection, key: tuple[int, int], prices: Prices) -> dict[int, _Charge]:
    """What each attempt of a config is charged; a part unknown for one call is so for all."""
    found: dict[int, _Charge] = {}
    for row in connection.each(_CALLS, key):
        fees = row["tool_fees"]
        uses = {} if fees == "{}" else json.loads(fees)
        charge = tuple(charge_row(usage_of(row), uses, prices, billed=bool(row["billed"])).values())
        before = found.get(row["attempt_id"])
        found[row["attempt_id"]] = charge if before is None else _plus(before, charge)
    return found


def _plus(one: _Charge, other: _Charge) -> _Charge:
    return tuple(None if a is None or b is None else a + b for a, b in zip(one, other, strict=True))


def _total(charges: list[_Charge]) -> int | None:
    """The sum of all buckets in picodollars, None where one is unknown."""
    total = 0
    for charge in charges:
        for part in charge[: len(COST_COLUMNS)]:
            if part is None:
                return None
            total += part
    return total


def _columns(prices: Prices | None) -> tuple[str | None, str | bytes | None, str | None]:
    if prices is None:
        return None, "", None
    as_of = prices.as_of.isoformat() if prices.as_of else None
    return as_of, pack(prices.source), prices_json(prices)
