"""Runs that must not start are refused before anything is written or sent."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from relaybench.domain.errors import PlanError, StoreError, UnknownNameError, UsageError
from relaybench.domain.item import ItemKind
from relaybench.domain.model import ModelConfig, Prices, PriceTier
from relaybench.domain.problem import Variant
from relaybench.domain.results import Cell
from relaybench.domain.tool_fees import met_fees
from relaybench.store.database import Connection
from relaybench.store.plans import Plans
from relaybench.workbench.problems.selecting import select
from relaybench.workbench.problems.starting import init_workspace
from relaybench.workbench.results.spent import Counted
from relaybench.workbench.runs.planning import Proposal, RunOptions, propose, propose_resume
from relaybench.workbench.workspace import Workspace
from tests.workbench.support import items_of, make_workspace, send, simulated, simulated_run

PRICES = Prices((PriceTier(input=Decimal(1), output=Decimal(2)),))
REAL = ModelConfig("real", "compatible", "m", base_url="http://a.test/v1", max_output_tokens=1000)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return make_workspace(tmp_path)


def plan(workspace: Workspace, *configs: ModelConfig, budget: str | None = None,
         allow: bool = False, repeats: int = 1) -> Proposal:  # fmt: skip
    options = RunOptions(None, None if budget is None else Decimal(budget), allow)
    return propose(workspace, items_of(workspace), configs, repeats=repeats, options=options)


def test_a_proposal_shows_every_cell_and_writes_nothing(workspace: Workspace) -> None:
    proposal = plan(workspace, replace(REAL, prices=PRICES), repeats=3)
    assert len(proposal.cells) == len(set(proposal.cells)) == 12
    low, high = proposal.cost
    tokens = 3 * sum(item.estimated_tokens for item in proposal.items)
    assert low == Decimal(tokens + 12 * 500 * 2) / 10**6
    wide = 3 * sum(item.estimated_tokens * 3 // 2 for item in proposal.items)
    assert high == Decimal(wide + 12 * 1000 * 2) / 10**6
    assert not workspace.database.exists()


def test_an_item_given_twice_is_planned_once(workspace: Workspace) -> None:
    proposal = propose(workspace, items_of(workspace) * 2, [simulated()])
    assert len(proposal.items) == len(proposal.cells) == 4


def test_nothing_to_send_is_refused(workspace: Workspace) -> None:
    with pytest.raises(PlanError, match="no approved problem"):
        propose(workspace, [], [simulated()])
    with pytest.raises(PlanError, match="name a --cohort or a --model"):
        plan(workspace)
    with pytest.raises(PlanError, match="at least one repeat"):
        plan(workspace, simulated(), repeats=0)


def test_simulated_and_real_models_never_mix(workspace: Workspace) -> None:
    with pytest.raises(PlanError, match="start two runs"):
        plan(workspace, simulated(), REAL)


def test_two_names_for_one_config_are_refused(workspace: Workspace) -> None:
    with pytest.raises(PlanError, match="real and twin are the same model"):
        plan(workspace, REAL, replace(REAL, name="twin"))


def test_all_missing_keys_are_named(workspace: Workspace) -> None:
    one, two = replace(REAL, key_env="K1"), replace(REAL, model="n", name="n", key_env="K2")
    with pytest.raises(PlanError, match=r"real needs .* K1\n.*n needs .* K2"):
        plan(workspace, one, two)
    rich = replace(workspace, environment={"K1": "x", "K2": "y"})
    assert plan(rich, one, two).cells


def test_a_budget_with_an_unknown_price_needs_leave(workspace: Workspace) -> None:
    with pytest.raises(PlanError, match="the price of real is unknown"):
        plan(workspace, REAL, budget="5")
    half = replace(REAL, prices=Prices((PriceTier(input=Decimal(1)),)))
    with pytest.raises(PlanError, match="the price of real is unknown"):
        plan(workspace, half, budget="5")
    assert plan(workspace, REAL, budget="5", allow=True).cells
    assert plan(workspace, REAL).cells
    assert plan(workspace, replace(REAL, prices=PRICES), budget="5").cells


async def test_resume_plans_what_is_missing(workspace: Workspace) -> None:
    with pytest.raises(StoreError, match="no results file"):
        propose_resume(workspace, "r")
    await simulated_run(workspace)
    with pytest.raises(UnknownNameError, match="no run is called 'x'"):
        propose_resume(workspace, "x")
    assert propose_resume(workspace, "r").cells == ()
    more = propose_resume(workspace, "r", repeats=3)
    assert {cell.repeat for cell in more.cells} == {1, 2}
    assert len(more.cells) == 8
    assert more.estimates[0].cells == 8
    again = propose_resume(workspace, "r", repeats=3)
    assert again.cells == more.cells, "a plan alone changes nothing"


async def test_repeats_are_never_lowered(workspace: Workspace) -> None:
    await simulated_run(workspace, repeats=2)
    with pytest.raises(PlanError, match="can only be raised"):
        propose_resume(workspace, "r", repeats=1)


def test_what_was_spent_counts_unknown_costs_as_high_as_expected(workspace: Workspace) -> None:
    from relaybench.domain.completion import Completion, StopReason, Usage
    from relaybench.store.recording import Recording

    config = replace(REAL, prices=PRICES)
    items = items_of(workspace)
    on = Connection(workspace.database)
    plans = Plans(on)
    stored = plans.load(plans.create("r", items, [config], 1))
    recording = Recording(on, stored)
    for item, usage in zip(items, (Usage(input=10**6, output=0), Usage()), strict=False):
        cell = Cell(item.digest, config.digest, 0)
        call = recording.call_started(cell)
        done = Completion("hi", StopReason.END, "stop", usage, "m")
        recording.answered(cell, call, done)
    cell = Cell(items[2].digest, config.digest, 0)
    recording.call_lost(recording.call_started(cell))
    on.close()
    proposal = propose_resume(workspace, "r")
    # Both count as the answer of known cost did: 1 USD.
    assert proposal.spent == Counted(Decimal(1), Decimal(2), calls=1, answers=1)
    assert proposal.spent.total == 3


def test_a_lost_call_without_any_known_answer_counts_by_the_rule(workspace: Workspace) -> None:
    from relaybench.store.recording import Recording

    config, items = replace(REAL, prices=PRICES), items_of(workspace)
    on = Connection(workspace.database)
    plans = Plans(on)
    recording = Recording(on, plans.load(plans.create("r", items, [config], 1)))
    recording.call_lost(recording.call_started(Cell(items[2].digest, config.digest, 0)))
    on.close()
    most = Decimal(items[2].estimated_tokens * 3 // 2 + 2000) / 10**6
    assert propose_resume(workspace, "r").spent == Counted(Decimal(0), most, calls=1)


def test_a_budget_with_an_unknown_fee_needs_leave(workspace: Workspace) -> None:
    key = {"OPENAI_API_KEY": "x"}
    rich = replace(workspace, environment=key)
    config = ModelConfig("searcher", "openai", "gpt-5.5", tools=("web_search",), prices=PRICES)
    with pytest.raises(PlanError, match="searcher: web_search"):
        plan(rich, config, budget="5")
    assert plan(rich, config, budget="5", allow=True).cells
    fees = replace(PRICES, tool_fees={"web_search": Decimal(0)})
    assert plan(rich, replace(config, prices=fees), budget="5").cells


@pytest.mark.parametrize(
    ("provider", "model", "tools", "options", "fees"),
    [
        ("anthropic", "m", "web_search web_fetch", {}, "web_search web_fetch"),
        ("openai", "m", "shell", {}, "container_4g"),
        ("openai", "m", "code_interpreter", {"container_memory": "1g"}, "container_1g"),
        ("google", "gemini-3-pro", "google_search google_maps", {}, "google_search google_maps"),
        ("google", "gemini-2.5-pro", "google_search", {}, "google_search_prompt"),
        ("simulated", "m", "web_search", {"wire": "responses"}, "web_search"),
        ("compatible", "m", "web_search", {}, ""),
    ],
)
def test_fees_that_a_config_may_meet(
    provider: str, model: str, tools: str, options: dict[str, object], fees: str
) -> None:
    config = ModelConfig("a", provider, model, tools=tuple(tools.split()), options=options)
    assert list(met_fees(config)) == fees.split()


async def test_going_on_says_where_prices_have_changed(tmp_path: Path) -> None:
    workspace = make_workspace(tmp_path)
    models = """
