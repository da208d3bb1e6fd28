"""What goes wrong is said in a sentence, with the right exit code, and never as a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from relaybench.cli.main import main
from tests.cli.support import Shell


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["nonsense"], 2, "No such command"),
        (["run"], 2, "name what to run"),
        (["run", "nosuch", "--cohort", "simulated", "--yes"], 2, "no set or composite is called"),
        (["run", "example", "--cohort", "nosuch", "--yes"], 2, "no cohort is called"),
        (["run", "example", "--model", "nosuch", "--yes"], 2, "no model is called"),
        (["run", "example", "--yes"], 2, "name a --cohort or a --model"),
        (["run", "example", "--model", "local-llama"], 2, "--yes"),
        (["run", "example", "--cohort", "simulated", "--budget", "-3"], 2, "a budget is above 0"),
        (
            ["run", "example", "--cohort", "paper", "--yes"],
            2,
            "needs the environment variable ANTHROPIC_API_KEY",
        ),
        (
            ["run", "example", "--model", "sim-alpha", "--model", "local-llama", "--yes"],
            2,
            "cannot be in one run",
        ),
        (["run", "x", "--resume", "y"], 2, "takes no targets"),
        (["run", "--resume", "nosuch", "--yes"], 1, "no results file"),
        (["results"], 1, "no results file"),
        (["attempt", "1"], 1, "no results file"),
        (["show", "nosuch"], 2, "no set or composite is called"),
        (["show", "library:nosuch/x"], 2, "names no class"),
        (["check", "nosuch.toml"], 2, "no file or folder"),
        (["import", "nosuch.jsonl"], 2, "cannot be read"),
        (["answer", "math/nosuch:x", "1"], 2, "no class is called"),
        (["answer", "math/divisor-sum:x", "1"], 2, "no instance"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_bad_calls(shell: Shell, arguments: list[str], code: int, says: str) -> None:
    result = shell(*arguments, ok=False)
    assert result.code == code
    assert says in result.err
    assert not (shell.root / "results.db").exists()


def test_no_workspace_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["check"]) == 2
    assert "relaybench init" in capfd.readouterr().err


def test_a_budget_with_an_unknown_price_does_not_start(shell: Shell) -> None:
    shell.write(
        "models.toml",
        '[models.free]\nprovider = "simulated"\nmodel = "sim-x"\noptions = { skill = 1.0 }\n',
    )
    call = ("run", "example", "--model", "free", "--budget", "1", "--yes")
    refused = shell(*call, ok=False)
    assert refused.code == 2
    assert "price of free is unknown" in refused.err
    shell(*call, "--allow-unknown-price", "--run", "ok")
    assert "unknown" in shell("results").out
    assert "$0.00" not in shell("costs").out


def test_a_broken_catalog_is_told_with_its_line(shell: Shell) -> None:
    shell.write("models.toml", '[models.x]\nprovider = "telepathy"\nmodel = "m"\n')
    result = shell("models", ok=False)
    assert result.code == 1
    assert "models.toml:2: models.x.provider: 'telepathy' is no provider" in result.err


def test_a_file_that_is_no_results_file_is_left_alone(shell: Shell) -> None:
    path = shell.write(
        "results.db", "not a database at all, but long enough to look like a file\n" * 50
    )
    before = path.read_bytes()
    result = shell("results", ok=False)
    assert result.code == 1
    assert "no results file of relaybench" in result.err
    assert path.read_bytes() == before


def test_a_budget_stops_before_it_is_passed(shell: Shell) -> None:
    result = shell(
        "run", "example", "--model", "sim-alpha", "--repeats", "50", "--budget", "0.9",
        "--concurrency", "1", "--run", "b", "--yes", ok=False,
    )  # fmt: skip
    assert result.code == 1
    assert "Stopped by the budget" in result.err
    done = shell("runs", "--format", "json").json[0]
    assert 0 < done["answered"] < 50
