"""``export`` in both its forms and ``datasette-metadata``, by the command line."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZipFile

from relaybench.workbench.results.all_tables import analysis_tables
from relaybench.workbench.workspace import find_workspace
from tests.cli.support import Shell
from tests.reports.inspect_checker import check_log, member, samples

KEY = "1170-XXLCM"


def inside(folder: Path) -> bytes:
    """All bytes of a folder, archives opened."""
    found = b""
    for path in folder.iterdir():
        if path.suffix == ".eval":
            with ZipFile(path) as archive:
                found += b"".join(archive.read(name) for name in archive.namelist())
        else:
            found += path.read_bytes()
    return found


def test_exports_of_a_simulated_run(shell: Shell, tmp_path: Path) -> None:
    variants = ("--variant", "plain", "--variant", "encoded")
    shell("run", "example", "--cohort", "simulated", *variants, "--repeats", "2", "--run", "r",
          "--yes")  # fmt: skip
    board = shell("results", "r", "--format", "jsonl").out.splitlines()
    rows = {row["config"]: row for row in map(json.loads, board)}
    assert len(rows) == 3

    tables = tmp_path / "tables"
    names = [
        Path(line).name for line in shell("export", "r", "--out", str(tables)).out.splitlines()
    ]
    assert names[0] == "run.json"
    workspace = find_workspace(shell.root)
    analyses = [table.name for table in analysis_tables(workspace, "r")]
    assert {"comparison", "effects", "repeats", "items"} <= set(analyses)
    for table in ("leaderboard", "costs", *analyses):
        for ending in ("csv", "md", "tex", "json", "jsonl"):
            assert f"{table}.{ending}" in names
    assert sorted(names) == sorted(path.name for path in tables.iterdir())
    assert KEY.encode() not in inside(tables)
    assert shell("costs", "r", "--format", "jsonl").out == (tables / "costs.jsonl").read_text()

    logs = tmp_path / "logs"
    lines = shell("export", "r", "--format", "inspect", "--out", str(logs)).out.splitlines()
    paths = [Path(line) for line in lines]
    assert len(paths) == 3
    assert KEY.encode() not in inside(logs)
    for path in paths:
        check_log(path)
        header = member(path, "header.json")
        row = rows[header["eval"]["task_args"]["config"]]
        metrics = header["results"]["scores"][0]["metrics"]
        assert metrics["accuracy"]["value"] == row["pass_at_1"]
        assert metrics["ci_low"]["value"] == row["pass_at_1_low"]
        assert header["eval"]["config"]["epochs"] == 2
        assert header["eval"]["dataset"]["samples"] == 2
        assert len(samples(path)) == row["scored"] + row["error"]

    full = tmp_path / "full"
    shell("export", "r", "--format", "inspect", "--out", str(full), "--with-answers")
    assert KEY.encode() in inside(full)
    bad = shell("export", "r", "--format", "inspect", "--out", str(shell.root / "models.toml"),
                ok=False)  # fmt: skip
    assert bad.code == 2


def test_answers_are_in_responses(shell: Shell, tmp_path: Path) -> None:
    shell("run", "example", "--cohort", "simulated", "--run", "r", "--yes")
    shell("export", "r", "--out", str(tmp_path / "full"), "--with-answers")
    lines = (tmp_path / "full" / "responses.jsonl").read_text().splitlines()
    attempts = (tmp_path / "full" / "attempts.jsonl").read_text().splitlines()
    answers = [json.loads(line) for line in lines]
    answered = {each["attempt"] for each in map(json.loads, attempts) if each["stop_reason"]}
    assert {each["attempt"] for each in answers} == answered
    for each in answers:
        assert each["key"] == KEY
        assert each["response"] is not None
        seen = shell("attempt", str(each["attempt"]), "--format", "json").json
        assert seen["outcome"] == each["outcome"]
        assert each["answer"] is None or each["answer"] in each["response"]


def test_no_answer_is_in_what_is_given_away(shell: Shell, tmp_path: Path) -> None:
    shell("run", "example", "--cohort", "simulated", "--repeats", "6", "--run", "r", "--yes")
    shell("export", "r", "--out", str(tmp_path / "full"), "--with-answers")
    lines = (tmp_path / "full" / "responses.jsonl").read_text().splitlines()
    answers = {each["answer"] for each in map(json.loads, lines)} - {None}
    assert answers > {KEY}  # wrong ones too
    for form in ("tables", "inspect"):
        shell("export", "r", "--format", form, "--out", str(tmp_path / form))
        given = inside(tmp_path / form)
        assert not [answer for answer in answers if answer.encode() in given]


def test_datasette_metadata(shell: Shell, tmp_path: Path) -> None:
    document = shell("datasette-metadata").json
    assert list(document["databases"]) == ["results"]
    out = tmp_path / "metadata.json"
    assert shell("datasette-metadata", "--out", str(out)).out == f"{out}\n"
    assert json.loads(out.read_text()) == document
    lost = shell("datasette-metadata", "--out", str(tmp_path / "no" / "x.json"), ok=False)
    assert lost.code == 2
    assert "there is no folder" in lost.err
    results = shell.root / "results.db"
    results.write_text("precious")
    same = shell("datasette-metadata", "--out", str(results), ok=False)
    assert same.code == 2
    assert "is the results file itself or belongs to it; nothing was written" in same.err
    assert results.read_text() == "precious"
