"""Files of figures: whole or not at all, and nobody else's file is touched."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from relaybench.domain.errors import UsageError
from relaybench.reports.figures import write as writing
from relaybench.reports.figures.figure import Figure
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
