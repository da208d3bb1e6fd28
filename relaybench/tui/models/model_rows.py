"""Rows of the model table: what stands in each cell, and how it looks. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from relaybench.domain.tools import all_tools, tool_provider
from relaybench.providers.registry import key_present

if TYPE_CHECKING:
    from relaybench.catalog.load import Catalog
    from relaybench.domain.model import ModelConfig
    from relaybench.store.pings import PingRow

#: Names of styles of a ``LinesView``.
_GOOD, _BAD, _QUIET, _STRONG, _ACCENT = "success", "error", "muted", "strong", "accent"


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its key, heading, width in cells, and whether a narrow terminal has it."""

    key: str
    heading: str
    width: int
    always: bool = True


COLUMNS: Final = (
    Column("tick", "#", 2),
    Column("name", "model config", 20),
    Column("provider", "provider", 10, always=False),
    Column("model", "model", 18, always=False),
    Column("effort", "effort", 6),
    Column("tools", "tools", 7, always=False),
    Column("key", "key", 10),
    Column("price", "$ in/out", 12),
    Column("ping", "last ping", 13),
)

#: A cell: its text and the name of a style.
Shown = tuple[str, str]


@dataclass(frozen=True, slots=True)
class ModelRow:
    """A config with what is known of it; ``key`` is None where it needs none."""

    config: ModelConfig
    key: bool | None
    own: bool
    ping: PingRow | None = None

    def cells(self, *, tick: int | None, pinging: bool) -> Mapping[str, Shown]:
        """All cells by column."""
        config = self.config
        return {
            "tick": ("" if tick is None else str(tick), _ACCENT),
            "name": (config.name, _STRONG if self.own else ""),
            "provider": (config.provider, ""),
            "model": (config.model, ""),
            "effort": (config.effort or "-", ""),
            "tools": (tools_text(config), ""),
            "key": self._key(),
            "price": self._price(),
            "ping": ("… under way", _ACCENT) if pinging else self._ping(),
        }

    def _key(self) -> Shown:
        if self.config.manual:
            return "by hand", _QUIET
        return {
            True: ("✓ present", _GOOD),
            False: ("✗ missing", _BAD),
            None: ("not needed", _QUIET),
        }[self.key]

    def _price(self) -> Shown:
        prices = self.config.prices
        if prices is None:
            return "unknown", _QUIET
        first = prices.tiers[0]
        amounts = ["?" if each is None else f"{each:.2f}" for each in (first.input, first.output)]
        return "/".join(amounts), ""

    def _ping(self) -> Shown:
        if self.ping is None:
            return "-", _QUIET
        when = datetime.fromisoformat(self.ping.pinged_at).astimezone()
        sign, style = ("✓", _GOOD) if self.ping.ok else ("✗", _BAD)
        return f"{sign} {when:%m-%d %H:%M}", style

    def fits(self, words: str) -> bool:
        """Whether every word stands somewhere in its names."""
        config = self.config
        key = {True: "present", False: "missing", None: ""}[self.key]
        own = "yours" if self.own else "shipped"
        text = f"{config.name} {config.provider} {config.model} {config.effort} {key} {own}"
        return all(word in text.casefold() for word in words.casefold().split())


def tools_text(config: ModelConfig) -> str:
    """How many of its provider's tools are on, in a word or two."""
    every = all_tools(tool_provider(config.provider, config.options))
    if not config.tools:
        return "none" if every else "-"
    if not every:
        return str(len(config.tools))
    on = sum(tool in config.tools for tool in every)
    more = len(config.tools) - on
    said = "all" if on == len(every) else f"{on} of {len(every)}"
    return f"{said} +{more}" if more else said


def model_rows(
    catalog: Catalog, environment: Mapping[str, str], pings: Mapping[str, PingRow]
) -> Sequence[ModelRow]:
    """A row for each config, in the catalog's order, the workspace's own first."""
    rows = [
        ModelRow(
            config,
            key_present(config, environment),
            name in catalog.own,
            pings.get(config.digest),
        )
        for name, config in catalog.models.items()
    ]
    return sorted(rows, key=lambda row: not row.own)
