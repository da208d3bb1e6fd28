"""Pass rates of steps: counts, intervals, order, and what cannot be judged."""

from __future__ import annotations

import itertools

import pytest

from relaybench.domain.item import ItemKind
from relaybench.reports.formats import render
from relaybench.reports.step_verdicts import By, depths
from relaybench.reports.steps_table import steps_table
from relaybench.reports.tables import NARROW, Missing, Table, Value
from relaybench.stats.intervals import wilson
from relaybench.stats.rates import score_summary
from tests.reports.examined import (
    a_composite,
    a_config,
    a_grid,
    a_single,
    a_step,
    an_item,
    column,
    tally,
)
from tests.reports.samples import HOSTILE

M, N = a_config("m"), a_config("n")
ONE = a_composite("one", a_step("A", "math/sum:x"), a_step("B", "coding/sort:y", fed_by="A"))
TWO = a_composite(
    "two",
    a_step("A", "math/sum:z"),
    a_step("B", "math/root:w", fed_by="C"),
    a_step("C", "logic/lamps:v", in_answer=False),
)
GRID = a_grid(
    [ONE, TWO, a_single("math/sum:x")],
    [M, N],
    {"one": ["++-", "-u"], "two": ["-te", "--."], "math/sum:x": ["+", "+"]},
)
TALLIES = [
    tally("one", M, "A", 3),
    tally("one", M, "B", 2, 1),
    tally("one", N, "A", 0, 1),
    tally("one", N, "B", 1, 0),
    tally("two", M, "A", 0, 1),
    tally("two", M, "B", 0, 1),
    tally("two", N, "A", 1, 0, 1),
    tally("two", N, "B", 0, 1, 1),
    tally("math/sum:x", M, "A", 1),  # of no composite
]


def rows(table: Table, *keys: str) -> list[tuple[Value, ...]]:
    return [tuple(table.value(row, key) for key in keys) for row in range(len(table.rows))]


def test_counts_by_hand_and_the_worst_first() -> None:
    table = steps_table(GRID, TALLIES)
    assert rows(table, "class", "model", "right", "n", "problems", "unclear", "unparsed") == [
        ("math/root", "all 2 models", 0, 2, 1, 1, 1),
        ("math/root", "m", 0, 1, 1, 0, 1),
        ("math/root", "n", 0, 1, 1, 1, 0),
        # 3 + 0 of 4 at one, 0 + 1 of 2 at two
        ("math/sum", "all 2 models", 4, 6, 2, 1, 2),
        ("math/sum", "m", 3, 4, 2, 0, 1),
        ("math/sum", "n", 1, 2, 2, 1, 1),
        ("coding/sort", "all 2 models", 3, 4, 1, 0, 1),
        ("coding/sort", "m", 2, 3, 1, 0, 0),
        ("coding/sort", "n", 1, 1, 1, 0, 1),
    ]
    assert column(table, "models") == [2, 1, 1] * 3


def test_the_rate_is_the_mean_over_problems_with_a_clustered_interval() -> None:
    table = steps_table(GRID, TALLIES)
    assert table.value(3, "rate") == (3 / 4 + 1 / 2) / 2
    assert table.value(4, "rate") == (1 + 0) / 2
    summary = score_summary([[1, 1, 1], [0]])
    assert summary is not None
    assert summary.clustered
    assert table.value(4, "rate_low") == summary.interval.lo
    assert table.value(4, "rate_high") == summary.interval.hi
    single = wilson(0, 1)
    assert single is not None
    assert (table.value(1, "rate_low"), table.value(1, "rate_high")) == (single.lo, single.hi)


def test_every_scored_attempt_is_accounted_for() -> None:
    table = steps_table(GRID, TALLIES)
    for row in range(len(table.rows)):
        if table.value(row, "models") == 1:
            counts = [table.value(row, key) for key in ("n", "unclear", "unparsed")]
            scored = {"math/sum m": 5, "math/sum n": 4, "math/root m": 2, "math/root n": 2}
            name = f"{table.value(row, 'class')} {table.value(row, 'model')}"
            assert sum(each for each in counts if isinstance(each, int)) == scored.get(
                name, 3 if name.endswith("m") else 2
            )


def test_the_notes_count_what_gives_no_verdict() -> None:
    notes = " ".join(steps_table(GRID, TALLIES).notes)
    # 3 + 2 at one, 2 + 2 at two: u and t gave no answer, one of n at two is unclear.
    assert (
        "Of 9 scored attempts at composites, 2 gave no parseable answer and 1 a wrong one" in notes
    )
    assert "1 of 5 steps only feed others" in notes
    assert "Never judged: logic/lamps" in notes
    assert "Ordered by the rate over all 2 models, worst first" in notes


@pytest.mark.parametrize(
    ("by", "names"),
    [
        (By.INSTANCE, ["math/root:w", "math/sum:z", "coding/sort:y", "math/sum:x"]),
        (By.DOMAIN, ["math", "coding"]),
        (By.POSITION, ["0", "1"]),
    ],
)
def test_what_steps_are_put_together_by(by: By, names: list[str]) -> None:
    table = steps_table(GRID, TALLIES, by)
    assert list(dict.fromkeys(column(table, by.value))) == names
    assert table.title == f"Steps by {by.value} of run paper"


