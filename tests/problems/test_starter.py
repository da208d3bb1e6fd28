"""The starter library and the starter set: every key is right, every file keeps to the format.

Set `RELAYBENCH_TEST_PROBLEMS` to check a copy of the problems folder elsewhere.
"""

import os
import re
from collections import Counter
from pathlib import Path

import pytest

from tests.problems.checkers import CHECKERS, FACTS, SOLVERS
from tests.problems.checkers.registry import rows
from tests.problems.library_files import (
    DOMAINS,
    PROBLEMS,
    Toml,
    augment,
    final_answers,
    instance_of,
    read_classes,
    read_composites,
)

ROOT = Path(os.environ.get("RELAYBENCH_TEST_PROBLEMS", PROBLEMS))
CLASSES = read_classes(ROOT / "library")
COMPOSITES = read_composites(ROOT / "sets" / "starter")
INSTANCES = [(key, one) for key, problem in CLASSES.items() for one in problem["instances"]]

each_class = pytest.mark.parametrize("key", CLASSES)
each_instance = pytest.mark.parametrize(
    ("key", "instance"), INSTANCES, ids=[f"{key}:{one['id']}" for key, one in INSTANCES]
)
each_composite = pytest.mark.parametrize("name", COMPOSITES)

SLOT = re.compile(r"\{\{([A-Za-z_][A-Za-z0-9_-]*)\}\}")


@each_instance
def test_answer_is_recomputed(key: str, instance: Toml) -> None:
    """The checker comes to the same answer from the text data."""
    assert instance["answer"] == CHECKERS[key](instance["data"])


@each_instance
def test_puzzle_has_one_solution(key: str, instance: Toml) -> None:
    """Brute force finds exactly one solution."""
    if key in SOLVERS:
        assert len(SOLVERS[key](instance["data"])) == 1


def test_registries_and_files_agree() -> None:
    """Every class has a checker, and every checker a class."""
    assert set(CHECKERS) == set(CLASSES)
    assert set(FACTS) | set(SOLVERS) <= set(CLASSES)
    assert {key for key in CLASSES if key.startswith("general-knowledge/")} == set(FACTS)


def test_every_domain_has_three_classes() -> None:
    """All seven domains are there, each with three classes or more."""
    counts = Counter(key.split("/")[0] for key in CLASSES)
    assert set(counts) == set(DOMAINS)
    assert min(counts.values()) >= 3
    assert len(CLASSES) >= 21


@each_instance
def test_drawing_is_well_formed(key: str, instance: Toml) -> None:
    """A drawing is a rectangle, a square of letters is square, and a maze has a closed frame."""
    for slot in {"grid", "maze", "heights"} & set(instance["data"]):
        drawn = rows(instance["data"][slot])
        assert {len(line) for line in drawn} == {len(drawn[0])}
        if key.endswith("/turned-letters"):
            assert len(drawn) == len(drawn[0])
        if slot == "maze":
            frame = drawn[0] + drawn[-1] + "".join(line[0] + line[-1] for line in drawn)
            assert set(frame) == {"#"}
            assert Counter("".join(drawn))["S"] == Counter("".join(drawn))["E"] == 1


@each_class
def test_class_format(key: str) -> None:
    """A class has the fields, the pattern and the example that the format asks for."""
    problem = CLASSES[key]
    assert set(problem) <= {
        "id", "domain", "title", "prompt", "rules", "pattern", "example", "source", "instances",
    }  # fmt: skip
    assert key == f"{problem['domain']}/{problem['id']}"
    assert problem["title"].strip()
    assert problem["rules"]
    assert all(rule.endswith(".") and "{{" not in rule for rule in problem["rules"])
    assert "```" not in problem["prompt"]
    assert "~~~" not in problem["prompt"]
    assert not re.search(r"code block|final answer|_STR|fence", problem["prompt"])
    assert problem["prompt"].rstrip().endswith(("?", ".", ")"))
    assert re.fullmatch(problem["pattern"], problem["example"])
    assert problem["example"] not in {one["answer"] for one in problem["instances"]}
    ids = [one["id"] for one in problem["instances"]]
    assert len(ids) == len(set(ids)) >= 3
    if key in FACTS:
        assert problem["source"].strip()


@each_instance
def test_instance_format(key: str, instance: Toml) -> None:
    """An instance fills every slot, and its answer keeps to the pattern."""
    problem = CLASSES[key]
    assert set(instance) <= {"id", "data", "answer", "status", "source"}
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", instance["id"])
    assert instance["status"] == "approved"
    assert set(instance["data"]) == set(SLOT.findall(problem["prompt"]))
    for value in instance["data"].values():
        assert isinstance(value, str)
        assert value.strip()
        assert "```" not in value
    answer = instance["answer"]
    assert isinstance(answer, str)
    assert re.fullmatch(problem["pattern"], answer)
    assert answer.isascii()
    assert answer.isprintable()
    assert "`" not in answer
    data = [dict(sorted(one["data"].items())) for one in problem["instances"]]
    assert data.count(dict(sorted(instance["data"].items()))) == 1


