"""Which composite is drawn, and where its wiring comes from."""

from __future__ import annotations

from dataclasses import replace

import pytest

from relaybench.domain.errors import UnknownNameError, UsageError
from relaybench.domain.item import ItemKind
from relaybench.domain.problem import Composite, InstanceRef, Step
from relaybench.reports.figures.figure import GraphInput
from relaybench.reports.figures.graph_data import choose_item, graph_data
from relaybench.reports.figures.series_captions import graph_words
from relaybench.store.grid import GridItem, GridStep

A = GridStep("A", "math/sums:one", "math", True, (), ())
B = GridStep("B", "coding/roman:two", "coding", True, (("number", "A"),), ("reverse",))
WIRED = GridItem(
    "d1", "s", "c", ItemKind.COMPOSITE, "p", "q", (A, B), ("math", "coding"), False, 0, 9, 9
)
#: As it was stored before the wiring was kept.
BARE = replace(WIRED, steps=(A, replace(B, inputs=(), augment=())))
COMPOSITE = Composite(
    "c",
    "s",
    (
        Step("A", InstanceRef("math", "sums", "one")),
        Step("B", InstanceRef("coding", "roman", "two"), {"number": "A"}, ("reverse",)),
    ),
)
IMPORTED = replace(WIRED, kind=ItemKind.IMPORTED, steps=(), name="i")
SINGLE = replace(WIRED, kind=ItemKind.SINGLE, steps=(A,), name="single")


def test_the_wiring_kept_with_the_item_is_drawn() -> None:
    data = graph_data(WIRED)
    assert data.inputs == (GraphInput("A", "B", "number"),)
    assert [(s.label, s.class_name, s.domain, s.augment) for s in data.steps] == [
        ("A", "sums", "math", ()),
        ("B", "roman", "coding", ("reverse",)),
    ]
    words = graph_words(data)
    assert "A feeds number of B" in words.alt
    assert "The final answer joins A, B." in words.meaning


def test_wiring_that_was_not_kept_is_taken_from_the_very_same_composite_only() -> None:
    assert graph_data(BARE, COMPOSITE) == graph_data(WIRED)
    other = replace(COMPOSITE, steps=COMPOSITE.steps[::-1])
    with pytest.raises(UsageError, match="has other steps now; put its old file back"):
        graph_data(BARE, other)
    with pytest.raises(UsageError, match="before the wiring of steps was kept"):
        graph_data(BARE)
    # What was frozen counts, whatever stands in the file today.
    assert graph_data(WIRED, other) == graph_data(WIRED)


def test_the_first_item_that_can_be_drawn_is_chosen() -> None:
    second = replace(WIRED, name="z")
    assert choose_item([IMPORTED, SINGLE, WIRED, second], {}, None) is WIRED
    assert choose_item([WIRED, second], {}, "s/z") is second
    assert choose_item([BARE], {"s/c": COMPOSITE}, None) is BARE
    with pytest.raises(UsageError, match="imported, so its steps are not known"):
        choose_item([IMPORTED], {}, None)
    with pytest.raises(UsageError, match="single subproblem"):
        graph_data(choose_item([SINGLE], {}, "s/single"))
    with pytest.raises(UnknownNameError, match="there are: s/c, s/z"):
        choose_item([WIRED, second], {}, "s/none")


def test_of_several_forms_the_one_with_the_most_around_it_is_drawn() -> None:
    bloated = replace(WIRED, digest="d2", bloat_characters=7813)
    encoded = replace(WIRED, digest="d3", bloat_characters=7813, encoded=True)
    chosen = choose_item([WIRED, encoded, bloated], {}, None)
    assert chosen is encoded
    assert any("7,813 characters" in each for each in graph_words(graph_data(chosen)).meaning)
