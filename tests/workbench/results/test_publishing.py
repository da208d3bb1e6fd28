"""A run published as a page: from the results file alone, and nothing unasked for."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import pytest

from relaybench.domain.errors import UnknownNameError, UsageError, WorkspaceError
from relaybench.domain.item import Item, ItemKind
from relaybench.domain.model import COMPATIBLE, ModelConfig
from relaybench.reports.figures.render import check_matplotlib, has_matplotlib
from relaybench.store.database import Connection
from relaybench.store.extractors import ExtractorUse, extractors
from relaybench.store.item_answers import item_answers
from relaybench.store.plans import Plans
from relaybench.workbench.results import publishing
from relaybench.workbench.results.publishing import write_report
from relaybench.workbench.workspace import Workspace
from tests.reports.page.reader import PageReader
from tests.workbench.examined import PAIR, Asked, M, N, X, write
from tests.workbench.support import simulated

HARD = Item("s", "hard", ItemKind.COMPOSITE, "PROMPT-CANARY <b>\n\tend\x1b[0m", "KEY-CANARY")
O = ModelConfig("o", COMPATIBLE, "o")  # noqa: E741 - as m and n
ANSWERS: list[Asked] = [
    (PAIR, M, ["1-2", "1-2"]),
    (PAIR, N, ["1-3", None]),
    (PAIR, O, ["1-3", "1-2"]),
    (X, M, ["1", "1"]),
    (X, N, ["1", "7"]),
    (X, O, ["1"]),
    (HARD, M, ["KEY-CANARY", "<script>alert(1)</script>"]),
    (HARD, N, ["ANSWER-CANARY", "ANSWER-CANARY"]),
    (HARD, O, ["ANSWER-CANARY", "ANSWER-CANARY"]),
]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    root = tmp_path_factory.mktemp("published")
    write(root / "results.db", "real", ANSWERS)
    made_up = [(item, simulated(config.name), texts) for item, config, texts in ANSWERS]
    write(root / "results.db", "made-up", made_up)
    return Workspace(root, root / "results.db", {})


@pytest.fixture(scope="module")
def plain(workspace: Workspace) -> str:
    path = write_report(workspace, "real", workspace.root / "plain.html", with_figures=False)
    return path.read_text("utf-8")


def test_the_page_says_what_the_results_file_holds(plain: str) -> None:
    read = PageReader(plain)
    assert read.complaints == []
    assert "3 items × 3 models × 2 repeats: 18 attempts" in read.words
    assert "Coverage: 17 of 18 planned attempts scored (94.4%)" in read.words
    assert "code_block/1: 17 grades" in read.words
    assert "Incomplete: o: 5 of 6 attempts scored, 1 pending" in read.words
    assert "Suspect keys: s/hard" in read.words
    titles = [text for level, text in read.headings if level == 3]
    assert titles[0] == "Paired comparison of models"
    assert {"Repeats", "Steps by class", "Items"} <= set(titles)
    grid = next(table for table in read.tables if table[0][:2] == ["Item", "m"])
    (row,) = [row for row in grid if row[0] == "s/pair"]
    assert dict(zip(grid[0][1:], row[1:], strict=True)) == {"m": "2/2", "n": "0/2", "o": "1/2"}


def test_no_key_prompt_or_answer_leaves_unasked(workspace: Workspace, plain: str) -> None:
    assert "CANARY" not in plain
    assert "alert(1)" not in plain
    path = workspace.root / "answers.html"
    write_report(workspace, "real", path, with_answers=True, with_figures=False)
    text = path.read_text("utf-8")
    assert PageReader(text).complaints == []
    assert "<pre>\nPROMPT-CANARY &lt;b&gt;\n\tend\\x1b[0m</pre>" in text
    assert "<code>KEY-CANARY</code>" in text
    assert text.count("<code>ANSWER-CANARY</code>") == 4
    assert "<code>&lt;script&gt;alert(1)&lt;/script&gt;</code>" in text
    assert "<summary>s/hard: 1 of 6 right</summary>" in text


def test_made_up_results_say_so(workspace: Workspace) -> None:
    path = write_report(workspace, "made-up", workspace.root / "sim.html", with_figures=False)
    text = path.read_text("utf-8")
    assert "<strong>SIMULATED.</strong> All results on this page" in text
    assert "simulated: made-up results" in text


def test_figures_are_in_the_page_and_their_lack_is_said(workspace: Workspace, plain: str) -> None:
    assert "Figures were left out of this page (--no-figures)." in plain
    path = workspace.root / "figures.html"
    write_report(workspace, "real", path)
    read = PageReader(path.read_text("utf-8"))
    assert read.complaints == []
    assert read.tags["img"] >= 4
    assert read.words.count("Scores of run real") >= 1


def test_a_page_without_a_sound_matplotlib_says_that_it_has_no_figures(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    broken = tmp_path / "matplotlib"
    broken.mkdir()
    (broken / "__init__.py").write_text("raise AttributeError('numpy is too new')", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert find_spec("matplotlib") is not None
    path = write_report(workspace, "real", tmp_path / "page.html")
    read = PageReader(path.read_text("utf-8"))
    assert read.tags["img"] == 0
    assert "matplotlib is not installed, or cannot be loaded" in read.words
    with pytest.raises(UsageError, match=r"cannot be loaded \(numpy is too new\); repair it"):
        check_matplotlib()
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(UsageError, match="is not installed; install it with: pip install"):
        check_matplotlib()
    assert not has_matplotlib()


def test_the_newest_run_is_taken_and_bytes_repeat(workspace: Workspace, plain: str) -> None:
    path = workspace.root / "again.html"
    write_report(workspace, None, path, with_figures=False)
    assert "<h1>Run made-up</h1>" in path.read_text("utf-8")
    write_report(workspace, "real", path, with_figures=False)
    assert path.read_text("utf-8") == plain


def test_what_cannot_be_written_is_refused(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UnknownNameError):
        write_report(workspace, "nobody", tmp_path / "x.html")
    (tmp_path / "mine.html").write_text("mine", "utf-8")
    with pytest.raises(UsageError, match="nothing was written"):
        write_report(workspace, "nobody", tmp_path / "mine.html")  # before any work is done

    def full(path: Path, parts: Iterator[str], told: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(publishing, "save", full)
    with pytest.raises(WorkspaceError, match=r"x\.html cannot be written: No space left"):
        write_report(workspace, "real", tmp_path / "x.html", with_figures=False)


def test_answers_are_read_item_by_item(workspace: Workspace) -> None:
    with closing(Connection(workspace.database, create=False)) as on:
        run = Plans(on).find("real")
        assert extractors(on, run) == [ExtractorUse("code_block/1", False, 17)]
        found = item_answers(on, run)
        assert iter(found) is found
        first = next(found)
        assert (first.prompt, first.keys) == (PAIR.prompt, (PAIR.key,))
        assert [each.answer for each in first.given] == ["1-2", "1-2", "1-3", None, "1-3", "1-2"]
        assert len(list(found)) == 2