def test_several_steps_of_one_item_are_one_problem() -> None:
    table = steps_table(GRID, TALLIES, By.POSITION)
    # Position 0: A of both; B of both is fed.
    assert rows(table, "position", "model", "right", "n", "problems") == [
        ("0", "all 2 models", 4, 6, 2),
        ("0", "m", 3, 4, 2),
        ("0", "n", 1, 2, 2),
        ("1", "all 2 models", 3, 6, 2),
        ("1", "m", 2, 4, 2),
        ("1", "n", 1, 2, 2),
    ]


def test_forms_of_one_problem_are_one_problem() -> None:
    forms = [a_composite("c", a_step("A", "math/x:y"), encoded=each) for each in (False, True)]
    grid = a_grid(forms, [M], {"c": ["+"], "c encoded": ["-"]})
    table = steps_table(grid, [tally("c", M, "A", 1), tally("c encoded", M, "A", 0, 1)])
    assert rows(table, "model", "rate", "n", "problems") == [("m", 0.5, 2, 1)]


def test_depth_is_the_longest_chain() -> None:
    steps = [
        a_step("A", "a/a:a"),
        a_step("B", "a/b:b", fed_by="A"),
        a_step("C", "a/c:c", fed_by="AB"),
        a_step("D", "a/d:d", fed_by="C"),
    ]
    for order in itertools.permutations(steps):
        assert depths(order) == {"A": 0, "B": 1, "C": 2, "D": 3}
    assert depths([a_step("A", "a/a:a"), a_step("B", "a/b:b")]) is None
    loop = [a_step("A", "a/a:a", fed_by="B"), a_step("B", "a/b:b", fed_by="A?")]
    assert depths(loop) is not None  # lint forbids it, but no stored file may hang a table


def test_unknown_wiring_stands_last_and_10_after_2() -> None:
    labels = "ABCDEFGHIJKL"
    chain = [
        a_step(label, f"math/{label}:x", fed_by=labels[place - 1 : place])
        for place, label in enumerate(labels)
    ]
    grid = a_grid(
        [a_composite("long", *chain), a_composite("flat", a_step("A", "math/A:x"))],
        [M],
        {"long": ["+"], "flat": ["+"]},
    )
    tallies = [tally("long", M, label, 1) for label in labels] + [tally("flat", M, "A", 1)]
    found = column(steps_table(grid, tallies, By.POSITION), "position")
    assert found == [*map(str, range(12)), "not known"]


def test_a_class_without_a_verdict_stands_last_with_the_reason() -> None:
    grid = a_grid(
        [ONE, a_composite("three", a_step("A", "math/odd:q"))], [M], {"one": ["-"], "three": ["u"]}
    )
    table = steps_table(grid, [tally("one", M, "A", 0, 1), tally("one", M, "B", 0, 1)])
    assert column(table, "class") == ["coding/sort", "math/sum", "math/odd"]
    assert table.value(2, "rate") == Missing("no clear verdict")
    assert table.value(2, "unparsed") == 1


def test_no_composites_no_rows() -> None:
    items = [a_single("math/sum:x"), an_item("i", ItemKind.IMPORTED, ONE.steps)]
    grid = a_grid(items, [M], {"math/sum:x": ["+"], "i": ["-"]})
    table = steps_table(grid, [tally("math/sum:x", M, "A", 1), tally("i", M, "A", 1)])
    assert table.rows == ()
    assert "No composites here" in table.notes[-1]
    assert render(table, "table", width=80)


def test_made_up_results_say_so() -> None:
    config = a_config("sim", simulated=True)
    grid = a_grid([ONE], [config], {"one": ["+"]})
    table = steps_table(grid, [tally("one", config, "A", 1), tally("one", config, "B", 1)])
    assert table.simulated
    assert column(table, "simulated") == [True, True]
    assert "(simulated)" in table.title
    assert "SIMULATED" in table.notes[0]


@pytest.mark.parametrize("form", ["table", "csv", "md", "latex", "json"])
def test_hostile_names_stay_literal(form: str) -> None:
    use = f"math/{HOSTILE}"
    config = a_config(f"{HOSTILE} [b]")
    grid = a_grid([a_composite("c", a_step("A", use))], [config], {"c": ["+"]})
    table = steps_table(grid, [tally("c", config, "A", 1)], By.INSTANCE)
    assert table.value(0, "instance") == use
    text = render(table, form)
    assert "\x1b" not in text or form == "csv"


def test_eighty_columns_show_the_rate_and_its_n_side_by_side() -> None:
    lines = render(steps_table(GRID, TALLIES), "table", width=80, level=NARROW).splitlines()
    assert max(map(len, lines)) <= 80
    heads = [line for line in lines if line.startswith("Class")]
    assert [line.split("  ")[0] for line in heads] == ["Class"]
    assert "Right [95% CI]" in heads[0]


def test_every_block_of_a_narrow_terminal_names_its_rows_by_model_too() -> None:
    lines = render(steps_table(GRID, TALLIES), "table", width=60).splitlines()
    rows = [line for line in lines if line.startswith(("math/", "coding/"))]
    assert len(rows) > 9  # several blocks
    assert all("all 2 models" in row or row.split()[1] in ("m", "n") for row in rows)
