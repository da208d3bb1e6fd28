"""What is read out of the fields beside a pasted answer, and what the list of cells shows."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from relaybench.domain.errors import UsageError, WorkspaceError
from relaybench.domain.model import MANUAL, ModelConfig
from relaybench.domain.results import Cell, Outcome
from relaybench.store.manual import ManualCell
from relaybench.tui.manual.cell_list import CellList
from relaybench.tui.manual.known_fields import cost_of, tokens_of
from relaybench.tui.manual.typed_answers import Key, TypedAnswers
from relaybench.workbench.runs.prompt_files import FOLDER
from relaybench.workbench.workspace import Workspace


def test_tokens_and_costs_as_typed() -> None:
    assert [tokens_of(text) for text in ("", " ", "0", " 1,234 ")] == [None, None, 0, 1234]
    assert [cost_of(text) for text in ("", "$0.25", " 3 ")] == [None, Decimal("0.25"), Decimal(3)]
    for text in ("x", "-1", "1.5", "٣", "9" * 13):
        with pytest.raises(UsageError):
            tokens_of(text)
    for text in ("x", "-1", "NaN", "Infinity", "1,5"):
        with pytest.raises(UsageError):
            cost_of(text)


def test_a_line_of_the_list_is_literal_and_says_how_it_stands() -> None:
    config = ModelConfig("web", MANUAL, "[b]\x1b[31m", effort="pro")
    cell = Cell("i" * 64, config.digest, 1)
    cells = [
        ManualCell(cell, "set[/]/one\n", 1, 10, True, True, config),
        ManualCell(Cell("j", config.digest, 0), "s/two", 2, 10, False, False, config, 7,
                   Outcome.WRONG),
    ]  # fmt: skip
    view = CellList(id="cells")
    view.cells = cells
    view.begun = frozenset({cell})
    texts = ["".join(text for text, _ in view.line_at(number)) for number in (0, 1)]
    assert texts[0].startswith(" ✎ ")
    assert texts[1].startswith(" ✗ ")
    assert not any(set(text) & set("\x1b\n") for text in texts)


def test_answers_of_runs_of_one_name_in_two_results_files_are_kept_apart(
    workspace: Workspace,
) -> None:
    demo = replace(workspace, database=workspace.root / ".demo" / "results.db")
    cell = Cell("i" * 64, "c" * 64, 0)
    own, other = (Key(place.database, "one", cell) for place in (workspace, demo))
    typed = TypedAnswers()
    typed.put(own, "mine")
    typed.put(other, "the demo's")
    typed.write(demo)  # whichever is shown just now
    files = workspace.root / FOLDER
    assert typed.written
    assert sorted(path.read_text() for path in files.glob("answer-*")) == ["mine", "the demo's"]
    assert typed.begun(demo.database, "one") == {cell}
    assert typed.begun(demo.database, "two") == frozenset()
    typed.put(other, "")
    typed.write(workspace)
    assert [path.read_text() for path in files.glob("answer-*")] == ["mine"]


def test_what_cannot_be_written_is_tried_once_till_all_are_to_be_kept(workspace: Workspace) -> None:
    cells = [Cell("i" * 64, "c" * 64, repeat) for repeat in (0, 1)]
    names = ("the first", "the second")
    keys = [Key(workspace.database, "one", *each) for each in zip(cells, names, strict=True)]
    typed = TypedAnswers()
    typed.put(keys[0], "half a character: \ud800")
    typed.put(keys[1], "mine")
    with pytest.raises(WorkspaceError, match="half a character"):
        typed.write(workspace)
    assert typed.unkept == ["the answer to the first"]  # the other was written all the same
    assert typed.written
    typed.write(workspace)
    [file] = (workspace.root / FOLDER).glob("answer-*")
    file.unlink()
    with pytest.raises(WorkspaceError, match="half a character"):
        typed.write(workspace, again=True)
    assert file.read_text() == "mine"
    typed.put(keys[0], "")
    typed.pasted = "before there was a cell"
    typed.write(workspace)
    assert len(typed.unsaved) == 2
    assert len(typed.unkept) == 1
    for _ in range(2):
        typed.write(workspace, again=True)
    assert typed.unkept == []
    [file] = (workspace.root / FOLDER).glob("answer-pasted.aside-*.txt")
    assert file.read_text() == "before there was a cell"
