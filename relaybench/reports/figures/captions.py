"""What a figure says in words: a caption with all that must be known, and a sentence instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from relaybench.domain.literal import visible
from relaybench.reports.dimensions import forms_note
from relaybench.reports.figures.figure import (
    CostData,
    HallucinationData,
    OutcomesData,
    ScoresData,
    Share,
)
from relaybench.reports.figures.model_results import ModelResult
from relaybench.reports.grid_facts import (
    disputed_notes,
    made_up_notes,
    open_notes,
    uneven_notes,
)
from relaybench.reports.numbers import counted, listed, percent, usd
from relaybench.store.grid import OutcomeGrid

_HATCHED: Final = "Hatched bars are incomplete"


@dataclass(frozen=True, slots=True)
class Words:
    """``alt`` in one sentence, ``meaning`` of what is drawn, and ``notes`` that qualify it."""

    alt: str
    meaning: tuple[str, ...]
    notes: tuple[str, ...] = ()


def caption(
    title: str, words: Words, grid: OutcomeGrid, *, results: bool = True, forms: bool = True
) -> str:
    """The caption file's text: title, made-up results first, meaning, runs, what qualifies it.

    ``results``: whether any are drawn; a graph holds none, so that nothing qualifies it.
    ``forms``: whether n counts items, which may be one problem in several forms.
    """
    lines = [
        f"{title}.",
        *(made_up_notes(grid) if results else ()),
        *words.meaning,
        *(forms_note(grid) if forms and results else ()),
        *(_run_line(grid, number) for number in range(len(grid.runs))),
        *words.notes,
        *((*open_notes(grid), *uneven_notes(grid), *disputed_notes(grid)) if results else ()),
    ]
    return "\n".join(visible(line) for line in lines) + "\n"


def _run_line(grid: OutcomeGrid, number: int) -> str:
    run = grid.runs[number]
    what = "imported" if run.kind == "import" else "simulated" if run.simulated else "sent"
    repeats = f", {run.repeats:,} repeats" if run.repeats > 1 else ""
    strict = ", graded without mending slips" if run.strict else ""
    return (
        f"Run {run.name}: {what} on {run.created_at[:10]} (UTC), {counted(run.items, 'item')}, "
        f"{counted(run.configs, 'model')}{repeats}{strict}, relaybench {run.version}."
    )


def in_percent(share: Share | None, none: str) -> str:
    """``16.7% [7.3, 33.6]``, or the word for none."""
    if share is None:
        return none
    if share.low is None or share.high is None:
        return f"{percent(share.value)}%"
    return f"{percent(share.value)}% [{percent(share.low)}, {percent(share.high)}]"


def joined(parts: Sequence[str]) -> str:
    """Parts of a sentence, apart by semicolons."""
    return "; ".join(parts)


def _of_models(counts: Sequence[tuple[str, int]], thing: str) -> str:
    """n, in one number where it is the same for all models."""
    if len({n for _, n in counts}) == 1:
        n = counts[0][1]
        return f"n = {counted(n, thing)} for each model."
    return f"n in {thing}s: {', '.join(f'{model}: {n:,}' for model, n in counts)}."


def incomplete(models: Sequence[tuple[str, int, int]], lead: str = "Incomplete") -> tuple[str, ...]:
    """That models are incomplete: name, open attempts and planned ones of each; none open, none."""
    said = [f"{name} ({left:,} of {planned:,})" for name, left, planned in models if left > 0]
    if not said:
        return ()
    return (f"{lead}, for attempts are still open: {', '.join(said)}.",)


def scores_words(data: ScoresData) -> Words:
    """Words for scores."""
    rows = data.rows
    clustered = [row.model for row in rows if row.clustered]
    said = [f"{row.model} {in_percent(row.share, 'no scored attempt')}" for row in rows]
    meaning = [
        "Bars show pass@1, the share of correct answers among scored attempts, averaged over "
        "items; whiskers show its 95% Wilson interval. Best score on top.",
        f"Pass@1 [95% interval]: {joined(said)}.",
        _of_models([(row.model, row.items) for row in rows], "item"),
    ]
    if clustered:
        meaning.append(
            f"Items were asked more than once of {listed(clustered)}: the interval is that of an "
            "effective n that allows for repeats of one item being alike."
        )
    best = rows[0] if rows else None
    alt = (
        f"Horizontal bars of the scores of {counted(len(rows), 'model')} with 95% intervals"
        + (f"; best is {best.model} with {in_percent(best.share, 'no score')}" if best else "")
        + "."
    )
    left = [(row.model, row.planned - row.scored, row.planned) for row in rows]
    return Words(alt, tuple(meaning), incomplete(left, _HATCHED))


def hallucination_words(data: HallucinationData) -> Words:
    """Words for hallucination rates."""
    rows = data.rows
    rates = [f"{row.model} {in_percent(row.share, 'no parseable answer')}" for row in rows]
    parsed = [f"{row.model} {row.parseable:,} of {row.scored:,}" for row in rows]
    repeated = any(row.scored > row.items for row in rows)
    left = [(row.model, row.planned - row.scored, row.planned) for row in rows]
    return Words(
        f"Horizontal bars of the hallucination rates of {counted(len(rows), 'model')} with 95% "
        f"intervals: {joined(rates[:3])}{'; ...' if len(rates) > 3 else ''}.",
        (
            "Bars show the hallucination rate, the share of wrong answers among parseable ones "
            "(unparseable answers are outside); whiskers show its 95% Wilson interval. Lowest "
            "rate on top.",
            f"Rate [95% interval]: {joined(rates)}.",
            f"Parseable of scored attempts: {joined(parsed)}. Who rarely gives an answer rarely "
            "gives a wrong one: read both together.",
            *(
                [
                    "Items were asked more than once; the interval treats all parseable answers "
                    "as independent, which repeats of one item are not."
                ]
                if repeated
                else []
            ),
        ),
        incomplete(left, _HATCHED),
    )


def outcomes_words(data: OutcomesData) -> Words:
    """Words for outcomes."""
    rows = data.rows
    totals = [(row.model, sum(row.counts)) for row in rows]
    left = [(row.model, row.counts[-1], sum(row.counts)) for row in rows]
    counts = [f"{row.model} {row.counts[0]:,} correct, {row.counts[1]:,} wrong" for row in rows]
    return Words(
        f"Stacked horizontal bars of answers by outcome for {counted(len(rows), 'model')}: "
        f"{joined(counts[:3])}{'; ...' if len(counts) > 3 else ''}.",
        (
            "Each bar counts a model's planned attempts by outcome. Correct and wrong answers are "
            "the parseable ones; unparseable: finished without a final code block; refused, "
            "truncated and stalled attempts gave no answer either, and all of these are scored; "
            "open: not answered yet, not scored. Most correct answers on top.",
            f"Parseable answers: {joined(counts)}.",
            _of_models(totals, "attempt"),
        ),
        incomplete(left),
    )


def cost_words(data: CostData, results: Sequence[ModelResult]) -> Words:
    """Words for score against cost."""
    points = data.points
    frontier = [point.model for point in points if point.frontier]
    notes = []
    if data.unknown:
        notes.append(f"Cost unknown, so not drawn (never taken as 0): {', '.join(data.unknown)}.")
    if data.unscored:
        notes.append(f"No scored attempt, so not drawn: {', '.join(data.unscored)}.")
    planned = {each.model: each.planned for each in results}
    left = [
        (each.model, planned[each.model] - each.scored, planned[each.model])
        for each in points
        if each.incomplete
    ]
    notes += [f"{note} They are no part of the frontier." for note in incomplete(left)]
    if any(point.usd == 0 for point in points):
        free = [point.model for point in points if point.usd == 0]
        notes.append(f"Cost of exactly 0: {', '.join(free)}.")
    unsaved = sum(each.unsaved for each in results)
    if unsaved:
        notes.append(
            f"No cost here holds {counted(unsaved, 'call')} that may have been billed though no "
            "answer was kept."
        )
    cost, per = "Cost", ""
    what = "what all its charged attempts cost in USD"
    if data.per_attempt:
        cost, per = "Cost per scored attempt", " each"
        what = (
            "what it cost in USD per scored attempt (all that was charged over the scored "
            "attempts, for models have unequal numbers of them)"
        )
    said = [f"{each.model} {usd(each.usd)}{per}, {in_percent(each.share, '')}" for each in points]
    drawn = {point.model for point in points}
    items = [(each.model, len(each.scores)) for each in results if each.model in drawn]
    attempts = [(each.model, each.scored) for each in points]
    ns = [_of_models(items, "item"), _of_models(attempts, "scored attempt")] if points else []
    best = f"on the Pareto frontier: {', '.join(frontier)}" if frontier else "without a frontier"
    return Words(
        f"Scatter plot of score against {cost.lower()} for {counted(len(points), 'model')}; "
        f"{best}.",
        (
            f"Each point is a model: {what}, and its pass@1 with the 95% Wilson interval. The line "
            "is the Pareto frontier: no complete model scores higher for the same money or less.",
            f"{cost} and pass@1 [95% interval]: {joined(said) or 'none'}.",
            f"On the frontier: {', '.join(frontier) or 'none'}.",
            *ns,
        ),
        tuple(notes),
    )
