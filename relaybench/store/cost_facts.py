"""What stands beside a config's costs: the estimate before the run, prices that were replaced,
calls that nobody can price for sure. No query here reads a prompt or a response.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from relaybench.domain.model import Prices
from relaybench.domain.money import ZERO
from relaybench.domain.results import Cell
from relaybench.store.database import Connection
from relaybench.store.outlines import RunOutline
from relaybench.store.plans import StoredPlan
from relaybench.store.spending import Unsaved, unsaved_calls
from relaybench.store.text import unpack
from relaybench.store.values import prices_of, usd

_USED = """
SELECT model_configs.digest AS digest, estimate_low, estimate_high, estimate_basis
FROM prices_used JOIN model_configs ON model_configs.id = model_config_id WHERE run_id = ?
"""

_REPLACED = """
SELECT model_configs.digest AS digest, replaced_at, as_of, source, prices, cost
FROM replaced_prices JOIN model_configs ON model_configs.id = model_config_id
WHERE run_id = ? ORDER BY replaced_prices.id
"""

# A server tool goes round several times within one call, and only the sum of it is reported. Of
# an attempt that used less in all, no call has to be looked at.
_STEPPED = """
SELECT COUNT(DISTINCT attempt_id) AS n
FROM attempts JOIN calls ON calls.attempt_id = attempts.id
WHERE run_id = :run AND model_config_id = :config AND calls.status = 'answered'
    AND IFNULL(attempts.input, 0) + IFNULL(attempts.cached_input, 0)
        + IFNULL(attempts.cache_write, 0) > :step
    AND IFNULL(calls.input, 0) + IFNULL(calls.cached_input, 0)
        + IFNULL(calls.cache_write, 0) > :step
    AND EXISTS (SELECT 1 FROM tool_events WHERE tool_events.call_id = calls.id)
    AND NOT EXISTS (SELECT 1 FROM unbilled_calls WHERE unbilled_calls.call_id = calls.id)
"""


@dataclass(frozen=True, slots=True)
class ReplacedPrices:
    """Prices that a run was computed with once, and its config's cost by them in USD."""

    replaced_at: str
    prices: Prices | None
    cost: Decimal | None


@dataclass(frozen=True, slots=True)
class CostFacts:
    """Facts about one config's costs in a run; money in USD, None where unknown.

    ``estimate`` is low and high as said before the run, None where nothing was. ``step`` is the
    lowest price step in input tokens, ``stepped`` how many answers passed it with server tools.
    ``unsaved_calls`` may have been billed although no answer was kept (``under_way`` of them go
    on at the provider); ``unsaved_usd`` is what they are estimated to have cost, which is no
    part of any cost.
    """

    estimate: tuple[Decimal | None, Decimal | None] | None = None
    estimate_basis: str = ""
    replaced: tuple[ReplacedPrices, ...] = ()
    step: int | None = None
    stepped: int = 0
    unsaved_calls: int = 0
    under_way: int = 0
    unsaved_usd: Decimal | None = ZERO


def cost_facts(
    connection: Connection, plan: StoredPlan | RunOutline, unsaved: Unsaved | None = None
) -> Mapping[str, CostFacts]:
    """The facts of every config of a run, by digest; unsaved calls are not estimated here.

    ``unsaved`` are the run's ``unsaved_calls`` where they have been read already.
    """
    run = (plan.run.id,)
    replaced: dict[str, list[ReplacedPrices]] = {}
    for row in connection.rows(_REPLACED, run):
        prices = prices_of(row["prices"], row["as_of"], unpack(row["source"]))
        replaced.setdefault(row["digest"], []).append(
            ReplacedPrices(row["replaced_at"], prices, usd(row["cost"]))
        )
    unsaved = unsaved or unsaved_calls(connection, plan.run)
    calls, under_way = _by_config(unsaved.calls), _by_config(unsaved.under_way)
    facts = {}
    for row in connection.rows(_USED, run):
        digest, basis = row["digest"], row["estimate_basis"]
        step = _step(plan.configs[digest].prices)
        low, high = usd(row["estimate_low"]), usd(row["estimate_high"])
        facts[digest] = CostFacts(
            estimate=(low, high) if basis else None,
            estimate_basis=basis,
            replaced=tuple(replaced.get(digest, ())),
            step=step,
            stepped=0 if step is None else _stepped(connection, plan, digest, step),
            unsaved_calls=calls[digest],
            under_way=under_way[digest],
            unsaved_usd=None if calls[digest] else ZERO,
        )
    return facts


def _by_config(cells: Counter[Cell]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for cell, times in cells.items():
        counts[cell.config] += times
    return counts


def _step(prices: Prices | None) -> int | None:
    return (
        min((tier.above for tier in prices.tiers if tier.above), default=None) if prices else None
    )


def _stepped(connection: Connection, plan: StoredPlan | RunOutline, digest: str, step: int) -> int:
    values = {"run": plan.run.id, "config": plan.config_ids[digest], "step": step}
    row = connection.row(_STEPPED, values)
    return int(row["n"]) if row else 0
