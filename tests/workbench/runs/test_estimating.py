"""Estimates: by past answers where there are any, else by the rule; and what was not saved."""

from __future__ import annotations

import contextlib
from collections import Counter
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from relaybench.domain.completion import Usage
from relaybench.domain.item import Item, ItemKind
from relaybench.domain.model import ModelConfig, Prices, PriceTier
from relaybench.domain.results import Cell
from relaybench.store.database import Connection
from relaybench.store.past_answers import PastAnswer, PastCall
from relaybench.store.plans import Plans
from relaybench.store.spending import AnswerCosts
from relaybench.workbench.results.reporting import costs_text, results
from relaybench.workbench.results.spent import unsaved_costs
from relaybench.workbench.runs.estimating import Estimate, estimate, estimate_columns
from relaybench.workbench.runs.planning import propose, propose_resume
from relaybench.workbench.workspace import Workspace
from tests.workbench.support import items_of, make_workspace, send, simulated

D = Decimal
PRICES = Prices((PriceTier(0, D(1), D("0.1"), D(2), D(2), D(10)),), {"web_search": D("0.01")})
CONFIG = ModelConfig("m", "openai", "m", max_output_tokens=1000, prices=PRICES)


def an_item(name: str, tokens: int = 100) -> Item:
    return Item("s", name, ItemKind.COMPOSITE, f"prompt {name}", "key", estimated_tokens=tokens)


A, B, C = an_item("a"), an_item("b", 300), an_item("c", 50)


def past(
    item: Item, usage: Usage, fees: dict[str, int] | None = None, billed: bool = True
) -> PastAnswer:
    return PastAnswer(item.digest, item.estimated_tokens, (PastCall(usage, fees or {}, billed),))


def test_without_past_answers_the_rule_holds_and_says_so() -> None:
    found = estimate(CONFIG, [A, A, B])
    # 500 tokens of prompts, half as many more at the high end; 500 to 1,000 tokens of output each
    assert found.cost_low == D(500 + 3 * 500 * 10) / 10**6
    assert found.cost_high == D(750 + 3 * 1000 * 10) / 10**6
    assert (found.cost_mean, found.basis) == (None, "rule: 500 to 1,000 output tokens a call")


def test_past_answers_of_the_same_item_count_from_the_cheapest_to_the_dearest() -> None:
    answers = [
        past(A, Usage(120, 0, 0, 10)),  # 120 + 100
        past(A, Usage(100, 1000, 50, 20), {"web_search": 2}),  # 100 + 100 + 100 + 200, 0.02
    ]
    found = estimate(CONFIG, [A, A, A], answers)
    assert found.cost_low == 3 * D("0.00022")
    assert found.cost_high == 3 * D("0.0205")
    assert found.cost_mean == 3 * D("0.01036")
    assert (found.output_low, found.output_high) == (30, 60)
    assert found.input_tokens == 3 * 635  # (120 + 1,150) / 2
    assert found.basis == "from 2 past answers of the same items"
    one = estimate(CONFIG, [A], answers[:1])
    assert one.cost_low == one.cost_high == one.cost_mean == D("0.00022")
    assert one.basis == "from 1 past answer of the same items"


def test_other_items_are_scaled_by_their_length() -> None:
    # 200 of input for 100 estimated: 600 for 300, 100 for 50; output and searches as they were
    answers = [past(A, Usage(200, 0, 0, 10), {"web_search": 1})]
    found = estimate(CONFIG, [B], answers)
    assert found.cost_low == found.cost_high == D("0.0006") + D("0.0001") + D("0.01")
    assert (found.input_tokens, found.output_low) == (600, 10)
    assert found.basis == "from 1 past answer of this config, by length of prompt"
    mixed = estimate(CONFIG, [A, A, C], answers)
    assert mixed.cost_mean == 2 * D("0.0103") + D("0.0102")
    assert mixed.basis == (
        "2 cells from 1 past answer of the same items; "
        "1 cell from 1 past answer of this config, by length of prompt"
    )


def test_all_calls_of_an_answer_count_and_unbilled_ones_are_free() -> None:
    calls = (PastCall(Usage(100, 0, 0, 10), {}, True), PastCall(Usage(50, 0, 0, 1), {}, True))
    two = PastAnswer(A.digest, 100, calls)
    assert estimate(CONFIG, [A], [two]).cost_low == D("0.00026")
    assert estimate(CONFIG, [A], [past(A, Usage(100, 0, 0, 1), billed=False)]).cost_high == 0


def test_past_answers_are_priced_at_the_prices_of_now() -> None:
    dear = replace(CONFIG, prices=replace(PRICES, tiers=(PriceTier(0, D(7), output=D(7)),)))
    assert estimate(dear, [A], [past(A, Usage(100, 0, 0, 10))]).cost_low == D("0.00077")


def test_what_is_unknown_is_never_nought() -> None:
    silent = [past(A, Usage()), past(A, Usage(input=5))]
    assert estimate(CONFIG, [A], silent) == estimate(CONFIG, [A])
    unpriced = replace(CONFIG, prices=None)
    found = estimate(unpriced, [A], [past(A, Usage(100, 0, 0, 10))])
    assert (found.cost_low, found.cost_high, found.cost_mean) == (None, None, None)
    assert found.output_high == 10
    assert estimate_columns(found) == {
        "estimate_low": None,
        "estimate_high": None,
        "estimate_basis": (
            "from 1 past answer of the same items; 1 of 1 past answer has no known cost: no prices"
        ),
    }


