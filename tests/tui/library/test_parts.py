"""What the Library screen is made of, without a screen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from relaybench.domain.errors import UsageError
from relaybench.domain.finding import Finding, Severity
from relaybench.domain.problem import Domain, Instance, ProblemClass, Status
from relaybench.library.load import LoadedClass
from relaybench.tui.external_editor import editor_command
from relaybench.tui.library import changes
from relaybench.tui.library.open_class import OpenClass
from relaybench.tui.library.outline import Kind, Marks, entries, rows
from relaybench.tui.library.places import Place, place_of, wrong_cells
from relaybench.tui.library.preview import preview_of
from relaybench.workbench.problems.authoring import Styles
from relaybench.workbench.problems.drafts import new_class_draft
from relaybench.workbench.workspace import Workspace
from tests.library.support import POWER_FILE, Bench

PROBLEM = ProblemClass(
    "power",
    Domain.MATH,
    "Powers",
    "What is {{base}} to the {{exponent}}? {{as_is}}",
    "42",
    ("Give an integer.", "Be quick."),
    instances=(
        Instance("two-cubed", {"base": "2", "exponent": "3"}, "8", Status.APPROVED),
        Instance("three", {"base": "3", "old": "1"}, "9"),
    ),
    literal=("as_is",),
)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(Bench(tmp_path).root, tmp_path / "results.db", {})


def power(workspace: Workspace) -> LoadedClass:
    return workspace.library().classes["math/power"]


def test_fields_are_typed_and_shown() -> None:
    for field in (*changes.LINES, *changes.TEXTS):
        assert changes.with_field(PROBLEM, field, changes.field_text(PROBLEM, field)) == PROBLEM
    assert changes.with_field(PROBLEM, "rules", "a\n\n b\n").rules == ("a", " b")
    assert changes.with_field(PROBLEM, "literal", "x, y z").literal == ("x", "y", "z")
    assert changes.with_field(PROBLEM, "pattern", "").pattern is None
    assert changes.with_field(PROBLEM, "prompt", "\na\n\n").prompt == "a"


def test_every_slot_is_a_column() -> None:
    assert changes.columns(PROBLEM) == [
        "id", "data.base", "data.exponent", "data.old", "answer", "status",
    ]  # fmt: skip
    assert changes.cell(PROBLEM.instances[1], "data.exponent") is None
    assert changes.cell(PROBLEM.instances[0], "status") == "approved"


def test_cells_are_typed() -> None:
    fresh = changes.with_cell(PROBLEM, 1, "data.exponent", "2")
    fresh = changes.with_cell(fresh, 1, "data.old", "")  # no slot for it: it goes
    fresh = changes.with_cell(fresh, 0, "data.base", "")  # a slot: it stays, empty
    assert fresh.instances[1].data == {"base": "3", "exponent": "2"}
    assert fresh.instances[0].data == {"base": "", "exponent": "3"}
    assert changes.with_cell(PROBLEM, 1, "data.exponent", "") == PROBLEM
    assert changes.with_cell(PROBLEM, 0, "answer", "7").instances[0].answer == "7"
    assert changes.with_cell(PROBLEM, 0, "id", "x").instances[0].id == "x"
    assert changes.next_status(Status.RETIRED) is Status.DRAFT


def test_instances_come_and_go() -> None:
    fresh, at = changes.added(PROBLEM)
    assert (fresh.instances[at].id, at) == ("new", 2)
    assert changes.added(fresh)[0].instances[3].id == "new-2"
    copied, at = changes.copied(PROBLEM, 0)
    assert [each.id for each in copied.instances] == ["two-cubed", "two-cubed-2", "three"]
    assert copied.instances[1].status is Status.DRAFT
    assert changes.free_id(copied, "two-cubed-2") == "two-cubed-3"
    assert changes.removed(copied, 1) == PROBLEM
    assert changes.misnamed("three", ["three"]) == "there is a 'three' already"
    assert changes.misnamed("A b", []) is not None
    assert changes.misnamed("four", ["three"]) is None


@pytest.mark.parametrize(
    ("key", "place"),
    [
        ("prompt", Place("prompt")),
        ("rules[1]", Place("rules", 1)),
        ("instances[3].answer", Place(row=3, column="answer")),
        ("instances[0].data.n", Place(row=0, column="data.n")),
        ("instances[0].data", Place(row=0)),
        ("instances[2]", Place(row=2)),
        ("literal[0]", Place("literal")),
        ("domain", None),
        ("", None),
    ],
)
def test_findings_have_places(key: str, place: Place | None) -> None:
    assert place_of(key) == place


def test_only_cells_of_the_own_file_are_marked() -> None:
    found = [
        Finding("a", 1, "instances[1].answer", "x", "", ""),
        Finding("a", 1, "prompt", "x", "", ""),
        Finding("b", 1, "instances[0].answer", "x", "", ""),
    ]
    assert wrong_cells(found, "a") == {(1, "answer")}


def test_the_tree_lists_what_is_unfolded(workspace: Workspace) -> None:
    broken = workspace.root / "problems/library/math/broken.toml"
    broken.write_text("x =", "utf-8")
    library = workspace.library()
    findings = {POWER_FILE: [Finding(POWER_FILE, 1, "", "x", "", "", Severity.WARNING)]}
    draft = new_class_draft(workspace, replace(PROBLEM, id="new"), private=True)
    listed = entries(
        library, findings, {draft.file.path: OpenClass(draft)}, {draft.file.path: Marks(2)}
    )
    shown = rows(listed, {"math"})
    assert [(row.kind, row.name) for row in shown] == [
        (Kind.DOMAIN, "coding"),
        (Kind.DOMAIN, "math"),
        (Kind.BROKEN, "broken.toml"),
        (Kind.CLASS, "new"),
        (Kind.CLASS, "power"),
    ]
    assert [row.marks.text for row in shown[1:]] == ["✗2 !1", "", "✗2", "!1"]
    assert (shown[3].changed, shown[3].private, shown[3].count) == (True, True, 2)
    assert all(one.same_as(other) == (one is other) for one in shown for other in shown)
    path = power(workspace).source.path
    names = [row.name for row in rows(listed, {"math", path})]
    assert names[-3:] == ["power", "two-cubed", "three-squared"]
    assert [row.name for row in rows(listed, (), "SQUARED power")] == [
        "math",
        "power",
        "three-squared",
    ]
    assert rows(listed, (), "nothing like it") == []


def test_the_prompt_is_that_of_the_command(workspace: Workspace) -> None:
    from relaybench.domain.problem import Variant
    from relaybench.workbench.problems.selecting import show

    item = show(workspace, "library:math/power:three-squared", Variant.AS_WRITTEN)
    preview = preview_of(power(workspace).problem, 1, Styles(workspace))
    assert (preview.text, preview.tokens) == (item.prompt, item.estimated_tokens)
    assert preview_of(power(workspace).problem, 2, Styles(workspace)).text == ""


def test_the_users_own_editor(monkeypatch: pytest.MonkeyPatch) -> None:
    assert editor_command({"EDITOR": "nano", "VISUAL": "code --wait"}) == ["code", "--wait"]
    assert editor_command({"EDITOR": "nano -l"}) == ["nano", "-l"]
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(UsageError, match="set the variable EDITOR"):
        editor_command({})
    with pytest.raises(UsageError, match="cannot be understood"):
        editor_command({"EDITOR": "'"})
