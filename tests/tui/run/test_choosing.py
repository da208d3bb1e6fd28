"""What is ticked is asked for by the fewest names, and exactly."""

from __future__ import annotations

from pathlib import Path

from relaybench.tui.run.choosing import Branch, Tick, matching, model_branches, problem_branches
from relaybench.tui.run.choosing import targets as targets_of
from relaybench.workbench.problems.authoring import Styles, lint_all
from relaybench.workbench.problems.selecting import select
from relaybench.workbench.problems.starting import init_workspace
from relaybench.workbench.workspace import Workspace, find_workspace


def _tree() -> tuple[Branch, ...]:
    inner = Branch.of("b", "b", [Branch.leaf("b1", "one"), Branch.leaf("b2", "two")], target="B")
    whole = Branch.of("a", "a", [Branch.leaf("x", "ex"), inner], target="A")
    return (whole, Branch.of("c", "c", [Branch.leaf("b1", "one")]))


def test_the_fewest_names_that_ask_for_exactly_what_is_ticked() -> None:
    tree = _tree()[:1]
    assert list(targets_of(tree, {"x", "b1", "b2"})) == ["A"]
    assert list(targets_of(tree, {"b1", "b2"})) == ["B"]
    assert list(targets_of(tree, {"x", "b2"})) == ["x", "b2"]
    assert list(targets_of(tree, set())) == []


def test_branches_are_ticked_in_part_or_wholly_and_leaves_may_stand_twice() -> None:
    first, second = _tree()
    assert (first.tick({"b1"}), second.tick({"b1"})) == (Tick.PART, Tick.ALL)
    assert first.tick(()) is Tick.NONE
    assert list(targets_of((second,), {"b1"})) == ["b1"]  # it cannot be named as a whole


def test_a_filter_keeps_what_fits_and_all_below_what_fits() -> None:
    first, _ = _tree()
    found = matching(first, ["TWO"])
    assert found is not None
    assert found.leaves == {"b2"}
    assert matching(first, ["b"]) is not None
    assert matching(first, ["nothing"]) is None
    found = matching(first, ["b"])
    assert found is not None
    assert found.leaves == {"b1", "b2"}


def test_targets_of_a_real_library_name_what_select_takes(tmp_path: Path) -> None:
    init_workspace(tmp_path)
    workspace: Workspace = find_workspace(tmp_path, environment={})
    library = workspace.library()
    branches = problem_branches(library, lint_all(library, Styles(workspace)))
    every = {leaf for branch in branches for leaf in branch.leaves}
    wanted = list(targets_of(branches, every))
    assert "example" in wanted
    assert len(select(workspace, wanted).items) == len(every)
    one = sorted(every)[-1]
    assert len(select(workspace, list(targets_of(branches, {one}))).items) == 1
    models = model_branches(workspace.catalog(), {"gpt-5-5-xhigh": False})
    (everything,) = (branch for branch in models if branch.key == "models")
    notes = {leaf.key: leaf.note for leaf in everything.children}
    assert "simulated" in notes["sim-alpha"]
    assert "no key" in notes["gpt-5-5-xhigh"]


def test_cohorts_of_the_same_models_say_so(tmp_path: Path) -> None:
    init_workspace(tmp_path)
    models = tmp_path / "models.toml"
    trio = 'trio = ["sim-gamma", "sim-alpha", "sim-beta"]\n'
    models.write_text(models.read_text("utf-8") + trio, "utf-8")  # its last table is the cohorts'
    branches = model_branches(find_workspace(tmp_path, environment={}).catalog(), {})
    notes = {branch.label: branch.note for branch in branches}
    assert notes["simulated"] == "cohort, same models as trio"
    assert notes["trio"] == "cohort, same models as simulated"
    assert notes["paper"] == "cohort"
