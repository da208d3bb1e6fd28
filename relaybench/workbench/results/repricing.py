"""Price an old run anew: by a file, or by the catalog. Nothing is sent."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from relaybench.catalog.load import load_price_book
from relaybench.catalog.price_book import PriceBook
from relaybench.domain.errors import PlanError
from relaybench.domain.model import ModelConfig, Prices
from relaybench.store.database import Connection, run_lock
from relaybench.store.plans import Plans, RunRow, StoredPlan
from relaybench.store.repricing import Repriced, reprice
from relaybench.workbench.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Kept:
    """A config that keeps the prices it had, and why."""

    config: ModelConfig
    why: str


@dataclass(frozen=True, slots=True)
class RepriceReport:
    """What pricing a run anew came to; ``source`` says whose prices, ``on`` of which day."""

    run: RunRow
    source: str
    on: date
    repriced: tuple[Repriced, ...]
    kept: tuple[Kept, ...]

    @property
    def changed(self) -> bool:
        """Whether any price or cost is another one than before."""
        return any(each.replaced or each.attempts for each in self.repriced)


def reprice_run(
    workspace: Workspace,
    name: str | None,
    *,
    prices: Path | None = None,
    on: date | None = None,
    dry: bool = False,
) -> RepriceReport:
    """Compute all costs of a run anew (the newest for None); the old prices stay on record.

    Prices are those of the file ``prices``, or without one those of the workspace's catalog, as
    they hold on the day ``on`` (default: the day on which the run was made). ``dry`` writes
    nothing. Raises PlanError where there is no price for any of its models, CatalogError for a
    file with faults, RunBusyError while the run is being sent.
    """
    with contextlib.closing(Connection(workspace.database, create=False)) as connection:
        plans = Plans(connection)
        run = plans.find(name)
        day = on or date.fromisoformat(run.created_at[:10])
        lock = contextlib.nullcontext() if dry else run_lock(workspace.database, run.id, run.name)
        with lock:
            stored = plans.load(run)
            chosen = _Chosen(workspace, prices, day)
            found = {
                digest: price
                for digest, config in stored.configs.items()
                if (price := chosen.price(config)) is not None
            }
            kept = tuple(_kept(stored, found, chosen))
            if not found:
                why = "; ".join(f"{each.config.label}: {each.why}" for each in kept)
                raise PlanError(f"no model of run {run.name!r} has a price in {chosen.name}: {why}")
            return RepriceReport(
                run, chosen.name, day, tuple(reprice(connection, stored, found, dry=dry)), kept
            )


class _Chosen:
    """The prices that were asked for: a file's, or the catalog's."""

    def __init__(self, workspace: Workspace, prices: Path | None, on: date) -> None:
        self.on = on
        self.name = "the catalog" if prices is None else str(prices)
        self._own = {} if prices is not None else dict(workspace.catalog().own_prices)
        self.book: PriceBook = (
            workspace.catalog().book if prices is None else load_price_book(prices, str(prices))
        )

    def price(self, config: ModelConfig) -> Prices | None:
        """A config's price: as its models.toml has it, else as the book does."""
        return self._own.get(config.digest) or self.book.find(config, self.on)


def _kept(stored: StoredPlan, found: dict[str, Prices], chosen: _Chosen) -> Iterator[Kept]:
    for digest, config in stored.configs.items():
        if digest in found:
            continue
        spans = [row.span for row in chosen.book.rows(config)]
        if spans:
            why = f"its prices hold {', '.join(spans)}, not on {chosen.on} (--on takes another day)"
        else:
            why = f"there is no price for {config.provider} {config.model}"
            why += f" at {config.base_url}" if config.base_url else ""
        yield Kept(config, why)
