"""Grids of outcomes: of one run, of imports, and of several runs put together."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.results_store import build
from relaybench.domain.item import Item, ItemKind, ItemStep, text_digest
from relaybench.domain.model import ModelConfig
from relaybench.domain.results import Cell, Grade, Outcome
from relaybench.store.attempts import Attempts
from relaybench.store.database import Connection
from relaybench.store.grid import Grids, OutcomeGrid
from relaybench.store.plans import Plans, RunRow
from relaybench.store.pooling import comparable, of_one_key, pool
from relaybench.store.recording import Recording
from relaybench.store.results import Results
from tests.store.support import answer, config, item

C, W, P, T = Outcome.CORRECT, Outcome.WRONG, Outcome.PENDING, Outcome.TRUNCATED


@pytest.fixture
def on(tmp_path: Path) -> Iterator[Connection]:
    with closing(Connection(tmp_path / "r.db")) as connection:
        yield connection


def a_run(
    on: Connection,
    name: str,
    items: list[Item],
    configs: list[ModelConfig] | None = None,
    repeats: int = 1,
    kind: str = "run",
) -> RunRow:
    return Plans(on).create(name, items, configs or [config()], repeats, kind=kind)


def outcome(
    on: Connection,
    run: RunRow,
    what: Outcome,
    of: Item,
    by: ModelConfig | None = None,
    repeat: int = 0,
    against: Item | None = None,
) -> None:
    """Store an attempt with its outcome, graded against the key of ``against``."""
    plans = Plans(on)
    recording = Recording(on, plans.load(run))
    cell = Cell(of.digest, (by or config()).digest, repeat)
    if what is Outcome.PENDING:
        recording.call_started(cell)
        return
    attempt = recording.answered(cell, recording.call_started(cell), answer())
    with on.writing():
        graded = plans.add_item(against or of)
    recording.graded(attempt, graded, Grade(what, "42", "code_block/1"), strict=False)


def test_a_grid_holds_outcomes_by_repeat_and_only_cells_that_were_begun(on: Connection) -> None:
    one, two, three = (item(number) for number in range(3))
    m, n = config("m"), config("n")
    run = a_run(on, "r", [one, two, three], [n, m], repeats=3)
    for repeat, what in enumerate((C, W, T)):
        outcome(on, run, what, one, m, repeat)
    outcome(on, run, C, one, n, 2)
    outcome(on, run, P, two, n, 1)
    grid = Grids(on).load(run)
    assert list(grid.items) == [one.digest, two.digest, three.digest]
    assert list(grid.configs) == [n.digest, m.digest]
    assert grid.cells == {
        (one.digest, m.digest): (C, W, T),
        (one.digest, n.digest): (P, P, C),
        (two.digest, n.digest): (P, P, P),
    }
    assert grid.scored(one.digest, m.digest) == (1.0, 0.0, 0.0)
    assert grid.scored(two.digest, n.digest) == grid.scored(three.digest, m.digest) == ()
    assert grid.scores(n.digest) == {one.digest: (1.0,)}
    assert (grid.runs, grid.disputed, dict(grid.aliases)) == ((run,), (), {})


def test_an_error_is_a_place_without_a_score(on: Connection) -> None:
    run = a_run(on, "r", [item()], repeats=2)
    recording = Recording(on, Plans(on).load(run))
    recording.gave_up(Cell(item().digest, config().digest, 0), None)
    outcome(on, run, C, item(), repeat=1)
    with on.writing():
        on.write("UPDATE attempts SET outcome = 'error' WHERE repeat = 0")
    grid = Grids(on).load(run)
    assert grid.cells[item().digest, config().digest] == (Outcome.ERROR, C)
    assert grid.scored(item().digest, config().digest) == (1.0,)


def test_an_item_keeps_its_facts_but_no_text(on: Connection) -> None:
    steps = (
        ItemStep("A", "bio/cells:one", "bio", "7", inputs=(("x", "B"),), augment=("plus 1",)),
        ItemStep("B", "math/sum:two", "math", "8", in_answer=False),
        ItemStep("C", "bio/cells:three", "bio", "9"),
    )
    whole = Item("s\0\ud800", "n", ItemKind.COMPOSITE, "prompt é", "7-9", "-", steps,
                 ("bio", "math"), True, 7, 900, estimated_tokens=12)  # fmt: skip
    grid = Grids(on).load(a_run(on, "r", [whole]))
    kept = grid.items[whole.digest]
    assert (kept.ref, kept.kind, kept.prompt_sha256) == (whole.ref, whole.kind, whole.prompt_sha256)
    assert (kept.encoded, kept.bloat_characters, kept.characters, kept.estimated_tokens) == (
        (True, 900, 8, 12)
    )
    assert (kept.domains, kept.classes) == (("bio", "math"), ("bio/cells", "math/sum"))
    assert [(s.label, s.use, s.in_answer, s.inputs, s.augment) for s in kept.steps] == [
        (s.label, s.use, s.in_answer, s.inputs, s.augment) for s in steps
    ]
    assert not kept.imported
    for secret in ("prompt é", "7-9"):
        assert secret not in repr(grid)


def test_forms_of_one_problem_are_known_by_name_and_key(on: Connection) -> None:
    plain = item(0)
    forms = [
        plain,
        replace(plain, prompt="<abc> is 6 x 7?", encoded=True, encoding_seed=1),
        replace(plain, prompt="What, in all that, is 6 x 7?", bloat_characters=11),
    ]
    others = [replace(plain, key="43"), replace(plain, name="c9"), replace(plain, set_name="t")]
    grid = Grids(on).load(a_run(on, "r", [*forms, *others]))
    problems = [each.problem for each in grid.items.values()]
    assert len(set(problems[:3])) == 1
    assert len({*problems[2:]}) == 4


def test_imports_may_hold_more_repeats_than_their_run_says(on: Connection) -> None:
    brought = Item("paper", "p1", ItemKind.IMPORTED, "", "42")
    run = a_run(on, "r", [brought], kind="import")
    outcome(on, run, C, brought, repeat=3)
    outcome(on, run, W, brought, repeat=0)
    grid = Grids(on).load(run)
    assert grid.cells[brought.digest, config().digest] == (W, C)  # nothing of it is open
    assert grid.by_repeat(brought.digest, config().digest) == {1: 0.0, 4: 1.0}
    assert grid.items[brought.digest].imported
    assert grid.items[brought.digest].identity == ("paper/p1", ItemKind.IMPORTED)


def test_repeats_of_several_runs_have_the_same_numbers_in_whatever_order(on: Connection) -> None:
    """An older run's first; repeats that an import does not have keep their numbers free."""
    brought = Item("paper", "p1", ItemKind.IMPORTED, "", "42")
    older = a_run(on, "older", [brought], kind="import")
    outcome(on, older, W, brought, repeat=1)
    Plans(on).raise_repeats(older, 3)
    older = Plans(on).find("older")
    newer = a_run(on, "newer", [brought], kind="import")
    outcome(on, newer, C, brought)
    for runs in ((older, newer), (newer, older)):
        grid = pooled(on, *runs)
        assert grid.runs == runs
        assert grid.cells[brought.digest, config().digest] == (W, C)
        assert grid.by_repeat(brought.digest, config().digest) == {2: 0.0, 4: 1.0}


