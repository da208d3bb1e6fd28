"""Opens the adapter that a model config asks for; nothing heavy is loaded before that."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from relaybench.domain.errors import AuthenticationFailed, SettingRejected
from relaybench.domain.model import COMPATIBLE, PROVIDERS, SIMULATED, ModelConfig
from relaybench.providers.chat_settings import chat_settings
from relaybench.providers.simulated_settings import simulated_settings

if TYPE_CHECKING:
    import httpx2

    from relaybench.providers.protocol import Provider


def key_present(config: ModelConfig, environment: Mapping[str, str]) -> bool | None:
    """Whether the config's key is set; None where it needs none."""
    if config.simulated or config.key_env is None:
        return None
    return bool(environment.get(config.key_env, "").strip())


def check_config(config: ModelConfig) -> None:
    """Raise SettingRejected for what the config's adapter could not send. Loads no SDK."""
    if config.provider == SIMULATED:
        simulated_settings(config)
    elif config.provider == COMPATIBLE:
        _base_url(config)
        chat_settings(config)
    else:
        raise SettingRejected(_no_adapter(config))


async def open_provider(
    config: ModelConfig,
    environment: Mapping[str, str],
    *,
    answers: Mapping[str, str] | None = None,
    transport: httpx2.AsyncBaseTransport | None = None,
) -> Provider:
    """Open the adapter for a config's provider, address and key.

    ``answers`` gives the simulator the key of each prompt, ``transport`` replaces the network.
    Raises AuthenticationFailed without a key, SettingRejected for what cannot be opened.
    """
    if config.provider == SIMULATED:
        simulated = await _adapter("simulated")
        return await _made(simulated.SimulatedProvider, answers or {}, transport=transport)
    if config.provider != COMPATIBLE:
        raise SettingRejected(_no_adapter(config))
    base_url = _base_url(config)
    key = _key(config, environment)
    compatible = await _adapter("compatible")
    return await _made(compatible.CompatibleProvider, base_url, key, transport=transport)


async def _adapter(name: str) -> Any:
    # In a thread: an SDK takes up to a second to import, and the screen must go on living.
    return await asyncio.to_thread(importlib.import_module, f"relaybench.providers.{name}")


async def _made(make: Any, *arguments: object, **more: object) -> Provider:
    provider: Provider = await asyncio.to_thread(make, *arguments, **more)  # reads certificates
    return provider


def _no_adapter(config: ModelConfig) -> str:
    if config.provider in PROVIDERS:
        return (
            f"model config {config.name!r}: this version has no adapter for provider "
            f"{config.provider!r} yet; use {COMPATIBLE!r} with the base_url of an "
            "OpenAI-compatible endpoint"
        )
    return (
        f"model config {config.name!r}: no provider is called {config.provider!r}; "
        f"there are {SIMULATED}, {COMPATIBLE}"
    )


def _base_url(config: ModelConfig) -> str:
    where = f"model config {config.name!r}"
    base_url = (config.base_url or "").strip()
    if not base_url:
        raise SettingRejected(
            f"{where}: provider {config.provider!r} needs a base_url, such as "
            "http://localhost:11434/v1"
        )
    try:
        parts = urlsplit(base_url)
        host, secret = parts.hostname, parts.username or parts.password
    except ValueError:
        host, secret = None, None
    if not host or parts.scheme not in ("http", "https"):
        raise SettingRejected(f"{where}: base_url must begin with http:// or https:// and a host")
    if secret:
        raise SettingRejected(
            f"{where}: base_url holds a user name or password, which would be stored with the "
            "results; put the key into an environment variable and name it in key_env"
        )
    return base_url


def _key(config: ModelConfig, environment: Mapping[str, str]) -> str | None:
    if config.key_env is None:
        return None
    key = environment.get(config.key_env, "").strip()
    if not key:
        raise AuthenticationFailed(
            f"model config {config.name!r} needs a key, but the environment variable "
            f"{config.key_env} is not set: export it, or take key_env out of the config where "
            "the server needs no key"
        )
    if not key.isascii() or not key.isprintable() or " " in key:
        raise AuthenticationFailed(
            f"the environment variable {config.key_env} holds characters that no key has; "
            "copy the key again"
        )
    return key
