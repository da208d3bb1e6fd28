"""Counts by config that rest on exceptions: who answered, which grade counts, what was lost."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from relaybench.domain.results import Grade, Outcome
from relaybench.store.database import Connection
from relaybench.store.outlines import outline
from relaybench.store.plans import Plans
from relaybench.store.results import Results
from tests.store.support import answer, bench, config, item


@pytest.mark.parametrize(
    ("served", "others"),
    [
        (["m", "m"], {}),
        ([None, None], {}),
        (["m-latest", None], {}),
        (["other", "other", "other"], {"other": 3}),
        (["a", "m", "m-fake", "m-fake"], {"m-fake": 2, "a": 1}),
        (["m", "m-fake", "m-latest"], {"m-fake": 1}),  # the first and the last are as asked for
        (["m", "\ud800"], {"\ud800": 1}),
    ],
)
def test_answers_of_another_model_are_counted_by_its_name(
    tmp_path: Path, served: Sequence[str | None], others: dict[str, int]
) -> None:
    with bench(tmp_path / "r.db", configs=[config("n"), config("m")], repeats=5) as b:
        for repeat, name in enumerate(served):
            b.answer(b.cell(0, 1, repeat), replace(answer(), served_model=name))
        b.recording.call_started(b.cell(0, 1, 4))
        n, m = b.results()
    assert dict(m.others) == others
    assert list(m.others) == list(others)  # the most frequent first
    assert dict(n.others) == {}


def test_only_the_grade_that_counts_is_repaired_or_a_near_miss(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", configs=[config("m"), config("n")], repeats=2) as b:
        marked = Grade(Outcome.WRONG, "4 2", "code_block/1", repaired=True, near_miss=True)
        for cell in (b.cell(), b.cell(repeat=1), b.cell(0, 1)):
            b.recording.graded(b.answer(cell), 1, marked, strict=False)
        b.recording.graded(1, 1, Grade(Outcome.CORRECT, "42", "code_block/1"), strict=False)
        m, n = b.results()
    assert (m.repaired, m.near_misses, n.repaired, n.near_misses) == (1, 1, 1, 1)
    assert (m.problems, n.problems) == (((1, 2),), ((0, 1),))


def test_an_outline_counts_problems_not_their_forms(tmp_path: Path) -> None:
    """Forms have one set, name and key; an item with another key is a problem of its own."""
    plain = item()
    forms = [
        plain,
        replace(plain, prompt="code", encoded=True),
        replace(plain, prompt="long", bloat_characters=9),
        replace(plain, prompt="other", key="9"),
    ]
    with closing(Connection(tmp_path / "r.db")) as on:
        plans = Plans(on)
        plans.create("r", forms, [config("m")], 1)
        assert outline(on, plans.find("r")).problems == 2


def test_an_outline_gives_the_same_results_as_the_whole_plan(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", items=2, configs=[config("m"), config("n")], repeats=2) as b:
        b.grade(b.answer(b.cell()))
        b.recording.call_lost(b.recording.call_started(b.cell(1, 1)))
        short = outline(b.on, b.stored.run)
        assert Results(b.on).by_config(short) == b.results()
        assert [each.lost_calls for each in b.results()] == [0, 1]
        assert list(short.items) == list(b.stored.items)
        assert [each.estimated_tokens for each in short.items.values()] == [
            each.estimated_tokens for each in b.stored.items.values()
        ]
