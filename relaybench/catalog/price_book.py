"""The price book: what a model costs on a day, by provider and model id.

A price is looked up by the id that the config asks for. It holds for that id and for its dated
snapshots, not for every id that begins alike: ``gpt-5.5-pro`` is another model than ``gpt-5.5``.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from relaybench.catalog.price_reading import PRICE_KEYS, day, read_prices
from relaybench.catalog.unread_keys import no_unread
from relaybench.domain.finding import Fault
from relaybench.domain.model import (
    ANTHROPIC,
    COMPATIBLE,
    GOOGLE,
    OPENAI,
    PROVIDERS,
    ModelConfig,
    Prices,
)
from relaybench.domain.model_ids import names
from relaybench.toml_files.fields import Fields
from relaybench.toml_files.source import SourceFile

#: The providers' own addresses, where a price without a base_url holds.
_OWN_ADDRESS: Final = {
    ANTHROPIC: "https://api.anthropic.com",
    OPENAI: "https://api.openai.com/v1",
    GOOGLE: "https://generativelanguage.googleapis.com",
}
#: Settings that change what a call costs, and the values with which it costs the list price.
_SURCHARGES: Final = ("service_tier", "inference_geo", "speed", "background_options")
_LIST_PRICE: Final = ("auto", "default", "standard", "standard_only", "global")


@dataclass(frozen=True, slots=True)
class PriceRow:
    """A price of some model ids at an address, from the first to the last day of its validity."""

    provider: str
    models: tuple[str, ...]
    base_url: str | None
    valid_from: date | None
    valid_until: date | None
    prices: Prices

    def holds(self, on: date) -> bool:
        """Whether the price is that of a day."""
        begun = self.valid_from is None or self.valid_from <= on
        return begun and (self.valid_until is None or on <= self.valid_until)

    def fit(self, config: ModelConfig) -> int:
        """How many letters of a config's model id the row names; 0 where it is not its price."""
        asked, own = (_address(self.provider, url) for url in (config.base_url, self.base_url))
        if config.provider != self.provider or asked != own:
            return 0
        return max((len(each) for each in self.models if names(each, config.model)), default=0)

    @property
    def span(self) -> str:
        """Its validity in words."""
        begin = f"from {self.valid_from}" if self.valid_from else ""
        end = f"until {self.valid_until}" if self.valid_until else ""
        return f"{begin} {end}".strip() or "at all times"


def _address(provider: str, url: str | None) -> str | None:
    return url.rstrip("/") if url else _OWN_ADDRESS.get(provider)


def _at_list_price(config: ModelConfig) -> bool:
    more = config.options.get("extra_body")
    tables = [config.options, more] if isinstance(more, Mapping) else [config.options]
    return all(
        table.get(key) is None or table.get(key) in _LIST_PRICE
        for table in tables
        for key in _SURCHARGES
    )


@dataclass(frozen=True, slots=True)
class PriceBook:
    """Layers of rows; the first layer that has a price for a model on a day gives it."""

    layers: tuple[tuple[PriceRow, ...], ...] = ()

    def find(self, config: ModelConfig, on: date) -> Prices | None:
        """What a config's model costs on a day, or None where that is not known.

        A config that asks for another service tier or region does not pay the list price.
        """
        if not _at_list_price(config):
            return None
        for rows in self.layers:
            fitting = [row for row in rows if row.fit(config) and row.holds(on)]
            if fitting:
                return max(fitting, key=lambda row: row.fit(config)).prices
        return None

    def rows(self, config: ModelConfig) -> list[PriceRow]:
        """All rows of a config's model, whatever the day."""
        return [row for rows in self.layers for row in rows if row.fit(config)]

    def over(self, below: PriceBook) -> PriceBook:
        """This book, with another one for what it does not have."""
        return PriceBook((*self.layers, *below.layers))


def read_price_book(source: SourceFile) -> tuple[PriceBook, list[Fault]]:
    """Read a prices.toml that is valid TOML; the book holds only if there are no faults."""
    faults: list[Fault] = []
    fields = Fields(source.data, (), faults)
    rows = [_row(entry) for entry in fields.tables("prices")]
    no_unread(fields, "read here", "there is [[prices]]")
    faults += _overlaps(rows)
    return PriceBook((tuple(rows),)), faults


def _row(fields: Fields) -> PriceRow:
    provider = fields.filled("provider")
    near = difflib.get_close_matches(provider, PROVIDERS, 1, 0.75)
    if near and provider not in PROVIDERS:  # imported results may name any other
        fields.fault(
            "provider", "bad-provider", f"{provider!r} is no provider", f"did you mean {near[0]}?"
        )
    models = fields.texts("models")
    if not models or not all(models):
        fields.fault("models", "no-models", "the price names no model", 'write models = ["…"]')
    base_url = fields.filled("base_url", required=provider == COMPATIBLE) or None
    limits = {key: _limit(fields, key) for key in ("valid_from", "valid_until")}
    first, last = limits.values()
    if first and last and last < first:
        fields.fault(
            "valid_until", "bad-span", "the price ends before it begins", "swap the two days"
        )
    prices = read_prices(fields, provider)
    no_unread(
        fields,
        "a price",
        f"there are provider, models, base_url, valid_from, valid_until, {PRICE_KEYS}",
    )
    return PriceRow(provider, models, base_url, first, last, prices)


def _limit(fields: Fields, key: str) -> date | None:
    found = day(fields, key)
    if found is None and key in fields.table:
        fields.fault(key, "bad-day", f"{key} is no day", f"write {key} = 2026-11-30, no quotes")
    return found


def _overlaps(rows: Iterable[PriceRow]) -> Iterator[Fault]:
    seen: dict[tuple[str, str | None, str], list[PriceRow]] = {}
    for number, row in enumerate(rows):
        for index, model in enumerate(row.models):
            others = seen.setdefault(
                (row.provider, _address(row.provider, row.base_url), model), []
            )
            if any(_meet(row, other) for other in others):
                yield Fault(
                    ("prices", number, "models", index),
                    "two-prices",
                    f"{model} has two prices on the same day",
                    "give each valid_from and valid_until, so that only one holds on any day",
                )
            others.append(row)


def _meet(one: PriceRow, other: PriceRow) -> bool:
    first = max(one.valid_from or date.min, other.valid_from or date.min)
    last = min(one.valid_until or date.max, other.valid_until or date.max)
    return first <= last
