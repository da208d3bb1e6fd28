"""Accuracy across sets and over time, from grids of one run and of several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from relaybench.domain.item import ItemKind
from relaybench.domain.model import ModelConfig
from relaybench.domain.results import Outcome
from relaybench.reports.figures.figure import Share
from relaybench.reports.figures.published import PublishedScore
from relaybench.reports.figures.series_captions import over_time_words, sets_words
from relaybench.reports.figures.series_data import over_time_data, sets_data
from relaybench.store.grid import GridItem, OutcomeGrid
from relaybench.store.pooling import pool
from tests.reports.samples import a_run

RIGHT, WRONG, OPEN = (Outcome.CORRECT,), (Outcome.WRONG,), (Outcome.PENDING,)
ALPHA, BETA = "alpha", "beta"
MODELS = {
    ALPHA: ModelConfig(ALPHA, "compatible", "alpha-1", "high"),
    BETA: ModelConfig(BETA, "compatible", "beta-1"),
}
SAME = PublishedScore("one", "alpha-1", Share(0.7), 30)


def item(set_name: str, name: str) -> GridItem:
    """An item without steps."""
    digest = f"{set_name}/{name}"
    return GridItem(
        digest, set_name, name, ItemKind.COMPOSITE, digest, digest, (), (), False, 0, 10, 5
    )


def a_grid(
    day: str, cells: Mapping[tuple[str, str], tuple[Outcome, ...]], number: int = 1
) -> OutcomeGrid:
    """A run of a day, its cells by item (set/name) and model."""
    items = {ref: item(*ref.split("/")) for ref, _ in cells}
    names = dict.fromkeys(name for _, name in cells)
    configs = {MODELS[name].digest: MODELS[name] for name in names}
    run = replace(
        a_run(items=len(items), configs=len(configs)),
        id=number,
        name=f"run-{number}",
        created_at=f"{day}T03:00:00+00:00",
    )
    return OutcomeGrid(
        (run,),
        items,
        configs,
        {(ref, MODELS[name].digest): got for (ref, name), got in cells.items()},
    )


MAY = a_grid(
    "2026-05-01",
    {
        ("one/a", ALPHA): RIGHT,
        ("one/b", ALPHA): WRONG,
        ("two/c", ALPHA): RIGHT,
        ("one/a", BETA): WRONG,
        ("one/b", BETA): OPEN,
        ("two/c", BETA): OPEN,
    },
)


def test_sets_have_their_own_scores_and_say_who_is_incomplete() -> None:
    data = sets_data([MAY], MAY)
    assert data.models == ("alpha-1 (high)", "beta-1")
    one, two = data.groups
    assert [(p.model, p.share.value, p.n, p.incomplete) for p in one.points] == [
        ("alpha-1 (high)", 0.5, 2, False),
        ("beta-1", 0.0, 1, True),
    ]
    assert [p.model for p in two.points] == ["alpha-1 (high)"]
    words = sets_words(data, [])
    assert "n in items, by set: one 1, 2; two 1." in words.meaning
    assert words.notes == (
        "Daggers mark what is incomplete, for attempts are still open: beta-1 on one (1 of 2).",
    )


def test_open_repeats_are_counted_as_attempts_and_not_as_items() -> None:
    cells = {("one/a", ALPHA): (Outcome.CORRECT, Outcome.PENDING), ("one/b", ALPHA): WRONG}
    grid = a_grid("2026-05-01", cells)
    twice = replace(grid, runs=(replace(grid.runs[0], repeats=2),))
    (point,) = sets_data([twice], twice).groups[0].points
    assert (point.n, point.open, point.planned) == (2, 2, 4)  # one repeat was not even begun
    data = over_time_data([twice], twice)
    assert [(p.open, p.planned) for p in data.series[0].points] == [(2, 4)]
    assert data.series[0].records == ()
    (note, *_) = over_time_words(data, 1, []).notes
    assert note.startswith("Daggers mark what is incomplete, for attempts are still open: ")
    assert "of 2026-05-01 (2 of 4). They set no best score." in note


def test_of_an_import_only_whole_items_can_be_lacking() -> None:
    """Repeats that were not brought are not open; an item that a model lacks is."""
    imported = replace(MAY, runs=(replace(MAY.runs[0], kind="import", repeats=3),))
    points = {p.model: p for s in over_time_data([imported], imported).series for p in s.points}
    lacking = {
        config.label: sum(not MAY.scored(item, digest) for item in MAY.items)
        for digest, config in MAY.configs.items()
    }
    assert {model: point.open for model, point in points.items()} == {
        model: lacking[model] for model in points
    }
    assert any(lacking.values())
    assert not all(lacking.values())
    of_sets = [p for g in sets_data([imported], imported).groups for p in g.points]
    assert any(p.open for p in of_sets)
    assert not all(p.open for p in of_sets)


def test_a_published_set_of_the_same_name_is_told_apart() -> None:
    words = sets_words(sets_data([MAY], MAY, [SAME]), [SAME])
    assert "n in items, by set: one 1, 2; two 1; one (published) 30." in words.meaning
    assert "one (published)" in words.alt


def test_models_have_one_order_whatever_is_drawn() -> None:
    other = PublishedScore("GPQA", "else", Share(0.4), when=date(2026, 1, 1))
    order = ("alpha-1 (high)", "beta-1", "else")
    assert sets_data([MAY], MAY, [other]).models == order
    assert over_time_data([MAY], MAY, [other]).models == order


def test_published_scores_stand_beside_under_the_labels_of_our_models() -> None:
    old = PublishedScore("GPQA", "alpha", Share(0.3), when=date(2025, 1, 1))
    new = PublishedScore(
        "GPQA", "alpha-1 (high)", Share(0.4), when=date(2026, 1, 1), source="a paper"
    )
    other = PublishedScore("GPQA", "alpha-1", Share(0.7))  # at no effort that we know
    data = sets_data([MAY], MAY, [new, old, other])
    gpqa = data.groups[-1]
    assert gpqa.published
    assert [(p.model, p.share.value) for p in gpqa.points] == [
        ("alpha-1", 0.7),
        ("alpha-1 (high)", 0.4),
    ]
    assert data.models == ("alpha-1 (high)", "beta-1", "alpha-1")
    notes = " ".join(sets_words(data, [new, old, other]).notes)
    assert "published, not measured here: GPQA" in notes
    assert "Sources: a paper." in notes


def test_runs_of_the_same_sets_are_one_series_by_day() -> None:
    june = a_grid(
        "2026-06-02",
        {("one/a", ALPHA): RIGHT, ("one/b", ALPHA): RIGHT, ("two/c", ALPHA): RIGHT},
        number=2,
    )
    dated = PublishedScore("GPQA", "beta-1", Share(0.4), when=date(2026, 1, 1))
    undated = PublishedScore("GPQA", "beta-1", Share(0.5))
    data = over_time_data([MAY, june], pool([MAY, june]), [dated, undated])
    own, theirs = data.series
    assert own.name == "one + two"
    assert [(p.when.month, p.model, p.incomplete) for p in own.points] == [
        (5, "alpha-1 (high)", False),
        (5, "beta-1", True),
        (6, "alpha-1 (high)", False),
    ]
    assert [record.share.value for record in own.records] == [2 / 3, 1.0]
    assert [p.when for p in theirs.points] == [date(2026, 1, 1)]
    notes = " ".join(over_time_words(data, 2, [dated, undated]).notes)
    assert "1 published score" in notes
    assert "one day" not in notes


def test_one_run_alone_says_that_no_change_can_be_seen() -> None:
    data = over_time_data([MAY], MAY)
    assert len(data.series[0].points) == 2
    assert any("one day and one run" in note for note in over_time_words(data, 1, []).notes)
