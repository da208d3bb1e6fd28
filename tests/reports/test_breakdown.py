"""Breakdowns: which group an item is in, the order of groups, and what each row holds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from relaybench.domain.errors import UsageError
from relaybench.domain.item import ItemKind
from relaybench.reports.breakdown import breakdown
from relaybench.reports.dimensions import Dimension, check_bands, groups, varies
from relaybench.reports.display import display
from relaybench.reports.tables import NARROW, Table, not_enough
from relaybench.stats.intervals import wilson
from relaybench.stats.rates import score_summary
from relaybench.store.grid import GridItem, OutcomeGrid
from tests.reports.compared import check_golden, form, nasty, rows_of
from tests.reports.examined import a_config, a_grid, a_step, an_item

IMPORTED = replace(an_item("else", ItemKind.IMPORTED), domains=())


def table(grid: OutcomeGrid, by: Dimension, **more: tuple[int, ...]) -> Table:
    return breakdown(grid, by, list(grid.configs.values()), **more)


def names(items: list[GridItem], by: Dimension, *edges: int) -> dict[str, list[str]]:
    found = groups(items, by, edges or (15_000,))
    return {label: [item.name for item in each] for label, each in found.items()}


def with_steps(name: str, count: int) -> GridItem:
    return an_item(name, steps=[a_step(chr(65 + n), f"math/c{n}:1") for n in range(count)])


def test_every_dimension_has_its_groups_in_natural_order() -> None:
    ten, two = with_steps("ten", 10), with_steps("two", 2)
    assert names([ten, two], Dimension.STEPS) == {"2": ["two"], "10": ["ten"]}
    four = [
        form("a", encoded=True, bloat=9), form("b", encoded=True), form("c", bloat=9), form("d"),
    ]  # fmt: skip
    assert list(names(four, Dimension.FORM)) == [
        "plain", "bloated", "encoded", "bloated and encoded",
    ]  # fmt: skip
    assert names(four, Dimension.ENCODED) == {"not encoded": ["c", "d"], "encoded": ["a", "b"]}
    assert names(four, Dimension.BLOAT) == {"without bloat": ["b", "d"], "with bloat": ["a", "c"]}
    assert names(four[2:], Dimension.CLASS) == {
        "coding/c": ["c"], "coding/d": ["d"], "math/x": ["c", "d"],
    }  # fmt: skip
    assert names(four[3:], Dimension.DOMAIN) == {"coding": ["d"], "math": ["d"]}
    single = replace(two, kind=ItemKind.SINGLE, set_name="library")
    assert list(names([IMPORTED, single, ten], Dimension.KIND)) == [
        "composite", "single subproblem", "imported",
    ]  # fmt: skip
    assert list(names([ten, single], Dimension.SET)) == ["library", "s"]


def test_a_prompt_as_long_as_an_edge_is_below_it() -> None:
    items = [form(str(length), characters=length) for length in (15_001, 15_000, 99, 100, 101)]
    assert names(items, Dimension.LENGTH) == {
        "up to 15,000 characters": ["15000", "99", "100", "101"],
        "over 15,000 characters": ["15001"],
    }
    assert names(items, Dimension.LENGTH, 100, 15_000) == {
        "up to 100 characters": ["99", "100"],
        "101 to 15,000 characters": ["15000", "101"],
        "over 15,000 characters": ["15001"],
    }
    assert check_bands([15_000, 100, 100]) == (100, 15_000)
    for edges in ([], [0], [-5, 10]):
        with pytest.raises(UsageError, match="1 character or more"):
            check_bands(edges)


@pytest.mark.parametrize("by", [each for each in Dimension if each not in ("set", "kind")])
def test_what_is_not_known_of_imported_items_stands_last(by: Dimension) -> None:
    found = names([IMPORTED, form("zz", encoded=True, bloat=7)], by)
    assert list(found)[-1] == "unknown"
    assert found["unknown"] == ["else"]
    grid = a_grid([IMPORTED], [a_config("m")], {"else": ["+"]})
    assert any(note.startswith("unknown: ") for note in table(grid, by).notes)
    assert not varies(grid, by)


def test_rows_by_hand() -> None:
    """Groups outside, models inside; single attempts have the plain Wilson interval."""
    a, b = a_config("a"), a_config("b")
    items = [form("x"), form("y"), form("z", encoded=True)]
    texts = [["+", "-"], ["u", "-"], ["+", "e"]]
    grid = a_grid(items, [a, b], {i.digest: t for i, t in zip(items, texts, strict=True)})
    found = table(grid, Dimension.ENCODED)
    assert found.name == "by-encoded"
    keys = ("dimension", "group", "model", "items", "attempts", "pass_at_1", "parse_rate")
    assert rows_of(found, *keys) == [
        ("encoded", "not encoded", "a", 2, 2, 0.5, 0.5),
        ("encoded", "not encoded", "b", 2, 2, 0.0, 1.0),
        ("encoded", "encoded", "a", 1, 1, 1.0, 1.0),
        ("encoded", "encoded", "b", 0, 0, not_enough(0), not_enough(0)),
    ]
    interval = wilson(1, 2)
    assert interval
    assert rows_of(found, "pass_at_1_low", "pass_at_1_high")[0] == (interval.lo, interval.hi)
    assert found.value(3, "pass_at_1_low") == not_enough(0)
    assert "Attempts" not in display(found, NARROW).headings
    assert "Scored attempts at each item: 1." in found.notes
    assert any("b (1 of 3 items)" in note for note in found.notes)
    one = breakdown(grid, Dimension.ENCODED, [b])
    assert {model for (model,) in rows_of(one, "model")} == {"b"}


def test_repeats_are_clustered_and_uneven_ones_shown() -> None:
    items = [form("x"), form("y")]
    grid = a_grid(items, [a_config("a")], {items[0].digest: ["++-"], items[1].digest: ["-u."]})
    found = table(grid, Dimension.FORM)
    summary = score_summary([[1, 1, 0], [0, 0]])
    assert summary
    assert summary.clustered
    keys = ("items", "attempts", "pass_at_1", "pass_at_1_low", "pass_at_1_high", "parse_rate")
    assert rows_of(found, *keys) == [
        (2, 5, summary.p, summary.interval.lo, summary.interval.hi, 4 / 5)
    ]
    assert summary.p == pytest.approx(1 / 3)
    assert "Attempts" in display(found, NARROW).headings
    assert any("repeated attempts" in note for note in found.notes)


def test_attempts_that_only_average_to_a_whole_number_are_shown() -> None:
    items = [form("x"), form("y")]
    grid = a_grid(items, [a_config("a")], {items[0].digest: ["+++"], items[1].digest: ["-"]})
    found = table(grid, Dimension.SET)
    assert "Attempts" in display(found, NARROW).headings
    assert not any("Scored attempts at each item" in note for note in found.notes)
    assert any("from 1 to 3 scored attempts at an item" in note for note in found.notes)


def test_a_domain_that_is_called_unknown_is_no_unknown_one() -> None:
    own = replace(IMPORTED, digest="own", name="own", domains=("unknown",))
    assert names([IMPORTED, own], Dimension.DOMAIN) == {'"unknown"': ["own"], "unknown": ["else"]}
    assert names([replace(IMPORTED, set_name="unknown")], Dimension.SET) == {'"unknown"': ["else"]}


def test_imported_items_have_no_steps_to_count_under() -> None:
    given = replace(IMPORTED, domains=("math", "art"))
    config = a_config("m")
    alone = table(a_grid([given], [config], {"else": ["+"]}), Dimension.DOMAIN).notes
    assert any("every domain that it names, so" in note for note in alone)
    assert not any("step" in note for note in alone)
    own = form("x")
    both = a_grid([given, own], [config], {"else": ["+"], own.digest: ["+"]})
    assert any("(an imported one: that it names)" in n for n in table(both, Dimension.DOMAIN).notes)


def test_disputed_items_are_left_out_and_named_once_with_their_forms() -> None:
    items = [form("x"), form("x", encoded=True), form("y"), form("z")]
    grid = a_grid(items, [a_config("a")], {item.digest: ["+"] for item in items})
    found = table(replace(grid, disputed=tuple(items[:3])), Dimension.SET)
    assert rows_of(found, "group", "items") == [("s", 1)]
    (note,) = (note for note in found.notes if "different keys" in note)
    assert "different keys: s/x (plain, encoded), s/y." in note
    assert note.endswith("relaybench grade paper --corrected-keys")


def test_notes_say_what_rows_are_not() -> None:
    both = a_grid(
        [form("x"), form("x", encoded=True)], [a_config("a")],
        {form("x").digest: ["+"], form("x", encoded=True).digest: ["-"]},
    )  # fmt: skip
    said = {by: " ".join(table(both, by).notes) for by in Dimension}
    assert "rows overlap and do not add up" in said[Dimension.DOMAIN]
    assert "rows overlap" not in said[Dimension.STEPS]
    assert "relaybench effects compares the forms" in said[Dimension.ENCODED]
    assert "2 items are 1 problem in several forms" in said[Dimension.SET]
    assert "in several forms" not in said[Dimension.FORM]
    assert varies(both, Dimension.FORM)
    assert not varies(both, Dimension.STEPS)


@pytest.mark.parametrize("by", [Dimension.DOMAIN, Dimension.LENGTH])
def test_golden(by: Dimension) -> None:
    check_golden(table(nasty(), by), f"nasty-by-{by.value}")