def test_past_answers_of_unknown_cost_make_the_estimate_unknown_and_are_named() -> None:
    answers = [
        past(A, Usage(100, 0, 0, 10)),
        past(A, Usage(300, 0, 0, 30), {"shop": 1}),
        past(A, Usage()),
    ]
    found = estimate(CONFIG, [A, A], answers)
    assert (found.cost_low, found.cost_high, found.cost_mean) == (None, None, None)
    assert (found.input_tokens, found.output_low, found.output_high) == (400, 20, 60)
    assert found.basis == (
        "from 3 past answers of the same items; 2 of 3 past answers have no known cost: "
        "no fee for shop, no token counts"
    )
    assert estimate(CONFIG, [B], answers).cost_high is None
    unwritten = replace(CONFIG, prices=Prices((PriceTier(0, D(1), output=D(10)),)))
    basis = estimate(unwritten, [A], [past(A, Usage(1, 0, 5, 1))]).basis
    assert basis.endswith("no known cost: no price for cache_write")


def test_columns_are_whole_picodollars() -> None:
    found = Estimate(CONFIG, 1, 1, 1, 1, D("0.000000000001"), D(2), "why")
    assert estimate_columns(found) == {
        "estimate_low": 1,
        "estimate_high": 2 * 10**12,
        "estimate_basis": "why",
    }


def priced_sim() -> ModelConfig:
    return replace(simulated(), prices=PRICES)


async def test_a_second_run_is_estimated_by_the_first_and_its_truth_stands_beside(
    tmp_path: Path,
) -> None:
    workspace = make_workspace(tmp_path)
    first = propose(workspace, items_of(workspace), [priced_sim()], name="first")
    assert first.estimates[0].basis.startswith("rule: ")
    await send(workspace, first)
    second = propose(workspace, items_of(workspace), [priced_sim()], name="second", repeats=2)
    assert second.estimates[0].basis == "from 4 past answers of the same items"
    (known,) = results(workspace, "first").configs
    assert known.cost.total is not None
    assert second.cost == (2 * known.cost.total, 2 * known.cost.total)
    await send(workspace, second)
    (result,) = results(workspace, "second").configs
    assert result.facts.estimate == second.cost
    assert "from 4 past answers of the same items" in costs_text(workspace, "second", "md")
    more = propose_resume(workspace, "second", repeats=3)
    assert more.estimates[0].basis == "from 12 past answers of the same items"


def test_a_proposal_with_past_answers_writes_nothing(tmp_path: Path) -> None:
    workspace = make_workspace(tmp_path)
    with contextlib.closing(Connection(workspace.database)):
        pass
    before = workspace.database.read_bytes()
    propose(workspace, items_of(workspace), [priced_sim()])
    assert workspace.database.read_bytes() == before


# --- What was billed but not saved -------------------------------------------------------------


def a_plan(tmp_path: Path, config: ModelConfig = CONFIG) -> tuple[Workspace, str]:
    workspace = make_workspace(tmp_path)
    with contextlib.closing(Connection(workspace.database)) as on:
        Plans(on).create("r", [A, B], [config], 2)
    return workspace, config.digest


def unsaved(
    workspace: Workspace,
    calls: dict[Cell, int],
    of_cell: dict[tuple[str, str], tuple[int, Decimal]],
    of_config: dict[str, tuple[int, Decimal]] | None = None,
) -> dict[str, Decimal | None]:
    with contextlib.closing(Connection(workspace.database)) as on:
        plans = Plans(on)
        answers = AnswerCosts(of_cell, of_config or {})
        return unsaved_costs(Counter(calls), answers, plans.load(plans.find("r")))


def test_lost_calls_cost_as_much_as_answers_to_the_same_item(tmp_path: Path) -> None:
    workspace, config = a_plan(tmp_path)
    calls = {Cell(A.digest, config, 0): 2, Cell(B.digest, config, 1): 1}
    both = {(A.digest, config): (4, D(2)), (B.digest, config): (1, D(3))}
    assert unsaved(workspace, calls, both) == {config: 2 * D("0.5") + D(3)}
    # Without any for B: the mean of all answers of the config.
    one = {(A.digest, config): (4, D(2))}
    assert unsaved(workspace, calls, one, {config: (4, D(2))}) == {config: 3 * D("0.5")}
    # Without any at all: the middle of the rule, (100 + 5,000 + 150 + 10,000) / 2 for A.
    assert unsaved(workspace, {Cell(A.digest, config, 0): 2}, {}) == {config: D("0.01525")}
    assert unsaved(workspace, {}, both) == {}


def test_lost_calls_of_an_unpriced_model_are_unknown(tmp_path: Path) -> None:
    config = replace(CONFIG, prices=None)
    workspace, digest = a_plan(tmp_path, config)
    assert unsaved(workspace, {Cell(A.digest, digest, 0): 1}, {}) == {digest: None}


async def test_what_was_not_saved_stands_in_the_tables(tmp_path: Path) -> None:
    workspace = make_workspace(tmp_path)
    await send(workspace, propose(workspace, items_of(workspace), [priced_sim()], name="r"))
    with contextlib.closing(Connection(workspace.database)) as on, on.writing():
        on.write(
            "INSERT INTO calls (attempt_id, number, status, started_at) VALUES (1, 9, 'lost', '')"
        )
    (result,) = results(workspace, "r").configs
    with contextlib.closing(Connection(workspace.database)) as on:
        row = on.row(
            "SELECT cost_input + cost_cached_input + cost_cache_write + cost_output + cost_tools "
            "AS cost FROM attempts WHERE id = 1"
        )
    assert row is not None
    assert result.facts.unsaved_usd == D(row["cost"]) / 10**12 > 0
    text = costs_text(workspace, "r", "json")
    assert '"unsaved_calls": 1' in text
    assert "no cost here holds that" in text
