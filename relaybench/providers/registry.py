"""Opens the adapter that a model config asks for; nothing heavy is loaded before that."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from relaybench.domain.errors import AuthenticationFailed, SettingRejected
from relaybench.domain.model import (
    ANTHROPIC,
    COMPATIBLE,
    GOOGLE,
    KEY_ENVS,
    MANUAL,
    OPENAI,
    PROVIDERS,
    SIMULATED,
    ModelConfig,
)
from relaybench.providers.anthropic_settings import anthropic_settings
from relaybench.providers.chat_settings import chat_settings
from relaybench.providers.google_settings import google_settings
from relaybench.providers.manual_settings import manual_settings
from relaybench.providers.responses_settings import responses_settings
from relaybench.providers.simulated_settings import simulated_settings

if TYPE_CHECKING:
    import httpx2

    from relaybench.providers.protocol import Provider


_SETTINGS: Final[Mapping[str, Callable[[ModelConfig], object]]] = {
    SIMULATED: simulated_settings,
    COMPATIBLE: chat_settings,
    ANTHROPIC: anthropic_settings,
    OPENAI: responses_settings,
    GOOGLE: google_settings,
    MANUAL: manual_settings,
}
#: The adapter's class in the module of the provider's name.
_CLASSES: Final = {
    COMPATIBLE: "CompatibleProvider",
    ANTHROPIC: "AnthropicProvider",
    OPENAI: "OpenAIProvider",
    GOOGLE: "GoogleProvider",
}


def key_present(config: ModelConfig, environment: Mapping[str, str]) -> bool | None:
    """Whether the config's key is set; None where it needs none."""
    if config.simulated or config.key_env is None:
        return None
    return bool(environment.get(config.key_env, "").strip())


def check_config(config: ModelConfig) -> None:
    """Raise SettingRejected for what the config's adapter could not send. Loads no SDK."""
    _known(config)
    if config.provider == COMPATIBLE or config.base_url:
        _base_url(config)
    _SETTINGS[config.provider](config)


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
    _known(config)
    if config.manual:
        raise SettingRejected(
            f"model config {config.name!r} is manual: nothing is sent for it; its answers are "
            "pasted (`relaybench manual`)"
        )
    if config.provider == SIMULATED:
        simulated = await _adapter("simulated")
        return await _made(simulated.SimulatedProvider, answers or {}, transport=transport)
    base_url = _base_url(config) if config.provider == COMPATIBLE or config.base_url else None
    key = _key(config, environment)
    module = await _adapter(config.provider)
    return await _made(
        getattr(module, _CLASSES[config.provider]), base_url, key, transport=transport
    )


def _known(config: ModelConfig) -> None:
    if config.provider not in _SETTINGS:
        raise SettingRejected(
            f"model config {config.name!r}: no provider is called {config.provider!r}; "
            f"there are {', '.join(PROVIDERS)}"
        )


async def _adapter(name: str) -> Any:
    # In a thread: an SDK takes up to a second to import, and the screen must go on living.
    return await asyncio.to_thread(importlib.import_module, f"relaybench.providers.{name}")


async def _made(make: Any, *arguments: object, **more: object) -> Provider:
    provider: Provider = await asyncio.to_thread(make, *arguments, **more)  # reads certificates
    return provider


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
        if config.provider in KEY_ENVS:
            raise AuthenticationFailed(
                f"model config {config.name!r} names no environment variable with its key; add "
                f'key_env = "{KEY_ENVS[config.provider]}"'
            )
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
