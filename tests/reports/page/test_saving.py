"""A page is written whole or not at all, and never over somebody else's file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from relaybench.domain.errors import UsageError
from relaybench.reports.page.frame import Frame, framed
from relaybench.reports.page.saving import check_place, save


def a_page(word: str) -> list[str]:
    return list(framed(Frame(word, word, (), word), []))


def test_a_page_of_ours_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    save(path, a_page("first"))
    save(path, a_page("second"))
    assert "second" in path.read_text("utf-8")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("text", ["", "<html>mine</html>", "x" * 9_000])
def test_a_foreign_file_is_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "report.html"
    path.write_text(text, "utf-8")
    with pytest.raises(UsageError, match="no report of relaybench"):
        save(path, a_page("mine"))
    assert path.read_text("utf-8") == text
    assert list(tmp_path.iterdir()) == [path]


def test_a_marker_in_the_text_does_not_make_it_ours(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    text = "y" * 3_000 + "".join(a_page("quoted"))
    path.write_text(text, "utf-8")
    with pytest.raises(UsageError):
        check_place(path)


def test_links_folders_and_missing_folders_are_refused(tmp_path: Path) -> None:
    page, link = tmp_path / "page.html", tmp_path / "link.html"
    save(page, a_page("first"))
    link.symlink_to(page)
    with pytest.raises(UsageError, match=r"link\.html"):
        save(link, a_page("second"))
    with pytest.raises(UsageError, match="is a folder"):
        save(tmp_path, a_page("second"))
    with pytest.raises(UsageError, match="no folder"):
        save(tmp_path / "nowhere" / "page.html", a_page("second"))
    assert "first" in page.read_text("utf-8")


def test_what_breaks_half_way_leaves_the_old_page(tmp_path: Path) -> None:
    def breaking() -> Iterator[str]:
        yield from a_page("second")[:1]
        raise RuntimeError("half way")

    path = tmp_path / "report.html"
    save(path, a_page("first"))
    with pytest.raises(RuntimeError):
        save(path, breaking())
    assert "first" in path.read_text("utf-8")
    assert list(tmp_path.iterdir()) == [path]
