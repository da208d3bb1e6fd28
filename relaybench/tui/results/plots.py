"""Which plots the screen offers, and how each is drawn from a figure's data in characters."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from relaybench.reports.figures.captions import in_percent
from relaybench.reports.figures.figure import (
    CostData,
    Figure,
    FigureKind,
    HallucinationData,
    OutcomesData,
    ScoresData,
    SetsData,
)
from relaybench.reports.numbers import percent
from relaybench.reports.tables import NO_PARSEABLE, NO_SCORED
from relaybench.tui.results.bars import (
    DumbbellRow,
    ForestRow,
    dumbbells,
    forest,
    forest_scale,
    outcome_bars,
)
from relaybench.tui.results.ink import Line, Role, name_width, paragraph
from relaybench.tui.results.scatter import scatter


class Plot(StrEnum):
    """The plots of the screen, in their order."""

    ACCURACY = "accuracy"
    PARSED = "parseable and correct"
    HALLUCINATION = "hallucination"
    COST = "score and cost"
    OUTCOMES = "outcomes"
    SETS = "sets"


#: The figure that each plot is drawn from.
KINDS: Final = {
    Plot.ACCURACY: FigureKind.SCORES,
    Plot.PARSED: FigureKind.OUTCOMES,
    Plot.HALLUCINATION: FigureKind.HALLUCINATION,
    Plot.COST: FigureKind.COST,
    Plot.OUTCOMES: FigureKind.OUTCOMES,
    Plot.SETS: FigureKind.SETS,
}
_NO_SCORE: Final = NO_SCORED.reason
_NO_ANSWER: Final = NO_PARSEABLE.reason


def drawn(plot: Plot, figure: Figure, width: int, height: int) -> list[Line]:
    """A plot in lines of at most ``width`` cells; only the scatter plot minds the ``height``.

    The first lines say what it is, the last ones what must be known to read it.
    """
    width = max(width, 30)
    data = figure.data
    title = "Parseable and correct" if plot is Plot.PARSED else figure.title
    made_up = "(simulated)" if figure.simulated and "simulated" not in title else ""
    lines = [*paragraph(f"{title} {made_up}".strip(), width, Role.STRONG), ()]
    match data:
        case ScoresData():
            rows = [
                ForestRow(row.model, row.share, in_percent(row.share, _NO_SCORE), row.incomplete)
                for row in data.rows
            ]
            lines += forest(rows, width)
        case HallucinationData():
            lines += _hallucination(data, width)
        case OutcomesData() if plot is Plot.PARSED:
            lines += _parsed(data, width)
        case OutcomesData():
            lines += outcome_bars(data, width)
        case CostData():
            lines += scatter(data, width, height - 4)
        case SetsData():
            lines += _sets(data, width)
    return [*lines, (), *_notes(plot, figure, width)]


def _hallucination(data: HallucinationData, width: int) -> list[Line]:
    rows = [
        ForestRow(row.model, row.share, in_percent(row.share, _NO_ANSWER), row.incomplete)
        for row in data.rows
    ]
    lines = forest(rows, width)
    parsed = [
        f"{row.model} {percent(row.parseable / row.scored)}%" for row in data.rows if row.scored
    ]
    said = "; ".join(parsed) or "none"
    return [*lines, (), *paragraph(f"Parseable of scored attempts: {said}.", width)]


def _parsed(data: OutcomesData, width: int) -> list[Line]:
    rows = []
    for row in data.rows:
        correct, wrong, *_, left = row.counts
        scored = sum(row.counts) - left
        if not scored:
            rows.append(DumbbellRow(row.model, None, _NO_SCORE, left > 0))
            continue
        right, parsed = correct / scored, (correct + wrong) / scored
        words = f"{percent(right)}% of {percent(parsed)}%"
        rows.append(DumbbellRow(row.model, (right, parsed), words, left > 0))
    return dumbbells(rows, width)


def _sets(data: SetsData, width: int) -> list[Line]:
    groups = [
        (
            group.title,
            [
                ForestRow(each.model, each.share, in_percent(each.share, ""), each.incomplete)
                for each in group.points
            ],
        )
        for group in data.groups
    ]
    every = [row for _, rows in groups for row in rows]
    names = name_width([row.name for row in every], width)
    words = max((len(row.words) for row in every), default=0)
    scale = forest_scale(every, width, names, words)
    lines: list[Line] = []
    for title, rows in groups:
        lines += paragraph(title, width, Role.STRONG)
        drawn = forest(rows, width, name_cells=names, word_cells=words, scale=scale)
        lines += [*drawn[:-1], ()]
    return lines[:-1]


_MEANING: Final = {
    Plot.ACCURACY: "● pass@1, ├─┤ its 95% interval. Best score first.",
    Plot.PARSED: "● correct and ◇ parseable among scored attempts (◈ both alike): the line is what "
    "was answered and wrong, right of it is what gave no answer.",
    Plot.HALLUCINATION: "● wrong among parseable answers, ├─┤ its 95% interval. Lowest rate first. "
    "Who rarely answers is rarely wrong: read it beside the parse rate.",
    Plot.OUTCOMES: "Each bar is a model's planned attempts; beside it how many are correct.",
    Plot.SETS: "● pass@1 on the items of each set, ├─┤ its 95% interval.",
}


def _notes(plot: Plot, figure: Figure, width: int) -> list[Line]:
    lines: list[Line] = []
    if plot in _MEANING:
        lines += paragraph(_MEANING[plot], width)
    incomplete = _incomplete(figure)
    if incomplete and plot not in (Plot.COST, Plot.OUTCOMES):
        lines += paragraph("* ○ attempts are still open", width, Role.WARNING)
    if figure.simulated:
        said = "SIMULATED: made-up results, which say nothing about any real model."
        lines += paragraph(said, width, Role.WARNING)
    return lines


def _incomplete(figure: Figure) -> bool:
    match figure.data:
        case ScoresData() | HallucinationData():
            return any(row.incomplete for row in figure.data.rows)
        case OutcomesData():
            return any(row.counts[-1] for row in figure.data.rows)
        case SetsData():
            return any(each.incomplete for group in figure.data.groups for each in group.points)
    return False
