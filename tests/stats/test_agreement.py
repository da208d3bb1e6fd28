"""Agreement of wrong answers."""

from __future__ import annotations

import pytest

from relaybench.stats.agreement import Agreement, agreement


@pytest.mark.parametrize(
    ("givers", "wanted", "suspect"),
    [
        (["ab", "c"], Agreement(2, 2, 3, 2 / 3), True),
        (["ab", "c", "d"], Agreement(3, 2, 4, 0.5), True),
        (["ab", "c", "d", "e"], Agreement(4, 2, 5, 0.4), False),
        (["a"], Agreement(1, 1, 1, 1), False),  # one model cannot agree
        (["a", "b"], Agreement(2, 1, 2, 0.5), False),
        (["abcd"], Agreement(1, 4, 4, 1), True),
    ],
)
def test_who_agrees(givers: list[str], wanted: Agreement, suspect: bool) -> None:
    """At least two, and at least half of those that were wrong."""
    found = agreement([dict.fromkeys(names, 1) for names in givers])
    assert found == wanted
    assert found.suspect is suspect


def test_repeats_of_one_model_are_no_agreement() -> None:
    """Nor is one that gave two wrong answers two models."""
    found = agreement([{"a": 5}, {"a": 1, "b": 1}, {"c": 0}])
    assert found == Agreement(2, 2, 2, 1)
    alone = agreement([{"a": 5}, {"b": 1}])
    assert alone == Agreement(2, 1, 2, 0.5)


def test_nobody_was_wrong() -> None:
    """Missing."""
    assert agreement([]) is None
    assert agreement([{}, {"a": 0}]) is None
    with pytest.raises(ValueError, match="-1 times"):
        agreement([{"a": -1}])
