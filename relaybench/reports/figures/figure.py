"""What a figure holds: pure data for each of the seven kinds, with its words; nothing is drawn.

Shares are in 0-1 and unrounded, money is in USD. Texts are literal, from models and authors.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Final


class FigureKind(StrEnum):
    """The kinds of figure, in the order in which they are written."""

    GRAPH = "graph"
    SETS = "sets"
    OVER_TIME = "over-time"
    OUTCOMES = "outcomes"
    HALLUCINATION = "hallucination"
    COST = "cost"
    SCORES = "scores"


#: The score at which a benchmark no longer tells strong models apart.
SATURATION: Final = 0.9
#: The parts of a bar of outcomes, in their order; "open" are errors and what was not sent yet.
SEGMENTS: Final = (
    "correct",
    "wrong",
    "unparseable",
    "refused",
    "truncated",
    "stalled",
    "open",
)


@dataclass(frozen=True, slots=True)
class Share:
    """A share (0-1) and the ends of its 95% interval, None where there is none."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class ModelShare:
    """A share of one model, None where it is not defined, and the attempts behind it."""

    model: str
    share: Share | None
    items: int
    scored: int
    planned: int

    @property
    def incomplete(self) -> bool:
        """Whether planned attempts are open."""
        return self.scored < self.planned


@dataclass(frozen=True, slots=True)
class ModelScore(ModelShare):
    """Pass@1 of one model.

    ``clustered``: attempts are repeats of the same items, which the interval allows for.
    """

    correct: int
    clustered: bool


@dataclass(frozen=True, slots=True)
class ScoresData:
    """Scores, best first."""

    rows: tuple[ModelScore, ...]


@dataclass(frozen=True, slots=True)
class ModelHallucination(ModelShare):
    """Wrong answers among the parseable ones of one model."""

    wrong: int
    parseable: int


@dataclass(frozen=True, slots=True)
class HallucinationData:
    """Hallucination rates, lowest first, undefined ones last."""

    rows: tuple[ModelHallucination, ...]


@dataclass(frozen=True, slots=True)
class ModelOutcomes:
    """Attempts of one model by outcome, in the order of ``SEGMENTS``."""

    model: str
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OutcomesData:
    """Outcomes, most correct answers first."""

    rows: tuple[ModelOutcomes, ...]


@dataclass(frozen=True, slots=True)
class CostPoint:
    """Score and cost of one model; ``frontier``: no complete model is better and as cheap.

    ``usd`` is the cost that is drawn: of all attempts, or of a scored one; ``total`` is always
    that of all, ``scored`` how many are scored.
    """

    model: str
    share: Share
    usd: Decimal
    frontier: bool
    incomplete: bool
    total: Decimal
    scored: int


@dataclass(frozen=True, slots=True)
class CostData:
    """Score against cost, cheapest first; models that have no place in it are named.

    ``per_attempt``: costs are those of a scored attempt, for models have unequal numbers of them.
    """

    points: tuple[CostPoint, ...]
    unknown: tuple[str, ...]  # cost not known: never drawn at 0
    unscored: tuple[str, ...]
    per_attempt: bool = False


@dataclass(frozen=True, slots=True)
class SetPoint:
    """A model's accuracy on one set or benchmark; ``n`` items, None where it was not published.

    ``open`` of the ``planned`` attempts have no score yet.
    """

    model: str
    share: Share
    n: int | None
    open: int = 0
    planned: int = 0

    @property
    def incomplete(self) -> bool:
        """Whether planned attempts are open."""
        return self.open > 0


@dataclass(frozen=True, slots=True)
class SetGroup:
    """A set of ours, or a benchmark whose scores others published; best first."""

    name: str
    published: bool
    points: tuple[SetPoint, ...]

    @property
    def title(self) -> str:
        """Its name, and that others published its scores: a set of ours may be called the same."""
        return f"{self.name} (published)" if self.published else self.name


@dataclass(frozen=True, slots=True)
class SetsData:
    """Accuracy across sets and benchmarks.

    ``models`` gives each its marker by its place, the same in all figures of one call; some may
    not be drawn.
    """

    models: tuple[str, ...]
    groups: tuple[SetGroup, ...]


@dataclass(frozen=True, slots=True)
class TimePoint:
    """A model's accuracy on a day (UTC); ``open`` of the ``planned`` attempts have no score yet."""

    when: date
    model: str
    share: Share
    open: int = 0
    planned: int = 0

    @property
    def incomplete(self) -> bool:
        """Whether planned attempts are open."""
        return self.open > 0


@dataclass(frozen=True, slots=True)
class TimeSeries:
    """Accuracies on the same sets, or on one published benchmark, by day."""

    name: str
    published: bool
    points: tuple[TimePoint, ...]

    @property
    def title(self) -> str:
        """Its name, and that others published its scores: a set of ours may be called the same."""
        return f"{self.name} (published)" if self.published else self.name

    @property
    def records(self) -> tuple[TimePoint, ...]:
        """Those points, one a day at most, that are better than all before; complete ones only."""
        found: list[TimePoint] = []
        for point in sorted(self.points, key=lambda each: (each.when, -each.share.value)):
            best = found[-1].share.value if found else -1.0
            if not point.incomplete and point.share.value > best:
                found.append(point)
        return tuple(found)


@dataclass(frozen=True, slots=True)
class OverTimeData:
    """Accuracy over time; ``models`` as in ``SetsData``."""

    models: tuple[str, ...]
    series: tuple[TimeSeries, ...]
    saturation: float = SATURATION


@dataclass(frozen=True, slots=True)
class GraphStep:
    """A step of a composite: the class and domain that it is of, and what is done to its answer."""

    label: str
    class_name: str
    domain: str
    augment: tuple[str, ...]
    in_answer: bool


@dataclass(frozen=True, slots=True)
class GraphInput:
    """The answer of ``source`` goes into the slot ``name`` of ``target``."""

    source: str
    target: str
    name: str


@dataclass(frozen=True, slots=True)
class GraphData:
    """A composite's steps and wiring, and what was put around it; no answer and no prompt."""

    ref: str
    steps: tuple[GraphStep, ...]
    inputs: tuple[GraphInput, ...]
    bloat_characters: int
    encoded: bool


Data = (
    GraphData | SetsData | OverTimeData | OutcomesData | HallucinationData | CostData | ScoresData
)


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: ``name`` is that of its files, ``alt`` says it to who does not see it.

    ``caption`` says in whole sentences what is drawn, on what n, from which run, and what must
    be known to read it. ``simulated``: some results are made up, and the picture says so.
    """

    name: str
    kind: FigureKind
    title: str
    alt: str
    caption: str
    data: Data
    simulated: bool = False