[models.sim]
provider = "simulated"
model = "sim"
options = {{ fail = 0.0, latency_s = 0.0 }}
[models.sim.prices]
input = {price}
output = 1.0
as_of = 2026-11-30
source = "made up"
"""
    (tmp_path / "models.toml").write_text(models.format(price="1.0"), "utf-8")
    config = workspace.catalog().models["sim"]
    await send(workspace, propose(workspace, items_of(workspace), [config], name="r"))
    assert propose_resume(workspace, "r", repeats=2).notes == ()
    (tmp_path / "models.toml").write_text(models.format(price="2.0"), "utf-8")
    (note,) = propose_resume(workspace, "r", repeats=2).notes
    assert "the prices of sim have changed" in note


def test_single_subproblems_beside_encoded_composites_are_asked_plainly(tmp_path: Path) -> None:
    init_workspace(tmp_path)
    workspace = Workspace(tmp_path, tmp_path / "results.db", {})
    targets = ["example", "library:math"]
    items = select(workspace, targets, [Variant.PLAIN, Variant.ENCODED]).items
    assert {(item.kind, item.encoded) for item in items} == {
        (ItemKind.COMPOSITE, False),
        (ItemKind.COMPOSITE, True),
        (ItemKind.SINGLE, False),
    }
    with pytest.raises(UsageError, match="always asked in plain text"):
        select(workspace, ["library:math"], [Variant.ENCODED])
