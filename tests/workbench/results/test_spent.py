"""What a budget counts for calls whose cost nobody knows."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from relaybench.domain.model import Prices, PriceTier
from relaybench.domain.results import Cell
from relaybench.store.spending import Spending
from relaybench.workbench.call_rule import high_cost
from relaybench.workbench.results.spent import counted
from relaybench.workbench.runs.planning import propose
from tests.workbench.support import items_of, make_workspace, send, simulated, stored


async def test_an_unknown_cost_counts_as_what_was_set_aside_for_it(tmp_path: Path) -> None:
    workspace = make_workspace(tmp_path)
    tier = PriceTier(input=Decimal(1), cached_input=Decimal(1), output=Decimal(10))
    config = replace(simulated(), prices=Prices((tier,)))
    await send(workspace, propose(workspace, items_of(workspace), [config], name="r"))
    with stored(workspace) as s:
        plan = s.plan
    (digest,) = plan.configs
    item = next(iter(plan.items))
    high = high_cost(plan.items[item], plan.configs[digest])
    assert high is not None
    unknown = Counter({Cell(item, digest, 0): 2})
    for dearest, each in ((high / 100, high), (high * 3, high * 3)):
        found = counted(Spending(Decimal(1), unknown, 2, {digest: dearest}), plan)
        assert (found.known, found.doubtful) == (Decimal(1), 2 * each)
    assert counted(Spending(Decimal(1), unknown, 2), plan).doubtful == 2 * high
