"""Lint of values: keys that leak, examples that are keys, and no crash whatever is amiss."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from encoder import bloat
from relaybench.composing.freeze import freeze
from relaybench.composing.lint import lint
from relaybench.composing.style import standard_style
from relaybench.domain.problem import Bloat, Composite, Instance, InstanceRef, Step, Variant
from tests.composing.support import CLASSES, POWER, SPELL, TRIO

STYLE = standard_style()


def told(composite: Composite, classes: object = None) -> list[tuple[str, tuple[object, ...], str]]:
    faults = lint(composite, CLASSES, STYLE) if classes is None else lint(composite, classes, STYLE)  # type: ignore[arg-type]
    return [(fault.code, fault.path, fault.problem) for fault in faults]


def with_answer(answer: str, example: str = "twenty one") -> dict[str, object]:
    data = SPELL.instances[0].data
    changed = replace(SPELL, example=example, instances=(Instance("eight", data, answer),))
    return {**CLASSES, "coding/spell": changed}


def test_a_sound_composite() -> None:
    assert told(TRIO) == []


@pytest.mark.parametrize(
    ("answer", "reason"),
    [("ab", "is empty"), ("a  b   ", "begins or ends"), ("x```abc", "holds a code fence")],
)
def test_a_key_spoilt_by_its_augmentations(answer: str, reason: str) -> None:
    augment = ("every:3",) if answer == "ab" else ("last:6",)
    steps = (replace(TRIO.steps[0], augment=augment), *TRIO.steps[1:])
    found = told(replace(TRIO, steps=steps), with_answer(answer))
    assert found[0][:2] == ("key-form", ("steps", 0, "augment"))
    assert reason in found[0][2]
    assert "step B" in found[0][2]


def test_an_example_that_its_augmentations_leave_empty() -> None:
    steps = (replace(TRIO.steps[0], augment=("every:4",)), *TRIO.steps[1:])
    found = told(replace(TRIO, steps=steps), with_answer("eight no", "abc"))
    assert found[0][:2] == ("key-form", ("steps", 0, "augment"))
    assert "the example of step B after its augmentations, '', is empty" in found[0][2]


def test_an_example_that_is_the_key_only_after_augmentation() -> None:
    found = told(TRIO, with_answer("eight no", "EIGHT NO"))
    assert found == [
        ("example-is-key", ("steps", 0, "augment"), "the example of step B is its answer 'IGHT NO'")
    ]


def test_an_example_whose_parts_join_to_the_key() -> None:
    power = replace(POWER, example="11", instances=(Instance("two", {"base": "2"}, "1"),))
    spell = replace(SPELL, example="2", instances=(Instance("eight", {"number": "1"}, "12"),))
    classes = {"math/power": power, "coding/spell": spell}
    steps = (TRIO.steps[2], replace(TRIO.steps[0], augment=()))
    found = told(replace(TRIO, steps=steps, answer=(), separator=""), classes)
    assert ("example-is-key", ("answer",), "the example of the answer is the key") in found


def test_a_separator_that_spoils_the_key() -> None:
    for separator, reason in (
        ("```", "a code fence"),
        ("\x85", "a line break"),
        ("\x7f", "control"),
    ):
        found = told(replace(TRIO, separator=separator))
        assert [each[:2] for each in found] == [("key-form", ("separator",))]
        assert reason in found[0][2]


def test_a_key_that_stands_in_the_prompt() -> None:
    found = told(
        replace(TRIO, answer=("B",), steps=TRIO.steps[:1] + TRIO.steps[2:]), with_answer("counts")
    )
    assert found == []  # COUNTS is not counts
    steps = (replace(TRIO.steps[0], augment=()), TRIO.steps[2])
    found = told(replace(TRIO, answer=("B",), steps=steps), with_answer("no spaces"))
    assert [each[:2] for each in found] == [("key-leak", ("steps",))]
    assert "the key 'no spaces' stands in the prompt, in its line " in found[0][2]


def test_a_key_that_stands_in_the_bloat_or_in_the_instructions() -> None:
    steps = (replace(TRIO.steps[0], augment=()), TRIO.steps[2])
    composite = replace(TRIO, answer=("B",), steps=steps, bloat=Bloat(700, 3))
    word = max(bloat(700, 3).split(), key=len).strip(".,")
    assert [each[:2] for each in told(composite, with_answer(word))] == [
        ("key-leak", ("bloat", "seed"))
    ]
    assert [each[:2] for each in told(composite, with_answer("angle brackets"))] == [
        ("key-leak", ("style",))
    ]


def test_a_style_that_is_missing() -> None:
    faults = lint(replace(TRIO, style="odd"), CLASSES, None)
    assert [(each.code, each.path) for each in faults] == [("unknown-style", ("style",))]
    assert "'odd'" in faults[0].problem


LABELS = st.sampled_from(["A", "B", "C", "", "b"])
USES = st.sampled_from(
    [
        *(step.use for step in TRIO.steps),
        InstanceRef("", "", ""),
        InstanceRef("math", "power", "no"),
        InstanceRef("x", "y", "z"),
    ]
)
STEPS = st.builds(
    Step,
    LABELS,
    USES,
    st.dictionaries(st.sampled_from(["base", "number", "odd"]), LABELS, max_size=2),
    st.lists(st.sampled_from(["upper", "every:9", "uper"]), max_size=2).map(tuple),
)


@given(st.lists(STEPS, max_size=5).map(tuple), st.lists(LABELS, max_size=3).map(tuple))
def test_lint_never_crashes_and_what_it_passes_can_be_frozen(
    steps: tuple[Step, ...], answer: tuple[str, ...]
) -> None:
    composite = Composite("x", "s", steps, answer=answer)
    labels = [step.label for step in steps]
    readable = "" not in labels and len(set(labels)) == len(labels)
    faults = lint(composite, CLASSES, STYLE)
    if not faults and readable and all(step.use.domain for step in steps):
        for variant in Variant:
            assert freeze(composite, CLASSES, STYLE, variant).key
