"""Plans, answers and a results file to test the store with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from relaybench.domain.completion import Completion, StopReason, Usage
from relaybench.domain.item import Item, ItemKind, ItemStep
from relaybench.domain.model import ModelConfig, Prices, PriceTier
from relaybench.domain.results import Cell, Grade, Outcome
from relaybench.store.attempts import Attempts
from relaybench.store.database import Connection
from relaybench.store.plans import Plans, StoredPlan
from relaybench.store.recording import Recording
from relaybench.store.results import ConfigResult, Results

PRICES = Prices(
    (
        PriceTier(
            input=Decimal("2.5"),
            cached_input=Decimal("0.25"),
            cache_write=Decimal("3.125"),
            output=Decimal("0.000001"),
        ),
    ),
    {"web_search": Decimal("0.01")},
    source="test",
)


def item(number: int = 0, prompt: str = "What is 6 x 7?", key: str = "42") -> Item:
    step = ItemStep("A", f"math/c{number}:one", "math", key)
    return Item("s", f"c{number}", ItemKind.COMPOSITE, prompt, key, "-", (step,), ("math",))


def config(name: str = "m", prices: Prices | None = PRICES) -> ModelConfig:
    return ModelConfig(name, "compatible", name, base_url="http://a.test/v1", prices=prices)


def answer(
    text: str = "```\n42\n```",
    usage: Usage | None = None,
    fees: Mapping[str, int] | None = None,
) -> Completion:
    used = Usage(input=1000, output=10) if usage is None else usage
    return Completion(text, StopReason.END, "stop", used, "m", tool_fees=fees or {})


@dataclass(slots=True)
class Bench:
    """A run in a results file, with hands on everything."""

    on: Connection
    stored: StoredPlan
    recording: Recording = field(init=False)
    attempts: Attempts = field(init=False)

    def __post_init__(self) -> None:
        """Open the writer and the reader."""
        self.recording = Recording(self.on, self.stored)
        self.attempts = Attempts(self.on)

    def cell(self, item_number: int = 0, config_number: int = 0, repeat: int = 0) -> Cell:
        items, configs = list(self.stored.items), list(self.stored.configs)
        return Cell(items[item_number], configs[config_number], repeat)

    def answer(self, cell: Cell, completion: Completion | None = None) -> int:
        call = self.recording.call_started(cell)
        return self.recording.answered(cell, call, completion or answer())

    def grade(self, attempt: int, outcome: Outcome = Outcome.CORRECT, near: bool = False) -> int:
        graded = Grade(outcome, "42", "code_block/1", near_miss=near)
        item_id = self.attempts.gradable(attempt).item_id
        return self.recording.graded(attempt, item_id, graded, strict=False)

    def plan(self) -> StoredPlan:
        """The plan as it is stored now."""
        plans = Plans(self.on)
        return plans.load(plans.find(self.stored.run.name))

    def results(self) -> list[ConfigResult]:
        return Results(self.on).by_config(self.plan())

    def missing(self) -> list[Cell]:
        plans = Plans(self.on)
        return plans.missing(plans.load(plans.find(self.stored.run.name)))


@contextmanager
def bench(
    path: Path,
    *,
    items: int = 1,
    configs: list[ModelConfig] | None = None,
    repeats: int = 1,
    name: str = "r",
) -> Iterator[Bench]:
    """A run of some items under a name, made where it does not exist."""
    with closing(Connection(path)) as on:
        plans = Plans(on)
        if name not in {run.name for run in plans.runs()}:
            plans.create(name, [item(n) for n in range(items)], configs or [config()], repeats)
        yield Bench(on, plans.load(plans.find(name)))
