"""Files of figures: whole or not at all, and nobody else's file is touched."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from relaybench.domain.errors import UsageError
from relaybench.reports.figures import write as writing
from relaybench.reports.figures.figure import Figure, FigureKind
from relaybench.reports.figures.render import Format
from relaybench.reports.figures.style import Style
from tests.reports.figures import samples

SMALL = Style(dpi=50)


@pytest.fixture(scope="module")
def figure() -> Figure:
    return samples.figures_of(samples.PAPER[:1])[-1]


def test_files_are_written_and_written_again(tmp_path: Path, figure: Figure) -> None:
    folder = tmp_path / "deep" / "figures"
    paths = writing.write(folder, [figure], list(Format), SMALL)
    assert [path.name for path in paths] == [
        "scores.svg",
        "scores.png",
        "scores.pdf",
        "scores.txt",
    ]
    assert sorted(os.listdir(folder)) == sorted(path.name for path in paths)
    assert (folder / "scores.txt").read_text("utf-8").startswith("Caption\n")
    before = [path.read_bytes() for path in paths]
    (folder / "other.svg").write_text("mine", "utf-8")
    assert writing.write(folder, [figure], list(Format), SMALL) == paths
    assert [path.read_bytes() for path in paths] == before
    assert (folder / "other.svg").read_text("utf-8") == "mine"
    assert writing.older(folder, [figure], [Format.SVG]) == [paths[1], paths[2]]


def test_figures_of_other_runs_are_removed_and_nothing_else(tmp_path: Path, figure: Figure) -> None:
    ours = replace(figure, caption="Scores.\nRun one: sent.\n")
    other = replace(figure, name="cost", caption="Cost.\nRun two: sent.\n")
    writing.write(tmp_path, [ours], [Format.SVG, Format.PNG], SMALL)
    writing.write(tmp_path, [other], [Format.SVG], SMALL)
    (tmp_path / "sets.txt").write_text("my notes", "utf-8")
    (tmp_path / "notes.txt").write_text("my notes", "utf-8")

    def gone(formats: list[Format], *missing: FigureKind) -> list[str]:
        return [path.name for path in writing.outdated(tmp_path, [ours], formats, missing)]

    assert gone([Format.SVG]) == ["cost.svg", "cost.txt"]
    assert gone([Format.SVG], FigureKind.SETS) == ["cost.svg", "cost.txt"]
    again = replace(ours, caption="Scores.\nRun one: sent.\nRun two: sent.\n")
    stale = writing.outdated(tmp_path, [again], [Format.SVG])
    assert [path.name for path in stale] == ["cost.svg", "cost.txt", "scores.png"]
    writing.write(tmp_path, [again], [Format.SVG], SMALL, stale)
    assert sorted(os.listdir(tmp_path)) == ["notes.txt", "scores.svg", "scores.txt", "sets.txt"]
    same = replace(again, name="cost")
    writing.write(tmp_path, [same], [Format.SVG], SMALL)
    assert not writing.outdated(tmp_path, [again], [Format.SVG])
    missing = writing.outdated(tmp_path, [again], [Format.SVG], [FigureKind.COST])
    assert [path.name for path in missing] == ["cost.svg", "cost.txt"]


@pytest.mark.parametrize("name", ["scores.svg", "scores.png", "scores.pdf", "scores.txt"])
def test_a_file_that_is_not_ours_stops_everything(
    name: str, tmp_path: Path, figure: Figure
) -> None:
    (tmp_path / name).write_text("my notes on relaybench figures", "utf-8")
    with pytest.raises(UsageError, match=f"holds {name}, which relaybench did not draw"):
        writing.write(tmp_path, [figure], list(Format), SMALL)
    assert os.listdir(tmp_path) == [name]


def test_links_and_folders_in_the_way_stop_everything(tmp_path: Path, figure: Figure) -> None:
    writing.write(tmp_path / "a", [figure], [Format.SVG], SMALL)
    folder = tmp_path / "b"
    folder.mkdir()
    (folder / "scores.svg").symlink_to(tmp_path / "a" / "scores.svg")
    with pytest.raises(UsageError, match=r"scores\.svg"):
        writing.write(folder, [figure], [Format.SVG], SMALL)
    (folder / "scores.svg").unlink()
    (folder / "scores.svg").mkdir()
    with pytest.raises(UsageError, match=r"scores\.svg"):
        writing.write(folder, [figure], [Format.SVG], SMALL)
    with pytest.raises(UsageError, match="is a file"):
        writing.write(tmp_path / "a" / "scores.svg", [figure], [Format.SVG], SMALL)


def test_a_disk_that_refuses_leaves_the_old_files_whole(
    tmp_path: Path, figure: Figure, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = writing.write(tmp_path, [figure], [Format.SVG], SMALL)
    before = [path.read_bytes() for path in paths]

    def refuse(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(OSError, match="No space"):
        writing.write(tmp_path, [figure], [Format.SVG], Style(width=3))
    assert [path.read_bytes() for path in paths] == before
    assert sorted(os.listdir(tmp_path)) == ["scores.svg", "scores.txt"]
