"""Files are written whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from relaybench.domain.errors import WorkspaceError
from relaybench.toml_files.replace import create_file, replace_file


def test_a_file_is_replaced_with_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text("old")
    path.chmod(0o600)
    replace_file(path, "new\r\né\n")
    assert path.read_bytes() == "new\r\né\n".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert os.listdir(tmp_path) == ["a.toml"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    real = tmp_path / "real" / "a.toml"
    real.write_text("old")
    link = tmp_path / "link.toml"
    link.symlink_to(real)
    replace_file(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"


def test_links_in_a_circle_are_an_error(tmp_path: Path) -> None:
    link = tmp_path / "a.toml"
    link.symlink_to("a.toml")
    with pytest.raises(WorkspaceError, match=r"a\.toml cannot be written"):
        replace_file(link, "new")
    assert link.is_symlink()


@pytest.mark.parametrize("error", [OSError(28, "No space left"), PermissionError(13, "Denied")])
def test_a_failed_replacement_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError
) -> None:
    path = tmp_path / "a.toml"
    path.write_text("old")

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(WorkspaceError, match=str(error.strerror)):
        replace_file(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.toml"]


@pytest.mark.parametrize("write", [replace_file, create_file])
def test_half_a_character_is_an_error_and_no_file(tmp_path: Path, write: object) -> None:
    assert callable(write)
    with pytest.raises(WorkspaceError, match=r"U\+D800"):
        write(tmp_path / "a.toml", "x\ud800")
    assert os.listdir(tmp_path) == []


def test_a_new_file_and_its_folders(tmp_path: Path) -> None:
    path = tmp_path / "b" / "c" / "a.toml"
    create_file(path, "x\r\n")
    assert path.read_bytes() == b"x\r\n"
    with pytest.raises(WorkspaceError, match="exists already"):
        create_file(path, "y")
    assert path.read_bytes() == b"x\r\n"


def test_a_new_file_where_a_file_is_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "b").write_text("")
    with pytest.raises(WorkspaceError, match="cannot be written"):
        create_file(tmp_path / "b" / "a.toml", "x")
    with pytest.raises(WorkspaceError, match="cannot be written"):
        replace_file(tmp_path / "nowhere" / "a.toml", "x")
