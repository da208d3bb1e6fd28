"""Texts and values come back as they went in, whatever is in them."""

from __future__ import annotations

import sqlite3
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.domain.completion import Completion, Part, PartKind, StopReason, ToolEvent, Usage
from relaybench.domain.errors import ServerFault
from relaybench.domain.item import Item, ItemKind, ItemStep
from relaybench.domain.model import ModelConfig, Prices, PriceTier
from relaybench.domain.results import Grade, Outcome
from relaybench.store.plans import Plans
from relaybench.store.text import pack, unpack, unpack_or_none
from tests.store.support import Bench, bench, config

HOSTILE = [
    "",
    "plain",
    "a\0b\0",
    "\0",
    "\ud800 lone \udfff",
    "\ud83d\ude00 two halves",
    "😀 one whole",
    "\r\n\t\x1b[31m\x7f\x85\u2028\u202e",
    "'; DROP TABLE calls; --",
    "é e\u0301 ﬁ",
    "x" * 1_000_000,
    "\0\ud800" * 300_000,
]


@given(st.text(st.characters(exclude_categories=())) | st.sampled_from(HOSTILE))
def test_every_text_is_packed_reversibly(text: str) -> None:
    packed = pack(text)
    assert unpack(packed) == unpack_or_none(packed) == text
    with sqlite3.connect(":memory:") as memory:
        memory.execute("CREATE TABLE t (c TEXT)")
        memory.execute("INSERT INTO t VALUES (?)", (packed,))
        (back,) = memory.execute("SELECT c FROM t").fetchone()
    memory.close()
    assert unpack(back) == text


def test_null_is_told_apart_from_an_empty_text() -> None:
    assert pack(None) is None
    assert unpack_or_none(None) is None
    assert unpack(None) == ""


def test_plain_text_is_readable_for_any_client() -> None:
    assert pack("grüße 😀") == "grüße 😀"
    assert isinstance(pack("a\0"), bytes)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_completion_comes_back_whole(tmp_path: Path, text: str) -> None:
    completion = Completion(
        text=text,
        stop_reason=StopReason.OTHER,
        raw_stop_reason=text,
        usage=Usage(1, 2, 3, 4, 5, 6, 7),
        requested_model="m",
        served_model=text,
        answer_text=text,
        parts=(Part(PartKind.THINKING, text),),
        refusal=text,
        tool_events=(ToolEvent(text or "k", text, text), ToolEvent("search", "", "")),
        tool_fees={"web_search": 2},
        response_id=text,
        settings_sent={"effort": "high", "n": 1},
        request_json=text,
        response_raw=text,
        http_status=200,
    )
    with bench(tmp_path / "r.db") as b:
        attempt = b.answer(b.cell(), completion)
        grade = Grade(Outcome.WRONG, text, "x/1", (1, 2), True, True, {"A": None, "B": True}, text)
        b.recording.graded(attempt, b.attempts.gradable(attempt).item_id, grade, strict=True)
    with bench(tmp_path / "r.db") as b:
        detail = b.attempts.detail(attempt)
        (call,) = detail.calls
        gradable = b.attempts.gradable(attempt)
    assert detail.response == call
    assert (call.text, call.answer_text, call.refusal, call.response_id) == (text,) * 4
    assert call.thinking == (text or None)
    assert (call.request_json, call.response_raw) == (text, text)
    assert call.settings_sent == {"effort": "high", "n": 1}
    assert call.usage == detail.row.usage == completion.usage
    assert [(t.kind, t.detail, t.status) for t in call.tools] == [
        (text or "k", text, text),
        ("search", "", ""),
    ]
    assert (gradable.text, gradable.refusal, gradable.raw_stop_reason) == (text, text, text)
    (stored,) = detail.grades
    assert (stored.answer, stored.note, stored.span) == (text, text, (1, 2))
    assert stored.steps == {"A": None, "B": True}
    assert (stored.strict, stored.repaired, stored.near_miss, stored.current) == (True,) * 4


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_failure_comes_back(tmp_path: Path, text: str) -> None:
    error = ServerFault(
        text, http_status=500, error_type=text, error_code=text, retry_after_s=1.5, raw=text
    )
    with bench(tmp_path / "r.db") as b:
        call = b.recording.call_started(b.cell())
        b.recording.call_failed(call, error, 2.25)
        b.recording.gave_up(b.cell(), error)
        detail = b.attempts.detail(1)
    (stored,) = detail.calls
    assert stored.error_message == detail.row.error_message == text[:2000]
    assert (stored.response_raw, stored.error_kind) == (text, "server")
    assert (stored.http_status, stored.retry_after_s, stored.wait_s) == (500, 1.5, 2.25)
    assert detail.row.outcome is Outcome.ERROR


def test_items_configs_and_prices_come_back_equal(tmp_path: Path) -> None:
    item = Item(
        "s\0",
        "c\ud800",
        ItemKind.COMPOSITE,
        "prompt \0\udfff" + "x" * 1_000_000,
        "k\0",
        "\0",
        (ItemStep("A", "math/x:y", "math", "\ud800"), ItemStep("B", "u", "coding", "b", False)),
        ("coding", "math"),
        True,
        2**63 - 1,
        7813,
        5,
        6,
        7,
    )
    tiers = (
        PriceTier(0, Decimal("0.1"), None, Decimal("1E+2"), Decimal("0.000001"), Decimal(0)),
        PriceTier(200_000, Decimal("99.5")),
    )
    prices = Prices(tiers, {"web_search": Decimal("0.01")}, date(2026, 11, 30), "http://x \0")
    model = ModelConfig(
        "n", "compatible", "m", "high", ("web", "code"), "single", "http://a/v1", "KEY", 9, 3,
        1.5, 2.5, {"deep": {"list": [1, 2.5, None, "x"]}, "nan": False}, prices,
    )  # fmt: skip
    with bench(tmp_path / "r.db") as b:
        plans = Plans(b.on)
        plans.create("whole", [item], [model, config("other", None)], 3)
        stored = plans.load(plans.find("whole"))
    assert list(stored.items.values()) == [item]
    assert list(stored.configs.values()) == [model, config("other", None)]
    assert list(stored.items) == [item.digest]
    assert next(iter(stored.configs)) == model.digest


@pytest.mark.parametrize("tokens", [2**63, 10**40, 2**62])
def test_a_nonsense_token_count_does_not_lose_the_answer(tmp_path: Path, tokens: int) -> None:
    with bench(tmp_path / "r.db") as b:
        usage = Usage(input=tokens, output=3)
        attempt = b.answer(b.cell(), Completion("hi", StopReason.END, None, usage, "m"))
        assert b.attempts.gradable(attempt).text == "hi"
        assert b.attempts.detail(attempt).row.usage == Usage(output=3)
        assert b.results()[0].cost.total is None


def test_no_secret_has_a_column(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db") as b:
        names = {row["name"] for row in b.on.rows("SELECT name FROM pragma_table_info('calls')")}
        configs = b.on.rows("SELECT name FROM pragma_table_info('model_configs')")
    assert not {name for name in names if "header" in name or "auth" in name or "key" in name}
    assert {row["name"] for row in configs if "key" in row["name"]} == {"key_env"}


def test_the_bench_is_what_it_says(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", items=2) as b:
        assert isinstance(b, Bench)
        assert len(b.missing()) == 2
