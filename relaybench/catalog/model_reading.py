"""Read one model config of a models.toml, with a fault for everything amiss."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Final
from urllib.parse import urlsplit

from relaybench.catalog.harness_reading import read_harness
from relaybench.catalog.price_reading import PRICE_KEYS, read_prices
from relaybench.catalog.tool_reading import read_blocked_domains, read_tools
from relaybench.catalog.unread_keys import KEY_FORM, no_unread, secret_places
from relaybench.domain.finding import Fault, dotted
from relaybench.domain.model import (
    COMPATIBLE,
    KEY_ENVS,
    MANUAL,
    PROVIDERS,
    SIMULATED,
    ModelConfig,
    Prices,
)
from relaybench.toml_files.fields import Fields

#: Capitals only, as is the custom: many a pasted key has no other sign than small letters.
_ENV_NAME: Final = re.compile(r"[A-Z_][A-Z0-9_]{0,63}")
#: What messages call the providers that nothing is sent to.
_NOTHING_SENT: Final = {SIMULATED: "the simulator", MANUAL: "a manual model"}


def read_model(name: str, fields: Fields) -> ModelConfig:
    """Read the table of one config; it holds only if no fault was added."""
    provider = fields.filled("provider")
    if provider and provider not in PROVIDERS:
        fields.fault(
            "provider",
            "bad-provider",
            f"{provider!r} is no provider",
            f"use one of: {', '.join(PROVIDERS)}",
        )
    options = _options(fields)
    tools = read_tools(fields, provider, options)
    harness = read_harness(fields)
    config = ModelConfig(
        name=name,
        provider=provider,
        model=fields.filled("model"),
        effort=fields.text("effort", required=False) or None,
        tools=tools,
        harness=harness.name,
        base_url=_base_url(fields, provider),
        key_env=_key_env(fields, provider),
        max_output_tokens=_optional_whole(fields, "max_output_tokens", 1, 10_000_000),
        concurrency=fields.whole("concurrency", 1, 1000, default=4),
        timeout_s=float(fields.whole("timeout_s", 1, 7 * 86_400, default=7200)),
        idle_timeout_s=float(fields.whole("idle_timeout_s", 1, 7 * 86_400, default=3600)),
        options=options,
        prices=_prices(fields.table_or_none("prices"), provider),
        instructions=_instructions(fields),
        blocked_domains=read_blocked_domains(fields, provider, options, tools),
        max_continuations=harness.max_continuations,
        max_nudges=harness.max_nudges,
        nudge=harness.nudge,
    )
    no_unread(
        fields,
        "a setting of a model",
        "put settings for the adapter under options, remarks under notes",
    )
    return config


def _base_url(fields: Fields, provider: str) -> str | None:
    base_url = fields.filled("base_url", required=provider == COMPATIBLE) or None
    if base_url and not _plain_address(base_url):
        fields.fault(
            "base_url",
            "bad-url",
            "base_url is not a plain http(s) address",
            "write it as http://host:port/v1, with no user name, query or key in it",
        )
        return None
    if base_url and provider in _NOTHING_SENT:
        fields.fault(
            "base_url",
            "unread",
            f"{_NOTHING_SENT[provider]} has no address",
            "take base_url out of the config, or keep it under notes",
        )
    return base_url


def _key_env(fields: Fields, provider: str) -> str | None:
    key_env = fields.filled("key_env", required=False) or None
    if key_env is None:
        return KEY_ENVS.get(provider)
    if not _ENV_NAME.fullmatch(key_env) or KEY_FORM.match(key_env):
        fields.fault(
            "key_env",
            "bad-key-env",
            "key_env is not the name of an environment variable",
            'write the name in capitals, such as key_env = "OPENAI_API_KEY"; never put a key '
            "in this file",
        )
        return None
    if provider in _NOTHING_SENT:
        fields.fault(
            "key_env",
            "unread",
            f"{_NOTHING_SENT[provider]} needs no key",
            "take key_env out of the config",
        )
    return key_env


def _instructions(fields: Fields) -> str | None:
    text = fields.text("instructions", required=False)
    if isinstance(fields.table.get("instructions"), str) and not text.strip():
        fields.fault(
            "instructions",
            "empty",
            "instructions are empty",
            "write what the model is to be told beside the prompt, or take the key out",
        )
    return text or None


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
        and not any(KEY_FORM.match(segment) for segment in re.split("[/;=:]", parts.path))
    )


def _optional_whole(fields: Fields, key: str, low: int, high: int) -> int | None:
    if key not in fields.table:
        fields.known.append(key)
        return None
    return fields.whole(key, low, high)


def _options(fields: Fields) -> dict[str, object]:
    table = fields.table_or_none("options")
    if table is None:
        return {}
    for path in secret_places(table.table):
        fields.faults.append(
            Fault(
                (*table.path, *path),
                "bad-option",
                f"{dotted(('options', *path))} would be written into the results",
                'name the variable that holds the key: key_env = "…"; never put a key in this file',
            )
        )
    return {key: _json_ready(value) for key, value in table.table.items()}


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


def _prices(fields: Fields | None, provider: str) -> Prices | None:
    if fields is None:
        return None
    prices = read_prices(fields, provider)
    no_unread(fields, "a price", f"there are {PRICE_KEYS}")
    return prices