def test_an_item_is_disputed_while_its_attempts_are_graded_against_two_keys(
    on: Connection,
) -> None:
    old, new = item(0, key="42"), item(0, key="43")
    other = item(1)
    run = a_run(on, "r", [other, old], repeats=2)
    for repeat in range(2):
        outcome(on, run, C, other, repeat=repeat)
    outcome(on, run, C, old, repeat=0)
    outcome(on, run, W, old, repeat=1, against=new)
    assert [each.digest for each in Grids(on).load(run).disputed] == [old.digest]
    attempts = Attempts(on)
    with on.writing():
        graded = Plans(on).add_item(new)
    recording = Recording(on, Plans(on).load(run))
    for attempt in attempts.answered(run):
        if attempts.gradable(attempt).item.endswith("c0"):
            grade = Grade(W, "42", "code_block/1")
            recording.graded(attempt, graded, grade, strict=False)
    assert Grids(on).load(run).disputed == ()


def test_keys_are_those_of_the_current_grades_and_only_where_asked_for(on: Connection) -> None:
    old, new, other = item(0, key="42"), item(0, key="43"), item(1, key="43")
    run = a_run(on, "r", [old, other, item(2)], repeats=2)
    outcome(on, run, C, old, repeat=0)
    outcome(on, run, W, old, repeat=1, against=new)
    outcome(on, run, C, other)
    assert Grids(on).load(run).keys == {}
    keys = Grids(on).load(run, with_keys=True).keys
    assert keys == {
        old.digest: {text_digest("42"), text_digest("43")},
        other.digest: {text_digest("43")},
    }


def pooled(on: Connection, *runs: RunRow) -> OutcomeGrid:
    return pool([Grids(on).load(run, with_keys=True) for run in runs])


def test_runs_are_put_together_by_name_and_prompt(on: Connection) -> None:
    same, only_first, only_second = item(0), item(1), item(2)
    m, n = config("m"), config("n")
    first = a_run(on, "first", [same, only_first], [m], repeats=2)
    second = a_run(on, "second", [only_second, same], [m, n])
    outcome(on, first, C, same, m, 0)
    outcome(on, first, W, same, m, 1)
    outcome(on, second, T, same, m)
    outcome(on, second, C, only_second, n)
    grid = pooled(on, first, second)
    assert grid.runs == (first, second)
    assert list(grid.items) == [same.digest, only_first.digest, only_second.digest]
    assert list(grid.configs) == [m.digest, n.digest]
    assert grid.cells == {
        (same.digest, m.digest): (C, W, T),
        (only_second.digest, n.digest): (C,),
    }
    assert (grid.disputed, dict(grid.aliases)) == ((), {})


