"""Paired comparisons: numbers by hand, correction, what is left out, and too little data."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import scipy.stats

from relaybench.domain.item import Form
from relaybench.reports.comparison import comparison
from relaybench.reports.display import display
from relaybench.reports.tables import PAGE, WIDE, Missing, Table, not_enough
from relaybench.store.grid import OutcomeGrid
from tests.reports.compared import check_golden, form, nasty, repeated, rows_of, singles
from tests.reports.examined import a_config, a_grid, column

T9 = 2.2621571627982  # Student's quantile at 9 degrees of freedom, from a printed table
TEN = singles(alpha="++++++++--", beta="+++-----+-")


def table(grid: OutcomeGrid, seed: int = 0) -> Table:
    return comparison(grid, list(grid.configs.values()), seed)


def test_single_attempts_by_hand() -> None:
    """Five items only alpha solves, one only beta: d has five 1, one -1, four 0."""
    found = table(TEN)
    (row,) = rows_of(
        found, "n", "pass_at_1_a", "pass_at_1_b", "wins", "losses", "ties", "only_a", "only_b"
    )
    assert row == (10, 0.8, 0.4, 5, 1, 4, 5, 1)
    se = math.sqrt((6 - 10 * 0.4**2) / 9 / 10)
    assert found.value(0, "difference") == pytest.approx(0.4)
    assert found.value(0, "difference_low") == pytest.approx(0.4 - T9 * se)
    assert found.value(0, "difference_high") == pytest.approx(0.4 + T9 * se)
    p = 2 * (1 + 6) / 2**6  # of six coins at most one head, twice
    assert rows_of(found, "p", "p_adjusted", "mcnemar_p", "method") == [(p, p, p, "McNemar exact")]
    test = scipy.stats.ttest_1samp([1] * 5 + [-1] + [0] * 4, 0)
    assert found.value(0, "t_p") == pytest.approx(test.pvalue)
    low, high = found.value(0, "bootstrap_low"), found.value(0, "bootstrap_high")
    assert isinstance(low, float)
    assert isinstance(high, float)
    assert low == pytest.approx(0, abs=0.11)
    assert high == pytest.approx(0.8, abs=0.11)
    assert any("one test only" in note for note in found.notes)
    assert any("10,000 resamples" in note and "seed 0" in note for note in found.notes)


def test_repeats_take_the_t_test() -> None:
    """Means of attempts: 1, 1/2, 0 against 1/2, 0, 1/2."""
    found = table(repeated(alpha=["++", "+-", "--"], beta=["+-", "--", "-+"]))
    assert rows_of(found, "method", "mcnemar_p", "wins", "losses", "only_a") == [
        ("paired t", Missing("some problem is neither right nor wrong throughout"), 2, 1, 0)
    ]
    assert found.value(0, "difference") == pytest.approx(1 / 6)
    # d = 1/2, 1/2, -1/2: t = 1/2 on 2 degrees, for which p = 1 - t/sqrt(2 + t²)
    assert found.value(0, "p") == pytest.approx(1 - 0.5 / math.sqrt(2.25))
    assert found.value(0, "difference_high") == 1.0  # 1/6 + 4.303/3, cut
    turned = table(repeated(alpha=["+-", "--", "-+"], beta=["++", "+-", "--"]))
    assert turned.value(0, "difference_low") == -1.0


def test_every_pair_in_order_and_corrected_together() -> None:
    """Holm: the smallest of three p counts three times, the next twice."""
    grid = singles(alpha="+" * 10, beta="+" * 2 + "-" * 8, gamma="-" * 10)
    found = table(grid)
    assert rows_of(found, "model_a", "model_b") == [
        ("alpha", "beta"), ("alpha", "gamma"), ("beta", "gamma"),
    ]  # fmt: skip
    p = [2 / 2**8, 2 / 2**10, 2 / 2**2]
    assert column(found, "p") == p
    assert column(found, "p_adjusted") == [2 * p[0], 3 * p[1], p[2]]
    assert any("corrected for the 3 tests" in note for note in found.notes)
    turned = comparison(grid, list(grid.configs.values())[::-1])
    assert column(turned, "difference") == [-0.2, -1.0, -0.8]
    assert rows_of(turned, "model_a", "model_b")[0] == ("gamma", "beta")


def test_only_what_both_answered() -> None:
    """An error is no answer; what is left out is counted and named."""
    found = table(singles(alpha="+++--", beta="+-e+."))
    assert rows_of(found, "n", "pass_at_1_a", "pass_at_1_b", "left_out") == [(3, 2 / 3, 2 / 3, 2)]
    assert "Items left out because one or both lack a scored attempt: alpha and beta (2)." in (
        found.notes
    )


def test_disputed_items_are_left_out_and_named() -> None:
    disputed = replace(TEN, disputed=(TEN.items["i0"], TEN.items["i9"]))
    found = table(disputed)
    assert rows_of(found, "n", "left_out", "ties") == [(8, 2, 2)]
    assert any("against different keys: s/i0, s/i9." in note for note in found.notes)
    assert not any("lack a scored attempt" in note for note in found.notes)


@pytest.mark.parametrize(("beta", "n"), [("e.", 0), ("+e", 1)])
def test_too_little_is_said(beta: str, n: int) -> None:
    found = table(singles(alpha="++", beta=beta))
    assert found.value(0, "n") == n
    for key in ("difference", "difference_low", "p", "p_adjusted", "bootstrap_low", "method"):
        assert found.value(0, key) == not_enough(n)
    assert found.value(0, "wins") == (0 if n else not_enough(0))
    assert not any("Bootstrap" in note for note in found.notes)
    assert "p" not in display(found, WIDE).headings
    assert "p" in display(table(TEN), WIDE).headings


def test_a_missing_test_is_no_member_of_the_family() -> None:
    found = table(singles(alpha="++++++", beta="------", gamma="eeeeee"))
    assert column(found, "p_adjusted") == [2 / 2**6, not_enough(0), not_enough(0)]


ALL_EQUAL = Missing("all differences are equal")


def test_equal_scores_are_no_difference() -> None:
    found = table(singles(alpha="++--", beta="++--"))
    keys = ("difference", "difference_low", "difference_high", "p", "p_adjusted", "bootstrap_high")
    assert rows_of(found, *keys) == [(0, ALL_EQUAL, ALL_EQUAL, 1, 1, ALL_EQUAL)]


def test_a_difference_without_spread_is_no_certainty() -> None:
    """Student's t would say p = 0 from two items; of two signs both are alike every other time."""
    found = table(repeated(alpha=["+-", "+-"], beta=["--", "--"]))
    keys = ("difference", "difference_low", "p", "p_adjusted", "method", "t_p")
    assert rows_of(found, *keys) == [(0.5, ALL_EQUAL, 0.5, 0.5, "exact sign", ALL_EQUAL)]
    single = table(singles(alpha="++", beta="--"))
    assert rows_of(single, "difference_low", "p", "method") == [(ALL_EQUAL, 0.5, "McNemar exact")]


