"""What is open in an editor, class or composite, against its file; without a screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from relaybench.tui.composer.open_composite import OpenComposite
from relaybench.tui.keeping import OpenDraft, OpenDrafts
from relaybench.tui.library.open_class import OpenClass
from relaybench.workbench.problems.drafts import (
    ClassDraft,
    CompositeDraft,
    class_draft,
    composite_draft,
    reread,
)
from relaybench.workbench.problems.saving import save_draft
from relaybench.workbench.workspace import Workspace
from tests.library.support import Bench

Opened = OpenDraft[Any]


@dataclass(frozen=True)
class Kind:
    """How one of the two is opened and found among what was read."""

    begin: Callable[[Workspace], Opened]
    found: Callable[[Workspace], dict[Path, tuple[Any, Any]]]


def _class(workspace: Workspace) -> Opened:
    return OpenClass(class_draft(workspace.library().classes["math/power"]))


def _composite(workspace: Workspace) -> Opened:
    return OpenComposite(composite_draft(workspace.library().composites["first/pair"]))


def _classes(workspace: Workspace) -> dict[Path, tuple[Any, Any]]:
    loaded = workspace.library().classes.values()
    return {each.source.path: (each.problem, each.source) for each in loaded}


def _composites(workspace: Workspace) -> dict[Path, tuple[Any, Any]]:
    loaded = workspace.library().composites.values()
    return {each.source.path: (each.composite, each.source) for each in loaded}


@pytest.fixture(params=[Kind(_class, _classes), Kind(_composite, _composites)], ids=["c", "s"])
def kind(request: pytest.FixtureRequest) -> Kind:
    each: Kind = request.param
    return each


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    workspace = Workspace(Bench(tmp_path).root, tmp_path / "results.db", {})
    for each in (_class(workspace), _composite(workspace)):
        _call(each, "First")
        _save(each)
    return workspace


def _call(each: Opened, title: str) -> None:
    each.history.do(replace(each.value, title=title), "title")


def _save(each: Opened) -> None:
    draft, asked = each.draft, each.value
    if isinstance(draft, ClassDraft):
        of_class = save_draft(draft)
        each.saved(of_class.problem, of_class.file, asked)
    else:
        composite = save_draft(draft)
        each.saved(composite.composite, composite.file, asked)


def _theirs(path: Path, before: str, after: str) -> None:
    path.write_text(path.read_text("utf-8").replace(f'"{before}"', f'"{after}"'), "utf-8")


def test_it_follows_its_file_until_there_is_unsaved_work(workspace: Workspace, kind: Kind) -> None:
    opened: OpenDrafts[Opened] = OpenDrafts()
    each = opened.open(kind.begin(workspace))
    assert opened.open(kind.begin(workspace)) is each
    path = each.file.path
    _theirs(path, "First", "Theirs")
    assert opened.compare(kind.found(workspace)) == [each]
    assert each.value.title == "Theirs"
    _call(each, "Mine")
    _theirs(path, "Theirs", "Again")
    assert opened.compare(kind.found(workspace)) == []
    assert opened.contested == [each]
    each.keep_mine()
    assert not each.contested
    _save(each)
    assert not each.changed
    assert 'title = "Mine"' in path.read_text("utf-8")
    assert opened.compare(kind.found(workspace)) == []


def test_unsaved_work_is_let_go_for_theirs(workspace: Workspace, kind: Kind) -> None:
    opened: OpenDrafts[Opened] = OpenDrafts()
    each = opened.open(kind.begin(workspace))
    _call(each, "Mine")
    _theirs(each.file.path, "First", "Theirs")
    opened.compare(kind.found(workspace))
    each.take_theirs()
    assert (each.value.title, each.changed, each.contested) == ("Theirs", False, False)


def test_what_is_typed_while_saving_stays_unsaved(workspace: Workspace, kind: Kind) -> None:
    each = kind.begin(workspace)
    _call(each, "One")
    draft, asked = each.draft, each.value
    each.saving = True
    other = kind.begin(workspace)
    _call(other, "One")
    _save(other)
    assert not each.compare(kind.found(workspace)[each.file.path])
    assert not each.contested  # what the file says now is what is being saved
    _call(each, "Two")
    each.saved(other.value, other.file, asked)
    each.saving = False
    assert draft.file.path == each.file.path
    assert (each.changed, each.value.title) == (True, "Two")
    _save(each)
    assert kind.begin(workspace).value.title == "Two"


def test_without_unsaved_work_it_goes_with_its_file(workspace: Workspace, kind: Kind) -> None:
    opened: OpenDrafts[Opened] = OpenDrafts()
    each = opened.open(kind.begin(workspace))
    path = each.file.path
    path.unlink()
    opened.compare(kind.found(workspace))
    assert opened.by_path == {}
    opened.open(each)
    _call(each, "Mine")
    opened.compare(kind.found(workspace))
    assert opened.contested == [each]
    each.keep_mine()
    _save(each)
    assert 'title = "Mine"' in path.read_text("utf-8")


def test_restored_work_and_what_is_saved_can_both_be_gone_back_to(
    workspace: Workspace, kind: Kind
) -> None:
    saved = kind.begin(workspace).draft
    assert saved.file.source is not None
    each: Opened
    if isinstance(saved, CompositeDraft):
        mine = replace(saved, composite=replace(saved.composite, title="Mine"))
        each = OpenComposite(mine, reread(mine, saved.file.source))
    else:
        own = replace(saved, problem=replace(saved.problem, title="Mine"))
        each = OpenClass(own, reread(own, saved.file.source))
    assert (each.changed, each.value.title) == (True, "Mine")
    each.history.undo()
    assert (each.changed, each.value.title) == (False, "First")
    each.history.redo()
    each.revert()
    assert (each.changed, each.value.title) == (False, "First")
    each.history.undo()
    assert (each.changed, each.value.title) == (True, "Mine")
