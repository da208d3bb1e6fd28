"""Read a models.toml into model configs and cohorts, with a fault for everything amiss."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Final

from relaybench.domain.finding import Fault, Severity
from relaybench.domain.model import COMPATIBLE, PROVIDERS, ModelConfig, Prices, PriceTier
from relaybench.toml_files.fields import Fields
from relaybench.toml_files.source import SourceFile

_HARNESSES: Final = ("single",)
_BUCKETS: Final = ("input", "cached_input", "cache_write", "cache_write_1h", "output")
_ENV_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
#: Decimal places of a price; the store keeps costs as whole picodollars.
_PRICE_DIGITS: Final = 6


@dataclass(slots=True)
class CatalogPart:
    """What one models.toml holds."""

    models: dict[str, ModelConfig] = field(default_factory=dict)
    cohorts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)


def read_catalog(source: SourceFile) -> CatalogPart:
    """Read a models.toml that is valid TOML."""
    part = CatalogPart()
    fields = Fields(source.data, (), part.faults)
    models = fields.table_or_none("models")
    for name in models.table if models else ():
        entry = models.table_or_none(str(name)) if models else None
        if entry:
            part.models[str(name)] = _model(str(name), entry)
    cohorts = fields.table_or_none("cohorts")
    for name in cohorts.table if cohorts else ():
        if cohorts:
            part.cohorts[str(name)] = cohorts.texts(str(name))
    fields.close()
    return part


def _model(name: str, fields: Fields) -> ModelConfig:
    provider = fields.text("provider")
    if provider and provider not in PROVIDERS:
        fields.fault(
            "provider",
            "bad-provider",
            f"{provider!r} is no provider",
            f"use one of: {', '.join(PROVIDERS)}",
        )
    base_url = fields.text("base_url", required=provider == COMPATIBLE) or None
    if base_url and not re.match(r"https?://[^/@\s]+", base_url):
        fields.fault(
            "base_url",
            "bad-url",
            "base_url is not a plain http(s) address",
            "write it as http://host:port/v1, with no user name or key in it",
        )
    key_env = fields.text("key_env", required=False) or None
    if key_env and not _ENV_NAME.fullmatch(key_env):
        fields.fault(
            "key_env",
            "bad-key-env",
            "key_env is not the name of an environment variable",
            'write the name, such as key_env = "OPENAI_API_KEY"; never put a key in this file',
        )
        key_env = None
    harness = fields.text("harness", required=False, default="single")
    if harness not in _HARNESSES:
        fields.fault(
            "harness",
            "bad-harness",
            f"{harness!r} is no harness of this version",
            f"use one of: {', '.join(_HARNESSES)}",
        )
    config = ModelConfig(
        name=name,
        provider=provider,
        model=fields.text("model"),
        effort=fields.text("effort", required=False) or None,
        tools=fields.texts("tools"),
        harness=harness,
        base_url=base_url,
        key_env=key_env,
        max_output_tokens=_optional_whole(fields, "max_output_tokens", 1, 10_000_000),
        concurrency=fields.whole("concurrency", 1, 1000, default=4),
        timeout_s=float(fields.whole("timeout_s", 1, 7 * 86_400, default=7200)),
        idle_timeout_s=float(fields.whole("idle_timeout_s", 1, 7 * 86_400, default=3600)),
        options=_options(fields),
        prices=_prices(fields.table_or_none("prices")),
    )
    fields.close("notes")
    _no_unknown(fields)
    return config


def _no_unknown(fields: Fields) -> None:
    """A setting that nothing reads would be dropped in silence: name it."""
    for key in fields.table:
        if key not in fields.known and key != "notes":
            fields.fault(
                key,
                "unknown-key",
                f"{key} is not a setting of a model",
                "put settings for the adapter under options, remarks under notes",
            )


def _optional_whole(fields: Fields, key: str, low: int, high: int) -> int | None:
    if key not in fields.table:
        fields.known.append(key)
        return None
    return fields.whole(key, low, high)


def _options(fields: Fields) -> dict[str, object]:
    table = fields.table_or_none("options")
    return {key: _json_ready(value) for key, value in table.table.items()} if table else {}


def _json_ready(value: object) -> object:
    """TOML numbers come as exact decimals here; options go to JSON, which has floats."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, Mapping):
        return {str(key): _json_ready(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_json_ready(each) for each in value]
    if isinstance(value, date | datetime):
        return value.isoformat()
    return value


def price(fields: Fields, key: str) -> Decimal | None:
    """A price in USD: a number of at least 0 with at most six decimals, or None if left out."""
    fields.known.append(key)
    value = fields.table.get(key)
    if value is None:
        return None
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        amount = Decimal(value)
        exponent = amount.normalize().as_tuple().exponent if amount.is_finite() else None
        if isinstance(exponent, int) and amount >= 0 and exponent >= -_PRICE_DIGITS:
            return amount
    fields.fault(
        key,
        "bad-price",
        f"{key} is not a price",
        f"give USD as a number such as 2.50, at least 0, at most {_PRICE_DIGITS} decimals",
    )
    return None


def _tier(fields: Fields, above: int) -> PriceTier:
    amounts = {bucket: price(fields, bucket) for bucket in _BUCKETS}
    return PriceTier(above=above, **amounts)


def _prices(fields: Fields | None) -> Prices | None:
    if fields is None:
        return None
    tiers = [_tier(fields, 0)]
    for entry in fields.tables("tiers"):
        above = entry.whole("above", 1, 100_000_000)
        if above <= tiers[-1].above:
            entry.fault(
                "above",
                "bad-tier",
                "tiers do not rise",
                "order them by above, the smallest first",
            )
        tiers.append(_tier(entry, above))
        entry.close()
    fees: dict[str, Decimal] = {}
    table = fields.table_or_none("tool_fees")
    for tool in table.table if table else ():
        fee = price(table, str(tool)) if table else None
        if fee is not None:
            fees[str(tool)] = fee
    fields.known.append("as_of")
    as_of = fields.table.get("as_of")
    if not isinstance(as_of, date) or isinstance(as_of, datetime):
        fields.faults.append(
            Fault(
                (*fields.path, "as_of"),
                "no-price-date",
                "the prices do not say of which day they are",
                "add as_of = 2026-11-30 (without quotes)",
                Severity.ERROR,
            )
        )
        as_of = None
    source = fields.text("source")
    fields.close()
    return Prices(tuple(tiers), fees, as_of, source)
