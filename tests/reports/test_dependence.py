"""Shared classes: the wider interval, effective groups, and what cannot be said."""

from __future__ import annotations

import math

import pytest

from relaybench.reports.dependence import dependence, few_groups_notes, shares_classes
from relaybench.reports.tables import Missing, not_enough
from relaybench.store.grid import OutcomeGrid
from tests.reports.compared import check_golden, nasty, rows_of
from tests.reports.examined import a_config, a_grid, a_step, an_item, column

T3, T1 = 3.1824463052843, 12.706204736175  # Student's quantiles, from a printed table


def grid(classes: list[str], outcomes: str) -> OutcomeGrid:
    """Items by the letters of their classes, each tried once."""
    items = [
        an_item(f"i{n}", steps=[a_step(letter, f"math/{letter}:1") for letter in letters])
        for n, letters in enumerate(classes)
    ]
    return a_grid(
        items, [a_config("m")],
        {item.digest: [each] for item, each in zip(items, outcomes, strict=True)},
    )  # fmt: skip


def test_two_groups_by_hand() -> None:
    """Two classes of two items, both right and both wrong: Ge = 4²/8 = 2, e = ±1/2."""
    found = dependence(grid(["x", "x", "y", "y"], "++--"))
    iid = T3 * math.sqrt(1 / 3 / 4)
    kernel = T1 * math.sqrt(2 / 1 * 2) / 4
    keys = ("items", "classes", "pass_at_1", "allowing", "effective_groups", "few")
    assert rows_of(found, *keys) == [(4, 2, 0.5, 0.5, pytest.approx(2.0), True)]
    assert iid > 0.5 < kernel
    assert rows_of(found, "independent_low", "allowing_high") == [(0.0, 1.0)]


def test_many_independent_items_are_the_plain_interval() -> None:
    """Nothing shared: Ge = n = 12, the same standard error on as many degrees of freedom."""
    found = dependence(grid([chr(97 + n) for n in range(12)], "++++++------"))
    (row,) = rows_of(
        found, "independent_low", "allowing_low", "effective_groups", "few", "allowing_high"
    )
    half = 2.2009851600921 * math.sqrt(0.25 * 12 / 11 / 12)
    assert row[0] == pytest.approx(0.5 - half)
    assert row[1] == pytest.approx(0.5 - half)
    assert row[2:4] == (pytest.approx(12.0), False)
    assert any("No two of these items" in note for note in found.notes)


def test_shared_classes_widen_the_interval() -> None:
    """The first six items share one class, and were solved together."""
    classes = ["x"] * 6 + [chr(97 + n) for n in range(12)]
    found = dependence(grid(classes, "++++++" + "-" * 12))
    (row,) = rows_of(found, "independent_high", "allowing_high", "effective_groups")
    assert isinstance(row[0], float)
    assert isinstance(row[1], float)
    assert row[0] < row[1]
    assert row[2] == pytest.approx(18**2 / (36 + 12))
    assert shares_classes(grid(classes, "+" * 18))
    assert not shares_classes(grid(["a", "b"], "++"))


def test_what_cannot_be_said() -> None:
    one_group = dependence(grid(["x", "x", "x"], "+-+"))
    assert one_group.value(0, "allowing") == Missing("fewer than 2 independent groups")
    assert one_group.value(0, "few") is True
    for outcomes, n in (("+", 1), ("e", 0)):
        found = dependence(grid(["x"], outcomes))
        for key in ("pass_at_1", "allowing", "allowing_low", "effective_groups", "few"):
            assert found.value(0, key) == not_enough(n)


ALL_EQUAL = Missing("all scores are equal")


@pytest.mark.parametrize("outcomes", ["++", "--"])
def test_equal_scores_are_no_certainty(outcomes: str) -> None:
    """Student's t would say 100.0% [100.0, 100.0] of two items."""
    found = dependence(grid(["x", "y"], outcomes))
    keys = ("independent_low", "independent_high", "allowing", "allowing_low", "allowing_high")
    assert rows_of(found, *keys) == [(ALL_EQUAL,) * 5]
    assert rows_of(found, "pass_at_1", "effective_groups") == [(float(outcomes == "++"), 2)]
    assert any(note.startswith("Where all scores are equal") for note in found.notes)
    spread = dependence(grid(["x", "y"], "+-"))
    assert not any(note.startswith("Where all scores are equal") for note in spread.notes)


def test_few_groups_are_told_by_the_rule_that_marks_them() -> None:
    few = dependence(grid(["x"] * 10 + ["y"] * 10, "+" * 20))
    (note,) = few_groups_notes(few)
    assert "The 20 items share classes" in note
    assert "about 2.00 independent groups" in note
    nearly = dependence(grid([letter * 2 for letter in "abcdefghi"], "+" * 9))
    assert "about 9.00 independent groups" in few_groups_notes(nearly)[0]
    enough = dependence(grid([letter * 2 for letter in "abcdefghij"], "+" * 10))
    assert enough.value(0, "effective_groups") == pytest.approx(10)
    assert enough.value(0, "few") is False
    assert few_groups_notes(enough) == []


def test_models_with_few_groups_are_named_where_not_all_have_few() -> None:
    items = [an_item(f"i{n}", steps=[a_step("A", f"math/c{n // 2}:1")]) for n in range(24)]
    outcomes = {item.digest: ["+", "+" if n < 6 else "e"] for n, item in enumerate(items)}
    table = dependence(a_grid(items, [a_config("whole"), a_config("part")], outcomes))
    (note,) = few_groups_notes(table)
    assert "few independent groups (part: 6 as 3.00)" in note
    assert "whole" not in note


def test_golden() -> None:
    check_golden(dependence(nasty()), "nasty-dependence")


def test_disputed_items_are_left_out() -> None:
    grid = nasty()
    assert len(grid.items) == 6
    assert column(dependence(grid), "items")[0] == 5
