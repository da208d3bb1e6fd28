"""Which wrong answers agree, whatever characters are in them."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.results_store import build
from relaybench.domain.results import Cell, Grade, Outcome
from relaybench.store.database import Connection
from relaybench.store.plans import Plans
from relaybench.store.results import Results
from relaybench.store.wrong_answers import WrongAnswer, wrong_answers
from tests.store.support import Bench, bench, config


def wrong(b: Bench, cell: Cell, text: str | None, *, near: bool = False) -> None:
    attempt = b.answer(cell)
    grade = Grade(Outcome.WRONG, text, "code_block/1", near_miss=near)
    b.recording.graded(attempt, b.stored.item_ids[cell.item], grade, strict=False)


def test_equal_answers_are_counted_together_most_frequent_first(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", configs=[config("m"), config("n")], repeats=3) as b:
        for repeat, text in enumerate(("7", "41", "41")):
            wrong(b, b.cell(0, 0, repeat), text)
        wrong(b, b.cell(0, 1, 0), "41")
        wrong(b, b.cell(0, 1, 1), "6")
        b.grade(b.answer(b.cell(0, 1, 2)))
        item, m, n = b.cell().item, b.cell().config, b.cell(0, 1).config
        assert wrong_answers(b.on, [b.stored.run]) == [
            WrongAnswer(item, "41", {m: 2, n: 1}, near_miss=False),
            WrongAnswer(item, "6", {n: 1}, near_miss=False),
            WrongAnswer(item, "7", {m: 1}, near_miss=False),
        ]


@pytest.mark.parametrize("text", ["a\0b", "\ud800", "\0", "", "4\u00a02", "'; --", "x" * 100_000])
def test_hostile_answers_agree_with_themselves_only(tmp_path: Path, text: str) -> None:
    with bench(tmp_path / "r.db", configs=[config("m"), config("n")]) as b:
        wrong(b, b.cell(0, 0), text)
        wrong(b, b.cell(0, 1), text)
        (found,) = wrong_answers(b.on, [b.stored.run])
        assert found.answer == text
        assert list(found.configs.values()) == [1, 1]


def test_answers_that_differ_behind_a_nul_are_told_apart(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", configs=[config("m"), config("n")]) as b:
        wrong(b, b.cell(0, 0), "41\0a")
        wrong(b, b.cell(0, 1), "41\0b")
        assert [each.answer for each in wrong_answers(b.on, [b.stored.run])] == ["41\0a", "41\0b"]


def test_a_near_miss_stays_one_whatever_comes_after_it(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", repeats=3) as b:
        wrong(b, b.cell(repeat=0), "4 2")
        wrong(b, b.cell(repeat=1), "4 2", near=True)
        wrong(b, b.cell(repeat=2), "4 2")
        (found,) = wrong_answers(b.on, [b.stored.run])
        assert found.near_miss
        assert list(found.configs.values()) == [3]


def test_answers_of_several_runs_are_put_together_and_aliases_are_followed(tmp_path: Path) -> None:
    path = tmp_path / "r.db"
    with bench(path, name="one") as one, bench(path, name="two") as two:
        wrong(one, one.cell(), "41")
        wrong(two, two.cell(), "41")
        runs = [one.stored.run, two.stored.run]
        (found,) = wrong_answers(one.on, runs, {one.cell().item: "another"})
        assert found == WrongAnswer("another", "41", {one.cell().config: 2}, near_miss=False)


def test_wrong_answers_say_what_the_list_of_attempts_says(tmp_path: Path) -> None:
    build(tmp_path / "r.db", 300, 300)
    with closing(Connection(tmp_path / "r.db")) as on:
        run = Plans(on).find(None)
        rows = [row for row in Results(on).attempts(run) if row.outcome is Outcome.WRONG]
        found = wrong_answers(on, [run])
    seen = Counter((row.item_digest, row.answer, row.config_digest) for row in rows)
    assert dict(seen) == {
        (each.item, each.answer, digest): n for each in found for digest, n in each.configs.items()
    }
    near = {(row.item_digest, row.answer) for row in rows if row.near_miss}
    assert near == {(each.item, each.answer) for each in found if each.near_miss}
    assert near
    assert max(sum(each.configs.values()) for each in found) > 2
