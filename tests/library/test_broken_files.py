"""Files that cannot be read at all: each becomes one finding, and hides no other file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from relaybench.domain.finding import Severity
from relaybench.toml_files import source
from tests.library.support import PAIR, PAIR_FILE, POWER, POWER_FILE, SPELL_FILE, Bench

BAD = "problems/library/math/bad.toml"
DEEP = "[" * 5000 + "]" * 5000
TOO_DEEP = "[" * 60 + "]" * 60


@pytest.mark.parametrize(
    ("text", "code", "line", "key", "part"),
    [
        ('id = "bad\n', "toml", 1, "", "not valid TOML at column"),
        ("a = 1\nid = '''\nbad\n\nx = 2\n", "toml", 2, "", "the string that begins here"),
        ('a = 1\r\nb = """\r\nx\r\n', "toml", 2, "", "the string that begins here"),
        ("a = 1\n\na = 2\n", "toml", 3, "a", "a is given twice, first in line 1"),
        ("p = 'x'\n\np = '''\n1\n2\n3\n'''\nb = 1\n", "toml", 3, "p", "first in line 1"),
        ("[t]\nx = 1 # ]\nx = 2", "toml", 3, "t.x", "t.x is given twice, first in line 2"),
        ("[[t]]\r\nx=1\r\n[[t]]\r\nx=1\r\nx=2\r\n", "toml", 5, "t[1].x", "first in line 4"),
        ("a = 'one\u2028two'\nb=1\nb=2\n", "toml", 3, "b", "first in line 2"),
        ("[t]\n[t]\n", "toml", 2, "", "not valid TOML"),
        ("a = 1\n[a.b]\n", "toml", 2, "", "not valid TOML"),
        ('x = "a\\qb"\n', "toml", 1, "", "not valid TOML"),
        ("x = 1\ny = 007\n", "toml", 2, "", "not valid TOML"),
        ("x = 2026-13-45\n", "toml", 1, "", "not valid TOML"),
        ("\ufeffid = 'bad'\n", "toml", 1, "", "byte order mark"),
        (b"a = 1\nid = '\xe9'\n", "not-utf8", 2, "", "0xe9"),
        ("\ufeffid".encode("utf-16"), "not-utf8", 1, "", "0xff"),
        ("a = 'x\x00'\n", "toml", 1, "", "not valid TOML"),
        ("a = 1\n\x00\n", "toml", 2, "", "not valid TOML"),
        (f"x = {DEEP}\n", "toml", 0, "", "nested"),
        (f"a = 1\nx = {TOO_DEEP}\n", "toml", 2, "", "nested"),
        ("a = 1\nx = " + "9" * 5000, "toml", 2, "", "number is too large"),
        ("a = 1\nx = 1e9999999999999999999", "toml", 2, "", "number is too large"),
        ("x = [1, 2\n", "toml", 1, "", "the list that begins here"),
        ("just words\n", "toml", 1, "", "not valid TOML"),
    ],
)
def test_broken_toml(
    bench: Bench, text: str | bytes, code: str, line: int, key: str, part: str
) -> None:
    bench.write(BAD, text)
    found = bench.only()
    assert (found.file, found.code, found.line, found.key) == (BAD, code, line, key)
    assert part in found.problem
    assert found.mend
    assert set(bench.library().classes) == {"math/power", "coding/spell"}


def test_a_folder_that_is_called_like_a_file(bench: Bench) -> None:
    (bench.root / BAD).mkdir()
    found = bench.only()
    assert (found.file, found.code, found.line) == (BAD, "unreadable", 0)
    assert "folder" in found.mend


def test_a_link_to_nothing_and_links_in_a_circle(bench: Bench) -> None:
    (bench.root / BAD).symlink_to("nowhere.toml")
    other = (bench.root / BAD).with_name("circle.toml")
    other.symlink_to("circle.toml")
    found = bench.findings()
    assert [(each.code, Path(each.file).name) for each in found] == [
        ("unreadable", "bad.toml"),
        ("unreadable", "circle.toml"),
    ]
    assert "link to nothing" in found[0].mend
    assert "circle" in found[1].mend


def test_folders_linked_in_a_circle(bench: Bench) -> None:
    library = bench.root / "problems/library"
    (library / "math" / "up").symlink_to(library)
    (library / "loop").symlink_to("loop")
    assert bench.findings() == []


def test_a_link_to_a_file_is_read(bench: Bench, tmp_path: Path) -> None:
    real = tmp_path / "elsewhere.toml"
    (bench.root / POWER_FILE).rename(real)
    (bench.root / POWER_FILE).symlink_to(real)
    assert bench.findings() == []


def test_a_pipe_is_not_waited_for(bench: Bench) -> None:
    os.mkfifo(bench.root / BAD)
    found = bench.only()
    assert (found.code, found.problem) == ("unreadable", "is a pipe, not a file")


