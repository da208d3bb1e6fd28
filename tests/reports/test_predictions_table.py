"""Predicted and measured rates of composites, on either basis."""

from __future__ import annotations

import math

import pytest

from relaybench.reports.predictions_table import predictions_table
from relaybench.reports.tables import Missing, Table, Value, not_enough
from relaybench.stats.paired import paired
from relaybench.store.grid import GridItem
from tests.reports.examined import (
    a_composite,
    a_config,
    a_grid,
    a_single,
    a_step,
    column,
    tally,
)

M, N = a_config("m"), a_config("n")
X, Y, Z = "math/x:1", "math/y:1", "math/z:1"
XY = a_composite("xy", a_step("A", X), a_step("B", Y, fed_by="A"))
XZ = a_composite("xz", a_step("A", X), a_step("B", Z, in_answer=False))


def row(table: Table, number: int, *keys: str) -> tuple[Value, ...]:
    return tuple(table.value(number, key) for key in keys)


def test_from_subproblems_asked_alone() -> None:
    grid = a_grid(
        [XY, XZ, a_single(X), a_single(Y), a_single(Z)],
        [M],
        {
            "xy": ["+-"],  # 1/2 measured, 3/4 x 1/2 predicted
            "xz": ["u-"],  # 0 measured, 3/4 x 1 predicted
            X: ["+++u"],
            Y: ["+-"],
            Z: ["++e"],
        },
    )
    table = predictions_table(grid, [])
    assert row(table, 0, "model", "basis", "n", "left_out") == ("m", "asked alone", 2, 0)
    assert row(table, 0, "predicted", "measured") == ((3 / 8 + 3 / 4) / 2, 1 / 4)
    # Differences +1/8 and -3/4: mean -5/16, sd 7/8/sqrt 2, se 7/16, t(1) = 12.7062.
    assert table.value(0, "difference") == -5 / 16
    found = paired([1 / 2, 0], [3 / 8, 3 / 4])
    assert found is not None
    assert math.isclose(found.hi, -5 / 16 + 12.706204736 * 7 / 16)
    # The t interval would reach beyond what a difference of shares can be.
    assert row(table, 0, "difference_low", "difference_high") == (-1.0, 1.0)


def test_attributed_on_the_very_answers_whose_parts_are_clear() -> None:
    more = a_composite("more", a_step("A", "math/x:2"), a_step("B", "math/y:2"))
    grid = a_grid([XY, more], [M], {"xy": ["++-u"], "more": ["--"]})
    tallies = [
        tally("xy", M, "A", 2, 0, 1),
        tally("xy", M, "B", 2, 0, 1),
        tally("more", M, "A", 1, 1),
        tally("more", M, "B", 0, 2),
    ]
    table = predictions_table(grid, tallies)
    # x: mean of 2/2 and 1/2; y: mean of 2/2 and 0/2. Measured: 2 of 2 clear ones, 0 of 2.
    assert row(table, 0, "basis", "n", "predicted", "measured", "difference") == (
        "attributed", 2, 3 / 8, 1 / 2, 1 / 8,
    )  # fmt: skip
    found = paired([1, 0], [3 / 8, 3 / 8])
    assert found is not None
    assert table.value(0, "difference_low") == max(found.lo, -1)
    assert any("only tests whether steps fail independently" in note for note in table.notes)
    assert not any("Asked alone" in note for note in table.notes)


@pytest.mark.parametrize("turned", [False, True])
def test_an_answer_is_as_clear_as_its_least_clear_part(turned: bool) -> None:
    """Of four answers that tell A two tell B as well, one of them is right; whatever the order."""
    grid = a_grid([XY], [M], {"xy": ["+---"]})
    tallies = [tally("xy", M, "A", 3, 1), tally("xy", M, "B", 1, 1, 2)]
    table = predictions_table(grid, tallies[::-1] if turned else tallies)
    assert row(table, 0, "predicted", "measured", "left_out") == (3 / 4 * 1 / 2, 1 / 2, 0)


@pytest.mark.parametrize("turned", [False, True])
def test_a_part_that_is_never_clear_leaves_the_composite_out(turned: bool) -> None:
    """Though its class is known from another one, and its other part is clear."""
    more = a_composite("more", a_step("A", X), a_step("B", Y))
    grid = a_grid([XY, more], [M], {"xy": ["--"], "more": ["++"]})
    tallies = [
        tally("xy", M, "A", 1, 1),
        tally("xy", M, "B", 0, 0, 2),
        tally("more", M, "A", 2),
        tally("more", M, "B", 2),
    ]
    table = predictions_table(grid, tallies[::-1] if turned else tallies)
    assert row(table, 0, "n", "predicted", "measured", "left_out") == (1, 3 / 4, 1, 1)


def test_a_class_that_is_nowhere_clear_has_no_rate() -> None:
    """Neither for the composite that shows it nor for one that hides it."""
    hidden = a_composite("hidden", a_step("A", X), a_step("B", Y, in_answer=False))
    grid = a_grid([XY, hidden], [M], {"xy": ["--"], "hidden": ["++"]})
    tallies = [
        tally("xy", M, "A", 1, 1),
        tally("xy", M, "B", 0, 0, 2),
        tally("hidden", M, "A", 2),
    ]
    table = predictions_table(grid, tallies)
    assert row(table, 0, "n", "predicted", "left_out") == (0, not_enough(0), 2)


