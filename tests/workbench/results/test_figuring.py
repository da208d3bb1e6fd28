"""Figures of stored runs: what is gathered, what is left out, what is refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from relaybench.domain.errors import StoreError, UnknownNameError, UsageError, WorkspaceError
from relaybench.reports.figures.figure import (
    CostData,
    Figure,
    FigureKind,
    OutcomesData,
    ScoresData,
)
from relaybench.reports.figures.render import Format
from relaybench.reports.figures.style import Style
from relaybench.store.grid import GridItem, Grids
from relaybench.store.plans import RunRow
from relaybench.workbench.results.comparing import effects_table
from relaybench.workbench.results.figuring import gather_figures, write_figures
from relaybench.workbench.results.importing import import_results
from relaybench.workbench.workspace import Workspace


def _line(item: int, model: str, right: bool, run_key: str = "K") -> dict[str, object]:
    return {
        "set": "s",
        "composite": f"c{item}",
        "key": f"{run_key}{item}",
        "model": model,
        "provider": "imported",
        "response": f"```\n{run_key if right else 'X'}{item}\n```",
        "stop_reason": "end_turn",
        "usage": {"input": 1000, "cached_input": 0, "output": 10},
        "prices": {"input": 5, "cached_input": 1, "output": 25} if model == "m" else None,
    }


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Two imported runs: m and k on two items, then m on two more."""
    root = tmp_path_factory.mktemp("figuring")
    found = Workspace(root, root / "results.db")
    runs = {
        "first": [_line(i, model, i == 0) for i in range(2) for model in ("m", "k")],
        "second": [_line(i, "m", True) for i in (2, 3)],
    }
    for name, lines in runs.items():
        path = root / f"{name}.jsonl"
        path.write_text("\n".join(map(json.dumps, lines)) + "\n", "utf-8")
        import_results(found, path, name)
    return found


def run_figures(
    workspace: Workspace, names: Sequence[str], kinds: Sequence[FigureKind] | None = None
) -> list[Figure]:
    return list(gather_figures(workspace, names, kinds=kinds).figures)


def test_all_kinds_but_a_graph_that_nobody_knows_are_gathered(workspace: Workspace) -> None:
    gathered = gather_figures(workspace, ["first"])
    assert [figure.name for figure in gathered.figures] == [
        "sets",
        "over-time",
        "outcomes",
        "hallucination",
        "cost",
        "scores",
    ]
    (sentence,) = gathered.left_out
    assert sentence.startswith("graph: no graph can be drawn: s/c0: it was imported")
    for figure in gathered.figures:
        assert figure.title in figure.caption
        assert "Run first: imported on 20" in figure.caption
        assert figure.alt.endswith(".")
        assert not figure.simulated
        assert "K0" not in figure.caption  # no key and no answer gets out
    costs = gathered.figures[4].data
    assert isinstance(costs, CostData)
    assert costs.unknown == ("k",)
    assert "Cost unknown, so not drawn (never taken as 0): k." in gathered.figures[4].caption


def test_runs_are_put_together_item_by_item_and_costs_add_up(workspace: Workspace) -> None:
    scores, costs = run_figures(
        workspace, ["first", "second"], kinds=[FigureKind.SCORES, FigureKind.COST]
    )[::-1]
    assert isinstance(scores.data, ScoresData)
    assert [(row.model, row.correct, row.items) for row in scores.data.rows] == [
        ("m", 3, 4),
        ("k", 1, 2),
    ]
    assert isinstance(costs.data, CostData)
    (point,) = costs.data.points
    alone = run_figures(workspace, ["first"], kinds=[FigureKind.COST])[0].data
    assert isinstance(alone, CostData)
    assert point.usd == 2 * alone.points[0].usd
    assert "Run first:" in scores.caption
    assert "Run second:" in scores.caption
    assert "Without a scored attempt at some items: k (2 of 4 items)" in scores.caption
    newest = run_figures(workspace, [], kinds=[FigureKind.OUTCOMES])[0].data
    assert isinstance(newest, OutcomesData)
    assert newest.rows[0].counts[:2] == (2, 0)


def test_each_run_is_read_once(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[str] = []
    read = Grids._items

    def counted(grids: Grids, run: RunRow) -> dict[int, GridItem]:
        reads.append(run.name)
        return read(grids, run)

    monkeypatch.setattr(Grids, "_items", counted)
    gather_figures(workspace, ["first", "second"])
    assert reads == ["first", "second"]
    effects_table(workspace, ["first", "second"])
    assert reads[2:] == ["first", "second"]


def test_what_cannot_be_is_refused_in_words(workspace: Workspace, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="imported, so its steps are not known"):
        gather_figures(workspace, ["first"], kinds=[FigureKind.GRAPH])
    with pytest.raises(UnknownNameError, match="there are: s/c0, s/c1"):
        gather_figures(workspace, ["first"], composite="s/none")
    with pytest.raises(UsageError, match="ask for that kind too"):
        gather_figures(workspace, [], composite="s/c0", kinds=[FigureKind.COST])
    with pytest.raises(UsageError, match="over-time and sets alone"):
        gather_figures(workspace, [], scores=tmp_path / "x.csv", kinds=[FigureKind.COST])
    with pytest.raises(UnknownNameError, match="no run is called"):
        gather_figures(workspace, ["none"])
    with pytest.raises(UsageError, match=r"x\.csv cannot be read: No such file"):
        gather_figures(workspace, [], scores=tmp_path / "x.csv")
    (tmp_path / "y.csv").write_bytes(b"benchmark,model,score\n\xff,m,0.5\n")
    with pytest.raises(UsageError, match="is not UTF-8"):
        gather_figures(workspace, [], scores=tmp_path / "y.csv")
    with pytest.raises(StoreError):
        gather_figures(Workspace(tmp_path, tmp_path / "none.db"), [])


def test_a_folder_that_cannot_be_written_is_told(workspace: Workspace, tmp_path: Path) -> None:
    figures = run_figures(workspace, ["first"], kinds=[FigureKind.SCORES])
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(WorkspaceError, match="cannot be written: Not a directory"):
        write_figures(tmp_path / "file" / "deep", figures, [Format.SVG], Style())


def test_items_under_two_keys_are_drawn_nowhere(workspace: Workspace, tmp_path: Path) -> None:
    lines = [{**_line(0, "m", True), "key": "other"}, _line(1, "m", True)]
    path = tmp_path / "third.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)) + "\n", "utf-8")
    place = Workspace(tmp_path, tmp_path / "results.db")
    shutil.copy(workspace.database, place.database)
    import_results(place, path, "third")
    (scores,) = run_figures(place, ["first", "third"], kinds=[FigureKind.SCORES])
    assert isinstance(scores.data, ScoresData)
    assert {row.items for row in scores.data.rows} == {1}
    assert "different keys: s/c0." in scores.caption
