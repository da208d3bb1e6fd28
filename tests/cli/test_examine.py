"""relaybench steps and items: what is printed, in which format, and what is refused."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from relaybench.cli.main import main
from relaybench.domain.model import SIMULATED, ModelConfig
from tests.cli.support import Shell
from tests.workbench.examined import PAIR, Asked, X, Y, write

_LINE = {
    "set": "s\x1b[1m", "composite": "c[bold]", "key": "=1+1", "stop_reason": "end_turn",
    "response": "```\n[red]7\x1b[31m\n```",
}  # fmt: skip


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with a made-up run of a composite, and one of its subproblems alone."""
    place = tmp_path_factory.mktemp("examine") / "bench"
    assert main(["init", str(place)]) == 0
    alpha, beta = (ModelConfig(f"sim-{name}", SIMULATED, name) for name in ("alpha", "beta"))
    whole: list[Asked] = [(PAIR, alpha, ["1-2", "1-9"]), (PAIR, beta, ["1-9", None])]
    write(place / "results.db", "whole", whole)
    alone: list[Asked] = [(item, config, [item.key]) for item in (X, Y) for config in (alpha, beta)]
    write(place / "results.db", "alone", alone)
    return place


@pytest.fixture
def shell(root: Path, capfd: pytest.CaptureFixture[str]) -> Shell:
    return Shell(root, capfd)


def test_steps_prints_both_tables_to_people(shell: Shell) -> None:
    text = shell("steps", "whole", "alone").out
    assert "Steps by class of runs whole, alone (simulated)" in text
    assert "Predicted and measured rates of composites of runs whole, alone" in text
    assert "asked alone" in text
    assert "SIMULATED" in text
    assert "\n\nPredicted" in text


def test_a_file_holds_one_table(shell: Shell) -> None:
    once = ("steps", "whole", "--format", "csv", "--table", "steps")
    rows = list(csv.DictReader(io.StringIO(shell(*once).out)))
    assert {row["class"] for row in rows} == {"math/x", "math/y"}
    wanted = ("steps", "whole", "--format", "json", "--table", "predictions")
    assert shell(*wanted).json["table"] == "predictions"
    for form in ("csv", "jsonl"):
        both = shell("steps", "whole", "--format", form, ok=False)
        assert both.code == 2
        assert f"{form} holds one table: choose --table steps or --table predictions" in both.err
    tables = shell("steps", "whole", "--format", "json").json
    assert [table["table"] for table in tables] == ["steps", "predictions"]
    only = shell("steps", "whole", "--table", "predictions").out
    assert "Steps by" not in only


def test_steps_of_one_model_by_position(shell: Shell) -> None:
    one = ("--by", "position", "--model", "sim-alpha", "--table", "steps")
    rows = shell("steps", "whole", *one, "--format", "json").json["rows"]
    assert [(row["position"], row["models"]) for row in rows] == [("0", 1), ("1", 1)]
    unknown = shell("steps", "whole", "--model", "nobody", ok=False)
    assert unknown.code == 2
    assert "there are: alpha" in unknown.err


def test_items_of_the_newest_run(shell: Shell) -> None:
    found = shell("items", "--format", "json").json
    assert found["title"] == "Items of run alone (simulated)"
    assert "wrong_answer" not in found["rows"][0]
    assert "Most common wrong answer" in shell("items", "--with-answers").out
    assert shell("items", "whole", "--flag", "no-model", "--format", "csv").code == 0
    assert shell("items", "nowhere", ok=False).code == 2


@pytest.mark.parametrize("command", ["steps", "items --with-answers"])
@pytest.mark.parametrize("width", [50, 80])
def test_people_get_lines_that_fit_and_blocks_that_name_their_rows(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, command: str, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    text = shell(*command.split(), "--format", "table", "whole").out
    assert max(map(len, text.splitlines())) <= width
    names = ["Class", "Model"] if command == "steps" else ["Item"]
    heads = [line.split() for line in text.splitlines() if line.startswith(names[0] + " ")]
    assert [head[: len(names)] for head in heads] == [names] * len(heads)
    assert len(heads) > 1 if width == 50 else len(heads) == 1
    assert ("Problems" if command == "steps" else "Wrong") in text


def test_a_run_without_composites_has_no_steps(shell: Shell) -> None:
    text = shell("steps", "alone").out
    assert "No composites here: single subproblems and imported items have no steps" in text
    assert shell("steps", "alone", "--table", "steps", "--format", "csv").out.count("\n") == 1


@pytest.mark.parametrize("command", ["steps --table steps", "items --with-answers"])
@pytest.mark.parametrize("form", ["table", "csv", "md", "latex", "json"])
def test_hostile_text_is_literal(
    command: str, form: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    place = Shell(tmp_path, capfd)
    lines = [{**_LINE, "model": f"m\x1b[2J|{number}"} for number in range(2)]
    text = "\n".join(json.dumps(line) for line in lines)
    assert main(["init", str(tmp_path / "w")]) == 0
    place.root = tmp_path / "w"
    place("import", str(place.write("r.jsonl", text)), "--run", "r")
    result = place(*command.split(), "--format", form)
    assert "\x1b" not in result.out + result.err
    if command.startswith("items"):
        assert "agreeing" in result.out