def test_the_bases_are_never_mixed_in_one_product() -> None:
    grid = a_grid(
        [XY, XZ, a_single(X), a_single(Z)],
        [M],
        {"xy": ["++"], "xz": ["+-"], X: ["+"], Z: ["+"]},
    )
    tallies = [tally("xy", M, "A", 2), tally("xy", M, "B", 1, 1), tally("xz", M, "A", 1, 1)]
    table = predictions_table(grid, tallies)
    # y was not asked alone, so xy is predicted from attributed rates throughout: 3/4 x 1/2.
    assert column(table, "basis") == ["asked alone", "attributed"]
    assert column(table, "n") == [1, 1]
    assert column(table, "predicted") == [1.0, 3 / 8]
    assert column(table, "measured") == [1 / 2, 1.0]
    assert column(table, "difference") == [not_enough(1)] * 2


def test_what_has_no_basis_is_left_out_and_counted() -> None:
    grid = a_grid([XY, XZ], [M, N], {"xy": ["+", "+-"], "xz": ["+", "+"]})
    tallies = [
        tally("xy", M, "A", 1),
        tally("xy", M, "B", 1),
        tally("xy", N, "A", 2),
        tally("xy", N, "B", 1, 1),
    ]
    table = predictions_table(grid, tallies)
    # m: xy rests on its only answer, xz has a step without a part; n: xz alone is left out.
    assert column(table, "left_out") == [2, 1]
    assert row(table, 0, "basis", "n", "predicted", "measured", "difference") == (
        "attributed", 0, not_enough(0), not_enough(0), not_enough(0),
    )  # fmt: skip
    assert row(table, 1, "n", "predicted", "measured") == (1, 1 / 2, 1 / 2)


def test_rates_of_one_model_say_nothing_of_another() -> None:
    grid = a_grid(
        [XY, a_single(X), a_single(Y)],
        [M, N],
        {"xy": ["+", "+"], X: ["+", "-"], Y: ["+", "+"]},
    )
    assert column(predictions_table(grid, []), "predicted") == [1.0, 0.0]


def test_forms_of_one_problem_count_as_one() -> None:
    forms = [
        a_composite("xy", a_step("A", X), a_step("B", Y), encoded=encoded)
        for encoded in (False, True)
    ]
    grid = a_grid(
        [*forms, a_single(X), a_single(Y)],
        [M],
        {"xy": ["+"], "xy encoded": ["-"], X: ["+-"], Y: ["+"]},
    )
    table = predictions_table(grid, [])
    assert row(table, 0, "n", "predicted", "measured", "difference") == (
        1, 1 / 2, 1 / 2, not_enough(1),
    )  # fmt: skip


def test_a_difference_without_spread_has_no_interval() -> None:
    """Two composites, both as predicted: no certainty that the difference is 0."""
    more = a_composite("more", a_step("A", X), a_step("B", Y))
    grid = a_grid(
        [XY, more, a_single(X), a_single(Y)],
        [M, N],
        {"xy": ["+", "+"], "more": ["+", "-"], X: ["+", "+"], Y: ["+", "+"]},
    )
    table = predictions_table(grid, [])
    equal = Missing("all differences are equal")
    assert row(table, 0, "difference", "difference_low", "difference_high") == (0, equal, equal)
    assert table.value(1, "difference_low") == -1.0
    assert any(note.startswith("A difference without an interval") for note in table.notes)


def test_what_is_left_out_are_problems() -> None:
    """Both forms of one problem without a basis are one; one with another form is none."""

    def both(name: str, *uses: str) -> list[GridItem]:
        steps = [a_step(letter, use) for letter, use in zip("AB", uses, strict=True)]
        return [a_composite(name, *steps, encoded=encoded) for encoded in (False, True)]

    forms = [*both("xy", X, Y), *both("xz", X, Z)]
    outcomes = {"xy": ["+"], "xy encoded": ["e"], "xz": ["+"], "xz encoded": ["+"]}
    grid = a_grid([*forms, a_single(X), a_single(Y)], [M], {**outcomes, X: ["+"], Y: ["+"]})
    assert row(predictions_table(grid, []), 0, "n", "left_out") == (1, 1)


def test_no_composites_nothing_to_predict() -> None:
    table = predictions_table(a_grid([a_single(X)], [M], {X: ["+"]}), [])
    assert table.rows == ()
    assert "nothing to predict" in table.notes[-1]


def test_made_up_results_say_so() -> None:
    config = a_config("sim", simulated=True)
    table = predictions_table(a_grid([XY], [config], {"xy": ["+"]}), [])
    assert table.simulated
    assert column(table, "simulated") == [True]


@pytest.mark.parametrize(("right", "expected"), [("++", 0.0), ("+-", 0.0)])
def test_steps_that_fail_independently_show_no_difference(right: str, expected: float) -> None:
    """A step that is always right leaves the composite's rate that of the other one."""
    grid = a_grid([XY], [M], {"xy": [right]})
    wrong = right.count("-")
    tallies = [tally("xy", M, "A", 2), tally("xy", M, "B", 2 - wrong, wrong)]
    table = predictions_table(grid, tallies)
    predicted, measured = row(table, 0, "predicted", "measured")
    assert isinstance(predicted, float)
    assert isinstance(measured, float)
    assert measured - predicted == expected
