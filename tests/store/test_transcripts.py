"""Transcripts: every turn as it came, in the plan's order, and no more read than is needed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from relaybench.domain.completion import StopReason
from relaybench.domain.errors import RequestRejected
from relaybench.domain.results import Outcome
from relaybench.store.transcripts import Transcripts, Turn
from tests.store.support import Bench, answer, bench, config


def filled(b: Bench) -> None:
    """Two items, two models: three answers out of order, one of them in two turns, one error."""
    last = replace(answer("last\0\ud800"), answer_text="ast")
    b.grade(b.answer(b.cell(1, 1), last))
    call = b.recording.call_started(b.cell(0, 1))
    first = replace(answer("first"), stop_reason=StopReason.PAUSE)
    b.recording.turn_taken(b.cell(0, 1), call, first, "go on")
    b.grade(b.answer(b.cell(0, 1)), Outcome.WRONG)
    b.answer(b.cell(0, 0))
    call = b.recording.call_started(b.cell(1, 0))
    b.recording.call_failed(call, RequestRejected("no"), None)
    b.recording.gave_up(b.cell(1, 0), RequestRejected("no"))


def test_turns_as_they_came_in_the_order_of_the_plan(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", items=2, configs=[config("a"), config("b")]) as b:
        filled(b)
        found = list(Transcripts(b.on).answered(b.stored.run))
        assert [(each.row.item, each.row.model) for each in found] == [
            ("s/c0", "a"),
            ("s/c0", "b"),
            ("s/c1", "b"),
        ]
        assert found[1].turns == (
            Turn("first", None, None, True, "go on"),
            Turn(answer().text, None, None, False, None),
        )
        assert found[1].response == found[1].turns[1]
        assert found[2].response == Turn("last\0\ud800", "ast", None, False, None)
        assert {each.stop_reason for each in found} == {"end"}


def test_one_config_with_its_errors_and_without_texts(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", items=2, configs=[config("a"), config("b")]) as b:
        filled(b)
        number = next(iter(b.stored.config_ids.values()))
        statements: list[str] = []
        b.on.db.conn.set_trace_callback(statements.append)
        found = list(Transcripts(b.on).of_config(b.stored.run, number, texts=False))
        assert [(each.row.item, each.answered) for each in found] == [
            ("s/c0", True),
            ("s/c1", False),
        ]
        assert found[1].row.outcome is Outcome.ERROR
        assert all(each.turns == () and each.response is None for each in found)
        assert not any("FROM calls" in each for each in statements)
        assert next(iter(Transcripts(b.on).of_config(b.stored.run, number, texts=True))).turns
        assert any("FROM calls" in each for each in statements)
