"""What a run may send, as the runner is told it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from relaybench.domain.completion import Trail
from relaybench.domain.item import Item
from relaybench.domain.model import ModelConfig
from relaybench.domain.results import Cell


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What a run may send: items and configs by digest, and what one call is expected to cost.

    ``expected`` gives USD at the high end for a cell, or None where the price is unknown.
    ``answered`` names configs that have answered in this run before, ``trails`` says of cells
    that were begun how far they have come.
    """

    items: Mapping[str, Item]
    configs: Mapping[str, ModelConfig]
    expected: Callable[[Cell], Decimal | None] = lambda _: None
    answered: Collection[str] = ()
    trails: Mapping[Cell, Trail] = field(default_factory=dict)
