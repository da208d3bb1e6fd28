"""Holm's correction: by hand, and its laws."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.stats.multiplicity import holm

FAMILY = st.lists(st.none() | st.floats(0, 1), max_size=12)


def test_by_hand() -> None:
    """0.01 x 4; 0.02 x 3; 0.03 x 2 is held at 0.06; 0.9 x 1."""
    assert holm([0.9, 0.01, 0.03, 0.02]) == pytest.approx([0.9, 0.04, 0.06, 0.06])
    assert holm([0.04, 0.03]) == pytest.approx([0.06, 0.06])  # 0.04 x 1 would be below
    assert holm([0.6, 0.7]) == [1, 1]
    assert holm([]) == []


def test_no_test_is_no_member() -> None:
    """It neither counts nor gets a value."""
    assert holm([None, 0.01, None, 0.02]) == [None, 0.02, None, 0.02]
    assert holm([None]) == [None]


@given(FAMILY, st.randoms())
def test_laws(family: list[float | None], random: object) -> None:
    """Between p and m p, in the same order, and moved about as its p is."""
    found = holm(family)
    known = [(p, q) for p, q in zip(family, found, strict=True) if p is not None and q is not None]
    assert len(known) == sum(p is not None for p in family)
    for p, q in known:
        assert p <= q <= min(1, len(known) * p)
    assert [q for _, q in sorted(known)] == sorted(q for _, q in known)
    places = list(range(len(family)))
    random.shuffle(places)  # type: ignore[attr-defined]
    assert holm([family[place] for place in places]) == [found[place] for place in places]


@pytest.mark.parametrize("p", [-0.1, 1.1, float("nan")])
def test_no_such_p(p: float) -> None:
    """Refused in words."""
    with pytest.raises(ValueError, match="a p-value must be"):
        holm([0.5, p])