def test_a_corrected_key_joins_two_runs_under_the_first_and_is_disputed(on: Connection) -> None:
    old, new = item(0, key="42"), item(0, key="43")
    first, second = a_run(on, "first", [old]), a_run(on, "second", [new])
    outcome(on, first, C, old)
    outcome(on, second, W, new)
    grid = pooled(on, first, second)
    assert list(grid.items) == [old.digest]
    assert grid.cells == {(old.digest, config().digest): (C, W)}
    assert dict(grid.aliases) == {new.digest: old.digest}
    assert [each.digest for each in grid.disputed] == [old.digest]


def test_a_run_graded_again_by_the_corrected_key_is_disputed_no_more(on: Connection) -> None:
    old, new = item(0, key="42"), item(0, key="43")
    first, second = a_run(on, "first", [old]), a_run(on, "second", [new])
    outcome(on, first, W, old, against=new)
    outcome(on, second, W, new)
    grid = pooled(on, first, second)
    assert dict(grid.aliases) == {new.digest: old.digest}
    assert grid.disputed == ()


def test_forms_that_were_graded_against_different_keys_are_no_pair(on: Connection) -> None:
    plain, other, new = item(0), item(1), item(0, key="43")
    encoded = replace(plain, prompt="code", encoded=True)
    first, second = a_run(on, "first", [other, plain]), a_run(on, "second", [encoded])
    for run, of in ((first, other), (second, encoded)):
        outcome(on, run, C, of)
    outcome(on, first, W, plain, against=new)
    grid = pooled(on, first, second)
    assert grid.disputed == ()
    assert [each.digest for each in of_one_key(grid).disputed] == [plain.digest, encoded.digest]
    alone = Grids(on).load(first)
    assert of_one_key(alone) == alone


def test_another_prompt_is_another_item(on: Connection) -> None:
    changed = item(0, prompt="What is six times seven?")
    grid = pooled(on, a_run(on, "first", [item(0)]), a_run(on, "second", [changed]))
    assert len(grid.items) == 2
    assert dict(grid.aliases) == {}


def test_imports_of_one_item_under_two_keys_are_one_and_left_out(on: Connection) -> None:
    old, new = (Item("paper", "p1", ItemKind.IMPORTED, "", key) for key in ("1", "2"))
    same = Item("paper", "p2", ItemKind.IMPORTED, "", "7")
    first = a_run(on, "first", [old, same], kind="import")
    second = a_run(on, "second", [new, same], kind="import")
    for run, which in ((first, old), (second, new)):
        outcome(on, run, C, which)
        outcome(on, run, C, same)
    grid = pooled(on, first, second)
    assert list(grid.items) == [old.digest, same.digest]
    assert [each.digest for each in grid.disputed] == [old.digest]
    assert grid.holders[old.digest] == ("first", "second")
    fair = comparable(grid)
    assert list(fair.items) == [same.digest]
    assert list(fair.cells) == [(same.digest, config().digest)]
    assert fair.disputed == grid.disputed


def test_labels_are_told_apart_once_runs_are_put_together(on: Connection) -> None:
    here = config("m")
    there = replace(config("m2"), model="m", base_url="http://b.test/v1")
    first, second = a_run(on, "first", [item()], [here]), a_run(on, "second", [item()], [there])
    for run in (first, second):
        assert [each.label for each in Grids(on).load(run).configs.values()] == ["m"]
    grid = pooled(on, first, second)
    assert [each.label for each in grid.configs.values()] == ["m [m]", "m [m2]"]
    alone = pooled(on, first)
    assert [each.label for each in alone.configs.values()] == ["m"]


def test_a_grid_says_what_the_list_of_attempts_says(tmp_path: Path) -> None:
    build(tmp_path / "r.db", 300, 300)
    with closing(Connection(tmp_path / "r.db")) as on:
        run = Plans(on).find(None)
        grid = Grids(on).load(run)
        rows = list(Results(on).attempts(run))
    seen = {(row.item_digest, row.config_digest, row.repeat): row.outcome for row in rows}
    assert len(seen) == len(rows) == 300
    assert seen == {
        (*key, repeat): each
        for key, outcomes in grid.cells.items()
        for repeat, each in enumerate(outcomes)
    }
    order = {digest: place for place, digest in enumerate((*grid.items, *grid.configs))}
    assert rows == sorted(
        rows, key=lambda row: (order[row.item_digest], order[row.config_digest], row.repeat)
    )
