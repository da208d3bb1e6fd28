"""The catalog that a workspace sees: the shipped files, then its own ones on top.

Those are models.toml and prices.toml. A model without prices of its own has those of the book.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from importlib import resources
from pathlib import Path

from relaybench.catalog.price_book import PriceBook, read_price_book
from relaybench.catalog.reading import CatalogPart, read_catalog
from relaybench.domain.errors import CatalogError, UnknownNameError
from relaybench.domain.finding import Fault, Finding
from relaybench.domain.model import ModelConfig, Prices
from relaybench.toml_files.source import SourceFile, parse_source, read_source

FILE_NAME = "models.toml"
PRICES_NAME = "prices.toml"


@dataclass(frozen=True, slots=True)
class Catalog:
    """Model configs and cohorts by name, and the price book.

    Configs have the prices of the day on which the catalog was loaded; ``own_prices`` are those
    that stand in a models.toml itself, by config digest. ``own`` and ``own_cohorts`` name what
    the workspace's own file has, shipped names that it replaces included.
    """

    models: dict[str, ModelConfig]
    cohorts: dict[str, tuple[str, ...]]
    book: PriceBook = field(default_factory=PriceBook)
    own_prices: Mapping[str, Prices] = field(default_factory=dict)
    own: frozenset[str] = frozenset()
    own_cohorts: frozenset[str] = frozenset()

    def prices(self, config: ModelConfig, on: date) -> Prices | None:
        """What a config costs on a day: as its models.toml says, else as the book does."""
        return self.own_prices.get(config.digest) or self.book.find(config, on)

    def model(self, name: str) -> ModelConfig:
        """The config of that name; raises UnknownNameError that lists what there is."""
        if name not in self.models:
            raise UnknownNameError(
                f"no model is called {name!r}; there are: {', '.join(self.models)}. "
                f"Models are defined in {FILE_NAME} (see `relaybench models`)."
            )
        return self.models[name]

    def cohort(self, name: str) -> tuple[ModelConfig, ...]:
        """The configs of a cohort, in its order; raises UnknownNameError."""
        if name not in self.cohorts:
            raise UnknownNameError(
                f"no cohort is called {name!r}; there are: {', '.join(self.cohorts)}. "
                f"Cohorts are defined in {FILE_NAME}."
            )
        return tuple(self.model(each) for each in self.cohorts[name])

    def choose(self, cohorts: Sequence[str], models: Sequence[str]) -> tuple[ModelConfig, ...]:
        """All configs of the cohorts and the single models asked for, each once, in order."""
        chosen = {config.name: config for name in cohorts for config in self.cohort(name)}
        chosen |= {name: self.model(name) for name in models if name not in chosen}
        return tuple(chosen.values())


def _part(source: SourceFile, known: Mapping[str, ModelConfig]) -> CatalogPart:
    """What one file says; its cohorts may name its own models and those ``known`` already."""
    part = read_catalog(source)
    faults = [*part.faults, *_cohort_faults(part, {**known, **part.models})]
    if faults:
        raise CatalogError(_message(source.place(faults)))
    return part


def _cohort_faults(part: CatalogPart, models: Mapping[str, ModelConfig]) -> Iterator[Fault]:
    for name, members in part.cohorts.items():
        for index, member in enumerate(members):
            if member not in models:
                yield Fault(
                    ("cohorts", name, index),
                    "unknown-model",
                    f"cohort {name} names {member!r}, which is no model",
                    f"define [models.{member}] or use one of: {', '.join(models)}",
                )


def _message(findings: Sequence[Finding]) -> str:
    lines = []
    for each in sorted(findings):
        key = f" {each.key}:" if each.key else ""
        lines.append(f"{each.file}:{each.line}:{key} {each.problem}; {each.mend}")
    return "\n".join(lines)


def shipped_models() -> SourceFile:
    """The models.toml that comes with relaybench, as it is written."""
    with resources.as_file(resources.files("relaybench.catalog") / FILE_NAME) as path:
        source = read_source(path, f"(shipped) {FILE_NAME}")
    if isinstance(source, Finding):
        raise CatalogError(_message([source]))
    return source


def own_models(workspace: Path) -> SourceFile | None:
    """The workspace's own models.toml as it is written, None where it has none.

    Raises CatalogError for one that is not valid TOML.
    """
    path = workspace / FILE_NAME
    if not os.path.lexists(path):  # a link to nothing must not bring back the shipped prices unsaid
        return None
    source = read_source(path, FILE_NAME)
    if isinstance(source, Finding):
        raise CatalogError(_message([source]))
    return source


def read_draft(path: Path, text: str) -> tuple[SourceFile, CatalogPart]:
    """Read a text as the own models.toml that it is to become, as ``load_catalog`` would.

    Raises CatalogError with one line per fault.
    """
    source = parse_source(path, FILE_NAME, text)
    if isinstance(source, Finding):
        raise CatalogError(_message([source]))
    return source, _part(source, read_catalog(shipped_models()).models)


def load_price_book(path: Path, shown: str) -> PriceBook:
    """Read a prices.toml; raises CatalogError with one line per fault."""
    source = read_source(path, shown)
    if isinstance(source, Finding):
        raise CatalogError(_message([source]))
    book, faults = read_price_book(source)
    if faults:
        raise CatalogError(_message(source.place(faults)))
    return book


def load_catalog(workspace: Path, today: date | None = None) -> Catalog:
    """Load the catalog of a workspace; one without files of its own has the shipped ones.

    ``today`` is the day whose prices hold (default: this one, in UTC). Raises CatalogError with
    one line per fault: file, line, key, what and how to mend it.
    """
    shipped = resources.files("relaybench.catalog")
    part = _part(shipped_models(), {})
    mine = CatalogPart()
    with resources.as_file(shipped / PRICES_NAME) as path:
        book = load_price_book(path, f"(shipped) {PRICES_NAME}")
    own = own_models(workspace)
    if own is not None:
        mine = _part(own, part.models)
        part.models.update(mine.models)
        part.cohorts.update(mine.cohorts)
    if os.path.lexists(workspace / PRICES_NAME):
        book = load_price_book(workspace / PRICES_NAME, PRICES_NAME).over(book)
    on = today or datetime.now(UTC).date()
    written = {each.digest: each.prices for each in part.models.values() if each.prices}
    models = {
        name: config if config.prices else replace(config, prices=book.find(config, on))
        for name, config in part.models.items()
    }
    own_names, own_cohorts = frozenset(mine.models), frozenset(mine.cohorts)
    return Catalog(models, part.cohorts, book, written, own_names, own_cohorts)
