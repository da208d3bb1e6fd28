"""Pricing a run anew: the sums are as if it had been sent so, and the old prices stay on record."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from relaybench.domain.completion import Usage
from relaybench.domain.errors import ServerFault
from relaybench.domain.model import Prices, PriceTier
from relaybench.store.database import Connection
from relaybench.store.repricing import Repriced, reprice
from relaybench.store.values import CHARGE_COLUMNS
from tests.store.support import PRICES, Bench, answer, bench, config

D = Decimal
NEW = Prices(
    (
        PriceTier(0, D(1), D("0.1"), D(2), D(3), D(4)),
        PriceTier(1000, D(2), D("0.2"), D(4), D(6), D(8)),
    ),
    {"web_search": D("0.02")},
    as_of=date(2026, 11, 30),
    source="a newer page",
    note="by hand",
)


def anew(b: Bench, prices: Prices = NEW, *, dry: bool = False) -> Repriced:
    plan = b.plan()
    (only,) = reprice(b.on, plan, {next(iter(plan.configs)): prices}, dry=dry)
    return only


def charges(b: Bench) -> list[tuple[int | None, ...]]:
    rows = b.on.rows(f"SELECT {', '.join(CHARGE_COLUMNS)} FROM attempts ORDER BY id")
    return [tuple(row) for row in rows]


def test_every_call_is_priced_anew_by_its_own_tier(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db") as b:
        call = b.recording.call_started(b.cell())
        b.recording.call_failed(call, ServerFault("x", usage=Usage(input=900, output=10)), 1.0)
        usage = Usage(input=600, cached_input=500, cache_write=30, output=7, cache_write_1h=10)
        b.answer(b.cell(), answer(usage=usage, fees={"web_search": 3}))
        done = anew(b)
        # 900 x 1 + 10 x 4; then above 1,000: 600 x 2, 500 x 0.2, 20 x 4 + 10 x 6, 7 x 8
        assert done.new_cost == D("0.000940") + D("0.001496") + D("0.06")
        (result,) = b.results()
        assert result.cost.input == D("0.0021")
        assert result.cost.cache_write == D("0.00014")
        assert result.cost.tools == D("0.06")
        # 900 x 1 + 10 x 4, and 1,130 x 2 + 7 x 8, and the tools
        assert result.uncached == D("0.000940") + D("0.002316") + D("0.06")
        assert result.config.prices == NEW


def test_old_prices_and_the_old_total_stay_on_record(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db") as b:
        b.answer(b.cell(), answer(usage=Usage(input=1000, output=0)))
        first, second = anew(b), anew(b, PRICES)
        assert (first.old_prices, first.old_cost, first.new_cost) == (
            PRICES,
            D("0.0025"),
            D("0.001"),
        )
        assert (second.old_prices, second.old_cost, second.new_cost) == (
            NEW,
            D("0.001"),
            D("0.0025"),
        )
        (result,) = b.results()
        assert [(each.prices, each.cost) for each in result.facts.replaced] == [
            (PRICES, D("0.0025")),
            (NEW, D("0.001")),
        ]
        assert (result.config.prices, result.cost.total) == (PRICES, D("0.0025"))


def test_the_same_prices_again_change_nothing(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db") as b:
        b.answer(b.cell())
        assert not anew(b, PRICES).replaced
        anew(b)
        before = charges(b)
        again = anew(b)
        assert (again.replaced, again.attempts) == (False, 0)
        assert charges(b) == before
        assert len(b.results()[0].facts.replaced) == 1
        # The same figures from another page are another record, at the same cost.
        other = anew(b, replace(NEW, source="elsewhere"))
        assert (other.replaced, other.attempts, other.new_cost) == (True, 0, other.old_cost)


def test_a_dry_run_tells_the_same_and_writes_nothing(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db") as b:
        b.answer(b.cell())
        dump = list(b.on.db.conn.iterdump())
        dry = anew(b, dry=True)
        assert list(b.on.db.conn.iterdump()) == dump
        assert anew(b) == dry
        assert list(b.on.db.conn.iterdump()) != dump


def test_unknown_stays_unknown_and_can_become_known(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", items=3, configs=[config(prices=None)]) as b:
        b.answer(b.cell(0), answer(usage=Usage(input=10, output=1)))
        b.recording.call_lost(b.recording.call_started(b.cell(2)))
        done = anew(b)
        assert (done.old_prices, done.old_cost, done.new_cost) == (None, None, D("0.000014"))
        (kept,) = b.results()[0].facts.replaced
        assert (kept.prices, kept.cost) == (None, None)
        b.answer(b.cell(1), answer(usage=Usage(input=10)))
        assert anew(b, PRICES).new_cost is None
        assert b.results()[0].cost.input == D("0.00005")


def test_what_was_not_billed_stays_free(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", items=2, configs=[config(prices=None)]) as b:
        free = replace(answer(usage=Usage(input=500, output=5), fees={"other": 1}), billed=False)
        b.answer(b.cell(0), free)
        b.answer(b.cell(1), answer(usage=Usage(input=10, output=1)))
        assert anew(b).new_cost == D("0.000014")
        (result,) = b.results()
        assert (result.uncached, result.unreported) == (D("0.000014"), 0)


def test_what_was_never_computed_is_filled_in_without_a_new_record(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db") as b:
        b.answer(b.cell())
        with b.on.writing():  # as in a file from before this was computed
            b.on.write("UPDATE attempts SET cost_uncached = NULL")
        assert b.results()[0].uncached is None
        assert b.results()[0].cost.total is not None
        done = anew(b, PRICES)
        assert (done.replaced, done.attempts) == (False, 1)
        (result,) = b.results()
        assert (result.uncached, result.facts.replaced) == (result.cost.total, ())


def test_only_the_configs_asked_for_change(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", configs=[config("a"), config("b")]) as b:
        b.answer(b.cell(0, 0))
        b.answer(b.cell(0, 1))
        before = charges(b)
        plan = b.plan()
        (done,) = reprice(b.on, plan, {list(plan.configs)[1]: NEW, "no such": NEW})
        assert done.config.name == "b"
        assert charges(b)[0] == before[0]
        assert charges(b)[1] != before[1]


def test_it_is_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with bench(tmp_path / "r.db", configs=[config("a"), config("b")]) as b:
        b.answer(b.cell(0, 0))
        b.answer(b.cell(0, 1))
        dump = list(b.on.db.conn.iterdump())
        write = Connection.write
        inserts = []

        def breaks(on: Connection, sql: str, parameters: object = ()) -> int:
            if "replaced_prices" in sql:
                inserts.append(sql)
                if len(inserts) == 2:
                    raise sqlite3.OperationalError("disk is full")
            return write(on, sql, parameters)  # type: ignore[arg-type]

        monkeypatch.setattr(Connection, "write", breaks)
        plan = b.plan()
        with pytest.raises(Exception, match="disk is full"):
            reprice(b.on, plan, dict.fromkeys(plan.configs, NEW))
        assert list(b.on.db.conn.iterdump()) == dump


USAGES = st.builds(Usage, *[st.none() | st.integers(0, 3000) for _ in range(7)])
CALLS = st.lists(
    st.tuples(st.integers(0, 2), st.booleans(), USAGES, st.booleans(), st.integers(0, 2)),
    max_size=10,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(calls=CALLS)
def test_a_run_priced_anew_is_as_if_it_had_been_sent_at_those_prices(
    tmp_path_factory: pytest.TempPathFactory, calls: list[tuple[int, bool, Usage, bool, int]]
) -> None:
    folder = tmp_path_factory.mktemp("law")
    stored = []
    for name, prices in (("old", PRICES), ("new", NEW)):
        with bench(folder / f"{name}.db", items=3, configs=[config("m", prices)]) as b:
            for number, answers, usage, billed, searches in calls:
                cell = b.cell(number)
                if cell not in b.missing():
                    continue
                if answers:
                    done = answer(usage=usage, fees={"web_search": searches} if searches else {})
                    b.answer(cell, replace(done, billed=billed))
                else:
                    call = b.recording.call_started(cell)
                    b.recording.call_failed(call, ServerFault("x", usage=usage), 1.0)
            if name == "old":
                anew(b)
            stored.append((charges(b), b.results()[0].cost, b.results()[0].uncached))
    assert stored[0] == stored[1]


def test_no_response_is_read(tmp_path: Path) -> None:
    read: set[tuple[str, str]] = set()

    def look(action: int, table: str | None, column: str | None, *_: object) -> int:
        if action == sqlite3.SQLITE_READ and table and column:
            read.add((table, column))
        return sqlite3.SQLITE_OK

    with bench(tmp_path / "r.db") as b:
        b.answer(b.cell())
        plan = b.plan()
        b.on.db.conn.set_authorizer(look)
        reprice(b.on, plan, dict.fromkeys(plan.configs, NEW))
        b.on.db.conn.set_authorizer(None)
    assert ("calls", "tool_fees") in read
    texts = {"text", "answer_text", "thinking", "request_json", "response_raw", "settings_sent"}
    assert not {column for table, column in read if table == "calls"} & texts
