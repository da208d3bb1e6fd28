"""Changes of the library as a whole: in all files that they concern, or in none."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from relaybench.domain.errors import (
    ProblemError,
    RelaybenchError,
    StaleFileError,
    UnknownNameError,
    UsageError,
    WorkspaceError,
)
from relaybench.domain.problem import Status
from relaybench.workbench.problems import editing, rewriting
from relaybench.workbench.problems.authoring import check
from relaybench.workbench.problems.rewriting import Rewrite, rewrite
from relaybench.workbench.workspace import Workspace
from tests.library.support import PAIR, PAIR_FILE, POWER, POWER_FILE, Bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    bench = Bench(tmp_path)
    bench.write(PAIR_FILE, "# By hand.\n" + PAIR.replace('label = "A"', 'label = "A" # first'))
    bench.write("problems/private/sets/own/other.toml", PAIR.replace('"pair"', '"other"'))
    return bench


@pytest.fixture
def workspace(bench: Bench) -> Workspace:
    return Workspace(bench.root, bench.root / "results.db", {})


def everything(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()
    }


def test_a_new_class_says_what_is_to_be_filled_in(workspace: Workspace) -> None:
    editing.new_class(workspace, "math/digit-sum", private=True)
    path = workspace.root / "problems/private/library/math/digit-sum.toml"
    told = tomllib.loads(path.read_text())
    assert told["title"] == "Digit sum"
    assert {each.code for each in check(workspace).findings} == {
        "empty",
        "empty-prompt",
        "key-form",
    }
    for name in ("math/digit-sum", "math/Digit", "maths/sum", "sum", "math/a/b"):
        with pytest.raises(UsageError):
            editing.new_class(workspace, name)


def test_a_renamed_class_takes_its_composites_along(workspace: Workspace, bench: Bench) -> None:
    before = everything(bench.root)
    edit = editing.rename(workspace, "math/power", "data-analysis/powers")
    new = "problems/library/data-analysis/powers.toml"
    assert edit.target == "data-analysis/powers"
    assert set(edit.files) == {POWER_FILE, new, PAIR_FILE, "problems/private/sets/own/other.toml"}
    assert check(workspace).findings == ()
    after = everything(bench.root)
    renamed = POWER.replace('"power"', '"powers"').replace('"math"', '"data-analysis"')
    assert after.pop(new).decode() == renamed
    assert before.pop(POWER_FILE).decode() == POWER
    for name, text in before.items():
        assert after[name] == text.replace(b"math/power:", b"data-analysis/powers:")


def test_a_renamed_instance_takes_its_composites_along(workspace: Workspace, bench: Bench) -> None:
    before = everything(bench.root)
    editing.rename(workspace, "math/power:two-cubed", "cube")
    assert check(workspace).findings == ()
    for name, text in everything(bench.root).items():
        assert text == before[name].replace(b"two-cubed", b"cube")


def test_copies(workspace: Workspace, bench: Bench) -> None:
    bench.write(POWER_FILE, "# Remark.\n" + POWER)
    editing.duplicate(workspace, "math/power", "powers")
    copy = (bench.root / "problems/library/math/powers.toml").read_text()
    assert copy == "# Remark.\n" + POWER.replace('"power"', '"powers"')
    editing.duplicate(workspace, "math/power:two-cubed", "again")
    rows = workspace.library().classes["math/power"].problem.instances
    assert [each.id for each in rows] == ["two-cubed", "again", "three-squared"]
    assert rows[1].status is Status.DRAFT
    assert (rows[1].data, rows[1].answer) == (rows[0].data, rows[0].answer)
    assert check(workspace).findings == ()


def test_status_of_one_and_of_all(workspace: Workspace) -> None:
    editing.set_status(workspace, "math/power:two-cubed", Status.RETIRED)
    rows = workspace.library().classes["math/power"].problem.instances
    assert [each.status for each in rows] == [Status.RETIRED, Status.APPROVED]
    editing.set_status(workspace, "math/power", Status.DRAFT)
    rows = workspace.library().classes["math/power"].problem.instances
    assert {each.status for each in rows} == {Status.DRAFT}


def test_what_a_composite_uses_is_not_removed(workspace: Workspace, bench: Bench) -> None:
    before = everything(bench.root)
    for target in ("math/power:two-cubed", "math/power"):
        with pytest.raises(UsageError, match="used by first/pair, own/other"):
            editing.delete(workspace, target)
    assert everything(bench.root) == before
    editing.delete(workspace, "math/power:three-squared")
    assert (bench.root / POWER_FILE).read_text() == POWER[: POWER.rindex("\n[[instances]]")]
    for name in (PAIR_FILE, "problems/private/sets/own/other.toml"):
        (bench.root / name).unlink()
    editing.delete(workspace, "math/power")
    assert not (bench.root / POWER_FILE).exists()


REFUSED: dict[str, tuple[type[RelaybenchError], str, Callable[[Workspace], object]]] = {
    "no class": (UnknownNameError, "math/x", lambda w: editing.rename(w, "math/x", "y")),
    "no instance": (UnknownNameError, "it has two", lambda w: editing.delete(w, "math/power:x")),
    "taken": (UsageError, "already", lambda w: editing.rename(w, "math/power", "coding/spell")),
    "same": (UsageError, "already", lambda w: editing.rename(w, "math/power", "power")),
    "taken instance": (
        UsageError,
        "already",
        lambda w: editing.rename(w, "math/power:two-cubed", "three-squared"),
    ),
    "other class": (
        UsageError,
        "stays in its class",
        lambda w: editing.rename(w, "math/power:two-cubed", "coding/spell:two-cubed"),
    ),
    "bad id": (UsageError, "cannot be", lambda w: editing.duplicate(w, "math/power", "A b")),
    "bad domain": (UsageError, "domains are", lambda w: editing.rename(w, "math/power", "x/y")),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_makes_no_sense_is_refused(workspace: Workspace, bench: Bench, case: str) -> None:
    kind, words, action = REFUSED[case]
    before = everything(bench.root)
    with pytest.raises(kind, match=words):
        action(workspace)
    assert everything(bench.root) == before


@pytest.mark.parametrize("broken", ["x = \n" + PAIR, PAIR.replace('label = "B"', 'label = "A"')])
def test_a_composite_that_cannot_follow_keeps_everything_as_it_is(
    workspace: Workspace, bench: Bench, broken: str
) -> None:
    bench.write("problems/sets/second/broken.toml", broken)
    before = everything(bench.root)
    for target in ("math/power", "math/power:two-cubed"):
        with pytest.raises(ProblemError, match=r"broken\.toml"):
            editing.rename(workspace, target, "other")
    assert everything(bench.root) == before


@pytest.mark.parametrize("writes", [0, 1, 2, 3])
def test_a_disk_that_fails_half_way_leaves_all_as_it_was(
    workspace: Workspace, bench: Bench, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    before = everything(bench.root)
    real, count = rewriting._carry_out, 0

    def failing(change: Rewrite) -> None:
        nonlocal count
        if count == writes:
            raise OSError(28, "No space left")
        count += 1
        real(change)

    monkeypatch.setattr(rewriting, "_carry_out", failing)
    with pytest.raises(WorkspaceError, match=r"nothing was changed$"):
        editing.rename(workspace, "math/power", "powers")
    assert everything(bench.root) == before


def test_a_file_changed_meanwhile_keeps_the_others_from_being_written(bench: Bench) -> None:
    one, two = bench.root / POWER_FILE, bench.root / PAIR_FILE
    changes = [
        Rewrite(one, "one", one.read_text(), 'id = "x"'),
        Rewrite(two, "two", two.read_text() + " ", 'id = "x"'),
    ]
    before = everything(bench.root)
    with pytest.raises(StaleFileError, match="two was changed"):
        rewrite(changes)
    with pytest.raises(ProblemError, match="one could not be read"):
        rewrite([Rewrite(one, "one", one.read_text(), "x = ")])
    with pytest.raises(WorkspaceError, match="one exists already"):
        rewrite([Rewrite(one, "one", None, "")])
    assert everything(bench.root) == before


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_an_error_of_ours(
    workspace: Workspace, bench: Bench
) -> None:
    folder = (bench.root / PAIR_FILE).parent
    folder.chmod(0o500)
    try:
        with pytest.raises(WorkspaceError, match="nothing was changed"):
            editing.rename(workspace, "math/power", "powers")
    finally:
        folder.chmod(0o700)
    assert check(workspace).findings == ()