MCNEMAR = "the exact McNemar test where every problem was right or wrong throughout on each side"
PAIRED_T = "the paired t test where some problem was right in part"
SIGN = "the exact sign test where some problem was right in part and all differences are equal"


@pytest.mark.parametrize(
    ("grid", "tests", "spread", "none"),
    [
        (TEN, MCNEMAR, True, False),
        (singles(alpha="++", beta="--"), MCNEMAR, False, True),
        (repeated(alpha=["++", "+-"], beta=["--", "--"]), PAIRED_T, True, False),
        (repeated(alpha=["+-", "+-"], beta=["--", "--"]), SIGN, False, True),
        (
            repeated(alpha=["+", "-"], beta=["-", "-"], gamma=["++", "+-"], delta=["-", "+-+"]),
            f"{MCNEMAR}, of {PAIRED_T}",
            True,
            False,
        ),
        (
            repeated(alpha=["+", "-"], beta=["-", "-"], gamma=["+-", "+-"], delta=["--", "--"]),
            f"{MCNEMAR}, of {PAIRED_T}, of {SIGN}",
            True,
            True,
        ),
    ],
)
def test_notes_name_only_what_occurs(
    grid: OutcomeGrid, tests: str, spread: bool, none: bool
) -> None:
    """Tests; the interval and the bootstrap; and why a difference may have none."""
    notes = table(grid).notes
    assert sum(note.startswith(f"p is of {tests}. p (Holm)") for note in notes) == 1
    assert any("Student's t" in note for note in notes) == spread
    assert any(note.startswith("Bootstrap") for note in notes) == spread
    assert any(note.startswith("A difference without an interval") for note in notes) == none


