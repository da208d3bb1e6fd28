"""Words for accuracy across sets and over time, and for graphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from relaybench.reports.figures.captions import Words, in_percent, incomplete, joined
from relaybench.reports.figures.figure import GraphData, OverTimeData, SetsData
from relaybench.reports.figures.published import PublishedScore
from relaybench.reports.numbers import counted, percent

_DAGGER: Final = "Daggers mark what is incomplete"


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
    said, counts = [], []
    for group in data.groups:
        each = [f"{point.model} {in_percent(point.share, '')}" for point in group.points]
        said.append(f"{group.title}: {joined(each)}.")
        ns = sorted({point.n for point in group.points}, key=lambda n: n or 0)
        numbers = ["unknown" if n is None else f"{n:,}" for n in ns]
        counts.append(f"{group.title} {', '.join(numbers)}")
    models = {point.model for group in data.groups for point in group.points}
    left = [
        (f"{point.model} on {group.name}", point.open, point.planned)
        for group in data.groups
        for point in group.points
    ]
    return Words(
        f"Accuracy of {counted(len(models), 'model')} on "
        f"{counted(len(data.groups), 'set')} or benchmarks: "
        f"{', '.join(group.title for group in data.groups)}.",
        (
            "Each mark is a model's accuracy (pass@1) on one set or benchmark, best on top; "
            "whiskers show 95% Wilson intervals, clustered by item where items were repeated.",
            *said,
            f"n in items, by set: {'; '.join(counts)}.",
        ),
        (
            *_published_notes(published),
            *incomplete(left, _DAGGER),
        ),
    )


def over_time_words(data: OverTimeData, runs: int, published: Sequence[PublishedScore]) -> Words:
    """Words for accuracy over time; ``runs`` is how many of ours are in it."""
    said, last = [], []
    for series in data.series:
        points = [
            f"{point.when.isoformat()} {point.model} {in_percent(point.share, '')}"
            for point in series.points
        ]
        said.append(f"{series.title}: {joined(points)}.")
        if series.records:
            best = series.records[-1]
            last.append(f"{series.title} {percent(best.share.value)}% by {best.model}")
    level = percent(data.saturation).removesuffix(".0")
    days = {point.when for series in data.series for point in series.points}
    notes = list(_published_notes([each for each in published if each.when is not None]))
    undated = [each for each in published if each.when is None]
    if undated:
        notes.append(
            f"Not drawn, for they have no date: {counted(len(undated), 'published score')}."
        )
    left = [
        (f"{point.model} of {point.when.isoformat()}", point.open, point.planned)
        for series in data.series
        for point in series.points
    ]
    notes += [f"{note} They set no best score." for note in incomplete(left, _DAGGER)]
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
            "of a published score, with the 95% Wilson interval. Marks of one day stand side by "
            "side, those of days too close together in the order of their dates; the stepped line "
            "is the best score so far, at the true dates. The dashed line at "
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
