"""What stands beside costs: calls that were not saved, price steps, estimates; past answers."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from relaybench.domain.completion import Completion, ToolEvent, Usage
from relaybench.domain.errors import CallTimedOut, ConnectionFailed, ServerFault
from relaybench.domain.model import Prices, PriceTier
from relaybench.domain.results import Cell
from relaybench.store.past_answers import past_answers
from relaybench.store.plans import Plans
from relaybench.store.spending import AnswerCosts, answer_costs, spending, unsaved_calls
from relaybench.store.text import pack
from tests.store.support import answer, bench, config

D = Decimal
STEP = Prices((PriceTier(0, D(1), D(1), D(1), D(1), D(1)), PriceTier(1000, *[D(2)] * 5)))


def used_tools(usage: Usage) -> Completion:
    return replace(answer(usage=usage), tool_events=(ToolEvent("web_search", "q", "ok"),))


def test_work_that_a_later_call_asked_for_is_counted_once(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", items=5) as b:
        # Timed out while waiting; the next call asks for the same work and gets it.
        first = b.recording.call_started(b.cell(0))
        b.recording.handle_given(first, "h0")
        b.recording.call_failed(first, CallTimedOut("x", handle="h0"), 1.0)
        second = b.recording.call_started(b.cell(0), "h0")
        b.recording.answered(b.cell(0), second, answer())
        # Asked for twice and still not there.
        for handle in (None, "h1"):
            call = b.recording.call_started(b.cell(1), handle)
            b.recording.handle_given(call, "h1")
            b.recording.call_failed(call, ConnectionFailed("x", handle="h1"), 1.0)
        # Its process died, and the work goes on.
        call = b.recording.call_started(b.cell(2))
        b.recording.handle_given(call, "h2")
        b.recording.call_lost(call)
        # The provider had taken it and then forgot about it.
        call = b.recording.call_started(b.cell(3))
        b.recording.handle_given(call, "h3")
        b.recording.call_failed(call, ServerFault("gone", http_status=500), None)
        # Nobody took it.
        call = b.recording.call_started(b.cell(4))
        b.recording.call_failed(call, ServerFault("busy", http_status=500), None)

        found = unsaved_calls(b.on, b.stored.run)
        assert found.calls == {b.cell(1): 1, b.cell(2): 1, b.cell(3): 1}
        assert found.under_way == {b.cell(1): 1, b.cell(2): 1}
        assert spending(b.on, b.stored.run).unknown == found.calls
        facts = b.results()[0].facts
        assert (facts.unsaved_calls, facts.under_way, facts.unsaved_usd) == (3, 2, None)
        assert b.results()[0].lost_calls == 1


def test_a_turn_of_unknown_cost_is_no_free_turn(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db") as b:
        call = b.recording.call_started(b.cell())
        b.recording.turn_taken(b.cell(), call, answer(usage=Usage()), None)
        (result,) = b.results()
        assert (result.cost.total, result.uncached, result.uncosted) == (None, None, 1)
        assert spending(b.on, b.stored.run).unknown == {b.cell(): 1}
        (row,) = b.on.rows("SELECT total_usd, uncached_usd FROM costs")
        assert tuple(row) == (None, None)


def test_answers_that_used_tools_and_passed_a_price_step_are_counted(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", items=6, configs=[config(prices=STEP), config("n")]) as b:
        b.answer(b.cell(0), used_tools(Usage(500, 400, 101, 1)))
        b.answer(b.cell(1), used_tools(Usage(500, 400, 100, 1)))  # not above
        b.answer(b.cell(2), answer(usage=Usage(5000, 0, 0, 1)))  # no tools
        b.answer(b.cell(3), replace(used_tools(Usage(5000, 0, 0, 1)), billed=False))
        call = b.recording.call_started(b.cell(4))  # two calls, one answer
        b.recording.turn_taken(b.cell(4), call, used_tools(Usage(2000, 0, 0, 1)), None)
        b.answer(b.cell(4), used_tools(Usage(3000, 0, 0, 1)))
        b.answer(b.cell(0, 1), used_tools(Usage(5000, 0, 0, 1)))  # no step
        first, second = (each.facts for each in b.results())
        assert (first.step, first.stepped) == (1000, 2)
        assert (second.step, second.stepped) == (None, 0)


def test_estimates_are_kept_with_the_run_and_grow_with_its_repeats(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db") as b:
        assert b.results()[0].facts.estimate is None
        plans = Plans(b.on)
        one, two = config("one"), config("two")
        columns = {"estimate_low": 10**12, "estimate_high": 3 * 10**12, "estimate_basis": "rule"}
        unknown = {"estimate_low": None, "estimate_high": None, "estimate_basis": "rule"}
        run = plans.create(
            "e", list(b.stored.items.values()), [one, two], 2,
            estimates={one.digest: columns, two.digest: unknown},
        )  # fmt: skip
        with bench(tmp_path / "r.db", name="e") as e:
            first, second = (each.facts for each in e.results())
            assert first.estimate == (D(1), D(3))
            assert first.estimate_basis == "rule"
            assert second.estimate == (None, None)
            plans.raise_repeats(run, 6)
            assert [each.facts.estimate for each in e.results()] == [(D(3), D(9)), (None, None)]


def test_the_view_tells_what_caches_saved(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db") as b:
        b.answer(b.cell(), answer(usage=Usage(100, 300, 0, 0)))
        (row,) = b.on.rows("SELECT total_usd, uncached_usd, cache_rate FROM costs")
        assert tuple(row) == (0.000325, 0.001, 0.75)


def test_past_answers_are_those_of_a_config_in_any_run_newest_last(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", items=2, configs=[config("a"), config("b")]) as b:
        call = b.recording.call_started(b.cell(0))
        b.recording.call_failed(call, ServerFault("x", usage=Usage(input=7)), 1.0)
        b.answer(b.cell(0), answer(usage=Usage(10, 1, 2, 3), fees={"web_search": 2}))
        b.answer(b.cell(0, 1))
        b.recording.call_lost(b.recording.call_started(b.cell(1)))
        digest = b.cell(0).config
    with bench(tmp_path / "r.db", items=2, configs=[config("a")], name="again") as b:
        b.answer(b.cell(1), replace(answer(usage=Usage(input=5, output=1)), billed=False))
        first, second = past_answers(b.on, digest)
        assert [call.usage for call in first.calls] == [Usage(input=7), Usage(10, 1, 2, 3)]
        assert [call.tool_fees for call in first.calls] == [{}, {"web_search": 2}]
        assert (first.item, second.item) == (b.cell(0).item, b.cell(1).item)
        assert [call.billed for call in second.calls] == [False]
        assert past_answers(b.on, "nobody") == []


def test_answer_costs_leave_out_what_is_not_known(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", items=2, repeats=3) as b:
        for repeat, usage in enumerate([Usage(input=100, output=0), Usage(input=300, output=0)]):
            b.answer(b.cell(0, 0, repeat), answer(usage=usage))
        b.answer(b.cell(0, 0, 2), answer(usage=Usage()))
        b.answer(b.cell(1), answer(usage=Usage()))
        cell = b.cell(0)
        known = (2, D("0.001"))
        of_cell = {(cell.item, cell.config): known}
        run = b.stored.run
        assert answer_costs(b.on, run, [cell, b.cell(0, 0, 1)]) == AnswerCosts(of_cell, {})
        # Of the other item no answer has a known cost: all of the config's answers stand in.
        assert answer_costs(b.on, run, [b.cell(1)]) == AnswerCosts({}, {cell.config: known})
        both = answer_costs(b.on, run, [cell, b.cell(1)])
        assert both == AnswerCosts(of_cell, {cell.config: known})
        assert answer_costs(b.on, run, [Cell("no", "such", 0)]) == AnswerCosts()
        assert answer_costs(b.on, run, []) == AnswerCosts()


def test_a_source_with_odd_letters_comes_back(tmp_path: Path) -> None:
    odd = replace(STEP, source="a\0b\ud800", note="half")
    with bench(tmp_path / "r.db", configs=[config(prices=odd)]) as b:
        assert b.results()[0].config.prices == odd
        assert isinstance(pack(odd.source), bytes)
