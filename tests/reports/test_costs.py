"""The cost table: stored sums, unknown parts, tiers, optional columns."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from relaybench.domain.model import PriceTier
from relaybench.domain.money import Cost
from relaybench.reports.costs import cost_table
from relaybench.reports.tables import Missing
from relaybench.store.cost_facts import CostFacts
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


def test_what_caches_saved_is_shown_beside_the_cost() -> None:
    table = cost_table(a_run(), paper_results())
    # Claude Opus 4.7: (1,665,250 + 31,794,679) x 5 + 381,340 x 25 per million
    assert table.value(0, "uncached_usd") == Decimal("176.833145")
    assert table.value(0, "cache_rate") == 31_794_679 / (1_665_250 + 31_794_679)
    assert NASTY.value(1, "uncached_usd") == Decimal("0.855")
    assert NASTY.value(3, "uncached_usd") == Missing("unknown")  # no prices
    assert NASTY.value(2, "cache_rate") == Missing("not reported")


def test_a_cost_without_caches_that_was_never_computed_is_unknown_and_says_how_to_get_it() -> None:
    old = replace(paper_results()[0], uncached=None)
    table = cost_table(a_run(), [old])
    assert table.value(0, "uncached_usd") == Missing("unknown")
    assert table.value(0, "total_usd") == Decimal("33.7570895")
    assert any("Claude Opus 4.7 (Max) would have cost" in note for note in table.notes)


def test_what_was_billed_but_not_saved_is_an_estimate_apart() -> None:
    assert NASTY.value(2, "unsaved_calls") == 3
    assert NASTY.value(2, "unsaved_usd") == Decimal("0.255")
    assert NASTY.value(2, "total_usd") == nasty_results()[2].cost.total
    (note,) = [note for note in NASTY.notes if "no answer was kept" in note]
    assert "estimated at $0.26" in note
    assert "no cost here holds that" in note
    assert "The work of 1 (" in note
    unknown = replace(nasty_results()[2], facts=CostFacts(unsaved_calls=1, unsaved_usd=None))
    table = cost_table(nasty_run(), [unknown])
    assert table.value(0, "unsaved_usd") == Missing("unknown")
    assert any("estimated at unknown" in note for note in table.notes)


def test_the_estimate_stands_beside_the_truth() -> None:
    assert NASTY.value(1, "estimate_low_usd") == Decimal("0.5")
    assert NASTY.value(1, "estimate_high_usd") == Decimal("1.255")
    assert NASTY.value(0, "estimate_low_usd") == Missing("not estimated")
    (note,) = [note for note in NASTY.notes if note.startswith("Before the run")]
    assert "(from 3 past answers of the same items) tiered-1 (high): estimated $0.50" in note
    assert "to $1.26, was $0.87." in note


def test_price_steps_that_tools_passed_and_other_prices_are_told() -> None:
    notes = "\n".join(NASTY.notes)
    assert "2 answers used tools and passed the price step at 200,000 input tokens" in notes
    assert "Repriced 2 times, last on 2026-11-03: tiered-1 (high)" in notes
    assert "its cost was unknown" in notes
    assert NASTY.value(1, "repriced") == 2
