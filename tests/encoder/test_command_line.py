"""``python -m encoder``."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import encoder.__main__ as command_line
from encoder import DEFAULT_INSTRUCTIONS, bloat, encode, encode_with, parse_codebook
from tests.encoder.texts import ROOT

DICTIONARY = b"<AvY> : word\n<avy> : .\n"


def run(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "encoder", *arguments],
        input=given,
        capture_output=True,
        cwd=ROOT,
        check=False,
        timeout=60,
    )


def check_error(done: subprocess.CompletedProcess[bytes], code: int, message: str) -> None:
    """Check that a command failed with one line and nothing else."""
    error = done.stderr.decode()
    assert (done.returncode, done.stdout) == (code, b"")
    assert error.startswith("encoder: error: ")
    assert error.count("\n") == 1
    assert error.endswith("\n")
    assert message in error


EVERY_BYTE = bytes(range(256)) + b"\r\n\xe2\x82 \xe2\x82\xac\xed\xa0\x80\r<AvY> : x\n```\n"


@pytest.mark.parametrize("data", [b"", b"One two.", EVERY_BYTE, EVERY_BYTE[::-1]])
def test_bytes_come_back(data: bytes) -> None:
    """Any bytes survive encoding and decoding, valid UTF-8 or not."""
    encoded = run("encode", "--seed", "-5", given=data)
    assert (encoded.returncode, encoded.stderr) == (0, b"")
    decoded = run("decode", given=encoded.stdout)
    assert (decoded.returncode, decoded.stderr) == (0, b"")
    assert decoded.stdout == data


def test_hash_seeds_make_no_difference() -> None:
    """Two processes order their sets differently, and still write the same bytes."""
    command = [sys.executable, "-m", "encoder", "encode", "--seed", "1"]
    outputs = {
        subprocess.run(
            command,
            input=EVERY_BYTE,
            capture_output=True,
            cwd=ROOT,
            check=True,
            timeout=60,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
        ).stdout
        for hash_seed in ("0", "1", "2")
    }
    assert len(outputs) == 1


def test_files_and_the_library_agree(tmp_path: Path) -> None:
    """A file, standard input and the library give the same."""
    text = "Eins, zwei\r\n\u2028drei \U0001f680"
    (tmp_path / "text").write_bytes(text.encode())
    done = run("encode", str(tmp_path / "text"), "--seed", "7", "--twin-share", "1")
    assert done.stdout.decode() == encode(text, seed=7, twin_share=1.0).prompt
    (tmp_path / "prompt").write_bytes(done.stdout)
    assert run("decode", str(tmp_path / "prompt")).stdout.decode() == text
    assert run("decode", "-", given=done.stdout).stdout.decode() == text


def test_a_given_dictionary(tmp_path: Path) -> None:
    """A dictionary's lines and a whole prompt both serve as a dictionary."""
    path = tmp_path / "dictionary"
    book = parse_codebook(DICTIONARY.decode())
    for content in (DICTIONARY, encode_with("word", book).prompt.encode()):
        path.write_bytes(content)
        encoded = run("encode", "--dictionary", str(path), given=b"word word.\r\n")
        assert (encoded.stdout, encoded.stderr) == (b"<AvY> <AvY><avy>\r\n", b"")
        decoded = run("decode", "--dictionary", str(path), given=encoded.stdout)
        assert (decoded.stdout, decoded.stderr) == (b"word word.\r\n", b"")


def test_bloat() -> None:
    """The command writes what the library returns, and no newline."""
    done = run("bloat", "--characters", "700", "--seed", "3")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == bloat(700, 3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "required: COMMAND"),
        (["frobnicate"], "invalid choice"),
        (["encode"], "one of the arguments --seed --dictionary is required"),
        (["encode", "--seed", "x"], "invalid int value"),
        (["encode", "--seed", "1", "--dictionary", "d"], "not allowed with"),
        (["encode", "--dictionary", "d", "--twin-share", "1"], "--twin-share is for a new"),
        (["encode", "--dictionary", "-"], "cannot both be standard input"),
        (["encode", "--see", "1"], "required"),
        (["encode", "--seed", "1", "--twin-share", "1.5"], "from 0 to 1, not 1.5"),
        (["encode", "--seed", "1", "--twin-share", "nan"], "from 0 to 1, not nan"),
        (["encode", "no such file", "--seed", "1"], "cannot read 'no such file': No such file"),
        (["encode", "no\nsuch\nfile", "--seed", "1"], r"cannot read 'no\nsuch\nfile'"),
        (["decode", "encoder"], "cannot read 'encoder': Is a directory"),
        (["decode", "--dictionary", "no such file"], "cannot read 'no such file'"),
        (["decode", "a", "b\nc"], "unrecognized arguments"),
        (["bloat", "--seed", "1"], "required: --characters"),
        (["bloat", "--characters", "-1", "--seed", "1"], "from 0 to 1,000,000"),
        (["bloat", "--characters", "9999999", "--seed", "1"], "not 9,999,999"),
    ],
)
def test_wrong_usage(arguments: list[str], message: str) -> None:
    """One line, no usage text, exit code 2."""
    check_error(run(*arguments), 2, message)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (b"", "no dictionary in this prompt"),
        (b"a\n```\n" + DICTIONARY, "line 2, column 1: the dictionary opened here is never closed"),
        (b"a\n```\n" + DICTIONARY + b"```\nb\n<AvY>\n<xxx>", "line 2, column 1 of the encoded"),
        (b"a\n```\n<\xff>\n```\nb\n", r"line 3 is no dictionary entry: '<\udcff>'"),
    ],
)
def test_damaged_prompts(given: bytes, message: str) -> None:
    """One line with the place, exit code 1."""
    check_error(run("decode", given=given), 1, message)


