"""Words for accuracy across sets and over time, and for graphs."""

from __future__ import annotations

from collections.abc import Sequence

from relaybench.reports.figures.captions import Words, counted, in_percent, joined
from relaybench.reports.figures.figure import GraphData, OverTimeData, SetsData
from relaybench.reports.figures.published import PublishedScore
from relaybench.reports.numbers import percent


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
        said.append(f"{group.name}{whose}: {joined(each)}.")
    own = [(group.name, {point.n for point in group.points}) for group in data.groups]
    counts = [
        f"{name} {', '.join('unknown' if n is None else f'{n:,}' for n in sorted(ns, key=str))}"
        for name, ns in own
    ]
    part = any(point.incomplete for group in data.groups for point in group.points)
    return Words(
        f"Accuracy of {counted(len(data.models), 'model')} on "
        f"{counted(len(data.groups), 'set')} or benchmarks: "
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
        said.append(f"{series.name}{whose}: {joined(points)}.")
        if series.records:
            best = series.records[-1]
            last.append(f"{series.name} {percent(best.share.value)}% by {best.model}")
    level = percent(data.saturation).removesuffix(".0")
    days = {point.when for series in data.series for point in series.points}
    notes = list(_published_notes([each for each in published if each.when is not None]))
    undated = [each for each in published if each.when is None]
    if undated:
        notes.append(
            f"Not drawn, for they have no date: {counted(len(undated), 'published score')}."
        )
    if any(point.incomplete for series in data.series for point in series.points):
        notes.append("A dagger marks models without a score at some items; they set no best score.")
    if len(days) == 1:
        notes.append(
            f"All points are of one day{' and one run' if runs == 1 and not published else ''}: "
            "nothing can be seen of a change over time yet."
        )
    return Words(
        f"Accuracy over time against a saturation line at {level}%; best so far: "
        f"{joined(last) or 'none'}.",
        (
            "Each mark is a model's accuracy (pass@1) on the day of its run (UTC), or on the date "
            "of a published score, with the 95% Wilson interval; marks of one day are set side by "
            "side. "
            "The stepped line is the best score so far; the dashed line at "
            f"{level}% is where a benchmark counts as saturated.",
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
        f"Dependency graph of composite {data.ref} with {counted(len(data.steps), 'step')}: "
        f"{joined(fed) or 'no step feeds another'}.",
        (
            "Boxes are steps with their class, their domain and what is done to their answer; an "
            "arrow carries the answer of a step into the named input of another.",
            f"Composite {data.ref}, {counted(len(data.steps), 'step')}: {joined(steps)}.",
            f"Wiring: {joined(fed) or 'none'}.",
            f"Around it: {joined(around) or 'nothing, it is asked as it is'}.",
            f"The final answer joins {', '.join(answer)}.",
        ),
        (f"Dashed: no part of the final answer itself: {', '.join(unused)}.",) if unused else (),
    )
