"""Scores of several runs put together, or of some of their items: what a grid of outcomes says.

The leaderboard is of one whole run, with its tokens and costs; this is what can be said of any
selection. Items that were graded against different keys are left out of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from relaybench.domain.model import ModelConfig
from relaybench.domain.results import Outcome
from relaybench.reports.dimensions import forms_note
from relaybench.reports.figures.model_results import ModelResult
from relaybench.reports.grid_facts import config_simulated, grid_table
from relaybench.reports.leaderboard_notes import hallucination_note, score_notes
from relaybench.reports.model_columns import CONFIG, MODEL, with_interval
from relaybench.reports.run_facts import SIMULATED_COLUMN
from relaybench.reports.score_cells import (
    COST_KEYS,
    best_first,
    cost_cells,
    coverage_cells,
    hallucination_cells,
    score_cells,
)
from relaybench.reports.tables import (
    EXACT_ONLY,
    NARROW,
    PAGE,
    Column,
    Kind,
    Missing,
    Table,
    Value,
)
from relaybench.stats import rates
from relaybench.store.grid import OutcomeGrid

_OF_WHOLE_RUNS: Final = Missing("known of whole runs only")

_COLUMNS: Final = (
    SIMULATED_COLUMN,
    MODEL,
    *with_interval("pass_at_1", "Pass@1", mark="incomplete"),
    Column("incomplete", "Incomplete", Kind.FLAG, "whether attempts are open", EXACT_ONLY),
    Column("coverage", "Coverage", Kind.SHARE, "share of planned that is scored", PAGE),
    *with_interval("hallucination", "Halluc."),
    Column("parse_rate", "Parse rate", Kind.SHARE, "parseable share of scored", NARROW),
    Column("items", "Items", Kind.WHOLE, "items with a scored attempt", PAGE, begins=True),
    Column("planned", "Planned", Kind.WHOLE, "attempts"),
    Column("scored", "Scored", Kind.WHOLE, "attempts", PAGE),
    *(
        Column(each.value, each.value.capitalize(), Kind.WHOLE, "attempts")
        for each in Outcome
        if each is not Outcome.PENDING
    ),
    Column("pending", "Pending", Kind.WHOLE, "attempts"),
    Column("cost_usd", "Cost ($)", Kind.USD, "USD", NARROW, begins=True),
    Column("cost_per_item_usd", "Per item ($)", Kind.USD, "USD per scored attempt", PAGE),
    Column("cost_per_correct_usd", "Per correct ($)", Kind.USD, "USD per correct answer", PAGE),
    CONFIG,
)


def scores_table(grid: OutcomeGrid, models: Sequence[ModelResult], *, whole: bool = True) -> Table:
    """One row a model, best pass@1 first; ties in plan order, undefined scores last.

    ``models`` are what ``model_results`` made of the grid, in its order. ``whole``: no item of
    the runs was left out, so that their costs are known.
    """
    pairs = list(zip(grid.configs.values(), models, strict=True))
    scores = [rates.score_summary(result.scores) for result in models]
    whole = whole and not grid.disputed
    rows = [
        {
            "simulated": config_simulated(grid, config),
            "config": config.name,
            **_values(config, result, score, whole),
        }
        for (config, result), score in best_first(pairs, scores)
    ]
    columns = tuple(
        replace(column, level=EXACT_ONLY, begins=False)
        if column.key in COST_KEYS and not whole
        else column
        for column in _COLUMNS
    )
    return grid_table(grid, "scores", "Scores", columns, rows, _notes(grid, models, scores, whole))


def _values(
    config: ModelConfig, result: ModelResult, score: rates.ScoreSummary | None, whole: bool
) -> dict[str, Value]:
    correct, wrong = result.count(Outcome.CORRECT), result.count(Outcome.WRONG)
    return {
        "model": config.label,
        **score_cells(score),
        **coverage_cells(result.scored, result.planned),
        **hallucination_cells(correct, wrong, result.scored - correct - wrong),
        "items": len(result.scores),
        "planned": result.planned,
        "scored": result.scored,
        **{each.value: result.count(each) for each in Outcome},
        "pending": max(result.planned - result.scored - result.count(Outcome.ERROR), 0),
        **(
            cost_cells(result.cost, result.scored, correct)
            if whole
            else dict.fromkeys(COST_KEYS, _OF_WHOLE_RUNS)
        ),
    }


def _notes(
    grid: OutcomeGrid,
    models: Sequence[ModelResult],
    scores: Sequence[rates.ScoreSummary | None],
    whole: bool,
) -> list[str]:
    left = [
        f"{each.model} ({each.planned - each.scored:,} of {each.planned:,})"
        for each in models
        if each.scored < each.planned
    ]
    notes = [f"Incomplete, for attempts are still open: {', '.join(left)}."] if left else []
    notes += forms_note(grid)
    notes += score_notes(scores)
    notes.append(hallucination_note(any(each.scored > len(each.scores) for each in models)))
    if not whole:
        notes.append("Costs are those of whole runs; the leaderboard of each run has them.")
    return notes
