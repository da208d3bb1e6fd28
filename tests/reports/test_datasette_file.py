"""Datasette's metadata replace earlier ones of ours and nothing else, least of all results."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from relaybench.domain.errors import UsageError
from relaybench.reports.datasette import metadata_json
from relaybench.reports.datasette_file import save_metadata

TEXT = metadata_json("results")


@pytest.fixture
def results(tmp_path: Path) -> Path:
    path = tmp_path / "results.db"
    path.write_text("precious")
    return path


def test_it_is_written_and_written_again(tmp_path: Path, results: Path) -> None:
    path = tmp_path / "metadata.json"
    save_metadata(path, metadata_json("other"), results)
    save_metadata(path, TEXT, results)
    assert path.read_text("utf-8") == TEXT
    assert {each.name for each in tmp_path.iterdir()} == {"metadata.json", "results.db"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "my notes",
        "[" * 100_000,
        '["relaybench results"]',
        '{"title": "relaybench results"}',
        json.dumps(json.loads(TEXT) | {"title": "my museum"}),
        json.dumps(json.loads(TEXT) | {"more": "x" * 2_000_000}),
    ],
    ids=["empty", "text", "deep", "list", "title alone", "of another", "huge"],
)
def test_a_foreign_file_is_left_alone(tmp_path: Path, results: Path, text: str) -> None:
    path = tmp_path / "metadata.json"
    path.write_text(text)
    with pytest.raises(UsageError, match=r"metadata\.json is there already and no metadata of"):
        save_metadata(path, TEXT, results)
    assert path.read_text() == text


def test_the_results_file_is_never_written_to(tmp_path: Path, results: Path) -> None:
    link, hard, folder = tmp_path / "link.json", tmp_path / "hard.json", tmp_path / "folder"
    link.symlink_to(results)
    os.link(results, hard)
    folder.symlink_to(tmp_path)
    spelt = [tmp_path / "." / ".." / tmp_path.name / "results.db", folder / "results.db"]
    for path in (results, link, hard, *spelt):
        with pytest.raises(UsageError, match=r"is the results file itself.*name another file"):
            save_metadata(path, TEXT, results)
        with pytest.raises(UsageError, match="is the results file itself"):
            save_metadata(results, TEXT, path)
    assert results.read_text() == "precious"
    # Not even where there is none yet, or where it looks like our metadata.
    for name in ("new.db", "new.db-wal", "new.db-shm", "new.db-journal"):
        with pytest.raises(UsageError, match="is the results file itself"):
            save_metadata(tmp_path / name, TEXT, tmp_path / "new.db")
    results.write_text(TEXT)
    with pytest.raises(UsageError, match="is the results file itself"):
        save_metadata(results, TEXT, results)


def test_links_and_folders_are_refused(tmp_path: Path, results: Path) -> None:
    path, link = tmp_path / "metadata.json", tmp_path / "link.json"
    save_metadata(path, TEXT, results)
    link.symlink_to(path)
    with pytest.raises(UsageError, match=r"link\.json is a link to .*name the file itself"):
        save_metadata(link, TEXT, results)
    with pytest.raises(UsageError, match="is a folder"):
        save_metadata(tmp_path, TEXT, results)
    with pytest.raises(UsageError, match="there is no folder"):
        save_metadata(tmp_path / "no" / "metadata.json", TEXT, results)