@each_composite
def test_composite_format(name: str) -> None:
    """A composite has its labels in order and no class twice."""
    composite = COMPOSITES[name]
    steps = composite["steps"]
    assert composite["id"] == name
    assert set(composite) <= {
        "id", "title", "separator", "answer", "steps", "bloat", "encoding",
    }  # fmt: skip
    assert 2 <= len(steps) <= 8
    assert [step["label"] for step in steps] == list("ABCDEFGH"[: len(steps)])
    used = [step["use"].partition(":")[0] for step in steps]
    assert len(set(used)) == len(used)
    assert len({one.partition("/")[0] for one in used}) >= 2
    assert all(set(step) <= {"label", "use", "inputs", "augment"} for step in steps)
    assert ("bloat" in composite) == ("encoding" in composite)
    if "bloat" in composite:
        assert composite["bloat"]["characters"] == 7813


@each_composite
def test_bound_values_are_the_upstream_answers(name: str) -> None:
    """A bound slot replaces exactly the value that the upstream step arrives at."""
    composite = COMPOSITES[name]
    answers = final_answers(CLASSES, composite)
    for step in composite["steps"]:
        data = instance_of(CLASSES, step["use"])["data"]
        for slot, label in step.get("inputs", {}).items():
            assert label < step["label"]  # in the starter set, files are in dependency order
            assert data[slot] == answers[label]


@each_composite
def test_no_step_is_unused(name: str) -> None:
    """Every step is in the final answer or feeds one that is."""
    composite = COMPOSITES[name]
    inputs = {step["label"]: step.get("inputs", {}).values() for step in composite["steps"]}
    needed = set(composite.get("answer", inputs))
    assert needed <= set(inputs)
    while more := {label for one in needed for label in inputs[one]} - needed:
        needed |= more
    assert needed == set(inputs)


@each_composite
def test_key_can_be_taken_apart(name: str) -> None:
    """The separator is in no part, and the key is not in the text."""
    composite = COMPOSITES[name]
    answers = final_answers(CLASSES, composite)
    separator = composite["separator"]
    parts = [answers[label] for label in composite.get("answer", answers)]
    assert len(parts) >= 2
    assert all(parts)
    assert all(separator not in part and part.isascii() for part in parts)
    key = separator.join(parts)
    text = "\n".join(
        CLASSES[step["use"].partition(":")[0]]["prompt"]
        + "\n".join(instance_of(CLASSES, step["use"])["data"].values())
        for step in composite["steps"]
    )
    assert key not in text


def test_starter_set_as_a_whole() -> None:
    """The set has the spread of sizes, bindings and encodings that it promises."""
    assert list(COMPOSITES) == [f"relay-{number:02d}" for number in range(1, 11)]
    composites = list(COMPOSITES.values())
    sizes = sorted(len(composite["steps"]) for composite in composites)
    assert sizes == [2, 3, 3, 4, 4, 5, 6, 6, 7, 8]

    def count_having(key: str) -> int:
        return sum(any(step.get(key) for step in one["steps"]) for one in composites)

    assert count_having("inputs") >= 5
    assert count_having("augment") >= 6
    assert sum("bloat" in one and "encoding" in one for one in composites) == 3
    assert any("answer" in one for one in composites)
    assert len({one["separator"] for one in composites}) >= 5
    domains = {step["use"].partition("/")[0] for one in composites for step in one["steps"]}
    assert domains == set(DOMAINS)


def test_no_problem_needs_a_picture() -> None:
    """Nothing refers to a picture, a file or a web page."""
    for problem in CLASSES.values():
        text = problem["prompt"] + str(problem["instances"])
        assert not re.search(r"!\[|https?://|\.(png|jpe?g|gif|svg|webp)\b|attached", text)


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("Ab-1", "upper", "AB-1"),
        ("Ab-1", "lower", "ab-1"),
        ("a b c", "spaces-to-underscores", "a_b_c"),
        ("a b c", "remove-spaces", "abc"),
        ("abc", "reverse", "cba"),
        ("xyZ-1", "caesar:3", "abC-1"),
        ("abcdefg", "every:3", "cf"),
        ("bB1a", "sort", "1Bab"),
        ("a1-B", "non-letters-to-underscores", "a__B"),
        ("abcd", "first:2", "ab"),
        ("abcd", "last:1", "d"),
        ("Hello", "rot13", "Uryyb"),
    ],
)
def test_augmentations(text: str, name: str, expected: str) -> None:
    """The second implementation of the augmentations does what the format says."""
    assert augment(text, name) == expected
