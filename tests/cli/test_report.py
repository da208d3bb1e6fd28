"""`relaybench report`: the command, and its page looked at in a real browser."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from relaybench.cli.main import main
from tests.cli.chromium import BROWSER, Measured, measured, start
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


def inked(path: Path, place: tuple[int, int, int, int]) -> float:
    """Which share of the pixels in a part of a picture differs from its most common colour."""
    images = pytest.importorskip("PIL.Image", reason="Pillow, which decodes pictures, is missing")
    with images.open(path) as opened:
        part = opened.convert("RGB").crop(place)
    pixels: int = part.width * part.height
    most: int = max(count for count, _ in part.getcolors(pixels))
    return 1 - most / pixels


@pytest.fixture(scope="module")
def looked_at(
    page: Path, hostile_page: Path, tmp_path_factory: pytest.TempPathFactory
) -> list[Measured]:
    """Both pages, each as wide as a phone and as a desktop."""
    return measured(tmp_path_factory.mktemp("measured"), [page, hostile_page], (390, 1280))


@in_a_browser
def test_the_page_fits_a_phone_and_a_desktop_and_loads_nothing(
    page: Path, looked_at: list[Measured]
) -> None:
    assert [each.room for each in looked_at] == [390, 1280] * 2
    assert [each.wide for each in looked_at] == [390, 1280] * 2
    assert [each.out for each in looked_at] == [0] * 4
    assert [each.loaded for each in looked_at] == [[]] * 4
    figures = page.read_text("utf-8").count("<img")
    assert [len(each.pictures) for each in looked_at] == [figures, figures, 0, 0]
    assert all(all(each.pictures) for each in looked_at)


@in_a_browser
def test_the_figures_can_be_seen_and_the_page_printed(
    page: Path, looked_at: list[Measured], tmp_path: Path
) -> None:
    places = looked_at[1].places
    picture, paper = tmp_path / "page.png", tmp_path / "page.pdf"
    size = f"--window-size=1280,{places[-1][3]}"
    start(tmp_path, page, size, f"--screenshot={picture}", f"--print-to-pdf={paper}")
    assert paper.read_bytes()[:5] == b"%PDF-"
    if reader := shutil.which("pdftotext"):
        printed = subprocess.run([reader, paper, "-"], capture_output=True, check=True).stdout
        # On paper nothing can be unfolded: the table of hashes stands there.
        assert b"SHA-256" in printed.partition(b"Items and the hashes of their prompts")[2][:1000]
    # What the browser keeps, it keeps in the folder.
    assert {each.name for each in tmp_path.iterdir()} == {"home", "page.pdf", "page.png", "profile"}
    # Where a figure stands something is drawn; that pictures are whole is measured above.
    shares = [inked(picture, place) for place in places]
    assert all(0.03 < share < 0.7 for share in shares), shares
