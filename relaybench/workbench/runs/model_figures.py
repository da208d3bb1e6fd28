"""What a run shows of one model while it goes on: score, tokens, cost, time left.

Earlier sessions count too, but for the time left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from relaybench.domain.completion import Usage
from relaybench.domain.model import ModelConfig
from relaybench.domain.results import Outcome
from relaybench.stats.intervals import Interval, wilson
from relaybench.stats.rates import cache_rate, score_summary
from relaybench.store.results import ConfigResult
from relaybench.workbench.runs.cell_state import CellNow, State, outcome_of
from relaybench.workbench.runs.progress import ModelProgress


@dataclass(frozen=True, slots=True)
class ModelNow:
    """One model's part of a run so far.

    ``done`` are cells with an outcome, errors included; ``score`` is pass@1 with its interval,
    None before anything is scored. Costs in USD; ``unknown_costs`` of them are not known.
    ``cache_rate`` is None where tokens were not reported, ``seconds_left`` before anything came.
    """

    config: ModelConfig
    total: int
    done: int
    scored: int
    correct: int
    failed: int
    under_way: int
    outcomes: Mapping[Outcome, int]
    score: float | None
    interval: Interval | None
    usage: Usage
    cost: Decimal
    unknown_costs: int
    cache_rate: float | None
    retries: int
    seconds_left: float | None
    note: str


@dataclass(slots=True)
class ModelTally:
    """What is counted of a model over all sessions; ``scores`` holds (correct, scored) by item."""

    counts: ModelProgress
    usage: Usage
    scores: list[tuple[int, int]]
    _version: int = 0
    _score: tuple[int, float | None, Interval | None] = (-1, None, None)

    @classmethod
    def of(cls, result: ConfigResult, cells: Sequence[Sequence[CellNow]]) -> ModelTally:
        """Count what is stored; ``cells`` by item and repeat, those to be sent again as open."""
        outcomes = dict.fromkeys(Outcome, 0)
        scores, unclear = [], 0
        for repeats in cells:
            found = [outcome_of(each.state) for each in repeats]
            for outcome in found:
                outcomes[outcome] += 1
            unclear += sum(each.state is State.UNCLEAR for each in repeats)
            scored = [outcome for outcome in found if outcome.scored]
            scores.append((scored.count(Outcome.CORRECT), len(scored)))
        total = sum(outcomes.values())
        counts = ModelProgress(
            config=result.config,
            total=total,
            done=total - outcomes.pop(Outcome.PENDING),
            failed=outcomes[Outcome.ERROR] - unclear,
            unclear=unclear,
            outcomes=outcomes,
            cost=result.known,
            unknown_costs=result.uncosted + result.facts.unsaved_calls - result.facts.under_way,
            retries=result.retries,
        )
        return cls(counts, result.usage, scores)

    def scored(self, row: int, outcome: Outcome) -> None:
        """A cell of an item (by its row) has a scored outcome."""
        correct, scored = self.scores[row]
        self.scores[row] = (correct + (outcome is Outcome.CORRECT), scored + 1)
        self._version += 1

    def now(self, seconds_left: float | None) -> ModelNow:
        """The figures; the interval is worked out anew only when a score has come in."""
        counts, usage = self.counts, self.usage
        outcomes = dict(counts.outcomes)
        score, interval = self._score_now()
        return ModelNow(
            config=counts.config,
            total=counts.total,
            done=counts.done,
            scored=sum(count for outcome, count in outcomes.items() if outcome.scored),
            correct=counts.correct,
            failed=counts.failed,
            under_way=counts.under_way,
            outcomes=outcomes,
            score=score,
            interval=interval,
            usage=usage,
            cost=counts.cost,
            unknown_costs=counts.unknown_costs,
            cache_rate=cache_rate(usage.input, usage.cached_input, usage.cache_write),
            retries=counts.retries,
            seconds_left=seconds_left,
            note=counts.note,
        )

    def _score_now(self) -> tuple[float | None, Interval | None]:
        version = self._version
        if self._score[0] != version:
            self._score = (version, *_score_of(self.scores))
        return self._score[1:]


def _score_of(scores: Sequence[tuple[int, int]]) -> tuple[float | None, Interval | None]:
    """Pass@1 and its interval from (correct, scored) by item."""
    if all(scored <= 1 for _, scored in scores):
        correct, n = (sum(each[part] for each in scores) for part in (0, 1))
        return (correct / n if n else None), wilson(correct, n)
    found = score_summary([[1.0] * right + [0.0] * (n - right) for right, n in scores])
    return (found.p, found.interval) if found else (None, None)
