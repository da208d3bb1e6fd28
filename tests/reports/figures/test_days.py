"""Marks of days: beside their dates, in the order of days, however close together they are."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.reports.figures.drawing.days import REACH, columns, in_columns
from relaybench.reports.figures.drawing.scales import Scale

FIRST = date(2026, 1, 5)


@given(
    st.dictionaries(st.integers(0, 400), st.integers(1, 20), min_size=2, max_size=12),
    st.floats(1.0, 6.0),
)
def test_marks_stay_by_their_day_and_days_in_order(counts: dict[int, int], room: float) -> None:
    days = {FIRST + timedelta(day): count for day, count in counts.items()}
    low, high = min(days).toordinal(), max(days).toordinal()
    across = Scale(low, high, 0.5, 0.5 + room)
    found = columns(days, across)
    for day, places in found.by_day.items():
        assert 1 <= len(places) <= days[day]
        assert all(abs(x - across(day.toordinal())) <= REACH for x in places)
    for (_, before), (_, after) in pairwise(sorted(found.by_day.items())):
        assert max(before) <= min(after) + 1e-9


def test_days_far_apart_have_a_column_for_each_model_around_the_date() -> None:
    days = {FIRST: 3, FIRST + timedelta(200): 3}
    found = columns(days, Scale(FIRST.toordinal(), FIRST.toordinal() + 200, 1.0, 5.0))
    assert found.by_day[FIRST] == pytest.approx((0.9, 1.0, 1.1))
    assert not found.shifted


def test_neighbouring_days_of_a_long_axis_are_told_with_their_dates() -> None:
    days = {FIRST: 3, FIRST + timedelta(1): 3, FIRST + timedelta(200): 3}
    found = columns(days, Scale(FIRST.toordinal(), FIRST.toordinal() + 200, 1.0, 5.0))
    assert found.shifted == {FIRST, FIRST + timedelta(1)}
    assert len(found.by_day[FIRST + timedelta(200)]) == 3  # it has room


def test_marks_of_one_height_have_columns_of_their_own() -> None:
    assert in_columns([1.0, 1.0, 2.0], [0.1, 0.2], 0.05) == [0.1, 0.2, 0.1]
