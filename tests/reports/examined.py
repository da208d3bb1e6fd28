"""Small grids of outcomes by hand, for tables that look into results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from relaybench.domain.item import ItemKind
from relaybench.domain.model import COMPATIBLE, SIMULATED, ModelConfig
from relaybench.domain.results import Outcome
from relaybench.reports.tables import Table, Value
from relaybench.store.grid import GridItem, GridStep, OutcomeGrid
from relaybench.store.step_tallies import StepTally
from tests.reports.samples import a_run

_LETTERS: Mapping[str, Outcome] = {
    "+": Outcome.CORRECT,
    "-": Outcome.WRONG,
    "u": Outcome.UNPARSEABLE,
    "t": Outcome.TRUNCATED,
    "e": Outcome.ERROR,
    ".": Outcome.PENDING,
}


def a_step(
    label: str, use: str, *, fed_by: str = "", in_answer: bool = True, domain: str = ""
) -> GridStep:
    """A step; ``fed_by`` are the labels of the steps that feed it."""
    inputs = tuple((f"slot-{each}", each) for each in fed_by)
    return GridStep(label, use, domain or use.partition("/")[0], in_answer, inputs, ())


def a_composite(name: str, *steps: GridStep, encoded: bool = False) -> GridItem:
    """A composite; its encoded form is the same problem."""
    return an_item(name, ItemKind.COMPOSITE, steps, encoded=encoded)


def a_single(use: str) -> GridItem:
    """A subproblem asked alone."""
    return an_item(use, ItemKind.SINGLE, (a_step("A", use),))


def an_item(
    name: str,
    kind: ItemKind = ItemKind.COMPOSITE,
    steps: Sequence[GridStep] = (),
    *,
    encoded: bool = False,
) -> GridItem:
    """An item called ``s/name`` whose digest is its name (and its form)."""
    return GridItem(
        digest=f"{name} encoded" if encoded else name,
        set_name="s",
        name=name,
        kind=kind,
        prompt_sha256=name,
        problem=name,
        steps=tuple(steps),
        domains=("math",),
        encoded=encoded,
        bloat_characters=0,
        characters=10,
        estimated_tokens=3,
    )


def a_config(name: str, *, effort: str | None = None, simulated: bool = False) -> ModelConfig:
    """A model; its digest is of model and effort."""
    return ModelConfig(name, SIMULATED if simulated else COMPATIBLE, name, effort=effort)


def a_grid(
    items: Sequence[GridItem],
    configs: Sequence[ModelConfig],
    outcomes: Mapping[str, Sequence[str]],
) -> OutcomeGrid:
    """A grid from a text of outcomes per item (by digest) and config: ``+-`` right, then wrong."""
    simulated = any(config.simulated for config in configs)
    return OutcomeGrid(
        runs=(a_run(simulated=simulated, items=len(items), configs=len(configs)),),
        items={item.digest: item for item in items},
        configs={config.digest: config for config in configs},
        cells={
            (item, config.digest): tuple(_LETTERS[letter] for letter in text)
            for item, texts in outcomes.items()
            for config, text in zip(configs, texts, strict=True)
        },
    )


def tally(
    item: str, config: ModelConfig, label: str, right: int, wrong: int = 0, unclear: int = 0
) -> StepTally:
    """Verdicts on one step."""
    return StepTally(item, config.digest, label, right, wrong, unclear)


def column(table: Table, key: str) -> list[Value]:
    """All values under a key."""
    return [table.value(row, key) for row in range(len(table.rows))]
