"""``relaybench figures``: the paper's figures from its counts, a simulated run, and errors."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.cli.support import Shell
from tests.cli.test_paper import PAPER, _lines


def test_the_papers_figures_are_drawn_from_its_counts(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "paper.jsonl"
    path.write_text("\n".join(json.dumps(each) for row in PAPER for each in _lines(row)), "utf-8")
    shell("import", str(path), "--run", "paper")
    scores = tmp_path / "public.csv"
    scores.write_text("benchmark,model,score,n\nGPQA Diamond,GPT-5.5 (xHigh),91.2%,198\n", "utf-8")
    out = tmp_path / "figures"
    result = shell(
        "figures", "paper", "--out", str(out), "--format", "svg", "--scores", str(scores)
    )
    names = ("sets", "over-time", "outcomes", "hallucination", "cost", "scores")
    assert [Path(line).name for line in result.out.split()] == [
        f"{name}.{suffix}" for name in names for suffix in ("svg", "txt")
    ]
    assert "Not drawn: graph: no graph can be drawn" in result.err
    said = {name: (out / f"{name}.txt").read_text("utf-8") for name in names}
    for row in PAPER:
        label = f"{row['model']} ({row['effort']})"
        assert f"{label} {row['score']}" in said["scores"]
        assert f"{label} {row['hallucination']} [" in said["hallucination"]
        assert f"{label} ${row['total']}, {row['score']}" in said["cost"]
        wrong = row["parseable"] - row["right"]
        assert f"{label} {row['right']} correct, {wrong} wrong" in said["outcomes"]
    assert "On the frontier: GPT-5.5 (xHigh)." in said["cost"]
    assert "n = 30 items for each model." in said["scores"]
    assert "GPQA Diamond (published): GPT-5.5 (xHigh) 91.2% [86.4, 94.4]" in said["sets"]
    assert "one day" in said["over-time"]
    assert all((out / f"{name}.svg").read_bytes().startswith(b"<?xml") for name in names)
    some = ("--kind", "graph", "--kind", "scores", "--format", "svg")
    partly = shell("figures", "paper", "--out", str(out), *some, ok=False)
    assert partly.code == 1
    assert partly.out.split() == [str(out / "scores.svg"), str(out / "scores.txt")]
    assert "Not drawn: graph: no graph can be drawn" in partly.err
    assert "Removed" not in partly.err


def test_a_simulated_run_says_so_and_shows_its_graph(shell: Shell, tmp_path: Path) -> None:
    shell("run", "example", "--cohort", "simulated", "--yes", "--run", "sim")
    out = tmp_path / "figures"
    kinds = ("--kind", "graph", "--kind", "scores")
    style = ("--style", "width=3.3 font=8", "--style", "dpi=72")
    shell("figures", "sim", "--out", str(out), *kinds, *style, "--composite", "example/first")
    assert sorted(path.name for path in out.iterdir()) == [
        f"{name}.{suffix}"
        for name in ("graph", "scores")
        for suffix in ("pdf", "png", "svg", "txt")
    ]
    graph = (out / "graph.txt").read_text("utf-8")
    assert "A feeds number of B" in graph
    assert "SIMULATED" not in graph  # a graph holds no results
    assert "\nSIMULATED: all models" in (out / "scores.txt").read_text("utf-8")
    assert b"Simulated results." in (out / "scores.svg").read_bytes()
    assert b"Simulated results." not in (out / "graph.svg").read_bytes()
    assert int.from_bytes((out / "graph.png").read_bytes()[16:20]) == int(3.3 * 72)
    again = shell("figures", "--out", str(out), "--format", "svg", "--kind", "scores")
    assert "Not drawn anew, of an earlier call" in again.err
    bad = tmp_path / "bad.csv"
    bad.write_text("benchmark,model,score\nx,m,45\n", "utf-8")
    for arguments, said in (
        (("--style", "colour=red"), "there is no style 'colour=red'"),
        (("--kind", "pie"), "'pie' is not one of"),
        (("--scores", str(bad)), "bad.csv:2: the score '45' is no number"),
        (("--composite", "example/none"), "no item of these runs is called 'example/none'"),
    ):
        refused = shell("figures", "--out", str(tmp_path / "no"), *arguments, ok=False)
        assert refused.code == 2
        assert said in refused.err
        assert refused.out == ""
        assert not (tmp_path / "no").exists()


def test_without_matplotlib_the_way_to_get_it_is_told(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    result = shell("figures", "--out", str(tmp_path / "no"), ok=False)
    assert result.code == 2
    assert "pip install 'relaybench[figures]'" in result.err
