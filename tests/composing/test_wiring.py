"""Bindings: which fit, why others do not, and what an edit of any kind leaves behind."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaybench.composing import editing, wiring
from relaybench.composing.lint import lint
from relaybench.composing.solve import upstream
from relaybench.composing.style import standard_style
from relaybench.domain.errors import EditError
from relaybench.domain.graph import find_cycle
from relaybench.domain.problem import (
    Composite,
    Domain,
    Instance,
    InstanceRef,
    ProblemClass,
    Step,
)
from tests.composing.support import CLASSES, TRIO

#: Four classes whose instances all turn one of three values into another.
RING = {
    each.ref: each
    for each in (
        ProblemClass(
            f"ring{n}",
            Domain.MATH,
            "Ring",
            "What follows {{x}} and {{y}}?",
            "e",
            instances=tuple(
                Instance(f"from-{a}", {"x": a, "y": b}, b) for a, b in ("ab", "bc", "ca")
            ),
        )
        for n in range(4)
    )
}


def ring(number: int, start: str) -> InstanceRef:
    return InstanceRef("math", f"ring{number}", f"from-{start}")


def chain() -> Composite:
    composite = Composite("chain", "first", ())
    for number, start in enumerate("abc"):
        composite = editing.add_step(composite, ring(number, start), RING)
    composite = wiring.bind(composite, RING, "B", "x", "A")
    return wiring.bind(composite, RING, "C", "x", "B")


def test_a_binding_that_fits() -> None:
    bare = wiring.unbind(TRIO, "B", "number")
    assert bare.steps[0].inputs == {}
    assert wiring.bind(bare, CLASSES, "B", "number", "A") == TRIO


def test_a_loop_is_refused_and_printed() -> None:
    with pytest.raises(EditError, match="in a loop: A -> B -> C -> A"):
        wiring.bind(chain(), RING, "A", "x", "C")
    with pytest.raises(EditError, match="in a loop: A -> A"):
        wiring.bind(chain(), RING, "A", "x", "A")


def test_a_wrong_key_is_refused_with_both_values_and_the_way_out() -> None:
    composite = wiring.unbind(chain(), "C", "x")
    with pytest.raises(
        EditError, match=r"step A gives 'b', but .*ring2:from-c was made for x"
    ) as e:
        wiring.bind(composite, RING, "C", "x", "A")
    assert "= 'c'; swap step C to from-b, made for 'b'" in str(e.value)
    loud = editing.set_augment(composite, "A", ["upper"])
    with pytest.raises(EditError, match=r"gives 'B'.*; no instance of math/ring2 is made for 'B'"):
        wiring.bind(loud, RING, "C", "x", "A")


def test_an_instance_without_a_value_of_its_own_takes_none() -> None:
    bare = Instance("bare", {"x": "a"}, "q")
    problem = replace(RING["math/ring1"], instances=(*RING["math/ring1"].instances, bare))
    classes = {**RING, problem.ref: problem}
    composite = editing.add_step(chain(), ring(3, "a"), classes)
    composite = wiring.swap(composite, classes, "B", InstanceRef("math", "ring1", "bare"))
    with pytest.raises(EditError, match="has no y of its own, so nothing shows"):
        wiring.bind(composite, classes, "B", "y", "D")


@pytest.mark.parametrize(
    ("label", "slot", "source", "reason"),
    [
        ("B", "z", "A", "has no input 'z'; it has: x, y"),
        ("B", "x", "Q", "has no step 'Q'"),
        ("Q", "x", "A", "has no step 'Q'"),
    ],
)
def test_what_does_not_exist_is_refused(label: str, slot: str, source: str, reason: str) -> None:
    with pytest.raises(EditError, match=reason):
        wiring.bind(chain(), RING, label, slot, source)


def test_unknown_answers_feed_nothing() -> None:
    broken = replace(
        chain(), steps=(Step("A", InstanceRef("math", "gone", "i")), *chain().steps[1:])
    )
    with pytest.raises(EditError, match="the answer of step A is not known"):
        wiring.bind(broken, RING, "B", "x", "A")
    assert set(wiring.solved_alone(broken, RING)) == {"B", "C"}
    with pytest.raises(EditError, match="is not bound; bound: none of its inputs"):
        wiring.unbind(chain(), "A", "x")


def test_possible_sources_come_first_and_the_others_say_why_not() -> None:
    composite = editing.add_step(chain(), ring(3, "a"), RING)
    sources = wiring.possible_bindings(composite, RING, "B", "x")
    assert [(each.label, each.answer, bool(each.refusal)) for each in sources] == [
        ("A", "b", False),
        ("D", "b", False),
        ("C", "a", True),
    ]
    assert "in a loop: B -> C -> B" in sources[2].refusal
    with pytest.raises(EditError, match="has no input 'q'"):
        wiring.possible_bindings(composite, RING, "B", "q")


def test_a_swap_keeps_what_fits_and_tells_what_does_not() -> None:
    before = chain()
    same = wiring.swap(before, RING, "B", ring(3, "b"))
    assert wiring.lost_bindings(before, same) == ()
    after = wiring.swap(before, RING, "B", ring(1, "a"))
    assert wiring.lost_bindings(before, after) == ("B.x from A", "C.x from B")
    assert upstream(after) == {"A": (), "B": (), "C": ()}
    with pytest.raises(EditError, match="step A uses the class math/ring0"):
        wiring.swap(before, RING, "B", ring(0, "a"))


def test_a_removed_step_is_not_told_of_but_what_it_fed_is() -> None:
    before = chain()
    assert wiring.lost_bindings(before, editing.remove_step(before, "B")) == ("C.x from B",)


_LABELS = st.sampled_from(["A", "B", "C", "D", "X"])
_EDITS = st.one_of(
    st.tuples(st.just("add"), st.integers(0, 3), st.sampled_from("abc")),
    st.tuples(st.just("remove"), _LABELS, st.none()),
    st.tuples(st.just("relabel"), _LABELS, _LABELS),
    st.tuples(st.just("bind"), _LABELS, _LABELS),
    st.tuples(st.just("move"), _LABELS, st.integers(-2, 2)),
    st.tuples(st.just("swap"), _LABELS, st.integers(0, 3)),
    st.tuples(st.just("answer"), _LABELS, _LABELS),
)


def _edited(composite: Composite, name: str, one: object, other: object) -> Composite:
    match name, one, other:
        case "add", int(n), str(start):
            return editing.add_step(composite, ring(n, start), RING)
        case "remove", str(label), None:
            return editing.remove_step(composite, label)
        case "relabel", str(label), str(new):
            return editing.relabel(composite, label, new)
        case "bind", str(label), str(source):
            return wiring.bind(composite, RING, label, "x", source)
        case "move", str(label), int(by):
            return editing.move_step(composite, label, by)
        case "swap", str(label), int(n):
            return wiring.swap(composite, RING, label, ring(n, "b"))
        case "answer", str(label), str(more):
            return editing.set_answer(composite, [label, more])
    raise AssertionError((name, one, other))


@settings(max_examples=150, deadline=None)
@given(st.lists(_EDITS, max_size=20))
def test_whatever_edits_are_taken_no_key_goes_wrong(
    edits: list[tuple[str, object, object]],
) -> None:
    composite = Composite("any", "first", ())
    for edit in edits:
        with contextlib.suppress(EditError):
            composite = _edited(composite, *edit)
        labels = [step.label for step in composite.steps]
        assert len(set(labels)) == len(labels)
        assert find_cycle(upstream(composite)) is None
    codes = {fault.code for fault in lint(composite, RING, standard_style())}
    # What may be left is unfinished, not wrong: too few steps, a step that nothing needs, a key
    # that is too short not to stand in the prompt.
    assert codes <= {"step-count", "unused-step", "key-leak"}
