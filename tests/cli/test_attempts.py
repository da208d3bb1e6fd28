"""Attempts of one item, and what an import says of domains."""

from __future__ import annotations

import json

from tests.cli.support import Shell


def line(composite: str, **more: object) -> str:
    words = {"set": "s", "composite": composite, "key": "42", "model": "m"}
    return json.dumps({**words, "response": "```\n41\n```", **more}) + "\n"


def test_attempts_of_some_items_alone(shell: Shell) -> None:
    path = shell.write("r.jsonl", line("a") + line("b") + line("b", model="n"))
    shell("import", str(path), "--run", "r")
    found = shell("attempts", "--item", "s/b", "--outcome", "wrong", "--format", "json").json
    assert [(row["item"], row["model"]) for row in found] == [("s/b", "m"), ("s/b", "n")]
    both = shell("attempts", "--item", "s/b", "--item", "s/a", "--format", "json").json
    assert [row["item"] for row in both] == ["s/a", "s/b", "s/b"]
    nothing = shell("attempts", "--item", "s/c", "--item", "s/d").err
    assert "No attempts at s/c or s/d yet." in nothing
    assert "relaybench items" in nothing


def test_an_import_says_where_its_domains_hold_too(shell: Shell) -> None:
    bare = shell("import", str(shell.write("bare.jsonl", line("a"))), "--run", "bare")
    assert "domains" not in bare.err
    named = shell.write("named.jsonl", line("a", domains=["math"]))
    said = shell("import", str(named), "--run", "named").err
    assert "1 item had no domains in earlier imports; the ones given now hold there too." in said
    said = shell("breakdown", "bare", "--by", "domain").out
    assert "math" in said
    assert "unknown" not in said
