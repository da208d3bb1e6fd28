"""Edits of steps and settings: what they give, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from relaybench.composing import editing
from relaybench.domain.errors import EditError, UsageError
from relaybench.domain.problem import (
    MAX_STEPS,
    Bloat,
    Composite,
    Domain,
    Encoding,
    Instance,
    InstanceRef,
    ProblemClass,
    Step,
)
from tests.composing.support import CLASSES, TRIO

BANG = InstanceRef("coding", "sign", "bang")
EMPTY = Composite("new", "first", ())
MANY = {
    each.ref: each
    for each in (
        ProblemClass(f"c{n}", Domain.MATH, "T", "P", "e", instances=(Instance("i", {}, str(n)),))
        for n in range(40)
    )
}


def use(number: int) -> InstanceRef:
    return InstanceRef("math", f"c{number}", "i")


def labels(composite: Composite) -> str:
    return " ".join(step.label for step in composite.steps)


def test_an_added_step_takes_the_next_free_label() -> None:
    composite = EMPTY
    for number in range(3):
        composite = editing.add_step(composite, use(number), MANY)
    assert labels(composite) == "A B C"
    composite = editing.remove_step(composite, "B")
    assert labels(editing.add_step(composite, use(9), MANY)) == "A C B"
    assert labels(editing.add_step(composite, use(9), MANY, "X2")) == "A C X2"


def test_free_labels_go_on_after_z() -> None:
    alphabet = tuple(Step(chr(65 + n), use(n)) for n in range(26))
    assert editing.free_label(replace(EMPTY, steps=alphabet)) == "AA"
    more = (*alphabet, Step("AA", use(30)))
    assert editing.free_label(replace(EMPTY, steps=more)) == "AB"


def test_a_new_step_comes_last_in_an_answer_that_names_its_labels() -> None:
    two = editing.add_step(editing.add_step(EMPTY, use(0), MANY), use(1), MANY)
    assert editing.add_step(two, use(2), MANY).answer == ()
    assert editing.add_step(replace(two, answer=("B",)), use(2), MANY).answer == ("B", "C")


def test_no_more_steps_than_a_composite_may_have() -> None:
    composite = EMPTY
    for number in range(MAX_STEPS):
        composite = editing.add_step(composite, use(number), MANY)
    with pytest.raises(EditError, match="at most 13 steps"):
        editing.add_step(composite, use(20), MANY)


def test_a_removed_step_leaves_nothing_bound_to_it_and_goes_from_the_answer() -> None:
    left = editing.remove_step(replace(TRIO, answer=("A", "B")), "A")
    assert labels(left) == "B C"
    assert left.steps[0].inputs == {}
    assert left.answer == ("B",)


def test_inputs_and_answer_follow_a_new_label() -> None:
    renamed = editing.relabel(editing.relabel(TRIO, "A", "POWER"), "C", "A")
    assert labels(renamed) == "B A POWER"
    assert renamed.steps[0].inputs == {"number": "POWER"}
    assert renamed.answer == ("A", "B")
    assert editing.relabel(TRIO, "A", "A") == TRIO


def test_steps_move_in_the_list() -> None:
    assert labels(editing.move_step(TRIO, "A", -2)) == "A B C"
    assert labels(editing.move_step(TRIO, "B", 1)) == "C B A"


def test_settings() -> None:
    composite = editing.set_augment(TRIO, "A", ["reverse", "caesar:3"])
    assert editing.find_step(composite, "A").augment == ("reverse", "caesar:3")
    assert editing.set_separator(TRIO, "").separator == ""
    assert editing.set_separator(TRIO, " ").separator == " "
    assert editing.set_answer(TRIO, ["B", "C", "A"]).answer == ()
    assert editing.set_answer(TRIO, ["A", "B"]).answer == ("A", "B")
    assert editing.set_bloat(TRIO, None).bloat is None
    assert editing.set_bloat(TRIO, Bloat(200_000, 0)).bloat == Bloat(200_000, 0)
    assert editing.set_encoding(TRIO, Encoding(9, 0.0)).encoding == Encoding(9, 0.0)
    assert editing.set_title(TRIO, " [red] ").title == "[red]"
    assert editing.set_style(TRIO, "terse").style == "terse"


Change = Callable[[], Composite]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda: editing.add_step(TRIO, BANG, CLASSES), "step C uses the class coding/sign"),
        (lambda: editing.add_step(TRIO, use(1), CLASSES), "there is no class 'math/c1'"),
        (
            lambda: editing.add_step(EMPTY, InstanceRef("coding", "sign", "no"), CLASSES),
            "has no instance 'no'; it has: bang",
        ),
        (lambda: editing.add_step(EMPTY, BANG, CLASSES, "a"), "cannot be a label"),
        (lambda: editing.remove_step(TRIO, "X"), "no step 'X'; there are: B, C, A"),
        (lambda: editing.remove_step(EMPTY, "X"), "there are: none yet"),
        (lambda: editing.relabel(TRIO, "A", "B"), "a step is labelled B already"),
        (lambda: editing.relabel(TRIO, "A", "1"), "cannot be a label"),
        (lambda: editing.move_step(TRIO, "B", -1), "step B cannot be moved further up"),
        (lambda: editing.move_step(TRIO, "A", 1), "step A cannot be moved further down"),
        (lambda: editing.set_augment(TRIO, "A", ["caesar"]), "needs a whole number from 1 to 25"),
        (lambda: editing.set_augment(TRIO, "A", ["shout"]), "no augmentation is called 'shout'"),
        (lambda: editing.set_separator(TRIO, "- "), "white space"),
        (lambda: editing.set_separator(TRIO, "-\n-"), "line break"),
        (lambda: editing.set_separator(TRIO, "```"), "code fence"),
        (lambda: editing.set_separator(TRIO, "\x1b"), "control character"),
        (lambda: editing.set_answer(TRIO, ["A", "X"]), "no step 'X'"),
        (lambda: editing.set_answer(TRIO, ["A", "A"]), "names step 'A' twice"),
        (lambda: editing.set_bloat(TRIO, Bloat(0, 1)), "1 to 200,000 characters"),
        (lambda: editing.set_bloat(TRIO, Bloat(200_001, 1)), "not 200,001"),
        (lambda: editing.set_bloat(TRIO, Bloat(5, -1)), "a seed is a whole number"),
        (lambda: editing.set_encoding(TRIO, Encoding(2**63)), "a seed is a whole number"),
        (lambda: editing.set_encoding(TRIO, Encoding(1, 1.5)), "twin share is from 0 to 1"),
        (lambda: editing.set_encoding(TRIO, Encoding(1, float("nan"))), "twin share"),
        (lambda: editing.set_title(TRIO, "a\nb"), "one line"),
        (lambda: editing.set_style(TRIO, "../x"), "name of a style"),
    ],
)
def test_what_is_refused_says_why(change: Change, reason: str) -> None:
    with pytest.raises(EditError, match=reason) as caught:
        change()
    assert isinstance(caught.value, UsageError)
