"""Grading again: free, told, and nothing is forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest

from relaybench.domain.results import Outcome
from relaybench.workbench.results.judging import regrade
from relaybench.workbench.runs.planning import propose_resume
from relaybench.workbench.workspace import Workspace
from tests.store.support import answer, bench
from tests.workbench.support import make_workspace, send, simulated_run, stored


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return make_workspace(tmp_path)


def outcomes(workspace: Workspace) -> dict[Outcome, int]:
    with stored(workspace) as s:
        return dict(s.results[0].outcomes)


def trail(workspace: Workspace, number: int) -> list[tuple[Outcome, str, bool]]:
    with stored(workspace) as s:
        grades = s.attempts.detail(number).grades
        return [(grade.outcome, grade.key, grade.current) for grade in grades]


async def test_nothing_changes_where_nothing_has_changed(workspace: Workspace) -> None:
    await simulated_run(workspace)
    report = regrade(workspace, "r")
    assert (report.graded, report.changes, report.corrected) == (4, (), ())
    assert trail(workspace, 1) == [(Outcome.CORRECT, "2", True)]


async def test_a_corrected_key_is_offered_and_taken_only_when_asked(workspace: Workspace) -> None:
    await simulated_run(workspace)
    make_workspace(workspace.root, answers={2: "5"})
    report = regrade(workspace, "r")
    assert report.corrected == ("library/math/sum:n-2",)
    assert not report.changes
    assert outcomes(workspace) == {Outcome.CORRECT: 4}

    dry = regrade(workspace, "r", use_corrected=True, dry=True)
    assert [(c.before, c.after, c.attempt_id) for c in dry.changes] == [
        (Outcome.CORRECT, Outcome.WRONG, 2)
    ]
    assert "key corrected from '4' to '5'" in dry.changes[0].why
    assert outcomes(workspace) == {Outcome.CORRECT: 4}

    assert regrade(workspace, "r", use_corrected=True).changes == dry.changes
    assert outcomes(workspace) == {Outcome.CORRECT: 3, Outcome.WRONG: 1}
    assert trail(workspace, 2) == [(Outcome.CORRECT, "4", False), (Outcome.WRONG, "5", True)]

    again = regrade(workspace, "r", use_corrected=True)
    assert (again.changes, again.corrected) == ((), ())
    assert regrade(workspace, "r").changes == (), "the corrected key stays the key"
    assert len(trail(workspace, 2)) == 2


async def test_a_key_can_be_corrected_back(workspace: Workspace) -> None:
    await simulated_run(workspace)
    for key, outcome in (("5", Outcome.WRONG), ("4", Outcome.CORRECT)):
        make_workspace(workspace.root, answers={2: key})
        (change,) = regrade(workspace, "r", use_corrected=True).changes
        assert change.after is outcome
    assert [key for _, key, _ in trail(workspace, 2)] == ["4", "5", "4"]


async def test_answers_that_come_after_a_correction_are_graded_by_it(workspace: Workspace) -> None:
    await simulated_run(workspace)
    make_workspace(workspace.root, answers={2: "5"})
    regrade(workspace, "r", use_corrected=True)
    await send(workspace, propose_resume(workspace, "r", repeats=2))
    assert outcomes(workspace) == {Outcome.CORRECT: 6, Outcome.WRONG: 2}


async def test_another_prompt_is_no_corrected_key(workspace: Workspace) -> None:
    await simulated_run(workspace)
    path = workspace.root / "problems" / "library" / "math" / "sum.toml"
    text = path.read_text().replace("plus", "added to").replace('answer = "4"', 'answer = "5"')
    path.write_text(text)
    assert regrade(workspace, "r", use_corrected=True).corrected == ()
    assert outcomes(workspace) == {Outcome.CORRECT: 4}


def test_strict_grading_takes_mended_answers_back(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path, tmp_path / "results.db", {})
    with bench(workspace.database, items=2) as b:
        b.answer(b.cell(0), answer("The answer: ```\n42\n```"))
        b.answer(b.cell(1))
    first = regrade(workspace, "r")
    assert first.graded == 2
    assert {change.after for change in first.changes} == {Outcome.CORRECT}
    strict = regrade(workspace, "r", strict=True)
    assert [(c.before, c.after) for c in strict.changes] == [(Outcome.CORRECT, Outcome.UNPARSEABLE)]
    with stored(workspace) as s:
        assert [grade.strict for grade in s.attempts.detail(1).grades] == [False, True]
        assert s.results[0].repaired == 0
    assert [c.after for c in regrade(workspace, "r").changes] == [Outcome.CORRECT]


async def test_the_newest_run_is_taken_where_none_is_named(workspace: Workspace) -> None:
    await simulated_run(workspace, "one")
    await simulated_run(workspace, "two")
    assert regrade(workspace, None).run == "two"
