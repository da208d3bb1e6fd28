"""Figure data: the paper's numbers, the frontier, records, what is open, published scores."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.domain.errors import UsageError
from relaybench.domain.results import Outcome
from relaybench.reports.figures.captions import (
    cost_words,
    hallucination_words,
    in_percent,
    scores_words,
)
from relaybench.reports.figures.figure import Share, TimePoint, TimeSeries
from relaybench.reports.figures.model_results import (
    cost_data,
    hallucination_data,
    on_frontier,
    outcomes_data,
    scores_data,
)
from relaybench.reports.figures.published import parse_scores
from tests.reports.figures import samples

OPUS, GEMINI, GPT = (each.model for each in samples.PAPER)


def test_the_papers_scores_rates_and_frontier() -> None:
    scores = scores_data(samples.PAPER)
    assert [(row.model, in_percent(row.share, "")) for row in scores.rows] == [
        (GPT, "43.3% [27.4, 60.8]"),
        (GEMINI, "40.0% [24.6, 57.7]"),
        (OPUS, "16.7% [7.3, 33.6]"),
    ]
    rates = hallucination_data(samples.PAPER)
    assert [
        (row.model, round(100 * row.share.value, 1) if row.share else None) for row in rates.rows
    ] == [(OPUS, 16.7), (GEMINI, 33.3), (GPT, 50.0)]
    assert [(row.parseable, row.scored) for row in rates.rows] == [(6, 30), (18, 30), (26, 30)]
    assert [row.counts for row in outcomes_data(samples.PAPER).rows] == [
        (13, 13, 4, 0, 0, 0, 0),
        (12, 6, 12, 0, 0, 0, 0),
        (5, 1, 24, 0, 0, 0, 0),
    ]
    costs = cost_data(samples.PAPER)
    assert [(point.model, point.usd, point.frontier) for point in costs.points] == [
        (GPT, Decimal("22.44"), True),
        (GEMINI, Decimal("32.99"), False),
        (OPUS, Decimal("33.76"), False),
    ]
    assert f"On the frontier: {GPT}." in cost_words(costs, samples.PAPER).meaning


def test_what_is_unknown_or_open_is_never_a_point_like_the_others() -> None:
    unpriced = samples.model("unpriced", 30, 30, None)
    failed = samples.model("failed", 0, 0, "0", items=0, more={Outcome.ERROR: 30}, planned=30)
    half = samples.model("half", 14, 15, "1", items=15, planned=30)
    free = samples.model("free", 2, 9, "0")
    costs = cost_data([*samples.PAPER, unpriced, failed, half, free])
    assert costs.unknown == ("unpriced",)
    assert costs.unscored == ("failed",)
    assert [point.model for point in costs.points if point.frontier] == ["free", GPT]
    assert [point.model for point in costs.points if point.incomplete] == ["half"]
    scores = scores_data([failed, half])
    assert [(row.model, row.share is None, row.incomplete) for row in scores.rows] == [
        ("half", False, True),
        ("failed", True, True),
    ]
    assert scores_words(scores).notes == (
        "Hatched bars are incomplete, for attempts are still open: half (15 of 30), "
        "failed (30 of 30).",
    )
    assert outcomes_data([failed, half]).rows[0].counts == (14, 1, 0, 0, 0, 0, 15)
    assert hallucination_data([failed]).rows[0].share is None


def test_costs_of_unequal_numbers_of_attempts_are_those_of_an_attempt() -> None:
    cheap = samples.model("cheap", 20, 25, "30", items=120)
    costs = cost_data([*samples.PAPER, cheap])
    assert costs.per_attempt
    first = costs.points[0]
    assert (first.model, first.usd, first.total, first.scored) == (
        "cheap",
        Decimal("0.25"),
        Decimal(30),
        120,
    )
    words = cost_words(costs, [*samples.PAPER, cheap])
    assert f"n in scored attempts: cheap: 120, {GPT}: 30" in " ".join(words.meaning)
    assert "per scored attempt" in words.meaning[0]
    assert "cheap $0.25 each" in words.meaning[1]
    assert not cost_data(samples.PAPER).per_attempt


def test_repeats_of_an_item_widen_the_interval() -> None:
    once = samples.model("m", 15, 30, "1")
    thrice = type(once)(
        "m", ((1.0,) * 3,) * 15 + ((0.0,) * 3,) * 15, {Outcome.CORRECT: 45}, 90, None, 0
    )
    (row,) = scores_data([thrice]).rows
    assert row.clustered
    repeated = " ".join(hallucination_words(hallucination_data([thrice])).meaning)
    assert "treats all parseable answers as independent" in repeated
    single = " ".join(hallucination_words(hallucination_data([once])).meaning)
    assert "independent" not in single
    assert row.items == 30
    assert row.share is not None
    plain = scores_data([once]).rows[0].share
    assert plain is not None
    # Repeats that always agree are worth one attempt each: about as wide as without them.
    assert (row.share.high or 1) - (row.share.low or 0) == pytest.approx(
        (plain.high or 1) - (plain.low or 0), abs=0.02
    )


@given(st.lists(st.tuples(st.integers(0, 5).map(Decimal), st.integers(0, 5)), max_size=9))
def test_the_frontier_is_what_nothing_beats(points: list[tuple[Decimal, int]]) -> None:
    best = [each for each in points if on_frontier(each, points)]
    assert bool(best) == bool(points)
    for cost, score in points:
        if (cost, score) in best:
            others = [each for each in points if each != (cost, score)]
            assert all(s < score or c > cost for c, s in others)
        else:
            assert any(c <= cost and s >= score for c, s in best)


def test_records_rise_and_are_set_by_complete_models() -> None:
    def point(day: int, name: str, value: float, incomplete: bool = False) -> TimePoint:
        return TimePoint(date(2026, 1, day), name, Share(value), int(incomplete), 30)

    series = TimeSeries(
        "s",
        False,
        (
            point(2, "b", 0.4),
            point(1, "a", 0.3),
            point(1, "c", 0.2),
            point(3, "d", 0.9, incomplete=True),
            point(4, "e", 0.4),
            point(5, "f", 0.5),
        ),
    )
    assert [record.model for record in series.records] == ["a", "b", "f"]


GOOD = "benchmark,model,score,n,date,source\nGPQA,m,45.2%,198,2026-05-01,paper\nGPQA,k,0.5,,,\n"


def test_published_scores_are_read_with_intervals_where_n_is_known() -> None:
    first, second = parse_scores(f"\ufeff{GOOD}", "s.csv")
    assert (first.share.value, first.n, first.when) == (0.452, 198, date(2026, 5, 1))
    assert first.share.low == pytest.approx(0.3842, abs=1e-4)
    assert second.share == Share(0.5)
    assert second.when is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("benchmark,model\nx,y\n", "s.csv:1: lacks the column score"),
        ("benchmark,model,score,colour\n", "s.csv:1: has columns that are not known: colour"),
        ("benchmark,model,score,score\n", "s.csv:1: names a column twice"),
        ("benchmark,model,score\n", "holds no score"),
        (GOOD + "GPQA,x,45.2,,,\n", r"s.csv:4: the score '45.2' is no number from 0 to 1"),
        (GOOD + "GPQA,x,nan,,,\n", "s.csv:4: the score"),
        (GOOD + "GPQA,x,101%,,,\n", "s.csv:4: the score"),
        (GOOD + "GPQA,x,0.5,0,,\n", "s.csv:4: n, the number of items"),
        (GOOD + "GPQA,x,0.5,5,May,\n", "s.csv:4: the date 'May'"),
        (GOOD + "GPQA,,0.5,5,,\n", "s.csv:4: the model is empty"),
        (GOOD + "GPQA,m,0.5\n", "s.csv:4: 3 cells for 6 columns"),
        (GOOD + "GPQA,k,0.6,,,\n", "s.csv:4: this benchmark, model and date"),
        (GOOD + '"GP\nQA",k,\x1b,,,\n', r"s.csv:5: the score '\\\\x1b'"),
        ('benchmark,model,score\n"a,b\n', "is not CSV"),
    ],
)
def test_bad_lines_are_refused_with_file_and_line(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        parse_scores(text, "s.csv")
