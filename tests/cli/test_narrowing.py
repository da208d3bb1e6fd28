"""Results narrowed down and put together, and what an export would do, by commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.support import Shell
from tests.workbench.examined import PAIR, M, N, write
from tests.workbench.results.test_narrowing import HARD


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Shell:
    path = tmp_path / "results.db"
    write(
        path,
        "one",
        [(PAIR, M, ["1-2"]), (PAIR, N, ["1-9"]), (HARD, M, ["1-9"]), (HARD, N, ["1-2"])],
    )
    write(path, "two", [(PAIR, M, ["1-9"])])
    return Shell(tmp_path, capsys)


def test_results_of_a_set_and_of_runs_together(shell: Shell) -> None:
    hard = shell("results", "one", "--set", "hard", "--format", "json").json
    assert {row["model"]: row["pass_at_1"] for row in hard["rows"]} == {"n": 1.0, "m": 0.0}
    both = shell("results", "one", "two", "--model", "m", "--format", "json").json
    assert [row["scored"] for row in both["rows"]] == [3]
    costs = shell("costs", "one", "--model", "n", "--format", "json").json
    assert [row["model"] for row in costs["rows"]] == ["n"]
    for words in (
        ["breakdown", "one", "--by", "set"], ["compare", "--run", "one"],
        ["steps", "one", "--table", "steps"], ["items", "one"],
    ):  # fmt: skip
        narrowed = shell(*words, "--domain", "coding", "--format", "json")
        assert "Only items that have the domain coding." in narrowed.out
    wrong = shell("results", "--set", "no", ok=False)
    assert wrong.code == 2
    assert "there are: s" in wrong.err
    attempts = shell("attempts", "one", "--model", "n", "--format", "json").json
    assert [each["model"] for each in attempts] == ["n", "n"]


def test_a_dry_run_says_what_would_be_written_and_writes_nothing(shell: Shell) -> None:
    out = shell.root / "out"
    foreseen = shell("export", "one", "--out", str(out), "--dry-run").out.splitlines()
    assert not out.exists()
    written = shell("export", "one", "--out", str(out)).out.splitlines()
    assert foreseen == [f"write {path}" for path in written]
    again = shell("export", "one", "--out", str(out), "--dry-run").out.splitlines()
    assert again == [f"replace {path}" for path in written]
    page = shell.root / "page.html"
    assert shell("report", "one", "--out", str(page), "--dry-run").out == f"write {page}\n"
    assert not page.exists()
    logs = shell("export", "one", "--format", "inspect", "--out", str(out), "--dry-run").out
    assert logs.count("write ") == 2
    (out / "run.json").unlink()
    refused = shell("export", "one", "--out", str(out), "--dry-run", ok=False)
    assert refused.code == 2
    assert "which no export of relaybench made" in refused.err
