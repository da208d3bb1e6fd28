"""Plots and bars as bare text: what is drawn where, literal names, any number of models."""

from __future__ import annotations

from decimal import Decimal

import pytest
from rich.cells import cell_len

from relaybench.reports.figures.figure import (
    SEGMENTS,
    CostData,
    CostPoint,
    Data,
    Figure,
    FigureKind,
    HallucinationData,
    ModelHallucination,
    ModelOutcomes,
    ModelScore,
    OutcomesData,
    ScoresData,
    SetGroup,
    SetPoint,
    SetsData,
    Share,
)
from relaybench.tui.results.bars import interval, outcome_bar, outcome_legend, shared_out
from relaybench.tui.results.ink import Role, name_in, paragraph, short_names, text_of, width_of
from relaybench.tui.results.plots import KINDS, Plot, drawn
from relaybench.tui.results.scales import CostScale, Scale, peak

HOSTILE = "x[/red] [b]\x1b[31m\x9b\u202e日本"


def test_an_interval_stands_where_its_values_fall() -> None:
    scale = Scale(0.0, 1.0, 11)
    assert text_of([interval(Share(0.5, 0.3, 0.8), scale)]) == "· ·├─●──┤ ·"
    assert text_of([interval(Share(0.5, 0.3, 0.8), scale, incomplete=True)]) == "· ·├─○──┤ ·"
    assert text_of([interval(Share(0.5, 0.5, 0.5), scale)]).count("●") == 1
    assert text_of([interval(Share(1.0), scale)]).endswith("●")
    assert "●" not in text_of([interval(None, scale)])
    assert text_of([interval(Share(0.0, -0.5, 0.5), Scale(-1.0, 1.0, 9))]) == "· ├─●─┤ ·"


@pytest.mark.parametrize(
    ("counts", "cells", "parts"),
    [
        ([1, 1], 10, [5, 5]),
        ([999, 1], 10, [9, 1]),  # what is there is seen
        ([0, 0], 10, [0, 0]),
        ([1, 1, 1], 2, [0, 1, 1]),
        ([5, 0, 3], 8, [5, 0, 3]),
    ],
)
def test_cells_are_shared_out_in_proportion(
    counts: list[int], cells: int, parts: list[int]
) -> None:
    found = shared_out(counts, cells)
    assert sum(found) == (cells if sum(counts) else 0)
    assert sorted(found) == sorted(parts)
    assert all((count == 0) <= (part == 0) for count, part in zip(counts, found, strict=True))


def test_outcomes_are_told_apart_without_colour() -> None:
    bar = outcome_bar([4, 3, 2, 1, 0, 0, 2], 12)
    assert text_of([bar]) == "C███W▒▒U░R··"
    assert [piece.role for piece in bar[:2]] == [Role.CORRECT, Role.WRONG]
    legend = text_of([outcome_legend()])
    assert all(segment in legend for segment in SEGMENTS)
    marks = legend.split()[::2]
    assert len(set(marks)) == len(SEGMENTS)


def test_names_fit_and_none_looks_like_another() -> None:
    assert name_in("short", 8) == "short   "
    assert name_in("provider/model-2026", 9) == "prov…2026"
    assert cell_len(name_in("日本語日本語", 7)) == 7
    assert name_in("a\nb", 6) == "a\\nb  "
    long = [f"provider/a-model-with-a-long-name-{letter}-2026-11-30" for letter in "abc"]
    short = short_names([*long, long[0], "other"], 20)
    assert len(set(short)) == 4
    assert short[0] == short[3]
    assert all(cell_len(name) == 20 for name in short)


def test_costs_far_apart_stand_on_a_logarithmic_scale() -> None:
    near, far = CostScale.of([1.0, 3.0], 60), CostScale.of([0.0, 0.01, 30.0], 60)
    assert not near.logarithmic
    assert near.ticks()[0] == (0, "$0")
    assert far.logarithmic
    assert far.place(0.0) == 0 < far.place(0.01) < far.place(30.0) < 60
    assert {"$0", "$0.10", "$1", "$10"} <= {text for _, text in far.ticks()}
    assert [peak(each) for each in (0.01, 0.31, 0.3, 1.0)] == [0.2, 0.4, 0.3, 1.0]


