"""`model`, `cohort` and `manual`, as a user sees them."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.cli.support import Shell


def test_a_manual_model_from_its_making_to_its_score(shell: Shell, tmp_path: Path) -> None:
    made = shell("model", "add", "web", "--provider", "manual", "--id", "gpt", "--effort", "pro")
    assert "models.toml: web added" in made.err
    shell("cohort", "set", "pages", "web")
    run = shell("run", "example", "--cohort", "pages", "--repeats", "2", "--run", "r")
    assert "nothing to send" in run.err
    assert "2 cells are answered by hand: `relaybench manual r`" in run.err
    listed = shell("manual")
    assert listed.out.count("open") == 2
    assert "2 of 2 cells open" in listed.err
    prompt = shell("manual", "r", "--next")
    assert prompt.out == shell("show", "example/first").out
    assert "repeat 1: store the answer by adding --answer FILE" in prompt.err

    right = tmp_path / "right.txt"
    right.write_text("I say\n```\n1170-XXLCM\n```\n", "utf-8")
    first = shell("manual", "r", "--next", "--answer", str(right), "--cost", "$0.50")
    assert first.out.startswith("attempt 1: correct\n")
    assert "1 cell of 'r' left" in first.err
    again = shell("manual", "--model", "web", "--repeat", "1", "--answer", str(right), ok=False)
    assert again.code == 2
    assert "repeat 2 of it is open" in again.err
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("```\n1170-\x1b[31m\n```\n", "utf-8")
    second = shell("manual", "--item", "example/first", "--answer", str(wrong), "--format", "json")
    assert second.json["outcome"] == "wrong"
    assert second.json["steps"] == {"A": True, "B": False}
    assert [each["outcome"] for each in shell("manual", "--format", "json").json] == [
        "correct", "wrong",
    ]  # fmt: skip
    [row] = shell("results", "r", "--format", "json").json["rows"]
    assert (row["correct"], row["wrong"], row["planned"]) == (1, 1, 2)
    [row] = shell("costs", "r", "--format", "json").json["rows"]
    assert row["total_usd"] is None  # one of two is known
    assert "is complete" in shell("run", "--resume", "r").err


def test_answers_come_from_stdin_too(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell("model", "add", "web", "--provider", "manual", "--id", "gpt")
    shell("run", "example", "--model", "web", "--run", "r")
    for body, code in ((b"", 2), (b"\xff", 2), (b"no block", 0)):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(body)))
        done = shell("manual", "--next", "--answer", "-", ok=code == 0)
        assert done.code == code
    assert done.out.startswith("attempt 1: unparseable")
    nothing = shell("manual", "--next", "--answer", "-", ok=False)
    assert nothing.code == 2
    assert "has its answer already" in nothing.err


def test_models_are_copied_changed_and_removed(shell: Shell) -> None:
    path = shell.root / "models.toml"
    before = path.read_text("utf-8")
    shell("model", "copy", "my-local-model", "mine-2", "--effort", "low", "--concurrency", "3",
          "--tools", "", "--set", "options.stream=false", "--set", "options.temperature=0.5",
          "--unset", "max_output_tokens")  # fmt: skip
    [found] = shell("models", "mine-2", "--format", "json").json["models"]
    assert found["effort"] == "low"
    assert found["options"] == {"stream": False, "temperature": 0.5}
    assert found["max_output_tokens"] is None
    shell("model", "change", "mine-2", "--unset", "options.stream")
    [found] = shell("models", "mine-2", "--format", "json").json["models"]
    assert found["options"] == {"temperature": 0.5}
    refused = shell("model", "change", "mine-2", "--set", "concurrency=0", ok=False)
    assert refused.code == 1
    assert "concurrency is 0" in refused.err
    assert shell("model", "change", "mine-2", ok=False).code == 2
    shell("cohort", "set", "two", "mine-2", "my-local-model")
    assert shell("model", "remove", "mine-2", ok=False).code == 2
    shell("cohort", "remove", "two")
    shell("model", "remove", "mine-2")
    assert path.read_text("utf-8") == before
