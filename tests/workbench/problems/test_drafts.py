"""Drafts: their text, what check would say of them, saving them, and what a crash leaves."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from relaybench.domain.errors import ProblemError, StaleFileError, WorkspaceError
from relaybench.domain.problem import (
    Composite,
    Domain,
    Encoding,
    Instance,
    InstanceRef,
    ProblemClass,
    Status,
    Step,
)
from relaybench.library.load import load_library
from relaybench.workbench.problems.authoring import Styles, check
from relaybench.workbench.problems.drafts import (
    ClassDraft,
    CompositeDraft,
    Draft,
    class_draft,
    composite_draft,
    draft_text,
    new_class_draft,
    new_composite_draft,
)
from relaybench.workbench.problems.overlay import judge, overlaid
from relaybench.workbench.problems.saving import (
    drop_recovery,
    forget,
    keep_recovery,
    recoveries,
    recovery_path,
    restored,
    save_draft,
    set_aside,
)
from relaybench.workbench.workspace import Workspace
from tests.library.support import PAIR_FILE, POWER_FILE, Bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
def workspace(bench: Bench) -> Workspace:
    return Workspace(bench.root, bench.root / "results.db", {})


def power(workspace: Workspace) -> ClassDraft:
    return class_draft(workspace.library().classes["math/power"])


def pair(workspace: Workspace) -> CompositeDraft:
    return composite_draft(workspace.library().composites["first/pair"])


def with_instance(draft: ClassDraft, at: int, **changes: object) -> ClassDraft:
    rows = list(draft.problem.instances)
    rows[at] = replace(rows[at], **changes)  # type: ignore[arg-type]
    return replace(draft, problem=replace(draft.problem, instances=tuple(rows)))


def changed(draft: ClassDraft, **changes: object) -> ClassDraft:
    return replace(draft, problem=replace(draft.problem, **changes))  # type: ignore[arg-type]


NEW = ProblemClass(
    "digit-sum",
    Domain.MATH,
    "Sum of digits",
    "What is the sum of the digits of {{n}}?",
    "77",
    ("Give an integer.",),
    instances=(Instance("twelve", {"n": "479001600"}, "27", Status.APPROVED),),
)
NEW_TEXT = """\
id = "digit-sum"
domain = "math"
title = "Sum of digits"
prompt = '''
What is the sum of the digits of {{n}}?
'''
rules = ["Give an integer."]
example = "77"

