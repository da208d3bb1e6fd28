"""Labels beside points: never on one another, on marks, or out of the plot."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from relaybench.reports.figures.drawing.placement import Rect, place

ROOM = Rect(0.0, 0.0, 6.0, 3.0)


@given(
    st.lists(st.tuples(st.floats(0.1, 5.9), st.floats(0.1, 2.9)), min_size=1, max_size=12),
    st.floats(0.1, 2.0),
)
def test_labels_overlap_nothing(points: list[tuple[float, float]], wide: float) -> None:
    sizes = [(wide, 0.12)] * len(points)
    placed = place(points, sizes, ROOM, [Rect(2, 1, 3, 1.2)], radius=0.05)
    if placed is None:
        assert len(points) > 1 or wide > 1
        return
    assert all(rect.within(ROOM) for rect in placed)
    assert not any(a.overlaps(b) for a, b in combinations(placed, 2))
    for x, y in points:
        mark = Rect(x - 0.05, y - 0.05, x + 0.05, y + 0.05)
        assert not any(rect.overlaps(mark) for rect in placed)
    assert not any(rect.overlaps(Rect(2, 1, 3, 1.2)) for rect in placed)
    assert placed == place(points, sizes, ROOM, [Rect(2, 1, 3, 1.2)], radius=0.05)


def test_a_lone_label_stands_right_of_its_point_or_left_at_the_edge() -> None:
    (rect,) = place([(1.0, 1.0)], [(1.0, 0.1)], ROOM, []) or [ROOM]
    assert 1.05 <= rect.left < 1.1
    (rect,) = place([(5.8, 1.0)], [(1.0, 0.1)], ROOM, []) or [ROOM]
    assert 5.7 < rect.right <= 5.75


def test_too_many_labels_for_the_room_are_told() -> None:
    points = [(3.0, 1.5)] * 12
    assert place(points, [(5.0, 0.4)] * 12, ROOM, []) is None
