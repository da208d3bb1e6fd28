"""Read a models.toml into model configs and cohorts, with a fault for everything amiss."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Context, Decimal
from typing import Final
from urllib.parse import urlsplit

from relaybench.domain.finding import Fault, Severity
from relaybench.domain.model import COMPATIBLE, PROVIDERS, ModelConfig, Prices, PriceTier
from relaybench.toml_files.fields import Fields
from relaybench.toml_files.source import SourceFile

_HARNESSES: Final = ("single",)
_BUCKETS: Final = ("input", "cached_input", "cache_write", "cache_write_1h", "output")
#: Capitals only, as is the custom: many a pasted key has no other sign than small letters.
_ENV_NAME: Final = re.compile(r"[A-Z_][A-Z0-9_]{0,63}")
#: How keys of well-known services begin.
_KEY_FORM: Final = re.compile(
    r"(?:sk|pk|rk|xai|key|nvapi|pplx|fw|csk|tgp_v1)[-_]|(?:gsk|hf|r8|ghp)_|AIza|AKIA|Bearer",
    re.IGNORECASE,
)
#: Decimal places of a price; the store keeps costs as whole picodollars.
_PRICE_DIGITS: Final = 6
_MAX_PRICE: Final = 1_000_000
_EXACT: Final = Context(prec=10_000)
_SECRET_NAME: Final = re.compile(
    r"(?:x[-_])?(?:api[-_]?)?key|(?:api|access|auth|bearer|secret)[-_]?(?:token|key)|token"
    r"|secret|password|authorization",
    re.IGNORECASE,
)


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
    _no_unknown(fields, "read here", "there are [models.NAME] and [cohorts]")
    return part


def _model(name: str, fields: Fields) -> ModelConfig:
    provider = fields.filled("provider")
    if provider and provider not in PROVIDERS:
        fields.fault(
            "provider",
            "bad-provider",
            f"{provider!r} is no provider",
            f"use one of: {', '.join(PROVIDERS)}",
        )
    base_url = fields.filled("base_url", required=provider == COMPATIBLE) or None
    if base_url and not _plain_address(base_url):
        fields.fault(
            "base_url",
            "bad-url",
            "base_url is not a plain http(s) address",
            "write it as http://host:port/v1, with no user name, query or key in it",
        )
        base_url = None
    key_env = fields.filled("key_env", required=False) or None
    if key_env and (not _ENV_NAME.fullmatch(key_env) or _KEY_FORM.match(key_env)):
        fields.fault(
            "key_env",
            "bad-key-env",
            "key_env is not the name of an environment variable",
            'write the name in capitals, such as key_env = "OPENAI_API_KEY"; never put a key '
            "in this file",
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
        model=fields.filled("model"),
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
    _no_unknown(
        fields,
        "a setting of a model",
        "put settings for the adapter under options, remarks under notes",
    )
    return config


def _plain_address(url: str) -> bool:
    """Whether a URL is scheme, host, port and path and holds nothing that could be a secret."""
    try:
        parts = urlsplit(url)
        port_fits = parts.port is None or parts.port > 0
    except ValueError:
        return False
    return (
        parts.scheme in ("http", "https")
        and bool(parts.hostname)
        and port_fits
        and not set(url) & set("@?#\\")
        and url.isprintable()
        and " " not in url
        and not any(_KEY_FORM.match(segment) for segment in re.split("[/;=:]", parts.path))
    )


def _no_unknown(fields: Fields, what: str, mend: str) -> None:
    """A setting that nothing reads would be dropped in silence: name it."""
    for key in fields.table:
        if key in fields.known or key == "notes":
            continue
        if _KEY_FORM.match(key):
            key_shown, path = "a key of this table", fields.path  # it may be a secret itself
        else:
            key_shown, path = key, (*fields.path, key)
        near = difflib.get_close_matches(key, fields.known, 1, 0.75)
        if _SECRET_NAME.fullmatch(key):
            advice = 'name the variable that holds it: key_env = "…"; never put a key in this file'
        else:
            advice = f"did you mean {near[0]}?" if near else mend
        fields.faults.append(Fault(path, "unknown-key", f"{key_shown} is not {what}", advice))


def _optional_whole(fields: Fields, key: str, low: int, high: int) -> int | None:
    if key not in fields.table:
        fields.known.append(key)
        return None
    return fields.whole(key, low, high)


def _options(fields: Fields) -> dict[str, object]:
    table = fields.table_or_none("options")
    for key in table.table if table else ():
        if table and _SECRET_NAME.fullmatch(key):
            table.fault(
                key,
                "bad-option",
                f"options.{key} would be written into the results",
                'name the variable that holds the key: key_env = "…"; never put a key in this file',
            )
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


def _price(fields: Fields, key: str) -> Decimal | None:
    """A price in USD: a number of at least 0 with at most six decimals, or None if left out."""
    fields.known.append(key)
    value = fields.table.get(key)
    if value is None:
        return None
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        amount = Decimal(value)
        if amount.is_finite() and 0 <= amount <= _MAX_PRICE:
            whole = amount.scaleb(_PRICE_DIGITS, _EXACT)
            if whole == whole.to_integral_value(context=_EXACT):
                return abs(amount)  # not -0.0
    fields.fault(
        key,
        "bad-price",
        f"{key} is not a price",
        f"give USD as a number such as 2.50, without quotes, from 0 to {_MAX_PRICE:,}, with at "
        f"most {_PRICE_DIGITS} decimals",
    )
    return None


def _tier(fields: Fields, above: int) -> PriceTier:
    amounts = {bucket: _price(fields, bucket) for bucket in _BUCKETS}
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
        _no_unknown(entry, "a price", f"there are above, {', '.join(_BUCKETS)}")
    fees: dict[str, Decimal] = {}
    table = fields.table_or_none("tool_fees")
    for tool in table.table if table else ():
        fee = _price(table, str(tool)) if table else None
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
    source = fields.filled("source")
    _no_unknown(fields, "a price", f"there are {', '.join(_BUCKETS)}, tiers and tool_fees")
    return Prices(tuple(tiers), fees, as_of, source)
