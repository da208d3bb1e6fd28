"""Repeats: pass@k and pass^k by hand, means by repeat, and what is missing."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from relaybench.reports.repeats import most_repeats, repeat_tables
from relaybench.reports.tables import Missing, Table, not_enough
from relaybench.stats.intervals import wilson
from relaybench.stats.rates import score_summary
from tests.reports.compared import check_golden, nasty, repeated, rows_of, singles
from tests.reports.examined import column

THREE = repeated(alpha=["+++", "++-", "---", "+-u"], beta=["+++", "+++", "+++", "++e"])


def tables(*ks: int) -> tuple[Table, Table, Table]:
    overall, pass_k, by_repeat = repeat_tables(THREE, ks)
    return overall, pass_k, by_repeat


def test_pass_k_by_hand() -> None:
    """3, 2, 0 and 1 of 3: pass@2 = (1 + 1 + 0 + 2/3)/4, pass^2 = (1 + 1/3 + 0 + 0)/4."""
    rows = rows_of(tables()[1], "model", "k", "items", "pass_at_k", "pass_hat_k")
    assert rows[0] == ("alpha", 1, 4, pytest.approx(0.5), pytest.approx(0.5))
    assert rows[1] == ("alpha", 2, 4, pytest.approx(2 / 3), pytest.approx(1 / 3))
    assert rows[2] == ("alpha", 3, 4, pytest.approx(3 / 4), pytest.approx(1 / 4))


def test_a_k_that_some_item_has_too_few_attempts_for_is_missing() -> None:
    """Beta has three times 3 and once 2 scored attempts: no k = 3, not one over three items."""
    few = Missing("some item has fewer than 3 attempts")
    rows = rows_of(tables()[1], "model", "k", "pass_at_k", "pass_hat_k")
    assert rows[3:] == [("beta", 1, 1.0, 1.0), ("beta", 2, 1.0, 1.0), ("beta", 3, few, few)]
    five = Missing("some item has fewer than 5 attempts")
    assert column(tables(5, 2, 5)[1], "k") == [2, 5, 2, 5]
    assert column(tables(5)[1], "pass_at_k") == [five, five]
    gap = repeat_tables(repeated(alpha=["++", "ee"]))[1]
    assert column(gap, "pass_hat_k") == [Missing("some item has no scored attempt")] * 2


def test_default_ks() -> None:
    assert column(repeat_tables(repeated(alpha=["+" * 5]))[1], "k") == [1, 2, 3, 4, 5]
    assert column(repeat_tables(repeated(alpha=["+" * 8]))[1], "k") == [1, 2, 8]
    assert most_repeats(THREE) == 3


def test_each_repeat_alone() -> None:
    """Alpha is right at 3, 2 and 1 of 4 items; beta's third repeat has three items."""
    rows = rows_of(tables()[2], "model", "repeat", "items", "pass_at_1")
    assert rows[:3] == [("alpha", 1, 4, 0.75), ("alpha", 2, 4, 0.5), ("alpha", 3, 4, 0.25)]
    assert rows[5] == ("beta", 3, 3, 1.0)
    interval = wilson(3, 4)
    assert interval
    assert rows_of(tables()[2], "pass_at_1_low", "pass_at_1_high")[0] == (interval.lo, interval.hi)


def test_all_repeats_together_are_clustered() -> None:
    summary = score_summary([[1, 1, 1], [1, 1, 0], [0, 0, 0], [1, 0, 0]])
    assert summary
    keys = ("items", "repeats", "fewest", "pass_at_1", "pass_at_1_low", "pass_at_1_high", "n_eff")
    assert rows_of(tables()[0], *keys)[0] == (
        4, 3, 3, summary.p, summary.interval.lo, summary.interval.hi, summary.n_eff,
    )  # fmt: skip
    spread = rows_of(tables()[0], "lowest", "highest", "spread")
    assert spread[0] == (0.25, 0.75, pytest.approx(math.sqrt(2 * 0.25**2 / 2)))
    assert tables()[0].value(1, "fewest") == 2


def test_one_attempt_is_not_enough() -> None:
    overall, pass_k, by_repeat = repeat_tables(singles(alpha="+-", beta="e."))
    assert rows_of(overall, "lowest", "highest", "spread") == [
        (not_enough(1),) * 3, (not_enough(0),) * 3,
    ]  # fmt: skip
    assert rows_of(overall, "items", "pass_at_1", "n_eff")[1] == (0, not_enough(0), not_enough(0))
    assert column(pass_k, "pass_at_k") == [0.5, Missing("some item has no scored attempt")]
    assert column(by_repeat, "model") == ["alpha"]
    for table in (overall, by_repeat):
        assert any("--resume RUN --repeats 3" in note for note in table.notes)


def test_golden() -> None:
    for table in repeat_tables(nasty()):
        check_golden(table, f"nasty-{table.name}")


def test_the_spread_is_over_items_that_have_every_repeat() -> None:
    """No answer ever varied: good 3 times right, bad once wrong. So the spread is 0."""
    overall, _, by_repeat = repeat_tables(repeated(alpha=["+++", "-"], beta=["++.", "..+"]))
    keys = ("items", "complete", "lowest", "highest", "spread")
    assert rows_of(overall, *keys) == [
        (2, 1, 1.0, 1.0, 0.0),
        (2, 0, not_enough(0), not_enough(0), not_enough(0)),
    ]
    said = " ".join(overall.notes)
    assert "every repeat: alpha (1 of 2 items), beta (0 of 2 items)." in said
    assert any("not all of the same items" in note for note in by_repeat.notes)
    whole = repeat_tables(repeated(alpha=["++", "-+"]))
    assert "in every repeat" not in " ".join(whole[0].notes)
    assert any("repeats are of the same items" in note for note in whole[2].notes)


def test_disputed_items_are_left_out() -> None:
    grid = replace(THREE, disputed=(THREE.items["i0"],))
    for table in repeat_tables(grid):
        assert any("against different keys: s/i0." in note for note in table.notes)
        assert 4 not in column(table, "items")
