"""Files are written whole or not at all: what an interrupted or failed write leaves behind."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

from relaybench.domain.errors import UsageError
from relaybench.reports.files_beside import FilesBeside, check_file, check_folder, write_file


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@contextmanager
def full_after(size: int) -> Iterator[None]:
    """No file can grow past so many bytes, as if the disk were full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def two_files(folder: Path, text: bytes) -> list[Path]:
    """Write two files at once."""
    with FilesBeside(folder) as files:
        for name in ("a.csv", "b.csv"):
            files.opened(name).write(text)
        return files.put_in_place(first="b.csv")


def test_files_are_put_in_place_together(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "new"
    assert two_files(folder, b"1") == [folder / "b.csv", folder / "a.csv"]
    (folder / "mine.txt").write_text("mine")
    two_files(folder, b"2")
    assert contents(folder) == {"a.csv": b"2", "b.csv": b"2", "mine.txt": b"mine"}


def test_what_is_not_put_in_place_leaves_nothing(tmp_path: Path) -> None:
    with FilesBeside(tmp_path / "new") as files:
        files.opened("a.csv").write(b"x")
    assert list((tmp_path / "new").iterdir()) == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError, ZeroDivisionError])
def test_an_interrupted_write_leaves_the_old_file(
    tmp_path: Path, error: type[BaseException]
) -> None:
    def breaking() -> Iterator[str]:
        yield "new" * 10_000
        raise error

    write_file(tmp_path / "a.html", ["old", " \N{SNOWMAN}\r\n"])
    before = contents(tmp_path)
    assert before == {"a.html": "old \N{SNOWMAN}\r\n".encode()}
    with pytest.raises(error):
        write_file(tmp_path / "a.html", breaking())
    assert contents(tmp_path) == before


def test_a_full_disk_leaves_the_old_files(tmp_path: Path) -> None:
    two_files(tmp_path, b"old")
    for size in (1_000, 1_000_000):  # what is buffered fails late, the rest at once
        with pytest.raises(OSError, match="too large"), full_after(100):
            two_files(tmp_path, b"x" * size)
        assert contents(tmp_path) == {"a.csv": b"old", "b.csv": b"old"}


def test_an_interrupt_on_a_full_disk_is_still_an_interrupt(tmp_path: Path) -> None:
    def stopped() -> None:
        with FilesBeside(tmp_path) as files:
            files.opened("a.csv").write(b"x" * 1_000)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), full_after(100):
        stopped()
    assert contents(tmp_path) == {}


def test_an_interrupt_while_a_file_is_made_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Path.open

    def stopped(self: Path, mode: str) -> IO[Any]:
        opened(self, mode).close()
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "open", stopped)
    with pytest.raises(KeyboardInterrupt):
        two_files(tmp_path, b"x")
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_between_two_moves_leaves_whole_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_files(tmp_path, b"old")
    replace = os.replace

    def stopped(source: Path, target: Path) -> None:
        if target.name == "a.csv":
            raise KeyboardInterrupt
        replace(source, target)

    monkeypatch.setattr(os, "replace", stopped)
    with pytest.raises(KeyboardInterrupt):
        two_files(tmp_path, b"new")
    assert contents(tmp_path) == {"a.csv": b"old", "b.csv": b"new"}


def test_places_that_cannot_be_filled_are_refused(tmp_path: Path) -> None:
    mine, link = tmp_path / "mine.html", tmp_path / "link.html"
    mine.write_text("mine")
    link.symlink_to(mine)
    refused = {
        tmp_path: rf"is a folder; name a file in it, such as {tmp_path}/x\.html",
        tmp_path / "no" / "x.html": "there is no folder",
        mine: r"mine\.html is there already and no page of relaybench",
    }
    for path, text in refused.items():
        with pytest.raises(UsageError, match=text):
            check_file(path, "page", "x.html", lambda _: False)
    with pytest.raises(UsageError, match=rf"is a link to {mine}; .* name the file itself"):
        check_file(link, "page", "x.html", lambda _: True)
    with pytest.raises(UsageError, match=r"page cannot go to stdout by -; name a file, such as x"):
        check_file(Path("-"), "page", "x.html", lambda _: True)
    with pytest.raises(UsageError, match=r"the figures cannot go to stdout .*choose a folder"):
        check_folder(Path("-"), "the figures")
    check_file(mine, "page", "x.html", lambda _: True)
    check_file(tmp_path / "free.html", "page", "x.html", lambda _: False)
    check_folder(tmp_path)
    with pytest.raises(UsageError, match=r"mine\.html is a file; choose a folder for the figures"):
        check_folder(mine, "the figures")


def test_what_a_killed_process_left_goes_with_the_next_write(tmp_path: Path) -> None:
    # It is killed with the files half written: the next one finds what a real one left.
    script = (
        "import os, signal, sys; from pathlib import Path\n"
        "from relaybench.reports.files_beside import FilesBeside\n"
        "with FilesBeside(Path(sys.argv[1])) as files:\n"
        "    files.opened('responses.jsonl').write(b'secret')\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
    )
    ended = subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False)
    assert ended.returncode == -signal.SIGTERM
    (left,) = tmp_path.iterdir()
    alive = tmp_path / f".a.csv.relaybench-{os.getppid()}.tmp"
    foreign = [tmp_path / name for name in (".x.1234567.tmp", "a.csv.relaybench-999999999.tmp",
               ".a.csv.relaybench-0.tmp", f".a.csv.relaybench-{'9' * 30}.tmp")]  # fmt: skip
    for path in (alive, *foreign):
        path.write_text("not ours, or not done")
    write_file(tmp_path / "page.html", ["x"])
    assert not left.exists()
    assert set(tmp_path.iterdir()) == {alive, *foreign, tmp_path / "page.html"}
