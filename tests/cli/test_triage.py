"""Triage marks from the command line, lists by them, and the comparison of an answer."""

from __future__ import annotations

import json

from tests.cli.support import Shell


def results(shell: Shell) -> None:
    words = {"set": "s", "composite": "a", "key": "Paris-42"}
    lines = [
        {**words, "model": model, "response": f"```\n{answer}\n```"}
        for model, answer in (("m", "paris-42"), ("n", "Rome-42"), ("o", "Paris-42"))
    ]
    shell("import", str(shell.write("r.jsonl", "\n".join(map(json.dumps, lines)))), "--run", "r")


def test_marks_are_put_listed_and_taken_back(shell: Shell) -> None:
    results(shell)
    said = shell("triage", "1", "--fault", "key", "--note", "see [red] notes").err
    assert "its outcome stays" in said
    shell("triage", "2", "--fault", "model")
    shell("triage", "2", "--fault", "clear")
    listed = shell("attempts", "--triage", "any", "--format", "json").json
    assert [(row["attempt"], row["triage"], row["outcome"]) for row in listed] == [
        (1, "key", "wrong")
    ]
    assert listed[0]["triage_note"] == "see [red] notes"
    assert "wrong (key fault)" in shell("attempts", "--triage", "key").out
    assert len(shell("attempts", "--triage", "none", "--format", "json").json) == 2
    assert (
        "No attempts with the triage mark extractor."
        in shell("attempts", "--triage", "extractor").err
    )
    shown = shell("attempt", "1").out
    assert "triage: key fault (see [red] notes); it changes no outcome" in shown
    trail = shell("attempt", "2", "--format", "json").json["triage"]
    assert [each["fault"] for each in trail] == ["model", "clear"]
    assert shell("triage", "9", "--fault", "key", ok=False).code == 2


def test_near_misses_and_the_answer_against_its_key(shell: Shell) -> None:
    results(shell)
    listed = shell("attempts", "--near-miss").out
    assert "differs only in letter case" in listed
    assert "Rome" not in listed
    shown = shell("attempt", "1").out
    assert "  key     Paris-42\n  answer  paris-42\n          ^\n" in shown
    assert "answer against key" not in shell("attempt", "3").out
