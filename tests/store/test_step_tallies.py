"""Verdicts on single steps, counted by item, config and label; and scores of retried attempts."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.results_store import build
from relaybench.domain.errors import ServerFault
from relaybench.domain.results import Cell, Grade, Outcome
from relaybench.store.database import Connection
from relaybench.store.plans import Plans
from relaybench.store.results import Results
from relaybench.store.retried import RetriedRow, retried
from relaybench.store.step_tallies import StepTally, step_tallies
from tests.store.support import Bench, answer, bench, config

C, W = Outcome.CORRECT, Outcome.WRONG


def graded(b: Bench, cell: Cell, outcome: Outcome, steps: dict[str, bool | None]) -> None:
    attempt = b.answer(cell)
    grade = Grade(outcome, "42", "code_block/1", steps=steps)
    b.recording.graded(attempt, b.stored.item_ids[cell.item], grade, strict=False)


def test_verdicts_are_counted_over_parsed_answers(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", items=2, configs=[config("m"), config("n")], repeats=4) as b:
        verdicts: list[dict[str, bool | None]] = [
            {"A": True, "B": False},
            {"A": True, "B": True},
            {"A": False, "B": None},
        ]
        for repeat, steps in enumerate(verdicts):
            graded(b, b.cell(0, 0, repeat), C if all(steps.values()) else W, steps)
        graded(b, b.cell(0, 0, 3), Outcome.UNPARSEABLE, {"A": False})
        graded(b, b.cell(0, 1), W, {"A": None, "C": False})
        graded(b, b.cell(0, 1, 1), W, {"C": False, "A": True})
        graded(b, b.cell(0, 1, 2), C, {"A": True})
        graded(b, b.cell(1, 1), C, {})
        b.answer(b.cell(1, 0))
        item, m, n = b.cell().item, b.cell().config, b.cell(0, 1).config
        assert step_tallies(b.on, [b.stored.run]) == [
            StepTally(item, m, "A", right=2, wrong=1, unclear=0),
            StepTally(item, m, "B", right=1, wrong=1, unclear=1),
            StepTally(item, n, "A", right=2, wrong=0, unclear=1),
            StepTally(item, n, "C", right=0, wrong=2, unclear=0),
        ]


def test_a_new_grade_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db") as b:
        graded(b, b.cell(), W, {"A": False})
        grade = Grade(C, "42", "code_block/1", steps={"A": True})
        b.recording.graded(1, 1, grade, strict=False)
        cell = b.cell()
        assert step_tallies(b.on, [b.stored.run]) == [
            StepTally(cell.item, cell.config, "A", right=1, wrong=0, unclear=0)
        ]


def test_tallies_of_several_runs_are_added_up_and_aliases_are_followed(tmp_path: Path) -> None:
    path = tmp_path / "r.db"
    with bench(path, name="one") as one, bench(path, name="two") as two:
        graded(one, one.cell(), C, {"A": True})
        graded(two, two.cell(), W, {"A": False})
        runs = [one.stored.run, two.stored.run]
        (tally,) = step_tallies(one.on, runs)
        assert (tally.right, tally.wrong, tally.unclear) == (1, 1, 0)
        (tally,) = step_tallies(one.on, runs, {one.cell().item: "another"})
        assert (tally.item, tally.right, tally.wrong) == ("another", 1, 1)


def test_tallies_say_what_the_list_of_attempts_says(tmp_path: Path) -> None:
    build(tmp_path / "r.db", 300, 300)
    with closing(Connection(tmp_path / "r.db")) as on:
        run = Plans(on).find(None)
        rows = list(Results(on).attempts(run))
        tallies = step_tallies(on, [run])
    seen: Counter[tuple[str, str, str, bool | None]] = Counter()
    for row in rows:
        for label, verdict in row.steps.items() if row.outcome.parseable else ():
            seen[row.item_digest, row.config_digest, label, verdict] += 1
    counted = {
        (each.item, each.config, each.label, verdict): count
        for each in tallies
        for verdict, count in ((True, each.right), (False, each.wrong), (None, each.unclear))
        if count
    }
    assert counted == dict(seen)
    assert {verdict for *_, verdict in counted} == {True, False, None}
    assert len(tallies) == len({(each.item, each.config, each.label) for each in tallies})


def fail(b: Bench, cell: Cell) -> None:
    b.recording.call_failed(b.recording.call_started(cell), ServerFault("503", http_status=503), 1)


def test_attempts_that_were_retried_are_scored_apart(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", configs=[config("m"), config("n"), config("o")], repeats=5) as b:
        for repeat, (retries, outcome) in enumerate(
            [(0, C), (1, C), (2, W), (0, Outcome.TRUNCATED), (3, C)]
        ):
            for _ in range(retries):
                fail(b, b.cell(0, 0, repeat))
            graded(b, b.cell(0, 0, repeat), outcome, {})
        # A turn that another one follows is a call, but no retry.
        cell = b.cell(0, 1)
        b.recording.turn_taken(cell, b.recording.call_started(cell), answer(), None)
        graded(b, cell, C, {})
        fail(b, b.cell(0, 2))  # never answered: not scored
        configs = list(b.stored.configs)
        assert retried(b.on, b.stored.run) == [
            RetriedRow(
                configs[0], retried=3, retried_correct=2, first_time=2, first_time_correct=1
            ),
            RetriedRow(
                configs[1], retried=0, retried_correct=0, first_time=1, first_time_correct=1
            ),
        ]


@pytest.mark.parametrize("outcome", [Outcome.ERROR, Outcome.PENDING])
def test_what_is_not_scored_is_in_no_row(tmp_path: Path, outcome: Outcome) -> None:
    with bench(tmp_path / "r.db") as b:
        fail(b, b.cell())
        graded(b, b.cell(), outcome, {"A": True})
        assert json.loads(b.on.rows("SELECT steps FROM grades")[0]["steps"]) == {"A": True}
        assert retried(b.on, b.stored.run) == []
        assert step_tallies(b.on, [b.stored.run]) == []
