"""Graphs and slots: their laws."""

from __future__ import annotations

import itertools
from graphlib import CycleError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.domain.finding import dotted
from relaybench.domain.graph import dependency_order, find_cycle, unused_labels
from relaybench.domain.literal import literal, visible
from relaybench.domain.problem import InstanceRef
from relaybench.domain.slots import all_slots, fill, slots_in

LABELS = list("ABCDEFGH")


@st.composite
def acyclic(draw: st.DrawFn) -> tuple[list[str], dict[str, list[str]]]:
    """Labels in listed order, and who takes input from whom, without a loop."""
    order = draw(st.permutations(LABELS))
    upstream = {
        label: draw(st.lists(st.sampled_from(order[:at] or ["X"]), max_size=3))
        for at, label in enumerate(order)
    }
    return draw(st.permutations(LABELS)), upstream


@given(acyclic())
def test_the_order_is_topological_and_stable(graph: tuple[list[str], dict[str, list[str]]]) -> None:
    labels, upstream = graph
    order = dependency_order(labels, upstream)
    assert sorted(order) == sorted(labels)
    place = {label: at for at, label in enumerate(order)}
    needs = {label: {up for up in upstream[label] if up in place} for label in labels}
    assert all(place[up] < place[label] for label in labels for up in needs[label])
    for at, label in enumerate(order):  # the first in listed order that was ready
        done = set(order[:at])
        ready = [each for each in labels if each not in done and needs[each] <= done]
        assert label == ready[0]
    assert find_cycle(upstream) is None


@given(st.dictionaries(st.sampled_from(LABELS), st.lists(st.sampled_from(LABELS), max_size=2)))
def test_a_loop_is_found_exactly_where_there_is_no_order(upstream: dict[str, list[str]]) -> None:
    loop = find_cycle(upstream)
    if loop is None:
        assert set(dependency_order(LABELS, upstream)) == set(LABELS)
        return
    assert loop[0] == loop[-1]
    assert all(a in upstream[b] for a, b in itertools.pairwise(loop))
    with pytest.raises(CycleError):
        dependency_order(LABELS, upstream)


def test_a_loop_of_one_and_unknown_labels() -> None:
    assert find_cycle({"A": ["A"]}) == ("A", "A")
    assert find_cycle({"A": ["Z"]}) is None
    assert dependency_order(["B", "A"], {"B": ["Z"]}) == ("B", "A")


@given(acyclic(), st.lists(st.sampled_from(LABELS), min_size=1, max_size=3))
def test_unused_labels_are_those_not_reached(
    graph: tuple[list[str], dict[str, list[str]]], answer: list[str]
) -> None:
    labels, upstream = graph
    unused = unused_labels(labels, upstream, answer)
    used = set(labels) - set(unused)
    assert set(answer) <= used
    assert all(set(upstream[label]) & set(labels) <= used for label in used)
    assert list(unused) == [label for label in labels if label in set(unused)]
    assert all(any(label in upstream[u] for u in used) for label in used - set(answer))


ODD = st.text("{}n$%\\<>& {{n}}", max_size=20)


@given(ODD, ODD, ODD)
def test_filled_text_is_never_scanned_again(before: str, value: str, after: str) -> None:
    template = f"{before.replace('{', '(')}{{{{n}}}}{after.replace('}', ')')}"
    filled = fill(template, {"n": value, "m": "NO"})
    tail = after.replace("}", ")")
    assert filled == f"{before.replace('{', '(')}{value}{tail}"


@given(st.text("{}$%\\ab<>[]_&", max_size=30))
def test_without_declared_slots_everything_is_literal(text: str) -> None:
    assert fill(text, {}) == text
    assert fill(text, {"undeclared": "x"}) == text
    assert slots_in(text, []) == ()


def test_slots() -> None:
    template = "{{b}} {{a}} {{b}} {{ c }} {{9}} {{d-e}} {{{f}}} {g} \\{{h}}"
    assert all_slots(template) == ("b", "a", "f", "h")
    assert slots_in(template, {"a", "b", "z"}) == ("b", "a")
    assert fill("{{a}}{{b}}", {"a": "{{b}}", "b": "{{a}}"}) == "{{b}}{{a}}"
    assert fill("{{{a}}} \\1 \\g<0>", {"a": "\\1$&"}) == "{\\1$&} \\1 \\g<0>"


def test_small_values() -> None:
    assert dotted(("steps", 2, "inputs", "upper")) == "steps[2].inputs.upper"
    assert dotted(()) == ""
    ref = InstanceRef.parse("math/power:two")
    assert ref == InstanceRef("math", "power", "two")
    assert str(ref) == "math/power:two"
    assert InstanceRef.parse("math/power:two\n") is None
    assert literal("a\x1b[31m\t\n\r\u202e\ud800é") == "a\\x1b[31m\t\n\\r\\u202e\\ud800é"
    assert visible("a\tb\nc") == "a\\tb\\nc"
