"""The cost table: stored sums, unknown parts, tiers, optional columns."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from relaybench.domain.model import PriceTier
from relaybench.domain.money import Cost
from relaybench.reports.costs import cost_table
from relaybench.reports.tables import Missing
from tests.reports.samples import a_run, nasty_results, nasty_run, paper_results

NASTY = cost_table(nasty_run(), nasty_results())


def test_costs_are_the_stored_ones_not_recomputed() -> None:
    paper = paper_results()[0]
    stored = Cost(Decimal(1), Decimal(2), Decimal(0), Decimal(3), Decimal(0))
    table = cost_table(a_run(), [replace(paper, cost=stored)])
    assert [table.value(0, key) for key in ("input_usd", "cached_input_usd", "output_usd")] == [
        1,
        2,
        3,
    ]
    assert table.value(0, "total_usd") == 6


def test_an_unknown_part_is_unknown_and_so_is_the_total() -> None:
    paper = paper_results()[0]
    table = cost_table(a_run(), [replace(paper, cost=replace(paper.cost, cached_input=None))])
    assert table.value(0, "cached_input_usd") == Missing("unknown")
    assert table.value(0, "total_usd") == Missing("unknown")
    assert table.value(0, "input_usd") == Decimal("8.32625")
    assert any("never 0" in note for note in table.notes)


def test_tiers_show_the_base_price_and_say_so() -> None:
    assert NASTY.value(1, "input_price") == Decimal("1.25")
    assert NASTY.value(1, "cache_write_price") == Decimal("1.5625")
    (note,) = [note for note in NASTY.notes if "long prompts" in note]
    assert "tiered-1 (high) (above 200,000 input tokens)" in note
    assert "each call was charged by its own tier" in note


def test_the_base_tier_is_found_whatever_the_order() -> None:
    paper = paper_results()[0]
    assert paper.config.prices is not None
    tiers = (PriceTier(above=1000, input=Decimal(9)), *paper.config.prices.tiers)
    config = replace(paper.config, prices=replace(paper.config.prices, tiers=tiers))
    assert cost_table(a_run(), [replace(paper, config=config)]).value(0, "input_price") == 5


def test_optional_columns_and_notes() -> None:
    keys = [column.key for column in NASTY.columns]
    assert {"cache_write_price", "cache_write_tokens", "cache_write_usd", "tools_usd"} <= set(keys)
    assert NASTY.value(1, "tools_usd") == Decimal("0.03")
    assert NASTY.value(1, "output_tokens") == 25_007
    notes = "\n".join(NASTY.notes)
    assert "as of 2026-11-01, read by hand" in notes
    assert "one-hour lifetime" in notes
    assert "do not name: 7 (" in notes
    assert "Incomplete" in notes


def test_an_unknown_tool_fee_has_its_column() -> None:
    paper = paper_results()[0]
    table = cost_table(a_run(), [replace(paper, cost=replace(paper.cost, tools=None))])
    assert table.value(0, "tools_usd") == Missing("unknown")