[[instances]]
id = "twelve"
data = { n = "479001600" }
answer = "27"
status = "approved"
"""


def test_an_unchanged_draft_is_its_file(workspace: Workspace) -> None:
    for draft in (power(workspace), pair(workspace)):
        assert draft.file.source is not None
        assert draft_text(draft) == draft.file.source.text


def test_a_new_class_has_a_clean_file(workspace: Workspace) -> None:
    draft = new_class_draft(workspace, NEW)
    assert draft_text(draft) == NEW_TEXT
    assert judge(workspace.library(), Styles(workspace), draft) == []
    saved = save_draft(draft)
    assert (workspace.root / "problems/library/math/digit-sum.toml").read_text() == NEW_TEXT
    assert saved.problem == NEW
    assert saved.file.source is not None
    assert saved.file.source.text == NEW_TEXT
    assert check(workspace).findings == ()
    with pytest.raises(WorkspaceError, match="exists already"):
        save_draft(draft)


def test_a_new_private_composite_lies_among_the_private_ones(workspace: Workspace) -> None:
    steps = (
        Step("A", InstanceRef("math", "power", "two-cubed")),
        Step("B", InstanceRef("coding", "spell", "eight"), {"number": "A"}, ("upper",)),
    )
    draft = new_composite_draft(workspace, Composite("p", "mine", steps), private=True)
    saved = save_draft(draft)
    assert saved.file.shown == "problems/private/sets/mine/p.toml"
    assert workspace.library().composites["mine/p"].composite == draft.composite
    assert check(workspace).findings == ()


CHANGES: dict[str, Callable[[ClassDraft], ClassDraft]] = {
    "key": lambda draft: with_instance(draft, 0, answer="7"),
    "example": lambda draft: changed(draft, example="8"),
    "pattern": lambda draft: changed(draft, pattern="[0-"),
    "slot": lambda draft: changed(draft, prompt="What is\n\n{{base}} to {{power}}?"),
    "empty": lambda draft: changed(draft, prompt="", title="", example=""),
    "twins": lambda draft: with_instance(draft, 1, id="two-cubed"),
    "no id": lambda draft: with_instance(draft, 1, id=""),
    "renamed": lambda draft: with_instance(draft, 0, id="cube", answer="9"),
    "retired": lambda draft: with_instance(draft, 0, status=Status.RETIRED),
    "no instances": lambda draft: changed(draft, instances=()),
    "hostile": lambda draft: changed(
        draft, title="\x1b[31m[/red]", prompt="'''\x00\"\"\" {{base}}"
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_draft_is_judged_as_check_will_judge_its_file(workspace: Workspace, change: str) -> None:
    draft = CHANGES[change](power(workspace))
    before = judge(workspace.library(), Styles(workspace), draft)
    draft.file.path.write_bytes(draft_text(draft).encode())
    after = check(workspace).findings
    assert tuple(before) == after
    assert after
    assert {each.file for each in after} <= {POWER_FILE, PAIR_FILE}


def test_a_draft_that_mends_its_file_is_not_judged_by_what_it_was(
    bench: Bench, workspace: Workspace
) -> None:
    bench.edit(POWER_FILE, 'answer = "8"', 'answer = "eight"')
    library, styles = workspace.library(), Styles(workspace)
    broken = class_draft(library.classes["math/power"])
    assert [each.code for each in judge(library, styles, broken)] == ["key-form", "bound-value"]
    mended = with_instance(broken, 0, answer="8")
    assert judge(library, styles, mended) == []
    assert judge(library, styles, pair(workspace), [mended]) == []


def test_a_composite_is_judged_with_unsaved_classes(workspace: Workspace) -> None:
    library, styles = workspace.library(), Styles(workspace)
    draft = pair(workspace)
    cube = with_instance(power(workspace), 0, id="cube")
    bound = replace(
        draft,
        composite=replace(
            draft.composite,
            steps=(
                replace(draft.composite.steps[0], use=InstanceRef("math", "power", "cube")),
                draft.composite.steps[1],
            ),
            encoding=Encoding(3),
        ),
    )
    assert [each.code for each in judge(library, styles, bound)] == ["unknown-instance"]
    assert judge(library, styles, bound, [cube]) == []
    assert library.classes["math/power"].problem.instance("cube") is None


@pytest.mark.parametrize("private", [False, True])
def test_a_name_that_is_taken_is_told_of_as_check_does(
    bench: Bench, workspace: Workspace, private: bool
) -> None:
    if not private:  # what is read first counts, and that is the public one
        text = (bench.root / POWER_FILE).read_text()
        bench.write(POWER_FILE.replace("problems", "problems/private"), text)
        (bench.root / POWER_FILE).unlink()
    draft = new_class_draft(workspace, replace(NEW, id="power"), private=private)
    before = overlaid(workspace.library(), [draft])
    save_draft(draft)
    after = workspace.library()
    assert sorted(before.findings) == sorted(after.findings) != []
    assert {ref: each.source.shown for ref, each in before.classes.items()} == {
        ref: each.source.shown for ref, each in after.classes.items()
    }


def test_an_overlay_of_a_new_file_adds_it(workspace: Workspace) -> None:
    library = workspace.library()
    after = overlaid(library, [new_class_draft(workspace, NEW)])
    assert set(after.classes) - set(library.classes) == {"math/digit-sum"}
    assert "problems/library/math/digit-sum.toml" in after.files


def test_nothing_is_saved_over_a_change_from_outside(bench: Bench, workspace: Workspace) -> None:
    draft = with_instance(power(workspace), 0, answer="16")
    keep_recovery(draft)
    bench.edit(POWER_FILE, 'title = "Powers"', 'title = "Theirs"')
    with pytest.raises(StaleFileError):
        save_draft(draft)
    assert "Theirs" in (bench.root / POWER_FILE).read_text()
    (found,) = recoveries(workspace)
    assert found.outdated
    mine = restored(found)
    assert isinstance(mine, ClassDraft)
    assert mine.problem == draft.problem
    save_draft(mine)
    told = tomllib.loads((bench.root / POWER_FILE).read_text())
    assert (told["title"], told["instances"][0]["answer"]) == ("Powers", "16")


def test_two_instances_of_one_name_are_not_saved(workspace: Workspace) -> None:
    draft = CHANGES["twins"](power(workspace))
    with pytest.raises(ProblemError, match="two instances would have the id 'two-cubed'"):
        save_draft(draft)
    with pytest.raises(ProblemError, match="two instances would have"):
        save_draft(new_class_draft(workspace, replace(draft.problem, id="other")))
    assert check(workspace).findings == ()


def test_a_renamed_instance_keeps_its_remarks(bench: Bench, workspace: Workspace) -> None:
    bench.edit(
        POWER_FILE,
        '[[instances]]\nid = "three-squared"',
        '# Mine.\n[[instances]]\nsource = "a book"\nid = "three-squared"',
    )
    draft = power(workspace)
    rows = list(draft.problem.instances)
    new = Instance("fresh", {"base": "5", "exponent": "1"}, "5")
    rows = [new, replace(rows[1], id="nine", answer="9"), rows[0]]
    text = draft_text(changed(draft, instances=tuple(rows)))
    told = tomllib.loads(text)["instances"]
    assert [each["id"] for each in told] == ["fresh", "nine", "two-cubed"]
    assert [each.get("source") for each in told] == [None, "a book", None]
    assert '# Mine.\n[[instances]]\nsource = "a book"\nid = "nine"' in text


def test_relabelled_steps_keep_their_remarks(bench: Bench, workspace: Workspace) -> None:
    bench.edit(PAIR_FILE, 'label = "B"', 'label = "B" # second\nnote = "b"')
    draft = pair(workspace)
    one, two = draft.composite.steps
    steps = (replace(one, label="X"), replace(two, label="Y", inputs={"number": "X"}))
    text = draft_text(replace(draft, composite=replace(draft.composite, steps=steps)))
    assert 'label = "Y" # second\nnote = "b"' in text
    told = tomllib.loads(text)["steps"]
    assert [each["label"] for each in told] == ["X", "Y"]
    assert told[1]["inputs"] == {"number": "X"}


def test_rules_keep_their_layout(bench: Bench, workspace: Workspace) -> None:
    bench.edit(
        POWER_FILE,
        'rules = ["Give an integer."]',
        'rules = [\n    "Give an integer.", # always\n    "Be quick.",\n]',
    )
    draft = power(workspace)
    text = draft_text(changed(draft, rules=("Give an integer.", "Be slow.")))
    assert '"Give an integer.", # always\n    "Be slow.",\n]' in text
    text = draft_text(changed(draft, rules=("a", "b", "c")))
    assert 'rules = [\n    "a",\n    "b",\n    "c",\n]' in text


def test_unsaved_work_is_found_again(workspace: Workspace) -> None:
    fresh = new_class_draft(workspace, replace(NEW, domain=Domain.DATA_ANALYSIS))
    edited = with_instance(power(workspace), 0, answer="16")
    relabelled = pair(workspace)
    relabelled = replace(relabelled, composite=replace(relabelled.composite, title="Pair"))
    drafts: list[Draft] = [fresh, edited, relabelled]
    for draft in drafts:
        keep_recovery(draft)
        keep_recovery(draft)
    found = recoveries(workspace)
    assert [each.shown for each in found] == [draft.file.shown for draft in drafts]
    assert not any(each.outdated for each in found)
    assert [restored(each) for each in found] == drafts
    assert check(workspace).findings == ()  # the loader does not see them
    save_draft(edited)
    assert not recovery_path(edited.file.path).exists()
    drop_recovery(fresh.file.path)
    keep_recovery(power(workspace))  # what says the same as its file is no unsaved work
    assert [each.shown for each in recoveries(workspace)] == [relabelled.file.shown]
    assert not recovery_path(edited.file.path).exists()


def test_work_kept_aside_outlives_saving(workspace: Workspace) -> None:
    draft = with_instance(power(workspace), 0, answer="16")
    keep_recovery(draft, aside=True)
    save_draft(with_instance(power(workspace), 0, answer="32"))
    (found,) = recoveries(workspace)
    assert found.outdated
    again = restored(found)
    assert isinstance(again, ClassDraft)
    assert again.problem == draft.problem
    forget(found)
    assert recoveries(workspace) == []
    keep_recovery(draft)
    set_aside(recoveries(workspace)[0])
    keep_recovery(with_instance(draft, 0, answer="64"))
    kept = [restored(each) for each in recoveries(workspace)]
    answers = {one.problem.instances[0].answer for one in kept if isinstance(one, ClassDraft)}
    assert answers == {"16", "64"}


def test_two_windows_leave_each_others_unsaved_work_alone(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = with_instance(power(workspace), 0, answer="16")
    code = "import sys; print('up', flush=True); sys.stdin.read()"
    other = [sys.executable, "-c", code, "relaybench"]
    with subprocess.Popen(other, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as window:
        assert window.stdout is not None
        window.stdout.readline()
        with monkeypatch.context() as patch:
            patch.setattr("os.getpid", lambda: window.pid)
            theirs = keep_recovery(draft)
        assert recoveries(workspace) == []  # it is at work on it
        keep_recovery(with_instance(draft, 0, answer="64"))
        assert len(recoveries(workspace)) == 1
        save_draft(with_instance(draft, 0, answer="64"))
        assert theirs.exists()
        window.kill()
    (found,) = recoveries(workspace)
    assert found.outdated
    mine = restored(found)
    assert isinstance(mine, ClassDraft)
    assert mine.problem.instances[0].answer == "16"


def test_a_recovery_that_cannot_be_read_is_an_error_of_ours(workspace: Workspace) -> None:
    draft = power(workspace)
    path = keep_recovery(draft)
    path.write_text(path.read_text() + "= broken")
    (found,) = recoveries(workspace)
    with pytest.raises(ProblemError, match="cannot be read"):
        restored(found)
    path.write_text("somebody else's file")
    assert recoveries(workspace) == []
    assert path.exists()


def test_work_on_a_file_that_cannot_be_merged_into_is_kept_all_the_same(
    bench: Bench, workspace: Workspace
) -> None:
    bench.edit(POWER_FILE, 'id = "three-squared"', 'id = "two-cubed"')
    draft = changed(power(workspace), title="Mine")
    with pytest.raises(ProblemError):
        draft_text(draft)
    assert [each.code for each in judge(workspace.library(), Styles(workspace), draft)] == [
        "cannot-save"
    ]
    keep_recovery(draft)
    (found,) = recoveries(workspace)
    assert tomllib.loads(found.text)["title"] == "Mine"


def test_every_shipped_file_can_be_edited(tmp_path: Path) -> None:
    library = load_library(Path(__file__).resolve().parents[3])
    for loaded in library.classes.values():
        draft = class_draft(loaded)
        rows = tuple(replace(each, id=f"{each.id}-x") for each in loaded.problem.instances)
        told = tomllib.loads(draft_text(changed(draft, title="T", instances=rows)))
        assert [each["id"] for each in told["instances"]] == [each.id for each in rows]
        again = new_class_draft(Workspace(tmp_path, tmp_path / "r.db", {}), loaded.problem)
        assert tomllib.loads(draft_text(again))["instances"] == draft.data()["instances"]
