"""The journeys of an author, a runner and a reporter, through the commands and to the store."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from pathlib import Path

from relaybench.cli.main import main
from tests.cli.support import Shell

CLASS = "problems/library/math/divisor-sum.toml"
SET = "problems/sets/example/first.toml"


def test_the_example_of_init_is_sound_and_shows_its_prompt(shell: Shell) -> None:
    assert "0 findings" in shell("check").err
    shown = shell("show", "example/first", "--key")
    assert "Write the number A_STR as a Roman numeral" in shown.out
    assert shown.out.endswith("Do not include any other code block in your response.\n")
    assert "1170-XXLCM" in shown.err
    assert "1170-XXLCM" not in shown.out
    assert shell("list").out.splitlines()[1].startswith("example/first")
    assert "math/divisor-sum" in shell("list", "--classes").out


def test_init_refuses_a_folder_that_is_in_use(shell: Shell) -> None:
    assert main(["init", str(shell.root)]) == 2
    assert (shell.root / SET).is_file()


def test_check_names_file_line_key_and_cure_of_every_finding(shell: Shell) -> None:
    shell.edit(CLASS, 'answer = "1170"', "answer = 1170")
    shell.write("problems/library/math/broken.toml", 'id = "broken\n')
    found = shell("check", ok=False)
    assert found.code == 1
    assert "divisor-sum.toml\n  line 16 instances[0].answer: error [not-text]" in found.out
    assert '-> write answer = "1170"' in found.out
    assert "broken.toml\n  line 1: error [toml]" in found.out
    machine = shell("check", "--format", "json", ok=False).json
    assert {each["code"] for each in machine["findings"]} >= {"not-text", "toml"}
    only = shell("check", str(shell.root / "problems/library/coding"))
    assert "looked at 1 files" in only.err


def test_a_broken_problem_is_never_sent(shell: Shell) -> None:
    shell.edit(SET, 'inputs = { number = "A" }', 'inputs = { number = "C" }')
    result = shell("run", "example", "--cohort", "simulated", "--yes", ok=False)
    assert result.code == 1
    assert "unknown-label" in result.err
    assert not (shell.root / "results.db").exists()


def test_run_grade_correct_a_key_and_export(shell: Shell, tmp_path: Path) -> None:
    run = shell(
        "run", "example", "library:math", "--cohort", "simulated", "--repeats", "2",
        "--run", "one", "--yes",
    )  # fmt: skip
    assert "simulated" in run.err
    assert "Leaderboard of run one (simulated)" in run.out
    rows = shell("attempts", "one", "--format", "json").json
    assert len(rows) == 3 * 3 * 2
    assert {row["outcome"] for row in rows} <= {
        "correct", "wrong", "unparseable", "refused", "truncated",
    }  # fmt: skip
    again = shell("run", "--resume", "one", "--yes")
    assert "nothing to send" in again.err

    right = next(r for r in rows if r["outcome"] == "correct" and r["item"] == "example/first")
    shell("answer", "math/divisor-sum:seven-hundred-seventy", "1729")
    assert "# A class: one prompt template" in (shell.root / CLASS).read_text("utf-8")
    hint = shell("grade", "one")
    assert "0 verdicts changed" in hint.err
    assert "library/math/divisor-sum:seven-hundred-seventy was corrected" in hint.err
    dry = shell("grade", "one", "--corrected-keys", "--dry-run")
    changed = shell("grade", "one", "--corrected-keys")
    assert dry.out == changed.out
    assert "correct   wrong" in " ".join(changed.out.split("  ")) or "key corrected" in changed.out
    kept = shell("attempt", str(right["attempt"]), "--format", "json").json
    assert kept["outcome"] == "correct"

    out = tmp_path / "tables"
    names = [Path(line).name for line in shell("export", "one", "--out", str(out)).out.splitlines()]
    assert {"leaderboard.csv", "costs.tex", "attempts.jsonl", "run.json"} <= set(names)
    for path in out.iterdir():
        assert "1170-XXLCM" not in path.read_text("utf-8"), path.name
    shell("export", "one", "--out", str(tmp_path / "full"), "--with-answers")
    assert "1170-XXLCM" in (tmp_path / "full" / "responses.jsonl").read_text("utf-8")


def test_topping_up_repeats_sends_only_what_is_missing(shell: Shell) -> None:
    shell("run", "example", "--cohort", "simulated", "--run", "top", "--yes")
    first = {r["attempt"] for r in shell("attempts", "top", "--format", "json").json}
    more = shell("run", "--resume", "top", "--repeats", "3", "--yes")
    assert "6 to send" in more.err
    rows = shell("attempts", "top", "--format", "json").json
    assert len(rows) == 9
    assert first < {r["attempt"] for r in rows}
    assert shell("runs", "--format", "json").json[0]["planned"] == 9
    fewer = shell("run", "--resume", "top", "--repeats", "2", "--yes", ok=False)
    assert fewer.code == 2
    assert "can only be raised" in fewer.err
    taken = shell("run", "example", "--cohort", "simulated", "--run", "top", "--yes", ok=False)
    assert taken.code == 2
    assert "a run is called 'top' already" in taken.err
    assert "Go on with it: relaybench run --resume top\n" in taken.err


def test_variants_are_paired_items_with_one_key(shell: Shell) -> None:
    shell(
        "run", "example/first", "--model", "sim-alpha", "--variant", "plain",
        "--variant", "encoded", "--variant", "as-written", "--run", "pairs", "--yes",
    )  # fmt: skip
    with sqlite3.connect(shell.root / "results.db") as db:
        items = db.execute(
            "SELECT encoded, key, substitutions FROM items ORDER BY encoded"
        ).fetchall()
    db.close()
    assert [(row[0], row[1]) for row in items] == [(0, "1170-XXLCM"), (1, "1170-XXLCM")]
    assert items[0][2] == 0
    assert items[1][2] > 100


def test_results_agree_in_every_format(shell: Shell) -> None:
    shell("run", "example", "--cohort", "simulated", "--run", "r", "--repeats", "5", "--yes")
    exact = {
        row["model"]: row
        for row in csv.DictReader(io.StringIO(shell("results", "--format", "csv").out))
    }
    machine = json.loads(shell("results", "--format", "json").out)
    text = json.dumps(machine)
    for row in exact.values():
        assert row["simulated"] == "true"
        assert row["planned"] == "5"
        assert row["pass_at_1"] in text
    for form in ("md", "latex", "table"):
        shown = shell("results", "--format", form).out
        assert shown == shell("results", "--format", form).out
        for row in exact.values():
            assert f"{float(row['pass_at_1']) * 100:.1f}" in shown


def test_a_run_with_another_workspace_option_reads_the_same_results(shell: Shell) -> None:
    shell("run", "example", "--cohort", "simulated", "--run", "r", "--yes")
    assert "r" in shell("--db", str(shell.root / "results.db"), "runs").out


def test_demo_leaves_the_users_results_alone(shell: Shell) -> None:
    done = shell("demo")
    assert "Everything above is simulated" in done.err
    assert not (shell.root / "results.db").exists()
    assert (shell.root / ".demo" / "results.db").exists()
