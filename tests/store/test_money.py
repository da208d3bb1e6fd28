"""Costs add up exactly, unknown parts stay unknown, and every view tells the same."""

from __future__ import annotations

import sqlite3
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from relaybench.domain.completion import Usage
from relaybench.domain.errors import CallTimedOut, ConnectionFailed, ServerFault
from relaybench.domain.money import ZERO, Cost
from relaybench.domain.results import Outcome
from relaybench.store.attempts import Attempts
from relaybench.store.plans import Plans
from relaybench.store.results import Results
from relaybench.store.spending import spending
from tests.store.support import Bench, answer, bench, config

D = Decimal
BIG = {
    "items": {"prompt"},
    "calls": {"text", "answer_text", "thinking", "request_json", "response_raw"},
}


def fail(b: Bench, usage: Usage | None, cell: int = 0) -> None:
    call = b.recording.call_started(b.cell(cell))
    b.recording.call_failed(call, ServerFault("broke off", usage=usage), 1.0)


def test_a_single_answer_costs_what_its_tokens_cost(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db") as b:
        usage = Usage(input=1_000_001, cached_input=3, cache_write=7, output=1, reasoning=1)
        b.answer(b.cell(), answer(usage=usage, fees={"web_search": 3}))
        (result,) = b.results()
        assert result.cost == Cost(
            D("2.5000025"), D("7.5e-7"), D("0.000021875"), D("1e-12"), D("0.03")
        )
        (row,) = Results(b.on).attempts(b.stored.run)
        assert row.cost == result.cost.total
        assert (result.uncosted, result.unreported, result.usage) == (0, 0, usage)


def test_an_attempt_pays_for_all_its_calls(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db") as b:
        fail(b, None)
        fail(b, Usage(input=10, output=1))
        fail(b, Usage())
        fail(b, Usage(input=20, output=2, cached_input=4))
        b.answer(b.cell(), answer(usage=Usage(input=100, output=7)))
        (result,) = b.results()
        assert result.usage == Usage(input=130, output=10, cached_input=4)
        assert result.cost.total == D(130) * D("2.5e-6") + 4 * D("0.25e-6") + 10 * D("1e-12")
        assert result.retries == 4


def test_cached_tokens_of_a_broken_call_are_paid_for_too(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db") as b:
        fail(b, Usage(cached_input=1000))
        b.answer(b.cell(), answer(usage=Usage(input=100, output=0)))
        (result,) = b.results()
        assert result.cost.cached_input == D("0.00025")
        assert result.cost.total is None  # input and output of the broken call are not known


def test_a_part_that_is_unknown_once_stays_unknown(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", items=2) as b:
        fail(b, Usage(input=10))
        b.answer(b.cell(), answer(usage=Usage(input=100, output=7)))
        b.answer(b.cell(1), answer(usage=Usage(input=1000, output=0)))
        (result,) = b.results()
        assert result.cost.output is None
        assert result.cost.input == 1110 * D("2.5e-6")
        assert (result.cost.total, result.uncosted, result.unreported) == (None, 1, 0)
        rows = list(Results(b.on).attempts(b.stored.run))
        assert [row.cost for row in rows] == [None, D("0.0025")]


def test_usage_that_is_not_reported_is_no_zero(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db") as b:
        b.answer(b.cell(), answer(usage=Usage()))
        (result,) = b.results()
        assert (result.cost.total, result.uncosted, result.unreported) == (None, 1, 1)
        assert result.usage == Usage()


def test_calls_without_a_bill_cost_nothing(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", items=2) as b:
        fail(b, None)
        fail(b, Usage(), cell=1)
        (result,) = b.results()
        assert (result.cost.total, result.uncosted) == (ZERO, 0)
        assert {row.cost for row in Results(b.on).attempts(b.stored.run)} == {ZERO}


def test_without_prices_costs_are_unknown(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", configs=[config(prices=None)]) as b:
        assert b.results()[0].cost.total == ZERO
        b.answer(b.cell())
        assert b.results()[0].cost.total is None


def test_what_a_run_has_spent_counts_doubtful_calls_apart(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", items=6) as b:
        b.answer(b.cell(0), answer(usage=Usage(input=1_000_000, output=0)))
        b.answer(b.cell(1), answer(usage=Usage(input=1_000_000)))
        for number, error in enumerate(
            [CallTimedOut("x"), ConnectionFailed("x", http_status=200), ConnectionFailed("refused")]
        ):
            call = b.recording.call_started(b.cell(2 + number))
            b.recording.call_failed(call, error, None)
        b.recording.call_lost(b.recording.call_started(b.cell(5)))
        b.recording.call_started(b.cell(5))
        spent = spending(b.on, b.stored.run)
        assert spent.known == D(5)
        assert spent.unknown == {b.cell(1): 1, b.cell(2): 1, b.cell(3): 1, b.cell(5): 2}


USAGES = st.builds(
    Usage,
    *[st.none() | st.integers(0, 10**6) for _ in range(5)],
)
STEPS = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from(["fail", "answer", "lose"]), USAGES), max_size=12
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(steps=STEPS, priced=st.booleans())
def test_views_and_results_agree(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, str, Usage]], priced: bool
) -> None:
    path = tmp_path_factory.mktemp("views") / "r.db"
    outcomes = [Outcome.CORRECT, Outcome.WRONG, Outcome.REFUSED]
    configs = [config("m") if priced else config("m", None), config("idle")]
    with bench(path, items=3, configs=configs) as b:
        for number, what, usage in steps:
            if b.cell(number) not in b.missing():
                continue
            if what == "answer":
                b.grade(b.answer(b.cell(number), answer(usage=usage)), outcomes[number])
            elif what == "lose":
                b.recording.call_lost(b.recording.call_started(b.cell(number)))
            else:
                fail(b, usage, number)
        results = b.results()
    plain = sqlite3.connect(path)  # as Datasette would open it
    plain.row_factory = sqlite3.Row
    try:
        costs = plain.execute("SELECT * FROM costs").fetchall()
        board = plain.execute("SELECT * FROM leaderboard").fetchall()
        details = plain.execute("SELECT * FROM attempt_details").fetchall()
    finally:
        plain.close()
    assert [row["model"] for row in costs] == [row["model"] for row in board] == ["m", "idle"]
    assert len(details) == sum(sum(result.outcomes.values()) for result in results)
    for result, money, counts in zip(results, costs, board, strict=True):
        for name in ("input", "cached_input", "cache_write", "output", "tools", "total"):
            exact = getattr(result.cost, name)
            shown = money[f"{name}_usd"]
            assert shown == (None if exact is None else pytest.approx(float(exact), rel=1e-12))
        for name in ("input", "cached_input", "cache_write", "output"):
            assert money[f"{name}_tokens"] == getattr(result.usage, name)
        for outcome in (*outcomes, Outcome.UNPARSEABLE, Outcome.TRUNCATED, Outcome.ERROR):
            assert counts[outcome.value] == result.count(outcome)
        assert (counts["scored"], counts["planned"]) == (result.scored, result.planned)
        assert counts["retries"] == result.retries
        assert sum(right for right, _ in result.problems) == result.count(Outcome.CORRECT)


def test_no_table_or_list_reads_a_prompt_or_a_response(tmp_path: Path) -> None:
    read: set[tuple[str, str]] = set()

    def look(action: int, table: str | None, column: str | None, *_: object) -> int:
        if action == sqlite3.SQLITE_READ and table and column:
            read.add((table, column))
        return sqlite3.SQLITE_OK

    with bench(tmp_path / "r.db") as b:
        b.grade(b.answer(b.cell()))
        plans, run = Plans(b.on), b.stored.run
        b.on.db.conn.set_authorizer(look)
        Results(b.on).by_config(b.stored)
        list(Results(b.on).attempts(run))
        plans.runs()
        plans.missing(b.stored)
        spending(b.on, run)
        Attempts(b.on).answered(run)
        Attempts(b.on).ungraded(run)
        for view in ("leaderboard", "costs", "attempt_details"):
            b.on.rows(f"SELECT * FROM {view}")
        b.recording.mark_lost()
        b.on.db.conn.set_authorizer(None)
    assert ("attempts", "outcome") in read
    for table, columns in BIG.items():
        assert not {column for name, column in read if name == table} & columns