def test_a_file_without_permission(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    read_bytes = Path.read_bytes

    def guarded(path: Path) -> bytes:
        if path.name == "power.toml":
            raise PermissionError(13, "Permission denied")
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", guarded)
    found = [each for each in bench.findings() if each.file == POWER_FILE]
    assert [(each.code, each.problem) for each in found] == [
        ("unreadable", "cannot be read: Permission denied")
    ]
    assert "permissions" in found[0].mend
    assert set(bench.library().classes) == {"coding/spell"}


def test_a_folder_without_permission(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    iterdir = Path.iterdir

    def guarded(path: Path) -> object:
        if path.name == "coding":
            raise PermissionError(13, "Permission denied")
        return iterdir(path)

    monkeypatch.setattr(Path, "iterdir", guarded)
    library = bench.library()
    assert [(each.file, each.code) for each in library.findings] == [
        ("problems/library/coding", "unreadable")
    ]
    assert set(library.classes) == {"math/power"}


def test_a_file_beyond_all_measure(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "MAX_BYTES", 1000)
    bench.write(BAD, "#" * 1001)
    found = bench.only()
    assert (found.code, found.line) == ("too-large", 0)
    assert "1,001 bytes; at most 1,000" in found.problem


@pytest.mark.parametrize(
    "name",
    [
        *("problems/library/loose.toml", "problems/library/math/deep/x.toml"),
        *("problems/library/math/deep/er/x.toml", "problems/library/math/X.TOML"),
        *("problems/sets/loose.toml", "problems/private/library/loose.toml"),
    ],
)
def test_a_file_that_nothing_reads_is_warned_of(bench: Bench, name: str) -> None:
    bench.write(name, "not even toml")
    found = bench.only()
    assert (found.file, found.code, found.severity) == (name, "misplaced", Severity.WARNING)
    assert found.mend.endswith((".toml",))
    assert name in bench.library().files


@pytest.mark.parametrize(
    "name", [".#x.toml", ".x.toml", "._x.toml", "x.toml~", "#x.toml#", "x.toml.bak", ".d/x.toml"]
)
def test_what_editors_leave_behind_is_passed_over(bench: Bench, name: str) -> None:
    bench.write(f"problems/library/math/{name}", b"\x00\xff")
    bench.write(f"problems/sets/first/{name}", b"\x00\xff")
    assert bench.findings() == []
    assert len(bench.library().files) == 3


def test_an_emacs_lock_is_passed_over(bench: Bench) -> None:
    (bench.root / "problems/library/math/.#power.toml").symlink_to("me@host.1234")
    assert bench.findings() == []


@pytest.mark.parametrize("name", ["library", "My Set", "UPPER", "a--b"])
def test_a_set_that_cannot_be_called_so(bench: Bench, name: str) -> None:
    file = f"problems/sets/{name}/pair.toml"
    bench.write(file, PAIR)
    found = bench.only()
    assert (found.file, found.code, found.line, found.key) == (file, "bad-set-name", 1, "")
    assert repr(name) in found.problem
    assert "rename the folder" in found.mend
    assert "first/pair" in bench.library().composites


def test_one_name_in_public_and_private(bench: Bench) -> None:
    private = POWER_FILE.replace("problems/", "problems/private/")
    bench.write(private, POWER.replace('answer = "8"', 'answer = "80"'))
    set_file = PAIR_FILE.replace("problems/", "problems/private/")
    bench.write(set_file, PAIR)
    found = bench.findings()
    assert [(each.file, each.code, each.line, each.key) for each in found] == [
        (private, "duplicate-id", 1, "id"),
        (set_file, "duplicate-id", 1, "id"),
    ]
    assert POWER_FILE in found[0].problem
    assert PAIR_FILE in found[1].problem
    library = bench.library()
    assert library.classes["math/power"].problem.instances[0].answer == "8"
    assert not library.classes["math/power"].private


def test_private_problems_are_known_as_such(bench: Bench) -> None:
    bench.write("problems/private/sets/secret/pair.toml", PAIR)
    library = bench.library()
    assert library.composites["secret/pair"].private
    assert library.sets() == {"first": ["first/pair"], "secret": ["secret/pair"]}


def test_many_broken_files_at_once(bench: Bench) -> None:
    for number, text in enumerate((b"\xff", b"x = ", b"'", b"", b"\x00", b"[[", b"]")):
        bench.write(f"problems/library/math/bad{number}.toml", text)
        bench.write(f"problems/sets/first/bad{number}.toml", text)
    library = bench.library()
    assert {"math/power", "coding/spell"} <= set(library.classes)
    assert "first/pair" in library.composites
    assert len({each.file for each in library.findings}) == 14


def test_a_workspace_without_problems(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    for name in (POWER_FILE, SPELL_FILE, PAIR_FILE):
        (bench.root / name).unlink()
    assert bench.library().sets() == {}
    assert bench.findings() == []
