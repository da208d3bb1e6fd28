"""The leaderboard: order, undefined and unknown values, marks and notes."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal

import pytest

from relaybench.domain.completion import Usage
from relaybench.domain.model import ModelConfig
from relaybench.domain.money import ZERO, Cost
from relaybench.domain.results import Outcome
from relaybench.reports.formats import Format, render
from relaybench.reports.leaderboard import leaderboard
from relaybench.reports.tables import Missing, Table, Value
from relaybench.stats.rates import score_summary
from relaybench.store.results import ConfigResult
from tests.reports.samples import a_run, nasty_results, nasty_run, paper_results, result

NASTY = leaderboard(nasty_run(), nasty_results())


def of(table: Table, config: str, key: str) -> Value:
    """The value in the row of a config."""
    names = [table.value(number, "config") for number in range(len(table.rows))]
    return table.value(names.index(config), key)


def plain(name: str, right: int, *, of_all: int = 4, planned: int = 4) -> ConfigResult:
    """A config with that many right answers."""
    config = ModelConfig(name, "compatible", name)
    return result(
        config,
        {Outcome.CORRECT: right, Outcome.WRONG: of_all - right},
        planned=planned,
        usage=Usage(),
        cost=Cost(ZERO, ZERO, ZERO, ZERO, ZERO),
    )


def test_order_ties_and_undefined_last() -> None:
    results = [
        plain("none", 0, of_all=0),
        plain("b", 2),
        plain("a", 2),
        plain("zero", 0),
        plain("best", 3),
    ]
    table = leaderboard(a_run(items=4, configs=5), results)
    names = [table.value(number, "config") for number in range(5)]
    assert names == ["best", "b", "a", "zero", "none"]


def test_unknown_cost_is_never_zero() -> None:
    for key in ("cost_usd", "cost_per_item_usd", "cost_per_correct_usd"):
        assert of(NASTY, "unpriced", key) == Missing("unknown")
    assert any("Cost unknown, never 0, for unpriced" in note for note in NASTY.notes)


def test_what_is_undefined_says_why() -> None:
    for key in ("pass_at_1", "pass_at_1_low", "pass_at_1_high", "parse_rate"):
        assert of(NASTY, "silent", key) == Missing("no scored attempt")
    assert of(NASTY, "tiny", "hallucination") == Missing("no parseable answer")
    assert of(NASTY, "tiny", "parse_rate") == 0.0
    assert of(NASTY, "tiny", "cost_per_correct_usd") == Missing("no correct answer")
    assert of(NASTY, "hostile", "cached_input_tokens") == Missing("not reported")
    assert of(NASTY, "hostile", "cache_rate") == Missing("not reported")
    assert of(NASTY, "sim", "cache_rate") == Missing("no input tokens")


def test_raw_values() -> None:
    summary = score_summary([[1, 1], [1, 1], [1, 0], [0, 0]])
    assert summary is not None
    assert summary.clustered
    assert of(NASTY, "tiered", "pass_at_1") == summary.p == 0.625
    assert of(NASTY, "tiered", "pass_at_1_low") == summary.interval.lo
    assert of(NASTY, "tiered", "pass_at_1_high") == summary.interval.hi
    assert of(NASTY, "tiered", "hallucination") == 2 / 7
    assert of(NASTY, "tiered", "parse_rate") == 7 / 8
    assert of(NASTY, "tiered", "cost_usd") == Decimal("0.87010501")
    assert of(NASTY, "tiered", "cost_per_item_usd") == Decimal("0.87010501") / 8
    assert of(NASTY, "tiered", "cost_per_correct_usd") == Decimal("0.87010501") / 5
    assert of(NASTY, "tiered", "cache_rate") == 120 / 460
    assert of(NASTY, "tiered", "output_tokens") == 25_007  # with the 7 that are priced as output
    counts = ("planned", "scored", "correct", "wrong", "unparseable", "error", "pending")
    assert [of(NASTY, "hostile", key) for key in counts] == [8, 4, 1, 1, 2, 1, 3]
    more = ("refused", "stalled", "truncated", "uncosted", "unreported")
    assert [of(NASTY, "unpriced", key) for key in more] == [2, 1, 0, 8, 2]
    others = ("retries", "repaired", "near_misses", "lost_calls")
    assert [of(NASTY, "tiered", key) for key in others] == [4, 1, 1, 0]
    assert of(NASTY, "hostile", "lost_calls") == 2


def test_cost_per_item_is_over_scored_attempts_not_planned_ones() -> None:
    assert of(NASTY, "hostile", "cost_usd") == Decimal("0.0032")
    assert of(NASTY, "hostile", "cost_per_item_usd") == Decimal("0.0008")


def test_pending_stands_only_where_there_is_any() -> None:
    assert "pending" in [column.key for column in NASTY.columns]
    table = leaderboard(a_run(), paper_results())
    assert "pending" not in [column.key for column in table.columns]


@pytest.mark.parametrize("format", Format)
def test_an_incomplete_model_is_marked_wherever_its_score_stands(format: Format) -> None:
    table = leaderboard(a_run(items=5), [plain("half", 2, planned=5), plain("whole", 2)])
    text = render(table, format, width=80)
    if format is Format.JSON:
        assert [row["incomplete"] for row in json.loads(text)["rows"]] == [True, False]
    elif format is Format.JSONL:
        rows = [json.loads(line) for line in text.splitlines()]
        assert [row["incomplete"] for row in rows] == [True, False]
    elif format is Format.CSV:
        column = text.splitlines()[0].split(",").index("incomplete")
        assert [line.split(",")[column] for line in text.splitlines()[1:]] == ["true", "false"]
    else:
        assert text.count("(incomplete)") == 1
        assert "Incomplete: half: 4 of 5 attempts scored, 1 pending" in " ".join(text.split())


def test_notes_of_a_run_with_everything() -> None:
    notes = "\n".join(NASTY.notes)
    assert NASTY.notes[0].startswith("SIMULATED: sim-alpha (high) answered")
    for words in (
        "3 ended in an error and stay open",
        "2 of 4 items have no scored attempt",
        "Repaired answers: 1 (tiered-1 (high): 1)",
        "Near misses: 1 (",
        "Answers without token counts: 2 (unpriced: 2)",
        "though no answer was kept: 3 (",
        "effective sample size",
        "Pass@1 is the mean over items",
        "Hallucination is wrong / (correct + wrong)",
        "Per item is total cost / scored attempts",
    ):
        assert words in notes
    assert "Strict" not in notes


def test_notes_of_a_plain_run() -> None:
    notes = "\n".join(leaderboard(a_run(), paper_results()).notes)
    assert "one attempt each" in notes
    for word in (
        "SIMULATED",
        "Incomplete",
        "Repaired",
        "unknown",
        "no answer was kept",
        "Near",
        "effective",
    ):
        assert word not in notes


def test_strict_and_simulated_runs() -> None:
    strict = leaderboard(a_run(strict=True), paper_results())
    assert any(note.startswith("Strict extraction") for note in strict.notes)
    # A run that calls itself simulated is, even if none of its configs is known to be.
    made_up = leaderboard(a_run(simulated=True), paper_results())
    assert made_up.simulated
    assert made_up.notes[0].startswith("SIMULATED: all models answered")
    assert made_up.title.endswith("(simulated)")
    assert all(made_up.value(number, "simulated") for number in range(3))
    assert [NASTY.value(number, "simulated") for number in range(6)].count(True) == 1
    assert NASTY.title.endswith("(partly simulated)")


def test_a_run_without_results() -> None:
    table = leaderboard(a_run(configs=0), [])
    for format in Format:
        assert bool(render(table, format, width=80)) is (format is not Format.JSONL)  # rows alone
    nothing = leaderboard(
        a_run(), [replace(paper_results()[0], planned=0, outcomes={}, problems=())]
    )
    assert nothing.value(0, "coverage") == Missing("nothing planned")


def test_answers_of_another_model_than_asked_are_told() -> None:
    config = ModelConfig("opus", "compatible", "opus")
    asked = result(config, {Outcome.CORRECT: 3})
    notes = leaderboard(a_run(), [replace(asked, others={"sonnet": 3})]).notes
    assert "3 answers of opus came from another model than asked: sonnet (3)." in notes
    assert not any("another model" in note for note in leaderboard(a_run(), [asked]).notes)
