"""Accuracy across sets and benchmarks, and over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from relaybench.domain.model import ModelConfig
from relaybench.reports.figures.figure import (
    OverTimeData,
    SetGroup,
    SetPoint,
    SetsData,
    TimePoint,
    TimeSeries,
)
from relaybench.reports.figures.model_results import attempts_of, share_of
from relaybench.reports.figures.published import PublishedScore
from relaybench.store.grid import OutcomeGrid


def model_order(pooled: OutcomeGrid, published: Sequence[PublishedScore] = ()) -> tuple[str, ...]:
    """All models that one call may draw: those of the runs in plan order, then published ones.

    A model's place in it gives it its marker in every figure of the call.
    """
    labels = _own_labels(pooled.configs)
    ours = [config.label for config in pooled.configs.values()]
    theirs = [labels.get(score.model, score.model) for score in published]
    return tuple(dict.fromkeys([*ours, *theirs]))


def sets_data(
    grids: Sequence[OutcomeGrid],
    grid: OutcomeGrid,
    published: Sequence[PublishedScore] = (),
) -> SetsData:
    """Sets of the runs in plan order, then published benchmarks as listed; best model first.

    ``grids`` are those of single runs, ``grid`` all of them together. Of several scores of a
    model on a benchmark the latest stands.
    """
    groups = []
    for name in dict.fromkeys(item.set_name for item in grid.items.values()):
        own = [item for item, each in grid.items.items() if each.set_name == name]
        points = []
        for digest, config in grid.configs.items():
            scores = [found for item in own if (found := grid.scored(item, digest))]
            share = share_of(scores)
            if share:
                attempts = [attempts_of(each, digest, name) for each in grids]
                planned = sum(count for count, _ in attempts)
                left = planned - sum(scored for _, scored in attempts)
                points.append(SetPoint(config.label, share, len(scores), left, planned))
        groups.append(SetGroup(name, False, _best_first(points)))
    labels = _own_labels(grid.configs)
    latest: dict[str, dict[str, PublishedScore]] = {}
    for score in sorted(published, key=lambda each: each.when or date.min):
        latest.setdefault(score.benchmark, {})[labels.get(score.model, score.model)] = score
    for name in dict.fromkeys(score.benchmark for score in published):
        points = [SetPoint(model, each.share, each.n) for model, each in latest[name].items()]
        groups.append(SetGroup(name, True, _best_first(points)))
    groups = [group for group in groups if group.points]
    return SetsData(model_order(grid, published), tuple(groups))


def _best_first(points: Sequence[SetPoint]) -> tuple[SetPoint, ...]:
    return tuple(sorted(points, key=lambda point: -point.share.value))


def _own_labels(configs: Mapping[str, ModelConfig]) -> dict[str, str]:
    """Labels by label and by name in models.toml, where that is one config's alone.

    Not by model id: who published a score may have used another effort, or other tools.
    """
    found: dict[str, set[str]] = {}
    for config in configs.values():
        for name in (config.label, config.name):
            found.setdefault(name, set()).add(config.label)
    return {name: min(labels) for name, labels in found.items() if len(labels) == 1}


def over_time_data(
    grids: Sequence[OutcomeGrid],
    pooled: OutcomeGrid,
    published: Sequence[PublishedScore] = (),
) -> OverTimeData:
    """Each run's scores on its day (UTC), and published ones that have a date.

    ``grids`` are those of single runs. Runs of the same sets are one series; ``pooled`` gives
    the models their labels.
    """
    own: dict[str, list[TimePoint]] = {}
    for grid in grids:
        sets = dict.fromkeys(item.set_name for item in grid.items.values())
        name = " + ".join(sets)
        when = date.fromisoformat(grid.runs[0].created_at[:10])
        for digest in grid.configs:
            share = share_of(list(grid.scores(digest).values()))
            if share:
                planned, scored = attempts_of(grid, digest)
                model = pooled.configs[digest].label
                point = TimePoint(when, model, share, planned - scored, planned)
                own.setdefault(name, []).append(point)
    series = [TimeSeries(name, False, _in_time(points)) for name, points in own.items()]
    labels = _own_labels(pooled.configs)
    theirs: dict[str, list[TimePoint]] = {}
    for score in published:
        if score.when is not None:
            model = labels.get(score.model, score.model)
            theirs.setdefault(score.benchmark, []).append(TimePoint(score.when, model, score.share))
    series += [TimeSeries(name, True, _in_time(points)) for name, points in theirs.items()]
    return OverTimeData(model_order(pooled, published), tuple(series))


def _in_time(points: Sequence[TimePoint]) -> tuple[TimePoint, ...]:
    return tuple(sorted(points, key=lambda each: (each.when, -each.share.value)))
