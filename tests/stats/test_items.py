"""Item analysis: hand-made grids, and a grid of a study's size."""

from __future__ import annotations

import math
import random as rng
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.stats.items import ItemStatistic, item_statistics

SCORES = st.sampled_from([0.0, 0.25, 0.5, 1.0])
GRIDS = st.dictionaries(
    st.sampled_from("stuvwxyz"),
    st.dictionaries(st.sampled_from("abcdef"), SCORES, max_size=6),
    max_size=8,
)


def _ladder(**items: list[float]) -> dict[str, dict[str, float]]:
    """Scores of five models, a to e from weak to strong, on three items that say so."""
    rungs = {"r1": [0.0, 1, 1, 1, 1], "r2": [0.0, 0, 1, 1, 1], "r3": [0.0, 0, 0, 1, 1]}
    return {item: dict(zip("abcde", row, strict=False)) for item, row in {**rungs, **items}.items()}


def test_an_item_that_tells_the_wrong_way_round() -> None:
    """Weak ones solve it, strong ones don't: inverted; the rungs of the ladder are not."""
    found = item_statistics(_ladder(odd=[1, 1, 0, 0, 0]))
    assert found["odd"].discrimination is not None
    assert found["odd"].discrimination < -0.8
    assert found["odd"].inverted
    assert [found[name].inverted for name in ("r1", "r2", "r3")] == [False] * 3
    assert (found["odd"].configs, found["odd"].mean) == (5, 0.4)


def test_discrimination_by_hand() -> None:
    """Two other items give abilities 0, 0, 1/2, 1; scores 0, 0, 0, 1: r = 0.870388…"""
    grid = {"x": [0.0, 0, 0, 1], "y": [0.0, 0, 1, 1], "z": [0.0, 0, 0, 1]}
    found = item_statistics(
        {item: dict(zip("abcd", row, strict=True)) for item, row in grid.items()}
    )
    wanted = (1 - 4 * 0.25 * 0.375) / math.sqrt(0.75) / math.sqrt(1.25 - 4 * 0.375**2)
    assert found["x"].discrimination == pytest.approx(wanted)
    assert found["x"] == ItemStatistic(
        "x", 4, 0.25, found["x"].discrimination, inverted=False, none=False, all=False
    )


def test_the_item_itself_is_no_part_of_ability() -> None:
    """With it, every item would seem to discriminate."""
    found = item_statistics(
        {"x": {"a": 0.0, "b": 0, "c": 1, "d": 1}, "y": dict.fromkeys("abcd", 0.5)}
    )
    assert found["x"].discrimination is None


def test_none_and_all() -> None:
    """No point at all, or every one; neither discriminates."""
    found = item_statistics(_ladder(hard=[0.0] * 5, easy=[1.0] * 5, part=[0.5] * 5))
    assert [(found[name].none, found[name].all) for name in ("hard", "easy", "part")] == [
        (True, False),
        (False, True),
        (False, False),
    ]
    assert all(found[name].discrimination is None for name in ("hard", "easy", "part"))


def test_fewer_than_four_configs() -> None:
    """No correlation and no verdict, though means stand."""
    found = item_statistics(_ladder(few=[1, 0, 0]))
    assert (found["few"].configs, found["few"].discrimination) == (3, None)
    assert not found["few"].inverted
    lone = item_statistics({"x": dict.fromkeys("abcd", 1.0) | {"e": 0.0}})
    assert lone["x"].discrimination is None  # nobody has another item


def test_no_correlation_is_not_a_negative_one() -> None:
    """Whatever way the last bit of a sum falls."""
    others = dict(zip("abcd", [2 / 3, 0.2, 2 / 3, 0.2], strict=True))  # comes out as -1.8e-16
    found = item_statistics({"x": {"a": 1.0, "b": 1, "c": 0, "d": 0}, "y": others})
    assert found["x"].discrimination == 0
    assert not found["x"].inverted


def test_inverted_needs_solvers_and_others() -> None:
    """A falling share of points that nobody brings to one half is no inversion."""
    found = item_statistics(_ladder(part=[0.4, 0.3, 0.2, 0.1, 0.0]))["part"]
    assert found.discrimination is not None
    assert found.discrimination < 0
    assert not found.inverted


def test_inverted_needs_a_negative_correlation() -> None:
    """Solvers of lower mean ability alone, one strong and two weak of them, are not enough."""
    own = {"a": 1.0, "b": 0.5, "c": 0.5, "d": 0.49}
    found = item_statistics({"x": own, "y": {"a": 1.0, "b": 0, "c": 0, "d": 0.5}})["x"]
    assert found.discrimination is not None
    assert found.discrimination > 0
    assert not found.inverted


@given(GRIDS)
def test_laws(grid: dict[str, dict[str, float]]) -> None:
    """In range, one for each item with a score, and order is nothing."""
    found = item_statistics(grid)
    turned = {item: dict(reversed(row.items())) for item, row in reversed(grid.items())}
    assert found == item_statistics(turned)
    assert found.keys() == {item for item, row in grid.items() if row}
    for statistic in found.values():
        assert 0 <= statistic.mean <= 1
        assert not (statistic.none and statistic.all)
        if statistic.discrimination is None:
            assert not statistic.inverted
        else:
            assert -1 <= statistic.discrimination <= 1
            assert statistic.configs >= 4


def test_a_large_grid() -> None:
    """1,000 items x 20 models in much less than a second; discrimination as it was made."""
    random = rng.Random(1)
    grid = {
        f"i{item}": {f"c{c}": float(random.random() < (c + 1) / 21) for c in range(20)}
        for item in range(999)
    }
    grid["odd"] = {f"c{c}": float(c < 10) for c in range(20)}
    start = time.perf_counter()
    found = item_statistics(grid)
    assert time.perf_counter() - start < 1
    assert found["odd"].inverted
    assert sum(one.inverted for one in found.values()) < 50


@pytest.mark.parametrize("score", [-0.1, 1.1, math.nan])
def test_impossible_scores(score: float) -> None:
    """Refused in words."""
    with pytest.raises(ValueError, match="a score must be"):
        item_statistics({"x": {"a": score}})
