"""The layered layout: what holds for every graph, and a few whose best layout is known."""

from __future__ import annotations

from graphlib import CycleError
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.domain.layers import LANE, Layers, layered, spread

LABELS = "ABCDEFGHIJKLM"


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[str], list[tuple[str, str]]]:
    """Up to 13 labels and arrows from earlier to later ones."""
    labels = list(LABELS[: draw(st.integers(1, 13))])
    pairs = [(a, b) for i, a in enumerate(labels) for b in labels[i + 1 :]]
    arrows = draw(st.lists(st.sampled_from(pairs), max_size=20)) if pairs else []
    return draw(st.permutations(labels)), arrows


def _rows(layout: Layers) -> dict[str, int]:
    return {
        slot.label: number
        for number, row in enumerate(layout.rows)
        for slot in row
        if not slot.passing
    }


@given(graphs(), st.one_of(st.none(), st.integers(1, 4)))
def test_every_box_has_a_place_of_its_own_below_what_feeds_it(
    graph: tuple[list[str], list[tuple[str, str]]], widest: int | None
) -> None:
    labels, arrows = graph
    layout = layered(labels, arrows, widest)
    rows = _rows(layout)
    assert sorted(rows) == sorted(labels)
    assert all(rows[source] < rows[target] for source, target in arrows)
    assert {(each.source, each.target) for each in layout.arrows} == set(arrows)
    for row in layout.rows:
        sizes = [LANE if slot.passing else 1.0 for slot in row]
        assert widest is None or sum(not slot.passing for slot in row) <= widest
        assert row[0].x - sizes[0] / 2 >= -1e-9
        assert row[-1].x + sizes[-1] / 2 <= layout.width + 1e-9
        for (left, a), (right, b) in pairwise(zip(row, sizes, strict=True)):
            assert right.x - left.x >= (a + b) / 2 - 1e-9
    for arrow in layout.arrows:
        assert len(arrow.lanes) == rows[arrow.target] - rows[arrow.source] - 1
    assert layout == layered(labels, arrows, widest)


@given(graphs())
def test_without_a_limit_each_box_stands_right_below_its_last_input(
    graph: tuple[list[str], list[tuple[str, str]]],
) -> None:
    labels, arrows = graph
    rows = _rows(layered(labels, arrows))
    for label in labels:
        feeding = [rows[source] for source, target in arrows if target == label]
        assert rows[label] == max(feeding, default=-1) + 1


def test_crossings_that_can_be_avoided_are() -> None:
    layout = layered("ABCDEF", [("A", "F"), ("B", "E"), ("C", "D")])
    assert layout.crossings == 0
    assert [slot.label for slot in layout.rows[1]] == ["F", "E", "D"] or [
        slot.label for slot in layout.rows[0]
    ] == ["C", "B", "A"]
    # K(2,2) cannot be drawn without one.
    assert layered("ABCD", [("A", "C"), ("A", "D"), ("B", "C"), ("B", "D")]).crossings == 1


def test_a_chain_is_a_straight_line() -> None:
    layout = layered("ABC", [("A", "B"), ("B", "C")])
    assert [[slot.x for slot in row] for row in layout.rows] == [[0.5], [0.5], [0.5]]


def test_a_long_arrow_passes_beside_what_lies_between() -> None:
    layout = layered("ABC", [("A", "B"), ("B", "C"), ("A", "C")])
    (arrow,) = [each for each in layout.arrows if each.target == "C" and each.source == "A"]
    box = next(slot for slot in layout.rows[1] if not slot.passing)
    assert abs(arrow.lanes[0] - box.x) >= (1 + LANE) / 2 - 1e-9
    assert layout.width == 1 + LANE


def test_a_loop_is_refused_and_unknown_labels_are_ignored() -> None:
    with pytest.raises(CycleError):
        layered("AB", [("A", "B"), ("B", "A")])
    assert layered("A", [("A", "Z"), ("Z", "A")]).arrows == ()
    with pytest.raises(ValueError, match="at least one"):
        layered("A", [], 0)
    assert layered("", []).rows == ()


@given(
    st.lists(st.tuples(st.floats(0, 10), st.floats(0.1, 1)), min_size=1, max_size=8),
)
def test_spread_keeps_order_distance_and_room(wishes: list[tuple[float, float]]) -> None:
    wanted, sizes = [w for w, _ in wishes], [s for _, s in wishes]
    found = spread(wanted, sizes, 10.0, [1.0] * len(wanted))
    for (a, left), (b, right) in pairwise(zip(found, sizes, strict=True)):
        assert b - a >= (left + right) / 2 - 1e-9
    assert found[0] >= sizes[0] / 2 - 1e-9
    assert found[-1] <= 10 - sizes[-1] / 2 + 1e-9


def test_spread_moves_nothing_that_has_room() -> None:
    assert spread([1.0, 3.0], [1.0, 1.0], 10.0, [1.0, 1.0]) == [1.0, 3.0]
    assert spread([2.0, 2.0], [1.0, 1.0], 10.0, [1.0, 1.0]) == [1.5, 2.5]