def asked_in_forms(alpha: str, beta: str) -> OutcomeGrid:
    """Problems by their letters, each asked plain, bloated and encoded with the same outcome."""
    items = [
        form(f"p{n}", **how)
        for n in range(len(alpha))
        for how in ({"encoded": False}, {"bloat": 9}, {"encoded": True})
    ]
    cells = {item.digest: [alpha[n // 3], beta[n // 3]] for n, item in enumerate(items)}
    return a_grid(items, [a_config("alpha"), a_config("beta")], cells)


def test_the_unit_is_the_problem() -> None:
    """Asking every problem in three forms, with the same outcomes, is no evidence more."""
    plain, in_forms = "++++++++--", "+++-----+-"
    found, once = table(asked_in_forms(plain, in_forms)), table(TEN)
    keys = [key for column in once.columns if (key := column.key) != "items"]
    assert rows_of(found, *keys) == rows_of(once, *keys)
    assert rows_of(found, "n", "items", "method") == [(10, 30, "McNemar exact")]
    assert rows_of(once, "n", "items") == [(10, 10)]
    assert "Items" in display(found, WIDE).headings
    assert "Items" not in display(once, WIDE).headings
    said = "The 30 items are 10 problems in several forms"
    assert any(note.startswith(said) for note in found.notes)
    assert not any("several forms" in note for note in once.notes)


def test_a_problem_counts_with_the_forms_that_both_answered() -> None:
    """Means of means: p is 1/4 + 1/2 against 0; q is right against wrong in the one shared form."""
    p, p_code, q, q_code, r = (
        form("p"), form("p", encoded=True), form("q"), form("q", encoded=True), form("r"),
    )  # fmt: skip
    found = table(
        a_grid(
            [p, p_code, q, q_code, r],
            [a_config("alpha"), a_config("beta")],
            {
                p.digest: ["+---", "-"],
                p_code.digest: ["+-+-", "--"],
                q.digest: ["+", "-"],
                q_code.digest: ["-", "e"],
                r.digest: ["-", "-"],
            },
        )
    )
    wanted = ((1 / 4 + 1 / 2) / 2, 1.0, 0.0)
    test = scipy.stats.ttest_1samp(wanted, 0)
    assert rows_of(found, "n", "items", "left_out", "wins", "ties") == [(3, 4, 1, 2, 1)]
    assert found.value(0, "pass_at_1_a") == pytest.approx(sum(wanted) / 3)
    assert found.value(0, "p") == pytest.approx(test.pvalue)
    assert "mean over the forms that both answered" in "".join(found.notes)


def test_one_form_alone() -> None:
    p, p_code, q = form("p"), form("p", encoded=True), form("q")
    grid = a_grid(
        [p, p_code, q],
        [a_config("alpha"), a_config("beta")],
        {p.digest: ["+", "-"], p_code.digest: ["-", "+"], q.digest: ["+", "+"]},
    )
    grid = replace(grid, disputed=(p_code,))
    found = comparison(grid, list(grid.configs.values()), forms=[Form.PLAIN])
    assert rows_of(found, "n", "items", "left_out", "wins") == [(2, 2, 0, 1)]
    assert "Only items asked in this form: plain." in found.notes
    assert not any("different keys" in note for note in found.notes)
    coded = comparison(grid, list(grid.configs.values()), forms=[Form.PLAIN, Form.ENCODED])
    assert rows_of(coded, "n", "items", "left_out") == [(2, 2, 1)]


def test_an_attempt_that_repeats_another_switches_no_test() -> None:
    """Six wins of seven; p is 2/2^6 however often the first was asked with the same result."""
    alpha, beta = ["+"] * 7, ["-"] * 6 + ["+"]
    for found in (
        table(repeated(alpha=alpha, beta=beta)),
        table(repeated(alpha=["++", *alpha[1:]], beta=["--", *beta[1:]])),
    ):
        assert rows_of(found, "p", "method") == [(2 / 2**6, "McNemar exact")]


def test_why_p_and_interval_may_differ_is_said() -> None:
    """Five wins of six: the t interval leaves out 0, McNemar's exact p is above 0.05."""
    one = table(singles(alpha="++++++", beta="-----+"))
    low, p = one.value(0, "difference_low"), one.value(0, "p_adjusted")
    assert isinstance(low, float)
    assert isinstance(p, float)
    assert low > 0
    assert p > 0.05
    end = "So p (Holm) may be above 0.05 where the interval leaves out 0."
    cautious = "The exact McNemar test is more cautious than the t interval."
    each = "Intervals are not corrected for the number of tests: each is 95% by itself."
    assert f"{cautious} {end}" in one.notes
    three = table(singles(alpha="++++++", beta="-----+", gamma="+-+-+-"))
    assert f"{each} {cautious} {end}" in three.notes
    mixed = table(repeated(alpha=["++", "+-"], beta=["--", "--"]))
    assert not any(end in note for note in mixed.notes)


def test_the_bootstrap_is_one_column_with_its_seed() -> None:
    found = table(TEN, seed=7)
    assert rows_of(found, "bootstrap", "bootstrap_seed") == [(found.value(0, "difference"), 7)]
    shown = display(found, PAGE)
    place = shown.headings.index("Bootstrap [95% CI]")
    assert shown.rows[0][place].startswith("+40.0 [")
    none = display(table(singles(alpha="++", beta="++")), WIDE).rows[0]
    assert none.count("all differences are equal") == 1


def test_the_seed_and_only_the_seed_moves_the_bootstrap() -> None:
    ends = [rows_of(table(TEN, seed), "bootstrap_low", "bootstrap_high") for seed in range(4)]
    assert ends[0] == rows_of(table(TEN), "bootstrap_low", "bootstrap_high")
    more = singles(alpha="++++++++--", beta="+++-----+-", gamma="+-+-+-+-+-", delta="-" * 10)
    for seed in range(4):
        assert rows_of(table(more, seed), "bootstrap_low", "bootstrap_high")[0] == ends[seed][0]


def test_made_up_results_are_marked() -> None:
    sim = a_config("sim", simulated=True)
    real = singles(alpha="++")
    (alpha,) = real.configs.values()
    grid = replace(
        real,
        configs={**real.configs, sim.digest: sim},
        cells={**real.cells, **{(item, sim.digest): real.cells[item, alpha.digest]
                                for item in real.items}},
    )  # fmt: skip
    found = table(grid)
    assert found.simulated
    assert column(found, "simulated") == [True]
    assert found.title.endswith("(partly simulated)")
    assert not table(TEN).simulated
    assert column(table(TEN), "simulated") == [False]


def test_golden() -> None:
    check_golden(table(nasty()), "nasty-comparison")
