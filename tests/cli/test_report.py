"""`relaybench report`: the command, and its page looked at in a real browser."""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path

import pytest

from relaybench.cli.main import main
from tests.cli.chromium import BROWSER, measured, start
from tests.cli.support import Shell
from tests.cli.test_paper import PAPER, _lines
from tests.reports.page.reader import PageReader
from tests.reports.samples import HOSTILE

in_a_browser = pytest.mark.skipif(
    BROWSER is None, reason="no chromium or chromium-browser is installed: apt install chromium"
)
LONG = "A-Very-Long-Model-Name-" * 8


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with the paper's run, and one with names that would break a page."""
    root = tmp_path_factory.mktemp("report") / "bench"
    assert main(["init", str(root)]) == 0
    lines = [line for row in PAPER for line in _lines(row)]
    names = [HOSTILE, LONG, "</style><script>alert(1)</script>", *map(str, range(9))]
    hostile = [{**lines[0], "model": model, "composite": name, "set": HOSTILE}
               for model in names for name in (HOSTILE, "x" * 300, "plain")]  # fmt: skip
    for name, rows in (("paper", lines), ("hostile", hostile)):
        path = root / f"{name}.jsonl"
        path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
        assert main(["--workspace", str(root), "import", str(path), "--run", name]) == 0
    return root


@pytest.fixture(scope="module")
def page(root: Path) -> Path:
    """The page of the paper's run, with figures."""
    path = root / "paper.html"
    assert main(["--workspace", str(root), "report", "paper", "--out", str(path)]) == 0
    return path


@pytest.fixture(scope="module")
def hostile_page(root: Path) -> Path:
    """The page of the hostile run with everything on it."""
    path = root / "hostile.html"
    arguments = ["report", "hostile", "--out", str(path), "--with-answers", "--no-figures"]
    assert main(["--workspace", str(root), *arguments]) == 0
    return path


@pytest.fixture
def shell(root: Path, capfd: pytest.CaptureFixture[str]) -> Shell:
    return Shell(root, capfd)


def test_the_papers_numbers_stand_on_the_page(page: Path) -> None:
    read = PageReader(page.read_text("utf-8"))
    assert read.complaints == []
    cells = {cell for table in read.tables for row in table for cell in row}
    for row in PAPER:
        assert f"{row['model']} ({row['effort']})" in cells
        assert {row["score"], row["cache"], row["total"], *row["parts"]} <= cells
        assert any(cell.startswith(f"{row['hallucination']} [") for cell in cells)
        assert {f"{count:,}" for count in row["tokens"]} <= cells
    assert "Imported results" in read.words
    assert read.tags["img"] == read.tags["figure"] > 0


def test_keys_and_answers_only_where_asked_for(page: Path, root: Path, shell: Shell) -> None:
    plain = page.read_text("utf-8")
    assert "3-KEY" not in plain
    assert "YEK" not in plain
    path = root / "answers.html"
    shell("report", "paper", "--out", str(path), "--with-answers", "--no-figures")
    text = path.read_text("utf-8")
    assert "<code>3-KEY</code>" in text
    assert "7-YEK" in text
    assert "I could not settle" not in text  # the responses themselves stay where they are
    assert "--no-figures" in text
    assert PageReader(text).complaints == []


def test_the_path_goes_to_stdout_and_the_newest_run_is_taken(root: Path, shell: Shell) -> None:
    path = root / "newest.html"
    assert shell("report", "--out", str(path), "--no-figures").out == f"{path}\n"
    assert "<h1>Run hostile</h1>" in path.read_text("utf-8")


def test_hostile_names_are_text(hostile_page: Path) -> None:
    text = hostile_page.read_text("utf-8")
    read = PageReader(text)
    assert read.complaints == []
    assert "</style><script>alert(1)</script>" in read.words
    assert "<script" not in text


def test_what_is_wrong_is_said(root: Path, shell: Shell, tmp_path: Path) -> None:
    foreign = tmp_path / "mine.html"
    foreign.write_text("mine", "utf-8")
    refused = shell("report", "--out", str(foreign), ok=False)
    assert refused.code == 2
    assert "no report of relaybench; nothing was written" in refused.err
    assert foreign.read_text("utf-8") == "mine"
    unknown = shell("report", "nobody", "--out", str(tmp_path / "x.html"), ok=False)
    assert unknown.code == 2
    assert "no run is called 'nobody'" in unknown.err
    assert shell("report", "--out", str(tmp_path), ok=False).code == 2
    assert shell("report", ok=False).code == 2
    assert sorted(tmp_path.iterdir()) == [foreign]


def png_colours(path: Path) -> tuple[int, int, int]:
    """Width and height of a PNG, and how many different bytes its rows hold."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    place, parts = 8, []
    while place < len(data):
        (length,) = struct.unpack(">I", data[place : place + 4])
        if data[place + 4 : place + 8] == b"IDAT":
            parts.append(data[place + 8 : place + 8 + length])
        place += 12 + length
    return width, height, len(set(zlib.decompress(b"".join(parts))))


@in_a_browser
def test_the_page_fits_a_phone_and_a_desktop_and_loads_nothing(
    page: Path, hostile_page: Path, tmp_path: Path
) -> None:
    found = measured(tmp_path, [page, hostile_page], (390, 1280))
    assert [each.room for each in found] == [390, 1280] * 2
    assert [each.wide for each in found] == [390, 1280] * 2
    assert [each.out for each in found] == [0] * 4
    assert [each.loaded for each in found] == [[]] * 4
    figures = page.read_text("utf-8").count("<img")
    assert [len(each.pictures) for each in found] == [figures, figures, 0, 0]
    assert all(all(each.pictures) for each in found)


@in_a_browser
@pytest.mark.parametrize("size", ["390,844", "1280,900"])
def test_the_page_can_be_seen_and_printed(page: Path, tmp_path: Path, size: str) -> None:
    picture, paper = tmp_path / "page.png", tmp_path / "page.pdf"
    printing = [f"--print-to-pdf={paper}"] if size == "1280,900" else []
    start(tmp_path, page, f"--window-size={size}", f"--screenshot={picture}", *printing)
    width, height, colours = png_colours(picture)
    assert f"{width},{height}" == size
    assert colours > 50
    assert not printing or paper.read_bytes()[:5] == b"%PDF-"
