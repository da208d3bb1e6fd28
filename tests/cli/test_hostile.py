"""Text of models and authors is shown as it is written, and never commands the terminal."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from tests.cli.support import Shell

HOSTILE = (
    "[red]x[/red] \x1b[31mred\x1b]0;title\x07 \x9b2J \x00nul \u202etxt {{n}} %s ${HOME} \ud800"
)


def _import(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "hostile.jsonl"
    line = {
        "set": "s\x1b[1m", "composite": "c[bold]", "key": "=1+1", "model": "m\x1b[2J|x",
        "response": f"{HOSTILE}\n```\n{HOSTILE}\n```\n", "stop_reason": "end_turn",
    }  # fmt: skip
    path.write_text(json.dumps(line) + "\n", "utf-8")
    shell("import", str(path), "--run", "h")


@pytest.mark.parametrize(
    "command",
    [
        ("results",),
        ("results", "--format", "csv"),
        ("results", "--format", "md"),
        ("results", "--format", "latex"),
        ("results", "--format", "json"),
        ("costs",),
        ("runs",),
        ("attempts",),
        ("attempt", "1"),
        ("attempt", "1", "--raw"),
        ("attempt", "1", "--format", "json"),
        ("grade",),
    ],
    ids=" ".join,
)
def test_no_command_lets_control_characters_through(
    command: tuple[str, ...], shell: Shell, tmp_path: Path
) -> None:
    _import(shell, tmp_path)
    result = shell(*command)
    for text in (result.out, result.err):
        assert not [c for c in text if (ord(c) < 32 and c not in "\n\t") or 127 <= ord(c) < 160]
        assert "\u202e" not in text


def test_hostile_text_is_stored_and_shown_literally(shell: Shell, tmp_path: Path) -> None:
    _import(shell, tmp_path)
    shown = shell("attempt", "1").out
    assert "[red]x[/red] \\x1b[31mred" in shown
    assert "{{n}} %s ${HOME} \\ud800" in shown
    answer = shell("attempts", "--format", "json").json[0]["answer"]
    assert answer == HOSTILE


def test_a_key_in_the_environment_is_written_nowhere(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "sk-planted-0123456789abcdef"
    monkeypatch.setenv("PLANTED_KEY", secret)
    shell.write(
        "models.toml",
        '[models.dead]\nprovider = "compatible"\nmodel = "m"\nkey_env = "PLANTED_KEY"\n'
        'base_url = "http://127.0.0.1:9/v1"\ntimeout_s = 5\n',
    )
    monkeypatch.setattr("relaybench.runner.retry.RetryPolicy.wait_before_next", _no_more_tries)
    run = shell("run", "example", "--model", "dead", "--run", "d", "--yes", ok=False)
    assert run.code == 1
    assert "not scored" in run.err
    assert "present" in shell("models").out
    shell("export", "d", "--out", str(tmp_path / "out"), "--with-answers")
    seen = [run.out, run.err, shell("attempt", "1", "--raw").out, shell("models").out]
    for path in [*shell.root.rglob("*"), *(tmp_path / "out").rglob("*")]:
        if path.is_file():
            seen.append(path.read_bytes().decode("latin-1"))
    assert not [text for text in seen if secret in text]
    with sqlite3.connect(shell.root / "results.db") as db:
        assert "\n".join(db.iterdump()).find(secret) < 0
    db.close()


def _no_more_tries(*_: object, **__: object) -> None:
    """Give up after the first failure, so that the test does not wait."""
