"""relaybench compare, breakdown, effects, repeats, dependence: printed, in files, and refused."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from relaybench.cli.main import main
from relaybench.domain.model import SIMULATED, ModelConfig
from tests.cli.support import Shell
from tests.workbench.examined import PAIR, write

CODE = replace(PAIR, prompt="code", encoded=True, encoding_seed=1)
LONG = replace(PAIR, prompt="x" * 16_000, bloat_characters=9)
COMMANDS = ("compare", "breakdown", "effects", "repeats", "dependence")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with a made-up run of one composite in three forms."""
    place = tmp_path_factory.mktemp("compare") / "bench"
    assert main(["init", str(place)]) == 0
    alpha, beta = (ModelConfig(f"sim-{name}", SIMULATED, name) for name in ("alpha", "beta"))
    other = replace(PAIR, name="other", prompt="Other?")
    write(
        place / "results.db",
        "two",
        [
            (PAIR, alpha, ["1-2"]), (PAIR, beta, ["1-2"]),
            (other, alpha, ["1-2"]), (other, beta, ["7"]),
        ],
    )  # fmt: skip
    write(
        place / "results.db",
        "r",
        [
            (PAIR, alpha, ["1-2", "1-2"]), (PAIR, beta, ["1-2", "1-9"]),
            (CODE, alpha, ["1-2", "1-9"]), (CODE, beta, ["7", None]),
            (LONG, alpha, ["1-2", "1-2"]), (LONG, beta, ["1-9", "1-9"]),
        ],
    )  # fmt: skip
    return place


@pytest.fixture
def shell(root: Path, capfd: pytest.CaptureFixture[str]) -> Shell:
    return Shell(root, capfd)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("width", [80, 120])
