"""Exports: which files, what is in them and what never is, and what happens to those there."""

from __future__ import annotations

import csv
import hashlib
import json
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from relaybench.domain.errors import UsageError
from relaybench.domain.model import ModelConfig
from relaybench.reports.export import export, file_names
from relaybench.reports.export_folder import check_names
from relaybench.reports.run_record import without_secrets
from relaybench.reports.tables import Column, Kind, Table
from relaybench.store.results import AttemptRow
from tests.reports.samples import (
    ANSWER,
    CANARIES,
    KEY,
    PROMPT,
    RESPONSE,
    a_plan,
    a_run,
    a_transcript,
    an_attempt,
    paper_results,
    result,
)


def export_to(folder: Path, **changes: Any) -> list[Path]:
    """Export the paper's run with two attempts."""
    attempts = [an_attempt(1), an_attempt(2)]
    given: dict[str, Any] = {
        "plan": a_plan(),
        "results": paper_results(),
        "attempts": iter(attempts),
        "transcripts": (a_transcript(row) for row in attempts),
    }
    return export(folder, **(given | changes))


def a_table(name: str) -> Table:
    """A table of one number."""
    return Table(name, name, (Column("n", "N", Kind.WHOLE),), ((1,),))


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_files(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    names = ["run.json", *file_names(["leaderboard", "costs"])]
    assert names[1:6] == [f"leaderboard.{end}" for end in ("csv", "md", "tex", "json", "jsonl")]
    assert names[-2:] == ["attempts.csv", "attempts.jsonl"]
    written = export_to(folder)
    assert [path.name for path in written] == names
    assert sorted(contents(folder)) == sorted(names)
    full = [path.name for path in export_to(tmp_path / "full", with_answers=True)]
    assert full == [*names, "responses.jsonl"]


def test_every_table_in_every_format_and_all_files_listed_with_their_hashes(tmp_path: Path) -> None:
    written = export_to(tmp_path, tables=[a_table("by-domain"), a_table("steps")])
    assert {f"by-domain.{end}" for end in ("csv", "md", "tex", "json", "jsonl")} <= {
        path.name for path in written
    }
    assert (tmp_path / "steps.jsonl").read_text() == '{"n": 1}\n'
    files = json.loads((tmp_path / "run.json").read_text())["files"]
    assert list(files) == [path.name for path in written[1:]]
    for name, data in contents(tmp_path).items():
        assert name == "run.json" or files[name] == hashlib.sha256(data).hexdigest()


def test_files_that_an_export_no_longer_writes_are_removed(tmp_path: Path) -> None:
    export_to(tmp_path, tables=[a_table("by-domain"), a_table("steps")])
    (tmp_path / "steps.txt").write_text("mine")
    export_to(tmp_path, tables=[a_table("steps")])
    there = set(contents(tmp_path))
    assert "steps.csv" in there
    assert "steps.txt" in there
    assert not any(name.startswith("by-domain") for name in there)


def test_a_changed_file_is_not_removed(tmp_path: Path) -> None:
    export_to(tmp_path, tables=[a_table("steps")])
    (tmp_path / "steps.md").write_text("my notes on the steps")
    before = contents(tmp_path)
    with pytest.raises(UsageError, match=r"steps\.md of an earlier export.*changed since"):
        export_to(tmp_path)
    assert contents(tmp_path) == before
    export_to(tmp_path, tables=[a_table("steps")])  # it is replaced by the new one, as ever
    assert (tmp_path / "steps.md").read_text().startswith("## steps")


@pytest.mark.parametrize("name", ["../victim.csv", "/etc/victim.csv", ".victim.csv", "victim.txt"])
def test_a_forged_list_removes_nothing_of_others(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "out"
    export_to(folder)
    victim = folder / name if not name.startswith("/") else tmp_path / "victim.csv"
    victim.write_text("precious")
    record = json.loads((folder / "run.json").read_text())
    record["files"][name] = hashlib.sha256(b"precious").hexdigest()
    (folder / "run.json").write_text(json.dumps(record))
    export_to(folder)
    assert victim.read_text() == "precious"


def test_a_file_of_ours_that_was_not_listed_is_not_replaced(tmp_path: Path) -> None:
    export_to(tmp_path)
    (tmp_path / "steps.csv").write_text("mine")
    with pytest.raises(UsageError, match=r"holds steps\.csv, which no export"):
        export_to(tmp_path, tables=[a_table("steps")])
    assert (tmp_path / "steps.csv").read_text() == "mine"


def test_a_folder_of_an_export_before_files_were_listed(tmp_path: Path) -> None:
    export_to(tmp_path)
    record = json.loads((tmp_path / "run.json").read_text())
    del record["files"]
    (tmp_path / "run.json").write_text(json.dumps(record))
    for path in tmp_path.glob("*.jsonl"):
        if path.name != "attempts.jsonl":
            path.unlink()  # tables had no such form then
    export_to(tmp_path)
    assert "files" in json.loads((tmp_path / "run.json").read_text())


@pytest.mark.parametrize("names", [["run.json"], ["a.csv", "a.csv"], ["../a.csv"], ["a.sh"], [""]])
def test_names_that_no_file_of_an_export_may_have(names: list[str]) -> None:
    with pytest.raises(ValueError, match="export"):
        check_names(names)


def test_nothing_secret_without_answers(tmp_path: Path) -> None:
    export_to(tmp_path)
    for name, data in contents(tmp_path).items():
        for canary in CANARIES:
            assert canary.encode() not in data, name


def test_transcripts_are_not_even_read_without_answers(tmp_path: Path) -> None:
    transcripts = iter([a_transcript()])
    export_to(tmp_path, transcripts=transcripts)
    assert len(list(transcripts)) == 1


def test_with_answers(tmp_path: Path) -> None:
    export_to(tmp_path, with_answers=True)
    lines = (tmp_path / "responses.jsonl").read_text().splitlines()
    first = json.loads(lines[0])
    assert len(lines) == 2
    assert first["key"] == KEY
    assert first["answer"] == ANSWER
    assert first["prompt"] == f"{PROMPT}\nLet A_STR be it."
    assert first["response"] == f"{RESPONSE} \ud800\0\x1b[2J\n```\n{ANSWER}\n```"
    with (tmp_path / "attempts.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["key"] for row in rows] == [KEY, KEY]
    record = json.loads((tmp_path / "run.json").read_text())
    assert record["with_answers"] is True
    assert record["items"][0]["key"] == KEY


def test_csv_and_jsonl_of_attempts_agree(tmp_path: Path) -> None:
    export_to(tmp_path)
    with (tmp_path / "attempts.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    lines = (tmp_path / "attempts.jsonl").read_text().splitlines()
    documents = [json.loads(line, parse_float=Decimal) for line in lines]
    assert [row["attempt"] for row in rows] == ["1", "2"]
    for row, document in zip(rows, documents, strict=True):
        for key, text in row.items():
            value = document[key]
            if value is None:
                assert document[f"{key}_reason"] == text
            else:
                assert (
                    text == (str(value).lower() if isinstance(value, bool) else format(value))
                    or Decimal(text) == value
                )


def test_run_record(tmp_path: Path) -> None:
    export_to(tmp_path)
    record = json.loads((tmp_path / "run.json").read_text())
    plan = a_plan()
    assert record["made_by"] == "relaybench export"
    assert (record["run"], record["simulated"], record["version"]) == ("paper", False, "0.1.0")
    assert record["counts"]["planned"] == 90
    first = record["models"][0]
    assert first["sha256"] == next(iter(plan.configs))
    assert first["settings"]["model"] == "Claude Opus 4.7"
    assert first["settings"]["effort"] == "Max"
    assert first["prices"]["as_of"] == "2026-07-01"
    assert first["prices"]["source"] == "https://prices.example"
    assert first["prices"]["tiers"][0]["cached_input"] == 0.5
    assert first["prices"]["tiers"][0]["cache_write"] is None
    assert first["counts"]["correct"] == 5
    assert [item["item"] for item in record["items"]] == ["private/relay-01", "private/relay-02"]
    assert not any("sha256" in item for item in record["items"])  # it would tell the key
    assert all(len(item["prompt_sha256"]) == 64 for item in record["items"])


def test_secrets_in_settings_stay_here(tmp_path: Path) -> None:
    config = ModelConfig(
        "own",
        "compatible",
        "own",
        base_url="https://user:hunter2@host.example:8080/tok-hunter2/v1/?sig=hunter2",
        key_env="HUNTER2_KEY",
        options={"extra_body": {"api_key": "hunter2", "max_tokens": 5, "list": [{"password": 1}]}},
    )
    export_to(tmp_path, plan=a_plan(configs=[config]), results=[result(config, {})])
    text = (tmp_path / "run.json").read_text()
    assert "hunter2" not in text.lower()
    settings = json.loads(text)["models"][0]["settings"]
    assert settings["base_url"] == "https://host.example:8080/[removed]/v1/?[removed]"
    assert settings["options"]["extra_body"]["max_tokens"] == 5
    assert json.loads(text)["models"][0]["prices"] is None
    assert without_secrets({"a": (1, {"token": "x"})}) == {"a": [1, {"token": "[removed]"}]}
    told = {"api_key_header": True, "prompt_cache_key": "x", "max_tokens": 5}
    assert without_secrets(told) == told


def test_a_leaderboard_of_several_forms_says_so(tmp_path: Path) -> None:
    plan = a_plan(a_run(items=2))
    first = next(iter(plan.items.values()))
    coded = replace(first, prompt="code")
    plan.items.clear()
    plan.items.update({item.digest: item for item in (first, coded)})
    export_to(tmp_path / "forms", plan=plan)
    said = "The 2 items are 1 problem in several forms"
    assert said in (tmp_path / "forms" / "leaderboard.md").read_text()
    export_to(tmp_path / "plain", plan=a_plan(a_run(items=2)))
    assert "several forms" not in (tmp_path / "plain" / "leaderboard.md").read_text()


def test_every_file_of_a_simulated_run_says_so(tmp_path: Path) -> None:
    config = ModelConfig("alpha", "simulated", "alpha")
    export_to(
        tmp_path,
        plan=a_plan(a_run(simulated=True), [config]),
        results=[result(config, {})],
        attempts=[an_attempt(config=config)],
        transcripts=[a_transcript(an_attempt(config=config))],
        with_answers=True,
    )
    for name, data in contents(tmp_path).items():
        text = data.decode()
        assert "simulated" in text.lower(), name
        if name.endswith(".csv"):
            assert next(csv.DictReader(text.splitlines()))["simulated"] == "true", name
        if name.endswith((".json", ".jsonl")):
            assert '"simulated": true' in text, name
        if name.endswith((".md", ".tex")):
            assert "SIMULATED: all models" in text, name


def test_twice_is_the_same_bytes_and_leaves_other_files_alone(tmp_path: Path) -> None:
    export_to(tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    before = contents(tmp_path)
    export_to(tmp_path)
    assert contents(tmp_path) == before


def test_foreign_files_of_our_names_are_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "costs.csv").write_text("mine")
    with pytest.raises(UsageError, match=r"costs\.csv, which no export"):
        export_to(tmp_path)
    (tmp_path / "run.json").write_text('{"made_by": "me"}')
    with pytest.raises(UsageError, match="no export"):
        export_to(tmp_path)
    assert contents(tmp_path) == {"costs.csv": b"mine", "run.json": b'{"made_by": "me"}'}


def test_links_and_folders_of_our_names_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    export_to(folder)
    (folder / "costs.md").unlink()
    (folder / "costs.md").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match=r"costs\.md"):
        export_to(folder)
    assert not (tmp_path / "elsewhere").exists()
    with pytest.raises(UsageError, match="is a file"):
        export_to(folder / "costs.csv")


def test_answers_of_an_earlier_export_are_not_left_behind(tmp_path: Path) -> None:
    export_to(tmp_path, with_answers=True)
    before = contents(tmp_path)
    with pytest.raises(UsageError, match=r"responses\.jsonl"):
        export_to(tmp_path)
    assert contents(tmp_path) == before
    export_to(tmp_path, with_answers=True)


def test_a_failure_in_the_middle_changes_nothing(tmp_path: Path) -> None:
    export_to(tmp_path)
    before = contents(tmp_path)

    def breaking() -> Iterator[AttemptRow]:
        yield replace(an_attempt(), item="other/item")
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        export_to(tmp_path, attempts=breaking())
    assert contents(tmp_path) == before


def test_attempts_are_streamed(tmp_path: Path) -> None:
    row = an_attempt()

    def peak(count: int) -> int:
        tracemalloc.start()
        export_to(tmp_path, attempts=(replace(row, id=number) for number in range(count)))
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(1)  # what is only made once
    few, many = peak(100), peak(2000)
    assert (tmp_path / "attempts.jsonl").stat().st_size > 1_500_000
    assert many < few + 200_000
