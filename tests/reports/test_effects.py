"""Paired effects: which forms make a pair, what each problem counts, and when there is none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from relaybench.domain.item import ItemKind
from relaybench.reports.effects import effects, has_pairs
from relaybench.reports.tables import not_enough
from tests.reports.compared import check_golden, form, forms, nasty, rows_of
from tests.reports.examined import a_config, a_grid, column

KEYS = ("effect", "n", "pass_at_1_a", "pass_at_1_b", "wins", "losses", "ties")


def test_three_forms_tell_code_from_bloat() -> None:
    """Encoding at equal bloat, bloat at equal encoding; their sum says nothing new."""
    grid = forms(
        {
            form("p"): "+", form("p", bloat=50): "+", form("p", encoded=True, bloat=50): "-",
            form("q"): "+", form("q", bloat=50): "-", form("q", encoded=True, bloat=50): "-",
        }
    )  # fmt: skip
    found = effects(grid)
    assert rows_of(found, *KEYS) == [
        ("encoding", 2, 0.0, 0.5, 0, 1, 1), ("bloat", 2, 0.5, 1.0, 0, 1, 1),
    ]  # fmt: skip
    assert column(found, "difference") == [-0.5, -0.5]
    assert column(found, "method") == ["McNemar exact"] * 2
    assert any("2 tests of this table" in note for note in found.notes)
    assert has_pairs(grid)


def test_what_cannot_be_told_apart_is_called_both() -> None:
    """Of p only the sum is known; of q the two are known, so it is no member of the sum."""
    grid = forms(
        {
            form("p"): "+", form("p", encoded=True, bloat=50): "-",
            form("q"): "-", form("q", encoded=True): "+",
            form("q", encoded=True, bloat=50): "+",
        }
    )  # fmt: skip
    assert rows_of(effects(grid), *KEYS[:2]) == [
        ("encoding", 1), ("bloat", 1), ("encoding and bloat", 1),
    ]  # fmt: skip
    assert column(effects(grid), "difference") == [not_enough(1)] * 3
    assert any("--variant bloated would tell them" in note for note in effects(grid).notes)


def test_a_problem_counts_once_however_many_pairs_it_has() -> None:
    """Two pairs of encoding, 3 of 4 right against 1 of 1: their mean, not their attempts'."""
    grid = forms(
        {
            form("p"): "-", form("p", encoded=True): "+",
            form("p", bloat=9): "+", form("p", bloat=9, encoded=True): "+++-",
            form("q"): "-", form("q", encoded=True): "+",
        }
    )  # fmt: skip
    found = effects(grid)
    encoding = rows_of(found, "effect", "n", "pass_at_1_a", "pass_at_1_b", "difference", "method")
    assert encoding[0] == ("encoding", 2, (7 / 8 + 1) / 2, 0.25, (3 / 8 + 1) / 2, "paired t")
    # bloat: plain 0 to 1, encoded 1 to 3/4, so 3/8 on average
    assert rows_of(found, *KEYS)[1] == ("bloat", 1, 7 / 8, 0.5, 1, 0, 0)


def test_only_pairs_with_answers_on_both_sides() -> None:
    grid = forms(
        {
            form("p"): "+", form("p", encoded=True): "e",
            form("q"): "+", form("q", encoded=True): "-",
            form("r"): "+", form("r", encoded=True): "-",
        }
    )  # fmt: skip
    assert rows_of(effects(grid), *KEYS) == [("encoding", 2, 0.0, 1.0, 0, 2, 0)]
    open_cells = forms({form("p"): "+", form("p", encoded=True): "."})
    assert rows_of(effects(open_cells), "n", "difference", "wins") == [
        (0, not_enough(0), not_enough(0))
    ]


def test_disputed_and_imported_items_make_no_pair() -> None:
    plain, encoded = form("p"), form("p", encoded=True)
    grid = forms({plain: "+", encoded: "-"})
    assert has_pairs(grid)
    assert not has_pairs(replace(grid, disputed=(plain,)))
    made_elsewhere = {item.digest: replace(item, kind=ItemKind.IMPORTED) for item in (plain,)}
    assert not has_pairs(replace(grid, items={**grid.items, **made_elsewhere}))
    other = replace(encoded, problem="another key")
    assert not has_pairs(replace(grid, items={**grid.items, other.digest: other}))


def test_no_pairs_says_what_to_run() -> None:
    found = effects(forms({form("p"): "+", form("q", encoded=True): "-"}))
    assert not found.rows
    assert any("--variant plain --variant bloated --variant encoded" in n for n in found.notes)


def test_every_model_and_one_family() -> None:
    a, b = a_config("a"), a_config("b")
    items = [form(f"p{n}", encoded=encoded) for n in range(6) for encoded in (False, True)]
    grid = a_grid(items, [a, b], {item.digest: ["+-"[item.encoded], "+"] for item in items})
    found = effects(grid)
    assert rows_of(found, "model", "difference", "p", "p_adjusted") == [
        ("a", -1.0, 2 / 2**6, 4 / 2**6), ("b", 0.0, 1.0, 1.0),
    ]  # fmt: skip


def test_several_prompts_of_one_form_are_taken_together() -> None:
    """As in two runs between which the wording changed."""
    grid = forms(
        {
            form("p"): "+", form("p", characters=11): "-", form("p", encoded=True): "-",
            form("q"): "+", form("q", encoded=True): "-",
        }
    )  # fmt: skip
    found = effects(grid)
    assert found.value(0, "pass_at_1_b") == pytest.approx(0.75)
    assert any("1 problem was asked with several prompts" in note for note in found.notes)


def test_golden() -> None:
    check_golden(effects(nasty()), "nasty-effects")
