"""What a figure says in words: a caption with all that must be known, and a sentence instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from typing import Final

from relaybench.domain.literal import visible
from relaybench.reports.figures.figure import (
    CostData,
    GraphData,
    HallucinationData,
    OutcomesData,
    OverTimeData,
    ScoresData,
    SetsData,
    Share,
)
from relaybench.reports.figures.model_results import ModelResult
from relaybench.reports.figures.published import PublishedScore
from relaybench.reports.grid_facts import grid_notes, grid_simulated, listed
from relaybench.reports.numbers import dollars, percent
from relaybench.store.grid import OutcomeGrid

_CENT: Final = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Words:
    """``alt`` in one sentence, ``meaning`` of what is drawn, and ``notes`` that qualify it."""

    alt: str
    meaning: tuple[str, ...]
    notes: tuple[str, ...] = ()


def caption(title: str, words: Words, grid: OutcomeGrid, *, results: bool = True) -> str:
    """The caption file's text: title, made-up results first, meaning, runs, what qualifies it.

    ``results``: whether any are drawn; a graph holds none, so that nothing qualifies it.
    """
    general = grid_notes(grid) if results else []
    made_up = general[:1] if grid_simulated(grid) else []
    lines = [
        f"{title}.",
        *made_up,
        *words.meaning,
        *(_run_line(grid, number) for number in range(len(grid.runs))),
        *words.notes,
        *general[len(made_up) :],
    ]
    return "\n".join(visible(line) for line in lines) + "\n"


def _run_line(grid: OutcomeGrid, number: int) -> str:
    run = grid.runs[number]
    what = "imported" if run.kind == "import" else "simulated" if run.simulated else "sent"
    repeats = f", {run.repeats:,} repeats" if run.repeats > 1 else ""
    strict = ", graded without mending slips" if run.strict else ""
    return (
        f"Run {run.name}: {what} on {run.created_at[:10]} (UTC), {_count(run.items, 'item')}, "
        f"{_count(run.configs, 'model')}{repeats}{strict}, relaybench {run.version}."
    )


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def in_percent(share: Share | None, none: str) -> str:
    """``16.7% [7.3, 33.6]``, or the word for none."""
    if share is None:
        return none
    if share.low is None or share.high is None:
        return f"{percent(share.value)}%"
    return f"{percent(share.value)}% [{percent(share.low)}, {percent(share.high)}]"


def _each(parts: Sequence[str]) -> str:
    return "; ".join(parts)


def _of_models(counts: Sequence[tuple[str, int]], thing: str) -> str:
    """n, in one number where it is the same for all models."""
    if len({n for _, n in counts}) == 1:
        n = counts[0][1]
        return f"n = {_count(n, thing)} for each model."
    return f"n in {thing}s: {', '.join(f'{model}: {n:,}' for model, n in counts)}."


def _incomplete(models: Sequence[str]) -> tuple[str, ...]:
    if not models:
        return ()
    return (f"Incomplete, for some planned attempts are open: {', '.join(models)}.",)


def _usd(amount: Decimal) -> str:
    """An amount in cents, or with two digits where that says too little."""
    if amount == 0 or amount >= _CENT:
        return f"${dollars(amount)}"
    return f"${Context(prec=2).plus(amount):f}"


def scores_words(data: ScoresData) -> Words:
    """Words for scores."""
    rows = data.rows
    clustered = [row.model for row in rows if row.clustered]
    said = [f"{row.model} {in_percent(row.share, 'no scored attempt')}" for row in rows]
    meaning = [
        "Bars show pass@1, the share of correct answers among scored attempts, averaged over "
        "items; whiskers show its 95% Wilson interval. Best score on top.",
        f"Pass@1 [95% interval]: {_each(said)}.",
        _of_models([(row.model, row.items) for row in rows], "item"),
    ]
    if clustered:
        meaning.append(
            f"Items were asked more than once of {listed(clustered)}: the interval is that of an "
            "effective n that allows for repeats of one item being alike."
        )
    best = rows[0] if rows else None
    alt = (
        f"Horizontal bars of the scores of {_count(len(rows), 'model')} with 95% intervals"
        + (f"; best is {best.model} with {in_percent(best.share, 'no score')}" if best else "")
        + "."
    )
    hatched = _incomplete([row.model for row in rows if row.incomplete])
    return Words(alt, tuple(meaning), tuple(f"Hatched bars: {note}" for note in hatched))


def hallucination_words(data: HallucinationData) -> Words:
    """Words for hallucination rates."""
    rows = data.rows
    rates = [f"{row.model} {in_percent(row.share, 'no parseable answer')}" for row in rows]
    parsed = [f"{row.model} {row.parseable:,} of {row.scored:,}" for row in rows]
    return Words(
        f"Horizontal bars of the hallucination rates of {_count(len(rows), 'model')} with 95% "
        f"intervals: {_each(rates[:3])}{'; ...' if len(rates) > 3 else ''}.",
        (
            "Bars show the hallucination rate, the share of wrong answers among parseable ones "
            "(unparseable answers are outside); whiskers show its 95% Wilson interval. Lowest "
            "rate on top.",
            f"Rate [95% interval]: {_each(rates)}.",
            f"Parseable of scored attempts: {_each(parsed)}. Who rarely gives an answer rarely "
            "gives a wrong one: read both together.",
        ),
        tuple(
            f"Hatched bars: {note}"
            for note in _incomplete([row.model for row in rows if row.incomplete])
        ),
    )


def outcomes_words(data: OutcomesData) -> Words:
    """Words for outcomes."""
    rows = data.rows
    totals = [(row.model, sum(row.counts)) for row in rows]
    open_ones = [row.model for row in rows if row.counts[-1]]
    counts = [f"{row.model} {row.counts[0]:,} correct, {row.counts[1]:,} wrong" for row in rows]
    return Words(
        f"Stacked horizontal bars of answers by outcome for {_count(len(rows), 'model')}: "
        f"{_each(counts[:3])}{'; ...' if len(counts) > 3 else ''}.",
        (
            "Each bar counts a model's planned attempts by outcome. Correct and wrong answers are "
            "the parseable ones; unparseable: finished without a final code block; refused, "
            "truncated and stalled attempts gave no answer either, and all of these are scored; "
            "open: not answered yet, not scored. Most correct answers on top.",
            f"Parseable answers: {_each(counts)}.",
            _of_models(totals, "attempt"),
        ),
        _incomplete(open_ones),
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
    open_ones = [point.model for point in points if point.incomplete]
    notes += [f"{note} They are no part of the frontier." for note in _incomplete(open_ones)]
    if any(point.usd == 0 for point in points):
        free = [point.model for point in points if point.usd == 0]
        notes.append(f"Cost of exactly 0: {', '.join(free)}.")
    unsaved = sum(each.unsaved for each in results)
    if unsaved:
        notes.append(
            f"No cost here holds {_count(unsaved, 'call')} that may have been billed though no "
            "answer was kept."
        )
    said = [f"{each.model} {_usd(each.usd)}, {in_percent(each.share, '')}" for each in points]
    scored = [
        (each.model, len(each.scores))
        for each in results
        if each.model in {point.model for point in points}
    ]
    best = f"on the Pareto frontier: {', '.join(frontier)}" if frontier else "without a frontier"
    return Words(
        f"Scatter plot of score against cost for {_count(len(points), 'model')}; {best}.",
        (
            "Each point is a model: what all its charged attempts cost in USD, and its pass@1 "
            "with the 95% Wilson interval. The line is the Pareto frontier: no complete model "
            "scores higher for the same money or less.",
            f"Cost and pass@1 [95% interval]: {_each(said) or 'none'}.",
            f"On the frontier: {', '.join(frontier) or 'none'}.",
            *([_of_models(scored, "item")] if scored else []),
        ),
        tuple(notes),
    )


def _published_notes(published: Sequence[PublishedScore]) -> list[str]:
    if not published:
        return []
    names = list(dict.fromkeys(each.benchmark for each in published))
    notes = [
        f"Hollow marks are scores that others published, not measured here: {', '.join(names)}. "
        "Settings, tools and prompts may differ; intervals (Wilson) stand only where the number "
        "of items was given."
    ]
    sources = list(dict.fromkeys(each.source for each in published if each.source))
    if sources:
        notes.append(f"Sources: {'; '.join(sources)}.")
    return notes


def sets_words(data: SetsData, published: Sequence[PublishedScore]) -> Words:
    """Words for accuracy across sets."""
    said = []
    for group in data.groups:
        each = [f"{point.model} {in_percent(point.share, '')}" for point in group.points]
        whose = " (published)" if group.published else ""
        said.append(f"{group.name}{whose}: {_each(each)}.")
    own = [(group.name, {point.n for point in group.points}) for group in data.groups]
    counts = [
        f"{name} {', '.join('unknown' if n is None else f'{n:,}' for n in sorted(ns, key=str))}"
        for name, ns in own
    ]
    part = any(point.incomplete for group in data.groups for point in group.points)
    return Words(
        f"Accuracy of {_count(len(data.models), 'model')} on "
        f"{_count(len(data.groups), 'set')} or benchmarks: "
        f"{', '.join(group.name for group in data.groups)}.",
        (
            "Each mark is a model's accuracy (pass@1) on one set or benchmark, best on top; "
            "whiskers show 95% Wilson intervals, clustered by item where items were repeated.",
            *said,
            f"n in items, by set: {'; '.join(counts)}.",
        ),
        (
            *_published_notes(published),
            *(["A dagger marks models without a score on some items of the set."] if part else []),
        ),
    )


def over_time_words(data: OverTimeData, runs: int, published: Sequence[PublishedScore]) -> Words:
    """Words for accuracy over time; ``runs`` is how many of ours are in it."""
    said, last = [], []
    for series in data.series:
        whose = " (published)" if series.published else ""
        points = [
            f"{point.when.isoformat()} {point.model} {in_percent(point.share, '')}"
            for point in series.points
        ]
        said.append(f"{series.name}{whose}: {_each(points)}.")
        if series.records:
            best = series.records[-1]
            last.append(f"{series.name} {percent(best.share.value)}% by {best.model}")
    level = percent(data.saturation).removesuffix(".0")
    days = {point.when for series in data.series for point in series.points}
    notes = list(_published_notes([each for each in published if each.when is not None]))
    undated = [each for each in published if each.when is None]
    if undated:
        notes.append(
            f"Not drawn, for they have no date: {_count(len(undated), 'published score')}."
        )
    if any(point.incomplete for series in data.series for point in series.points):
        notes.append("A dagger marks models without a score at some items; they set no best score.")
    if len(days) == 1:
        notes.append(
            f"All points are of one day{' and one run' if runs == 1 and not published else ''}: "
            "nothing can be seen of a change over time yet."
        )
    return Words(
        f"Accuracy over time against a saturation line at {level}%; best: {_each(last) or 'none'}.",
        (
            "Each mark is a model's accuracy (pass@1) on the day of its run (UTC), with the 95% "
            "Wilson interval; marks of one day are set side by side. The stepped line is the best "
            f"score so far; the dashed line at {level}% is where a benchmark counts as saturated.",
            *said,
        ),
        tuple(notes),
    )


def graph_words(data: GraphData) -> Words:
    """Words for a dependency graph."""
    fed = [f"{each.source} feeds {each.name} of {each.target}" for each in data.inputs]
    steps = [f"{step.label} {step.class_name} ({step.domain})" for step in data.steps]
    around = []
    if data.bloat_characters:
        around.append(f"{data.bloat_characters:,} characters of irrelevant context are put before")
    if data.encoded:
        around.append("the whole prompt is encoded word by word")
    answer = [step.label for step in data.steps if step.in_answer]
    unused = [step.label for step in data.steps if not step.in_answer]
    return Words(
        f"Dependency graph of composite {data.ref} with {_count(len(data.steps), 'step')}: "
        f"{_each(fed) or 'no step feeds another'}.",
        (
            "Boxes are steps with their class, their domain and what is done to their answer; an "
            "arrow carries the answer of a step into the named input of another.",
            f"Composite {data.ref}, {_count(len(data.steps), 'step')}: {_each(steps)}.",
            f"Wiring: {_each(fed) or 'none'}.",
            f"Around it: {_each(around) or 'nothing, it is asked as it is'}.",
            f"The final answer joins {', '.join(answer)}.",
        ),
        (f"Dashed: no part of the final answer itself: {', '.join(unused)}.",) if unused else (),
    )
