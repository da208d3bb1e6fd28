"""Turns and handles in the store: an attempt goes on from what arrived, and pays for all of it."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from sqlite_utils import Database

from relaybench.domain.completion import Completion, StopReason, Trail, Turn, Usage
from relaybench.domain.errors import (
    CallTimedOut,
    ConnectionFailed,
    RequestRejected,
    ServerFault,
)
from relaybench.domain.model import PERSISTENT
from relaybench.store.database import Connection
from relaybench.store.handles import trails
from relaybench.store.plans import Plans
from relaybench.store.schema import KNOWN, migrations
from relaybench.workbench.runs.recording import StoreRecorder
from tests.store.support import Bench, answer, bench, config


def paused(raw: str) -> Completion:
    return replace(
        answer("searching"),
        stop_reason=StopReason.PAUSE,
        raw_stop_reason="pause_turn",
        response_raw=raw,
    )


def trail(b: Bench) -> Trail:
    found = trails(b.on, b.stored.run)
    return found.get(b.cell(), Trail())


def take(b: Bench, raw: str, nudge: str | None = None) -> int:
    call = b.recording.call_started(b.cell())
    b.recording.turn_taken(b.cell(), call, paused(raw), nudge)
    return call


def test_turns_keep_an_attempt_open_and_come_back_in_order(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db") as b:
        take(b, "one\0\udc80")
        take(b, "two", nudge="go on\0")
        assert trail(b) == Trail((Turn("one\0\udc80"), Turn("two", "go on\0")))
        assert b.missing() == [b.cell()]
        attempt = b.answer(b.cell())
        assert trail(b) == Trail()
        assert b.missing() == []
        assert b.attempts.gradable(attempt).text == answer().text


def test_an_attempt_costs_the_sum_of_its_turns(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db") as b:
        take(b, "one")
        take(b, "two")
        attempt = b.answer(b.cell())
        row = b.on.row("SELECT * FROM attempts WHERE id = ?", (attempt,))
        assert row is not None
        assert (row["input"], row["output"]) == (3000, 30)
        assert row["cost_input"] == 3 * 1000 * 2_500_000
        assert (row["call_count"], row["turn_count"]) == (3, 2)


def test_a_turn_is_charged_once_however_often_it_is_stored(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db") as b:
        call = take(b, "one")
        b.recording.turn_taken(b.cell(), call, paused("one"), None)
        row = b.on.row("SELECT input, turn_count FROM attempts")
        assert row is not None
        assert (row["input"], row["turn_count"]) == (1000, 1)


def test_after_a_rejected_continuation_the_attempt_starts_anew(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db") as b:
        take(b, "one")
        call = b.recording.call_started(b.cell())
        b.recording.call_failed(call, ServerFault("busy"), 1.0)
        assert trail(b).turns == (Turn("one"),)
        call = b.recording.call_started(b.cell())
        b.recording.call_failed(call, RequestRejected("container expired"), None)
        assert trail(b) == Trail()
        take(b, "two")
        assert trail(b).turns == (Turn("two"),)


def test_a_handle_is_open_until_its_work_is_known_to_be_over(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db") as b:
        call = b.recording.call_started(b.cell())
        b.recording.handle_given(call, "work-1")
        assert trail(b).handle == "work-1"
        b.recording.mark_lost()
        assert trail(b).handle == "work-1", "the process died, the work did not"
        later = b.recording.call_started(b.cell(), "work-1")
        states = b.on.rows("SELECT call_id, state FROM handles ORDER BY call_id")
        assert [tuple(row) for row in states] == [(call, "passed"), (later, "open")]
        b.recording.call_failed(later, ConnectionFailed("poll", handle="work-1"), 1.0)
        assert trail(b).handle == "work-1"
        last = b.recording.call_started(b.cell(), "work-1")
        b.recording.answered(b.cell(), last, answer())
        assert trail(b) == Trail()
        row = b.on.row("SELECT COUNT(*) AS n FROM handles WHERE state = 'open'")
        assert row is not None
        assert row["n"] == 0


def test_work_that_ended_without_a_result_is_not_asked_for_again(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db") as b:
        call = b.recording.call_started(b.cell())
        b.recording.handle_given(call, "work-1")
        b.recording.call_failed(call, CallTimedOut("total timeout"), None)
        assert trail(b) == Trail()


def test_an_unbilled_response_costs_nothing_and_keeps_its_counts(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db") as b:
        refusal = replace(answer(""), stop_reason=StopReason.REFUSAL, billed=False)
        attempt = b.answer(b.cell(), refusal)
        row = b.on.row("SELECT * FROM attempts WHERE id = ?", (attempt,))
        assert row is not None
        assert (row["cost_input"], row["cost_output"], row["input"]) == (0, 0, None)
        call = b.on.row("SELECT input FROM calls JOIN unbilled_calls ON call_id = id")
        assert call is not None
        assert call["input"] == 1000


def test_the_settings_of_a_harness_come_back_as_they_were(tmp_path: Path) -> None:
    model = replace(
        config(),
        harness=PERSISTENT,
        max_nudges=7,
        max_continuations=9,
        nudge="weiter \udc80",
        instructions="only\0this",
        blocked_domains=("a.test", "b.test"),
    )
    with bench(tmp_path / "r.db", configs=[model]) as b:
        assert b.stored.configs == {model.digest: model}


async def test_a_turn_that_the_store_will_not_take_is_rescued_and_taken_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with bench(tmp_path / "r.db") as b:
        recorder = StoreRecorder(b.on, b.stored)
        with closing(recorder):
            ticket = await recorder.call_started(b.cell())

            def full(*_: object) -> None:
                raise OSError("disk full")

            monkeypatch.setattr(recorder._recording, "turn_taken", full)
            with pytest.raises(Exception, match="takes it in from there"):
                await recorder.turn_taken(ticket, paused("one"), "go on")
            monkeypatch.undo()
            assert recorder.take_in_rescued() == 1
            assert recorder.take_in_rescued() == 0
        assert trail(b) == Trail((Turn("one", "go on"),))


def test_a_file_of_the_first_version_is_brought_up_to_date_with_all_it_holds(
    tmp_path: Path,
) -> None:
    path = tmp_path / "old.db"
    old = Database(path)
    migrations.apply(old, stop_before=KNOWN[2])
    old.execute("INSERT INTO runs VALUES (1, 'r', 'run', 0, 1, 0, NULL, '2026-11-30', '0.1')")
    old.execute(
        "INSERT INTO model_configs VALUES (1, 'd', 'n', 'l', 'compatible', 'm', NULL, '[]', "
        "'single', 'http://a.test/v1', NULL, NULL, 4, 7200, 3600, '{}', 0)"
    )
    old.execute("INSERT INTO prices_used VALUES (1, 1, 0, NULL, '', NULL)")
    old.conn.commit()
    old.close()
    with closing(Connection(path)) as on:
        plans = Plans(on)
        stored = plans.load(plans.find("r"))
        (model,) = stored.configs.values()
        assert (model.harness, model.max_nudges, model.instructions) == ("single", 3, None)


@pytest.mark.parametrize("usage", [Usage(), Usage(input=5)])
def test_a_failed_continuation_that_states_usage_is_charged_too(
    tmp_path: Path, usage: Usage
) -> None:
    with bench(tmp_path / "r.db") as b:
        take(b, "one")
        call = b.recording.call_started(b.cell())
        b.recording.call_failed(call, ServerFault("cut", usage=usage), 1.0)
        row = b.on.row("SELECT input, cost_input FROM attempts")
        assert row is not None
        assert row["input"] == 1000 + (usage.input or 0)
        assert (
            row["cost_input"] == (1000 + (usage.input or 0)) * int(Decimal("2.5") * 1_000_000)
            or usage == Usage()
        )
