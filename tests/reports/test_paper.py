"""The published table comes out of our tables, digit by digit."""

from __future__ import annotations

from decimal import Decimal

import pytest

from relaybench.reports.costs import cost_table
from relaybench.reports.display import display
from relaybench.reports.leaderboard import leaderboard
from relaybench.reports.numbers import dollars
from relaybench.reports.tables import WIDE, Table
from tests.reports.samples import a_run, paper_results

LEADERBOARD = leaderboard(a_run(), paper_results())
COSTS = cost_table(a_run(), paper_results())


def cell(table: Table, model: str, key: str) -> str:
    """What people see of a model under a column's key."""
    shown = [column for column in table.columns if column.level <= WIDE]
    places = [column.key for column in shown]
    view = display(table, WIDE)
    row = next(row for row in view.rows if row[places.index("model")].startswith(model))
    return row[places.index(key)]


@pytest.mark.parametrize(
    ("model", "score", "hallucination", "cache", "cost"),
    [
        ("Claude Opus 4.7 (Max)", "16.7% [7.3, 33.6]", "16.7%", "95.0%", "33.76"),
        ("Gemini 3.1 Pro (High)", "40.0% [24.6, 57.7]", "33.3%", "0.6%", "32.99"),
        ("GPT-5.5 (xHigh)", "43.3% [27.4, 60.8]", "50.0%", "6.5%", "22.44"),
    ],
)
def test_scores(model: str, score: str, hallucination: str, cache: str, cost: str) -> None:
    assert cell(LEADERBOARD, model, "pass_at_1") == score
    assert cell(LEADERBOARD, model, "hallucination").split(" ")[0] == hallucination
    assert cell(LEADERBOARD, model, "cache_rate") == cache
    assert cell(LEADERBOARD, model, "cost_usd") == cost
    assert cell(COSTS, model, "total_usd") == cost


def test_costs_of_the_first_model_by_bucket() -> None:
    keys = [
        f"{bucket}_{what}"
        for bucket in ("input", "cached_input", "output")
        for what in ("price", "tokens", "usd")
    ]
    assert [cell(COSTS, "Claude", key) for key in keys] == [
        "5.00",
        "1,665,250",
        "8.33",
        "0.50",
        "31,794,679",
        "15.90",
        "25.00",
        "381,340",
        "9.53",
    ]
    assert COSTS.value(0, "total_usd") == Decimal("33.7570895")
    total = COSTS.value(0, "total_usd")
    assert isinstance(total, Decimal)
    assert dollars(total) == "33.76"


def test_order_is_by_score() -> None:
    models = [LEADERBOARD.value(number, "model") for number in range(3)]
    assert models == ["GPT-5.5 (xHigh)", "Gemini 3.1 Pro (High)", "Claude Opus 4.7 (Max)"]


def test_costs_keep_the_order_of_the_plan_and_leave_out_empty_columns() -> None:
    keys = [column.key for column in COSTS.columns]
    assert COSTS.value(0, "model") == "Claude Opus 4.7 (Max)"
    assert "cache_write_usd" not in keys
    assert "tools_usd" not in keys
