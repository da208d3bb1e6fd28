"""Triage marks are only added; the newest counts, and no outcome changes."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Database

from relaybench.domain.errors import StoreError, UnknownNameError
from relaybench.domain.results import Outcome
from relaybench.domain.triage import Blame
from relaybench.store.attempt_lists import AttemptLists
from relaybench.store.schema import migrations
from relaybench.store.triage import Triage
from tests.store.support import bench, config


def test_the_newest_mark_counts_and_all_of_them_stay(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", items=2) as b:
        first, second = b.answer(b.cell(0)), b.answer(b.cell(1))
        b.grade(first, Outcome.WRONG)
        triage = Triage(b.on)
        triage.add(first, Blame.MODEL)
        triage.add(first, Blame.KEY, "see [red]\0\ud800")
        triage.add(second, Blame.EXTRACTOR, "x")
        triage.add(second, None)
        marks = triage.of_run(b.stored.run)
        assert {number: mark.blame for number, mark in marks.items()} == {first: Blame.KEY}
        assert marks[first].note == "see [red]\0\ud800"
        assert [mark.blame for mark in triage.trail(second)] == [Blame.EXTRACTOR, None]
        assert b.attempts.detail(first).row.outcome is Outcome.WRONG
        seen = b.on.rows("SELECT outcome, triage, triage_note FROM attempt_details")
        assert [tuple(row)[:2] for row in seen] == [("wrong", "key"), ("pending", None)]
        assert seen[1]["triage_note"] is None
        with pytest.raises(UnknownNameError, match="no attempt 99"):
            triage.add(99, Blame.KEY)
        with pytest.raises(StoreError), b.on.writing():
            b.on.write("INSERT INTO triage_marks VALUES (9, 1, 'mood', '', '')")


def test_a_file_of_before_gets_its_place_for_marks(tmp_path: Path) -> None:
    path = tmp_path / "r.db"
    with closing(sqlite3.connect(path)) as raw:
        migrations.apply(Database(raw), stop_before="006_triage")
        assert not raw.execute("SELECT 1 FROM sqlite_master WHERE name = 'triage_marks'").fetchall()
    with bench(path) as b:
        Triage(b.on).add(b.answer(b.cell()), Blame.KEY)
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("SELECT triage FROM attempt_details").fetchall() == [("key",)]


def test_lists_are_in_the_plans_order_and_read_no_text(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", items=2, configs=[config("a"), config("b")], repeats=2) as b:
        ids = {
            (item, model, repeat): b.answer(b.cell(item, model, repeat))
            for repeat in (1, 0)
            for model in (1, 0)
            for item in (1, 0)
        }
        near = ids[1, 0, 1]
        b.grade(near, Outcome.WRONG, near=True)
        Triage(b.on).add(near, Blame.KEY)
        statements: list[str] = []
        b.on.db.conn.set_trace_callback(statements.append)
        lists = AttemptLists(b.on)
        found = lists.of_run(b.stored.run)
        assert [each.id for each in found] == [ids[key] for key in sorted(ids)]
        entry = next(each for each in found if each.id == near)
        assert (entry.item, entry.model, entry.repeat) == ("s/c1", "a", 1)
        assert (entry.near_miss, entry.blame) == ("", Blame.KEY)
        assert sum(each.near_miss is not None for each in found) == 1
        among = lists.among([near, 999, ids[0, 0, 0], near])
        assert [each.id for each in among] == [near, ids[0, 0, 0]]
        assert not any("calls" in each or "prompt" in each for each in statements)