def test_people_get_lines_that_fit(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, command: str, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    result = shell(command)
    assert "(simulated)" in result.out
    assert "SIMULATED: all models" in result.out
    assert not result.err
    assert max(map(len, result.out.splitlines())) <= width


def test_the_essential_of_a_comparison_stands_first(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    first = shell("compare").out.split("\n\n")[1].splitlines()
    assert first[0].split()[:4] == ["A", "B", "Problems", "Difference"]
    assert first[2].split()[:3] == ["alpha", "beta", "1"]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_exact_formats_say_the_same(shell: Shell, command: str) -> None:
    once = {"breakdown": ("--by", "form"), "repeats": ("--table", "repeats")}.get(command, ())
    exact = shell(command, *once, "--format", "json").json["rows"]
    lines = shell(command, *once, "--format", "jsonl").out.splitlines()
    assert [json.loads(line) for line in lines] == exact
    for row, cells in zip(exact, rows(shell(command, *once, "--format", "csv").out), strict=True):
        for key, text in cells.items():
            value: Any = row[key]
            if value is None:
                assert text == row[f"{key}_reason"]
            else:
                assert text == (str(value).lower() if isinstance(value, bool) else str(value))


def test_several_breakdowns_in_one_file(shell: Shell) -> None:
    tables = shell("breakdown", "--format", "json").json
    assert [table["table"] for table in tables] == [
        "by-encoded", "by-bloat", "by-form", "by-length",
    ]  # fmt: skip
    lines = rows(shell("breakdown", "--format", "csv").out)
    assert len(lines) == sum(len(table["rows"]) for table in tables) == 18
    assert {line["dimension"] for line in lines} == {"encoded", "bloat", "form", "length"}
    jsonl = shell("breakdown", "--format", "jsonl").out.splitlines()
    assert [json.loads(line)["group"] for line in jsonl] == [line["group"] for line in lines]
    both = shell("breakdown", "--by", "set", "--by", "kind", "--model", "beta", "--format", "json")
    assert [len(table["rows"]) for table in both.json] == [1, 1]
    named = ("--by", "set", "--model", "beta", "--model", "sim-alpha", "--format", "csv")
    assert [row["model"] for row in rows(shell("breakdown", *named).out)] == ["beta", "alpha"]
    bands = rows(shell("breakdown", "--by", "length", "--bands", "3,4", "--format", "csv").out)
    assert {row["group"] for row in bands} == {"4 to 4 characters", "over 4 characters"}


def test_repeats_hold_one_table_in_a_file(shell: Shell) -> None:
    text = shell("repeats").out
    assert "pass@k and pass^k of run r" in text
    assert "Pass@1 by repeat of run r" in text
    assert "spread" in rows(shell("repeats", "--table", "repeats", "--format", "csv").out)[0]
    wanted = ("repeats", "--table", "pass-k", "--k", "2", "--k", "9", "--format", "csv")
    found = [(row["model"], row["k"], row["pass_hat_k"]) for row in rows(shell(*wanted).out)]
    few = "some item has fewer than 9 attempts"
    assert found == [
        ("alpha", "2", "0.6666666666666666"), ("alpha", "9", few),
        ("beta", "2", "0.0"), ("beta", "9", few),
    ]  # fmt: skip
    for form in ("csv", "jsonl"):
        several = shell("repeats", "--format", form, ok=False)
        assert several.code == 2
        choices = "--table repeats or --table pass-k or --table by-repeat"
        assert f"{form} holds one table: choose {choices}" in several.err
        assert not several.out
    assert [table["table"] for table in shell("repeats", "--format", "json").json] == [
        "repeats", "pass-k", "by-repeat",
    ]  # fmt: skip
    one = shell("repeats", "--format", "json", "--table", "by-repeat").json
    assert one["table"] == "by-repeat"


def test_seeds_are_printed(shell: Shell) -> None:
    assert "seed 0." in shell("compare", "--run", "two", "--format", "md").out
    found = shell("compare", "alpha", "sim-beta", "--run", "two", "--seed", "41", "--format", "csv")
    assert [row["bootstrap_seed"] for row in rows(found.out)] == ["41"]
    assert shell("compare", "--seed", "-1", ok=False).code == 2


def test_one_form_is_compared_alone(shell: Shell) -> None:
    """A problem in three forms counts once; of one form alone there is as much."""
    every, coded = (
        rows(shell("compare", *form, "--format", "csv").out)[0]
        for form in ((), ("--form", "encoded"))
    )
    assert (every["n"], every["items"], every["pass_at_1_b"]) == ("1", "3", "0.16666666666666666")
    assert (coded["n"], coded["items"], coded["pass_at_1_b"]) == ("1", "1", "0.0")


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (("compare", "alpha"), 2, "two models or more"),
        (("compare", "alpha", "sim-alpha"), 2, "alpha is named twice"),
        (("compare", "alpha", "opus"), 2, "there are: alpha, beta"),
        (("compare", "alpha", "bta"), 2, "is called 'bta' (did you mean 'beta'?); there are"),
        (("compare", "two", "alpha"), 2, "by an option: relaybench compare --run two\n"),
        (("breakdown", "--model", "sim-alpa"), 2, "did you mean 'sim-alpha'?"),
        (("compare", "--run", "nowhere"), 2, "nowhere"),
        (("compare", "--form", "coded"), 2, "'plain', 'bloated', 'encoded'"),
        (("compare", "--form", "bloated and encoded"), 2, "there are: plain, bloated, encoded"),
        (("breakdown", "--by", "colour"), 2, "colour"),
        (("breakdown", "--bands", "long"), 2, "write 5000,15000"),
        (("breakdown", "--bands", "0"), 2, "1 character or more"),
        (("breakdown", "--bands", ""), 2, "write 5000,15000"),
        (("repeats", "--table", "steps"), 2, "'repeats', 'pass-k', 'by-repeat', 'all'"),
        (("repeats", "--k", "0"), 2, "--k"),
        (("dependence", "nowhere"), 2, "nowhere"),
    ],
)
def test_what_is_refused(shell: Shell, arguments: tuple[str, ...], code: int, text: str) -> None:
    result = shell(*arguments, ok=False)
    assert result.code == code
    assert text in result.err
    assert not result.out


def test_show_has_the_bloated_form(shell: Shell) -> None:
    plain = shell("show", "example/first", "--plain").out
    assert shell("show", "example/first", "--bloated").out.endswith(plain)
    both = shell("show", "example/first", "--bloated", "--plain", ok=False)
    assert both.code == 2
    assert "--plain and --bloated are forms of the prompt; choose one" in both.err