def figure(data: Data, kind: FigureKind = FigureKind.SCORES) -> Figure:
    return Figure(kind.value, kind, "Title of run r", "", "", data, simulated=True)


def figures(count: int) -> dict[Plot, Figure]:
    names = [f"model-{number}" for number in range(count - 1)] + [HOSTILE]
    shares = [
        Share(n / count, max(n / count - 0.1, 0), min(n / count + 0.1, 1)) for n in range(count)
    ]
    scores = ScoresData(
        tuple(
            ModelScore(name, share if n != 1 else None, 9, 9 - n % 2, 9, n, False)
            for n, (name, share) in enumerate(zip(names, shares, strict=True))
        )
    )
    rates = HallucinationData(
        tuple(
            ModelHallucination(name, share, 9, 9, 9, 1, 8)
            for name, share in zip(names, shares, strict=True)
        )
    )
    outcomes = OutcomesData(
        tuple(ModelOutcomes(name, (n, 3, 1, 0, 2, 0, n % 2)) for n, name in enumerate(names))
    )
    costs = CostData(
        tuple(
            CostPoint(name, share, Decimal(n) ** 3, n % 2 == 0, n == 3, Decimal(1), 9)
            for n, (name, share) in enumerate(zip(names, shares, strict=True))
        ),
        ("dear",),
        (),
    )
    points = tuple(SetPoint(name, share, 9) for name, share in zip(names, shares, strict=True))
    sets = SetsData(tuple(names), (SetGroup("one", False, points), SetGroup("two", False, points)))
    by_kind: dict[FigureKind, Data] = {
        FigureKind.SCORES: scores,
        FigureKind.HALLUCINATION: rates,
        FigureKind.OUTCOMES: outcomes,
        FigureKind.COST: costs,
        FigureKind.SETS: sets,
    }
    return {plot: figure(by_kind[kind], kind) for plot, kind in KINDS.items()}


@pytest.mark.parametrize("count", [1, 3, 12, 40])
@pytest.mark.parametrize("size", [(50, 10), (76, 20), (190, 58)])
def test_every_plot_fits_its_width_and_names_every_model_literally(
    count: int, size: tuple[int, int]
) -> None:
    for plot, each in figures(count).items():
        lines = drawn(plot, each, *size)
        assert max(width_of(line) for line in lines) <= size[0], plot
        text = text_of(lines)
        assert not any(ord(letter) < 32 and letter != "\n" for letter in text)
        assert "\u202e" not in text
        assert "SIMULATED" in text
        if size[0] > 150:
            assert "x[/red] [b]\\x1b[31m\\x9b\\u202e日本" in text, plot


def test_a_scatter_plot_joins_the_frontier_and_numbers_its_points() -> None:
    lines = drawn(Plot.COST, figures(4)[Plot.COST], 70, 30)
    text = text_of(lines)
    assert "┘" in text
    assert "● on the Pareto frontier" in text
    assert "4 ◇ x[/red]" in text
    assert "Cost unknown, so not drawn (never taken as 0): dear." in text
    same = CostData(
        tuple(
            CostPoint(f"m{n}", Share(0.5), Decimal(1), True, False, Decimal(1), 1) for n in range(3)
        ),
        (),
        (),
    )
    assert "●1,2,3" in text_of(drawn(Plot.COST, figure(same), 70, 30))


def test_dumbbells_join_what_was_answered_with_what_was_right() -> None:
    data = OutcomesData((ModelOutcomes("m", (5, 3, 2, 0, 0, 0, 0)), ModelOutcomes("n", (0,) * 7)))
    text = text_of(drawn(Plot.PARSED, figure(data, FigureKind.OUTCOMES), 60, 20))
    (row,) = [line for line in text.splitlines() if line.startswith("m ")]
    assert "●═" in row
    assert "═◇" in row
    assert row.endswith("50.0% of 80.0%")
    assert "no scored attempt" in text


def test_a_paragraph_is_broken_at_spaces() -> None:
    lines = paragraph("one two threefourfive six", 8)
    assert text_of(lines).splitlines() == ["one two", "threefou", "rfive", "six"]
