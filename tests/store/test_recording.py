"""What is written down while a run goes on, and what is left to do after it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from relaybench.domain.errors import RateLimited, StoreError, UnknownNameError, UsageError
from relaybench.domain.results import Outcome
from relaybench.store.plans import Plans
from tests.store.support import Bench, answer, bench, config, item


def test_an_answered_cell_is_never_missing_and_never_started_again(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", items=2, repeats=2) as b:
        assert [cell.repeat for cell in b.missing()] == [0, 0, 1, 1]
        b.answer(b.cell(0))
        assert b.cell(0) not in b.missing()
        with pytest.raises(StoreError, match="has its answer already"):
            b.recording.call_started(b.cell(0))
        assert len(b.on.rows("SELECT * FROM calls")) == 1


def test_an_answer_whose_stop_reason_nobody_knows_is_not_sent_again(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db") as b:
        b.grade(b.answer(b.cell()), Outcome.ERROR)
        assert not b.missing()
        assert b.results()[0].count(Outcome.ERROR) == 1
        assert Plans(b.on).find("r").failed == 0


def test_failed_lost_and_open_cells_are_missing(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", items=3) as b:
        failed, lost, opened = (b.cell(n) for n in range(3))
        b.recording.call_failed(b.recording.call_started(failed), RateLimited("x"), None)
        b.recording.gave_up(failed, RateLimited("x"))
        b.recording.call_lost(b.recording.call_started(lost))
        b.recording.call_started(opened)
        assert b.missing() == [failed, lost, opened]
        assert b.recording.mark_lost() == 1
        assert b.recording.mark_lost() == 0
        assert b.results()[0].lost_calls == 2
        assert b.results()[0].count(Outcome.PENDING) == 2
        assert Plans(b.on).find("r").failed == 1


def test_calls_are_numbered_through_all_sessions(tmp_path: Path) -> None:
    for _ in range(2):
        with bench(tmp_path / "r.db") as b:
            for _ in range(2):
                call = b.recording.call_started(b.cell())
                b.recording.call_failed(call, RateLimited("x"), 1.0)
    with bench(tmp_path / "r.db") as b:
        detail = b.attempts.detail(b.answer(b.cell()))
        assert [call.number for call in detail.calls] == [1, 2, 3, 4, 5]
        assert detail.row.calls == 5
        assert detail.row.error_kind is None
        assert b.results()[0].retries == 4


def test_the_same_call_answered_twice_is_stored_and_charged_once(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db") as b:
        call = b.recording.call_started(b.cell())
        first = b.recording.answered(b.cell(), call, answer("one"))
        before = b.attempts.detail(first)
        assert b.recording.answered(b.cell(), call, answer("two")) == first
        assert b.attempts.detail(first) == before


def test_a_lost_mark_never_touches_an_answer(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db") as b:
        call = b.recording.call_started(b.cell())
        b.recording.answered(b.cell(), call, answer())
        b.recording.call_lost(call)
        b.recording.mark_lost()
        b.recording.gave_up(b.cell(), RateLimited("late"))
        detail = b.attempts.detail(1)
        assert [each.status for each in detail.calls] == ["answered"]
        assert detail.row.outcome is Outcome.PENDING
        assert not b.missing()


def test_an_answer_and_its_parts_are_one_transaction(tmp_path: Path) -> None:
    path = tmp_path / "r.db"
    with bench(path) as b, bench(path) as other:
        call = b.recording.call_started(b.cell())
        with b.on.writing():
            b.recording.answered(b.cell(), call, answer())
            assert other.missing() == [b.cell()]
        assert other.missing() == []


def test_mark_lost_is_for_one_run_only(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db") as b, bench(tmp_path / "r.db", name="other") as other:
        other.recording.call_started(other.cell())
        assert b.recording.mark_lost() == 0


def test_what_was_stored_survives_kill_9(tmp_path: Path) -> None:
    code = (
        "import sys, os, signal; from pathlib import Path\n"
        "from tests.store.support import answer, bench\n"
        "with bench(Path(sys.argv[1]), items=3) as b:\n"
        "    b.answer(b.cell(0), answer('kept'))\n"
        "    b.recording.call_started(b.cell(1))\n"
        "    with b.on.writing():\n"
        "        b.answer(b.cell(2), answer('not yet'))\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    path = tmp_path / "r.db"
    root = Path(__file__).parents[2]
    child = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        cwd=root,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    assert child.returncode == -signal.SIGKILL
    with bench(path) as b:
        assert b.attempts.gradable(1).text == "kept"
        assert b.missing() == [b.cell(1), b.cell(2)]
        assert b.recording.mark_lost() == 1


def test_repeats_are_topped_up_and_never_lowered(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", repeats=2) as b, bench(tmp_path / "r.db") as other:
        plans, run = Plans(b.on), b.stored.run
        for repeat in range(2):
            b.answer(b.cell(repeat=repeat))
        Plans(other.on).raise_repeats(run, 5)
        plans.raise_repeats(run, 3)  # knows of 2 only
        assert plans.find("r").repeats == 5
        assert [cell.repeat for cell in b.missing()] == [2, 3, 4]
        with pytest.raises(UsageError, match="only be raised"):
            plans.raise_repeats(run, 1)


def test_prices_are_frozen_per_run_and_limits_are_the_newest(tmp_path: Path) -> None:
    from dataclasses import replace

    with bench(tmp_path / "r.db") as b:
        plans, old = Plans(b.on), config()
        new = replace(
            old, name="renamed", key_env="OTHER", concurrency=9, timeout_s=1.0, idle_timeout_s=2.0,
            prices=None,
        )  # fmt: skip
        assert new.digest == old.digest
        plans.create("later", [item()], [new], 1)
        assert list(plans.load(plans.find("later")).configs.values()) == [new]
        (first,) = plans.load(plans.find("r")).configs.values()
        assert first == replace(new, prices=old.prices)


def test_runs_are_found_by_name_then_number(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db") as b:
        plans = Plans(b.on)
        plans.create("1", [item()], [config()], 1)
        assert plans.find("1").id == 2
        assert plans.find("2").id == 2
        assert plans.find(None).name == "1"
        with pytest.raises(UnknownNameError, match="the latest are: r, 1"):
            plans.find("nope")
        with pytest.raises(UsageError, match="called 'r' already"):
            plans.create("r", [item()], [config()], 1)
        for bad in ("", " ", "a\nb", "\x1b[31m", "\udcff"):
            with pytest.raises(UsageError, match="cannot be the name"):
                plans.create(bad, [item()], [config()], 1)


def test_a_corrected_key_counts_for_answers_that_come_later(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", repeats=2) as b:
        first = b.answer(b.cell(repeat=0))
        b.grade(first)
        corrected = _correct(b, first)
        assert b.attempts.gradable(b.answer(b.cell(repeat=1))).item_id == corrected
        assert [grade.key for grade in b.attempts.detail(first).grades] == ["42", "43"]
        assert b.attempts.detail(first).row.key == "43"


def _correct(b: Bench, attempt: int) -> int:
    from relaybench.domain.results import Grade

    with b.on.writing():
        corrected = Plans(b.on).add_item(item(key="43"))
    b.recording.graded(attempt, corrected, Grade(Outcome.WRONG, "42", "x/1"), strict=False)
    return corrected