def test_damage_names_the_dictionarys_file(tmp_path: Path) -> None:
    """With two inputs the message says which is damaged."""
    path = tmp_path / "dictionary"
    path.write_bytes(DICTIONARY + b"oops\n")
    message = f"dictionary {str(path)!r}: line 3 is no dictionary entry: 'oops'"
    check_error(run("decode", "--dictionary", str(path)), 1, message)
    path.write_bytes(DICTIONARY)
    done = run("encode", "--dictionary", str(path), given=b"word other")
    check_error(done, 1, "line 1, column 6 of the text: the codebook has no code for 'other'")


def test_help_goes_to_standard_output() -> None:
    """Asking for help is no error."""
    for arguments in (["--help"], ["encode", "--help"], ["bloat", "-h"]):
        done = run(*arguments)
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.startswith(b"usage: encoder")


@pytest.mark.parametrize(
    "arguments", [["bloat", "--characters", "900000", "--seed", "1"], ["--help"]]
)
def test_a_reader_that_goes_away(arguments: list[str]) -> None:
    """A broken pipe is quiet, whatever was being written."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "encoder", *arguments],
            stdout=writing,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            check=False,
            timeout=60,
        )
    finally:
        os.close(writing)
    # Where Python's output is unbuffered, argparse itself drops the error.
    assert done.returncode in ([0, 141] if arguments == ["--help"] else [141])
    assert done.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk() -> None:
    """Output that cannot be written is an error, not a traceback."""
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "encoder", "bloat", "--characters", "9", "--seed", "1"],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            check=False,
            timeout=60,
        )
    assert done.returncode == 2
    assert done.stderr.startswith(b"encoder: error: cannot write the output: ")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("closed", ["0<&-", "1>&-"])
@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
def test_closed_streams(closed: str) -> None:
    """A missing standard stream is an error, not a traceback."""
    done = subprocess.run(
        ["sh", "-c", f'"$0" -m encoder encode --seed 1 {closed}', sys.executable],
        input=None if closed.startswith("0") else b"x",
        capture_output=True,
        cwd=ROOT,
        check=False,
        timeout=60,
    )
    check_error(done, 2, "there is no standard")


def test_an_interrupt_is_quiet(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C gives exit code 130 and no text."""

    def interrupt(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(command_line, "bloat", interrupt)
    monkeypatch.setattr(command_line, "_drop_output", lambda: None)
    assert command_line.main(["bloat", "--characters", "1", "--seed", "1"]) == 130
    assert capfd.readouterr() == ("", "")


def test_main_returns_its_exit_code(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Callers in the same process get the code."""
    path = tmp_path / "text"
    path.write_bytes(b"")
    assert command_line.main(["encode", str(path), "--seed", "1"]) == 0
    expected = f"{DEFAULT_INSTRUCTIONS.before}\n```\n```\n{DEFAULT_INSTRUCTIONS.after}\n"
    assert capfdbinary.readouterr() == (expected.encode(), b"")
    assert command_line.main(["decode", str(path)]) == 1
    assert command_line.main(["decode", str(path / "x")]) == 2


def test_the_package_stands_alone() -> None:
    """Only the standard library is loaded."""
    script = (
        "import sys; before = set(sys.modules); import encoder, encoder.__main__;"
        "print(sorted({name.partition('.')[0] for name in set(sys.modules) - before}"
        " - set(sys.stdlib_module_names)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, cwd=ROOT, check=True, timeout=60
    )
    assert done.stdout.decode().strip() == "['encoder']"
