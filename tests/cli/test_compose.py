"""The command ``compose``: a composite from its first step to a clean check."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from tests.cli.support import Shell

DIVISORS = "math/divisor-sum:three-hundred-sixty"
ROMAN = "coding/roman-numeral:one-thousand-one-hundred-seventy"
OTHER = "coding/roman-numeral:three-thousand-nine-hundred-ninety-nine"


def composite(shell: Shell, name: str) -> dict[str, Any]:
    return tomllib.loads((shell.root / f"problems/sets/{name}.toml").read_text("utf-8"))


def test_a_composite_is_wired_edit_by_edit(shell: Shell) -> None:
    made = shell("compose", "new", "mine/pair", "--title", "[red]")
    assert made.out == "problems/sets/mine/pair.toml\n"
    unfinished = shell("compose", "add", "mine/pair", DIVISORS)
    assert "[step-count]" in unfinished.err
    assert shell("run", "mine", "--cohort", "simulated", ok=False).code == 1
    shell("compose", "add", "mine/pair", ROMAN)
    assert shell("compose", "sources", "mine/pair", "B.number").out == "A gives '1170'\n"
    shell("compose", "bind", "mine/pair", "B.number", "A")
    shell("compose", "augment", "mine/pair", "B", "lower", "caesar:3")
    shell("compose", "relabel", "mine/pair", "A", "SUM")
    shell("compose", "move", "mine/pair", "B", "up")
    shell("compose", "answer", "mine/pair", "B")
    shell("compose", "separator", "mine/pair", "/")
    shell("compose", "bloat", "mine/pair", "500")
    shell("compose", "encode", "mine/pair", "--seed", "5", "--twin-share", "0.25")
    assert composite(shell, "mine/pair") == {
        "id": "pair",
        "title": "[red]",
        "separator": "/",
        "answer": ["B"],
        "steps": [
            {
                "label": "B",
                "use": ROMAN,
                "inputs": {"number": "SUM"},
                "augment": ["lower", "caesar:3"],
            },
            {"label": "SUM", "use": DIVISORS},
        ],
        "bloat": {"characters": 500, "seed": 1},
        "encoding": {"seed": 5, "twin_share": 0.25},
    }
    assert shell("check").code == 0
    drawn = shell("compose", "graph", "mine/pair", "--width", "70").out
    assert "▼number" in drawn
    assert "Final answer" in drawn


def test_what_is_taken_back_or_away(shell: Shell) -> None:
    shell("compose", "copy", "example/first", "example/second")
    path = shell.root / "problems/sets/example/second.toml"
    assert "# A composite: steps wired into a graph." in path.read_text()
    lost = shell("compose", "swap", "example/second", "B", OTHER)
    assert "No longer bound, since it would not fit: B.number from A" in lost.err
    shell("compose", "bloat", "example/second")
    shell("compose", "bloat", "example/second", "--off")
    shell("compose", "encode", "example/second")
    assert composite(shell, "example/second")["encoding"]["seed"] > 0
    shell("compose", "encode", "example/second", "--off")
    shell("compose", "augment", "example/second", "B")
    shell("compose", "title", "example/second", "")
    shell("compose", "style", "example/second", "standard")
    shell("compose", "remove", "example/second", "A")
    told = composite(shell, "example/second")
    assert told["steps"] == [{"label": "B", "use": OTHER}]
    assert set(told) == {"id", "separator", "steps"}
    shell("compose", "delete", "example/second", "--yes")
    assert not path.exists()
    assert shell("check").code == 0


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("bind", "example/first", "A.n", "B"), "in a loop: A -> B -> A"),
        (("bind", "example/first", "B.numeral", "A"), "has no input 'numeral'; it has: number"),
        (("bind", "example/first", "number", "A"), "write LABEL.INPUT"),
        (("add", "example/first", DIVISORS), "step A uses the class math/divisor-sum already"),
        (("add", "example/first", "divisors"), "does not name an instance"),
        (("new", "example/first"), "there is a composite example/first already"),
        (("new", "library/x"), "no set may be called 'library'"),
        (("copy", "example/first", "First"), "cannot be the name of a composite"),
        (("delete", "example", "--yes"), "'example' is a set"),
        (("remove", "example/none", "A"), "no set or composite is called 'example/none'"),
        (("bloat", "example/first", "--off", "--seed", "1"), "leave out its length and seed"),
    ],
)
def test_what_is_refused_changes_nothing(
    shell: Shell, arguments: tuple[str, ...], reason: str
) -> None:
    before = (shell.root / "problems/sets/example/first.toml").read_bytes()
    refused = shell("compose", *arguments, ok=False)
    assert refused.code == 2
    assert reason in refused.err
    assert (shell.root / "problems/sets/example/first.toml").read_bytes() == before
