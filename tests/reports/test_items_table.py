"""Item analysis: flags, agreement of wrong answers, order, and what stays in the file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from relaybench.domain.item import ItemKind
from relaybench.domain.model import ModelConfig
from relaybench.reports.formats import render
from relaybench.reports.items_table import Flag, items_table
from relaybench.reports.suspect_keys import suspect_items, suspect_notes
from relaybench.reports.tables import NARROW, Missing, Table, Value, not_enough
from relaybench.store.wrong_answers import WrongAnswer
from tests.reports.examined import a_composite, a_config, a_grid, a_step, an_item, column
from tests.reports.samples import ANSWER, HOSTILE

CONFIGS = [a_config(name) for name in ("a", "b", "c", "d")]
ITEMS = [
    a_composite(name, a_step("A", f"math/{name}:x"), a_step("B", "math/z:x"))
    for name in ("easy", "odd", "key", "hard", "mid", "fair", "sharp")
]
OUTCOMES = {
    #        a    b    c    d: of falling skill
    "easy": ["+", "+", "+", "+"],
    "odd": ["-", "-", "-", "+"],  # only the weakest solves it
    "key": ["-", "-", "-", "u"],
    "hard": ["-", "u", "-", "-"],
    "mid": ["+", "+", "-", "-"],
    "fair": ["+", "+", "+", "-"],
    "sharp": ["+", "+", "-", "-"],
}
GRID = a_grid(ITEMS, CONFIGS, OUTCOMES)


def wrong(item: str, answer: str, *configs: ModelConfig, near: bool = False) -> WrongAnswer:
    return WrongAnswer(item, answer, {config.digest: 1 for config in configs}, near)


A, B, C, D = CONFIGS
WRONG = [
    wrong("odd", "1", A),
    wrong("odd", "2", B, C),
    wrong("key", "77", A, B, C),
    wrong("hard", "x", A),
    wrong("hard", "Y", C, near=True),
    wrong("hard", "z", D),
    wrong("mid", "5", C, D),
]


def of(table: Table, item: str, *keys: str) -> tuple[Value, ...]:
    row = column(table, "item").index(f"s/{item}")
    return tuple(table.value(row, key) for key in keys)


def test_counts_by_hand() -> None:
    table = items_table(GRID, WRONG)
    keys = ("pass_at_1", "solved", "models", "agree", "wrong", "near_misses", "steps")
    assert of(table, "easy", *keys) == (1.0, 4, 4, 0, 0, 0, 2)
    assert of(table, "odd", *keys) == (0.25, 1, 4, 2, 3, 0, 2)
    assert of(table, "key", *keys) == (0.0, 0, 4, 3, 3, 0, 2)
    assert of(table, "hard", *keys) == (0.0, 0, 4, 1, 3, 1, 2)
    assert of(table, "mid", *keys) == (0.5, 2, 4, 2, 2, 0, 2)


def test_flags_and_the_suspicious_first() -> None:
    table = items_table(GRID, WRONG)
    found = dict(zip(column(table, "item"), column(table, "flags"), strict=True))
    assert list(found.items()) == [
        ("s/key", "agreeing, no model"),
        ("s/odd", "agreeing, inverted"),
        ("s/hard", "no model"),
        # Two agree on a wrong answer, but as many gave the key's.
        ("s/mid", ""),
        ("s/sharp", ""),
        ("s/fair", ""),
        ("s/easy", "every model"),
    ]


def test_discrimination_by_hand() -> None:
    table = items_table(GRID, WRONG)
    # On the other six a and b have 4/6, c 2/6, d 1/6; on this one 0, 0, 0, 1: -1.75/sqrt(0.75
    # x 6.75).
    assert of(table, "odd", "discrimination")[0] == pytest.approx(-7 / 9)
    # a and b have 3/6, c and d 2/6 on the others: they agree with 1, 1, 0, 0 throughout.
    assert of(table, "mid", "discrimination")[0] == pytest.approx(1)
    assert of(table, "key", "discrimination") == (Missing("no spread"),)


def test_suspect_keys_are_named_with_what_to_do() -> None:
    notes = items_table(GRID, WRONG).notes
    (note,) = [note for note in notes if note.startswith("Suspect keys")]
    assert "Suspect keys: s/key, s/odd." in note
    assert "relaybench attempts paper --outcome wrong --item SET/NAME" in note
    assert "relaybench grade paper --corrected-keys" in note
    calm = a_grid(ITEMS[:1], CONFIGS, {"easy": ["+", "+", "+", "-"]})
    assert not any("Suspect" in note for note in items_table(calm, []).notes)


def test_imported_items_have_no_problem_file_to_correct() -> None:
    odd, key = (
        replace(each, kind=ItemKind.IMPORTED) for each in ITEMS if each.name in ("odd", "key")
    )
    rest = [each for each in ITEMS if each.name not in ("odd", "key")]
    some = replace(GRID, items={each.digest: each for each in (*rest, key, odd)})
    (note,) = suspect_notes(some, ["s/odd"])
    assert "--item s/odd)" in note
    assert note.endswith("import its results again with the right key under another --run name.")
    assert "problem file" not in note
    (note,) = suspect_notes(some, ["s/odd", rest[0].ref])
    assert "import its results again" in note
    assert "correct it in its problem file" in note


def test_disputed_items_are_flagged_and_say_nothing_else() -> None:
    """What is left out tells nothing of the others either."""
    disputed = replace(GRID, disputed=(GRID.items["key"],))
    table = items_table(disputed, WRONG)
    left_out = Missing("disputed")
    keys = ("flags", "suspect", "pass_at_1", "solved", "models", "agree", "wrong", "discrimination")
    assert of(table, "key", *keys) == ("disputed", *[left_out] * 7)
    assert table.value(0, "item") == "s/key"
    without = {digest: item for digest, item in GRID.items.items() if digest != "key"}
    alone = items_table(replace(GRID, items=without), WRONG)
    assert of(table, "odd", "discrimination") == of(alone, "odd", "discrimination")
    assert [*column(items_table(disputed, WRONG, flags=[Flag.DISPUTED]), "item")] == ["s/key"]
    answers = items_table(disputed, WRONG, with_answers=True)
    assert of(answers, "key", "wrong_answer") == (left_out,)


def test_who_was_right_even_once_speaks_for_the_key() -> None:
    grid = a_grid(ITEMS[:1], CONFIGS, {"easy": ["+--", "+--", "-", "-"]})
    answers = [wrong("easy", "1", A), wrong("easy", "2", B), wrong("easy", "3", C, D)]
    # Two of four wrong ones agree, but two gave the key's answer as well.
    assert of(items_table(grid, answers), "easy", "agree", "wrong", "flags") == (2, 4, "")


def test_two_efforts_of_one_model_are_one_witness() -> None:
    low, high, other = a_config("a", effort="low"), a_config("a", effort="high"), a_config("b")
    grid = a_grid([ITEMS[0]], [low, high, other], {"easy": ["-", "-", "u"]})
    table = items_table(grid, [wrong("easy", "7", low, high)])
    assert of(table, "easy", "agree", "wrong", "models", "flags") == (1, 1, 3, "no model")
    grid = a_grid([ITEMS[0]], [low, high], {"easy": ["-", "-"]})
    table = items_table(grid, [wrong("easy", "7", low, high)])
    assert of(table, "easy", "agree", "flags") == (not_enough(1), "no model")


def test_one_model_is_not_enough_for_flags() -> None:
    grid = a_grid(ITEMS[:1], [A], {"easy": ["--"]})
    table = items_table(grid, [wrong("easy", "7", A)])
    assert of(table, "easy", "flags", "agree", "discrimination") == (not_enough(1),) * 3
    assert of(table, "easy", "pass_at_1", "wrong") == (0.0, 1)
    assert items_table(grid, [], flags=[Flag.NO_MODEL]).rows == ()


def test_without_a_scored_attempt() -> None:
    grid = a_grid(ITEMS[:2], [A, B], {"easy": ["e", "."], "odd": ["+", "-"]})
    table = items_table(grid, [])
    missing = Missing("no scored attempt")
    assert of(table, "easy", "pass_at_1", "solved", "wrong") == (missing,) * 3
    assert of(table, "easy", "models", "flags", "agree") == (0, not_enough(0), not_enough(0))
    assert column(table, "item")[-1] == "s/easy"


def test_solved_by_counts_models_with_at_least_half_right() -> None:
    grid = a_grid(ITEMS[:1], [A, B, C], {"easy": ["+-", "+--", "++"]})
    table = items_table(grid, [])
    assert of(table, "easy", "solved", "flags") == (2, "")
    assert of(table, "easy", "pass_at_1")[0] == pytest.approx((1 / 2 + 1 / 3 + 1) / 3)


@pytest.mark.parametrize(
    ("flags", "items"),
    [
        ([Flag.NO_MODEL], ["s/key", "s/hard"]),
        ([Flag.EVERY_MODEL, Flag.INVERTED], ["s/odd", "s/easy"]),
    ],
)
def test_only_items_with_a_flag(flags: Sequence[Flag], items: list[str]) -> None:
    table = items_table(GRID, WRONG, flags=flags)
    assert column(table, "item") == items
    assert any("2 of 7 items with the flags asked for" in note for note in table.notes)


def test_answers_only_when_asked_for() -> None:
    answers = [wrong("key", ANSWER, A, B)]
    without = items_table(GRID, answers)
    for form in ("table", "csv", "md", "latex", "json"):
        assert ANSWER not in render(without, form)
    table = items_table(GRID, answers, with_answers=True)
    assert of(table, "key", "wrong_answer") == (ANSWER,)
    assert of(table, "easy", "wrong_answer") == (Missing("no wrong answer"),)


def test_the_most_common_wrong_answer_is_that_of_most_models_not_of_most_attempts() -> None:
    often = WrongAnswer("key", "often", {A.digest: 9}, False)
    table = items_table(GRID, [often, wrong("key", "many", B, C)], with_answers=True)
    assert of(table, "key", "wrong_answer", "agree", "wrong") == ("many", 2, 3)


def test_imported_items_have_no_known_form_or_steps() -> None:
    grid = a_grid([an_item("i", ItemKind.IMPORTED)], [A, B], {"i": ["+", "-"]})
    table = items_table(grid, [])
    assert of(table, "i", "form", "steps") == (Missing("unknown"),) * 2
    assert of(table, "i", "discrimination") == (not_enough(2),)


def test_a_single_item_has_no_others_to_be_compared_with() -> None:
    grid = a_grid(ITEMS[:1], CONFIGS, {"easy": ["+", "-", "+", "-"]})
    assert of(items_table(grid, []), "easy", "discrimination") == (Missing("no other item"),)


def test_the_form_stands_on_a_narrow_terminal_where_it_tells_rows_apart() -> None:
    forms = [a_composite("c", a_step("A", "m/x:y"), encoded=each) for each in (False, True)]
    grid = a_grid(forms, [A, B], {"c": ["+", "+"], "c encoded": ["-", "-"]})
    text = render(items_table(grid, []), "table", width=80, level=NARROW)
    assert "plain" in text
    assert "encoded" in text
    text = render(items_table(GRID, WRONG), "table", width=80, level=NARROW)
    assert "Form" not in text
    assert max(map(len, text.splitlines())) <= 80


def test_every_block_names_its_rows_by_item_and_form_where_items_alike_stand() -> None:
    forms = [a_composite("c", a_step("A", "m/x:y"), encoded=each) for each in (False, True)]
    outcomes = {"c": ["+", "+", "-", "-"], "c encoded": ["-", "-", "+", "-"]}
    table = items_table(a_grid(forms, CONFIGS, outcomes), [])
    lines = render(table, "table", width=60).splitlines()
    rows = [line.split() for line in lines if line.startswith("s/c ")]
    assert len(rows) >= 4
    assert [row[1] for row in rows] == ["encoded", "plain"] * (len(rows) // 2)
    apart = items_table(GRID, WRONG)
    assert not any(column.names for column in apart.columns if column.key == "form")


def test_what_too_few_models_leave_empty_is_left_out_with_the_reason() -> None:
    grid = a_grid(ITEMS[:2], CONFIGS[:3], {"easy": ["+", "-", "+"], "odd": ["-", "+", "+"]})
    table = items_table(grid, [])
    text = render(table, "table", width=200)
    assert "Discr.  " not in text
    assert "not enough data" not in text
    assert "both need 4 models with a scored attempt at an item, and here are 3 at most" in text
    assert of(table, "easy", "discrimination") == (not_enough(3),)  # csv and json say it each
    text = render(items_table(GRID, WRONG), "table", width=200)
    assert "Discr." in text.splitlines()[2]


def test_suspect_keys_are_data_too() -> None:
    table = items_table(GRID, WRONG)
    assert suspect_items(replace(table, notes=())) == ["s/key", "s/odd"]
    assert of(table, "hard", "suspect") == (False,)
    alone = items_table(a_grid(ITEMS[:1], [A], {"easy": ["-"]}), [wrong("easy", "7", A)])
    assert of(alone, "easy", "suspect") == (not_enough(1),)
    assert suspect_items(alone) == []


@pytest.mark.parametrize("form", ["table", "csv", "md", "latex", "json"])
def test_hostile_names_and_answers_stay_literal(form: str) -> None:
    item = a_composite(HOSTILE, a_step("A", "m/x:y"))
    grid = a_grid([item], [A, B], {HOSTILE: ["-", "-"]})
    table = items_table(grid, [wrong(HOSTILE, HOSTILE, A, B)], with_answers=True)
    assert table.value(0, "wrong_answer") == HOSTILE
    text = render(table, form)
    if form == "json":
        assert json.loads(text)["rows"][0]["wrong_answer"] == HOSTILE
    assert "\x1b" not in text or form == "csv"
