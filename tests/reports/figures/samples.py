"""Figures of hand-made results: the paper's, one model, many models with long names."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal

from relaybench.domain.results import Outcome
from relaybench.reports.figures.figure import (
    Data,
    Figure,
    FigureKind,
    GraphData,
    GraphInput,
    GraphStep,
    OverTimeData,
    SetGroup,
    SetPoint,
    SetsData,
    Share,
    TimePoint,
    TimeSeries,
)
from relaybench.reports.figures.model_results import (
    ModelResult,
    cost_data,
    hallucination_data,
    outcomes_data,
    scores_data,
)
from relaybench.stats.intervals import wilson

DOMAINS = (
    "math",
    "coding",
    "visual-reasoning",
    "information-extraction",
    "problem-solving",
    "general-knowledge",
    "data-analysis",
)


def model(
    name: str,
    right: int,
    parseable: int,
    cost: str | None,
    *,
    items: int = 30,
    more: dict[Outcome, int] | None = None,
    planned: int = 0,
) -> ModelResult:
    """One model's results, one attempt an item; what is not named otherwise is unparseable."""
    more = more or {}
    rest = items - parseable - sum(n for outcome, n in more.items() if outcome.scored)
    outcomes = {
        Outcome.CORRECT: right,
        Outcome.WRONG: parseable - right,
        Outcome.UNPARSEABLE: rest,
        **more,
    }
    return ModelResult(
        model=name,
        scores=((1.0,),) * right + ((0.0,),) * (items - right),
        outcomes=outcomes,
        planned=planned or items,
        cost=None if cost is None else Decimal(cost),
        unsaved=0,
    )


PAPER = (
    model("Claude Opus 4.7 (Max)", 5, 6, "33.76"),
    model("Gemini 3.1 Pro (High)", 12, 18, "32.99"),
    model("GPT-5.5 (xHigh)", 13, 26, "22.44"),
)


def long_name(index: int) -> str:
    """A name of 40 characters; only its middle differs."""
    words = ("alpha", "bravo", "gamma", "delta")[index % 4]
    return f"Vendor {index:02} {words} large (high, no tools)".ljust(40, "x")[:40]


def many(count: int = 12) -> list[ModelResult]:
    """Models with long names; costs from 0 on, one unknown, some incomplete, many outcomes."""
    rare = {Outcome.REFUSED: 1, Outcome.TRUNCATED: 2, Outcome.STALLED: 1}
    found = []
    for index in range(count):
        cost = None if index == 3 else "0" if index == 5 else str(0.4 * 1.9**index)
        more = dict(rare) if index % 3 == 0 else {}
        if index == 7:
            more[Outcome.ERROR] = 4
        right = (index * 7) % 23
        parseable = min(right + 3 + index % 4, 26)
        planned = 34 if index == 7 else 30
        found.append(model(long_name(index), right, parseable, cost, more=more, planned=planned))
    return found


def crowd(count: int = 12) -> list[ModelResult]:
    """The worst of a scatter plot: all models at one place."""
    return [model(long_name(index), 0, 1, "0") for index in range(count)]


def share(k: int, n: int) -> Share:
    """k of n with its Wilson interval."""
    interval = wilson(k, n)
    assert interval is not None
    return Share(k / n, interval.lo, interval.hi)


def sets(models: Sequence[ModelResult]) -> SetsData:
    """Two sets of ours and a published benchmark."""
    names = [each.model for each in models]

    def points(factor: int) -> tuple[SetPoint, ...]:
        found = [
            SetPoint(name, share((index * factor + 5) % 30, 30), 30, int(index == 1), 30)
            for index, name in enumerate(names)
        ]
        return tuple(sorted(found, key=lambda point: -point.share.value))

    theirs = tuple(SetPoint(name, Share(0.9 - 0.05 * i), None) for i, name in enumerate(names[:5]))
    return SetsData(
        tuple(names),
        (
            SetGroup("starter", False, points(7)),
            SetGroup("a-set-with-quite-a-long-name-of-its-own", False, points(11)),
            SetGroup("GPQA Diamond", True, theirs),
        ),
    )


def over_time(models: Sequence[ModelResult], days: int = 3, series: int = 1) -> OverTimeData:
    """Runs some weeks apart; further series are published ones."""
    found = []
    for number in range(series):
        points = [
            TimePoint(
                date(2026, 1 + number, 5) + timedelta(41 * day),
                each.model,
                share((index * 5 + day * 6 + 3 + number * 4) % 30, 30),
                open=2 * (index == 2),
                planned=30,
            )
            for day in range(days)
            for index, each in enumerate(models)
        ]
        name = "starter" if number == 0 else f"Published benchmark {number}"
        found.append(TimeSeries(name, number > 0, tuple(points)))
    return OverTimeData(tuple(each.model for each in models), tuple(found))


def graph(steps: int, *, plain: bool = False) -> GraphData:
    """A composite in which steps feed others, near and far; the last but one is not answered."""
    labels = [chr(ord("A") + index) for index in range(steps)]
    inputs = []
    for index in range(1, steps):
        inputs.append(GraphInput(labels[(index - 1) // 2], labels[index], f"input_{index}"))
        if index % 3 == 0:
            inputs.append(GraphInput(labels[index - 1], labels[index], "shift"))
        if index % 4 == 2:
            inputs.append(GraphInput(labels[0], labels[index], "quite_a_long_name_of_input"))
    return GraphData(
        ref="starter/relay-01",
        steps=tuple(
            GraphStep(
                label,
                "definite-integral-of-a-power-of-x"[: 8 + 5 * (index % 6)].rstrip("-"),
                DOMAINS[index % 7],
                ("reverse", "upper")[: index % 3],
                steps < 5 or index != steps - 2,
            )
            for index, label in enumerate(labels)
        ),
        inputs=tuple(inputs),
        bloat_characters=0 if plain else 7813,
        encoded=not plain,
    )


def figure(kind: FigureKind, data: Data, *, simulated: bool = False) -> Figure:
    """A figure around data."""
    return Figure(
        kind.value, kind, f"Title of {kind}", f"Alt of {kind}", "Caption\n", data, simulated
    )


def figures_of(models: Sequence[ModelResult], *, simulated: bool = False) -> list[Figure]:
    """Figures of all kinds but the graph, of these models."""
    data: dict[FigureKind, Data] = {
        FigureKind.SETS: sets(models),
        FigureKind.OVER_TIME: over_time(models),
        FigureKind.OUTCOMES: outcomes_data(models),
        FigureKind.HALLUCINATION: hallucination_data(models),
        FigureKind.COST: cost_data(models),
        FigureKind.SCORES: scores_data(models),
    }
    return [figure(kind, each, simulated=simulated) for kind, each in data.items()]
