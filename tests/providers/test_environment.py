"""Requests go to the configured address, with the configured key, whatever the environment says."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx2
import pytest

from relaybench.domain.errors import ProviderError
from relaybench.providers.protocol import Provider, Request
from tests.providers.support import Replay, config

KEY, OTHER = "sk-planted-0123456789", "zz-other-9876543210"
REFUSED = b'{"error": {"message": "no", "type": "invalid_request_error"}}'
ROOT = Path(__file__).parents[2]

_CLASSES = {
    "compatible": "CompatibleProvider",
    "anthropic": "AnthropicProvider",
    "openai": "OpenAIProvider",
    "google": "GoogleProvider",
}
_MODELS = {
    "compatible": "test-model",
    "anthropic": "claude-opus-4-7",
    "openai": "gpt-5.5",
    "google": "gemini-3.1-pro-preview",
}
_OFFICIAL = {
    "anthropic": "https://api.anthropic.com/v1/messages",
    "openai": "https://api.openai.com/v1/responses",
    "google": "https://generativelanguage.googleapis.com/v1beta/models/"
    "gemini-3.1-pro-preview:streamGenerateContent?alt=sse",
}
_OWN = {
    "compatible": ("http://server.test/v1", "http://server.test/v1/chat/completions"),
    "anthropic": ("http://server.test", "http://server.test/v1/messages"),
    "openai": ("http://server.test/v1", "http://server.test/v1/responses"),
    "google": (
        "http://server.test",
        "http://server.test/v1beta/models/gemini-3.1-pro-preview:streamGenerateContent?alt=sse",
    ),
}
_PLACES = [
    *((name, None, url) for name, url in _OFFICIAL.items()),
    *((name, base, url) for name, (base, url) in _OWN.items()),
]


def names_in_the_sdks() -> set[str]:
    """Every environment variable of a provider that an installed SDK mentions."""
    named = re.compile(r"[\"']((?:ANTHROPIC|OPENAI|GOOGLE|GEMINI|AZURE|AWS)_[A-Z0-9_]+)[\"']")
    found: set[str] = set()
    for package in ("anthropic", "openai", "google.genai"):
        folder = importlib.import_module(package).__path__[0]
        for file in Path(folder).rglob("*.py"):
            found.update(named.findall(file.read_text("utf-8")))
    # Names an HTTP client by which the SDK cannot be misled; the adapter says so if it is missing.
    return found - {"GOOGLE_GENAI_HTTP_CLIENT"}


def hostile(name: str, folder: Path) -> str:
    """A value of that variable which would lead astray whoever heeded it."""
    if name.endswith(("_URL", "_ENDPOINT")):
        return f"http://{OTHER}.test/v9"
    if name.endswith("_HEADERS"):
        return f"x-leak: {OTHER}\nAuthorization: Bearer {OTHER}\nx-goog-api-key: {OTHER}"
    if name.endswith(("_DIR", "_DIRECTORY", "_FILE", "_CREDENTIALS")):
        return str(folder / OTHER)
    if name.endswith(("_USE_ENTERPRISE", "_USE_VERTEXAI")):
        return "true"
    if name.endswith("_CLIENT_MODE"):
        return "replay"
    if name.endswith("_LOG"):
        return "info"
    return OTHER


def opened(
    name: str,
    base_url: str | None,
    transport: httpx2.AsyncBaseTransport,
    key: str | None = KEY,
    extra_headers: Mapping[str, str] | None = None,
) -> Provider:
    """The real adapter on a transport."""
    module = importlib.import_module(f"relaybench.providers.{name}")
    adapter: Provider = getattr(module, _CLASSES[name])(
        base_url, key, transport=transport, extra_headers=extra_headers
    )
    return adapter


def asked(name: str, base_url: str | None, **changes: Any) -> Request:
    """A plain request for an adapter."""
    fields = {"provider": name, "model": _MODELS[name], "base_url": base_url}
    return Request("What is 2+2?", config(**(fields | changes)), "cell-1")


async def sent(name: str, base_url: str | None) -> httpx2.Request:
    """The one request of a call that the server refuses."""
    transport = Replay(REFUSED, status=400, headers={"content-type": "application/json"})
    adapter = opened(name, base_url, transport)
    with pytest.raises(ProviderError):
        await adapter.complete(asked(name, base_url))
    await adapter.aclose()
    (request,) = transport.requests
    return request


@pytest.mark.parametrize(("name", "base_url", "url"), _PLACES)
async def test_the_environment_changes_nothing_that_is_sent(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, base_url: str | None, url: str
) -> None:
    names = names_in_the_sdks()
    assert len(names) > 60
    for each in names:
        monkeypatch.delenv(each, raising=False)
    plain = await sent(name, base_url)
    for each in names:
        monkeypatch.setenv(each, hostile(each, tmp_path))
    misled = await sent(name, base_url)
    assert str(misled.url) == str(plain.url) == url
    assert misled.headers.raw == plain.headers.raw
    assert misled.content == plain.content
    whole = repr(misled.headers.raw) + str(misled.url) + misled.content.decode()
    assert OTHER not in whole
    assert whole.count(KEY) == 1
    shown = {each: value for each, value in plain.headers.items() if KEY in value}
    assert shown in ({"authorization": f"Bearer {KEY}"}, {"x-goog-api-key": KEY})


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("name", _CLASSES)
async def test_no_adapter_follows_a_redirect(name: str, status: int) -> None:
    base_url = _OWN[name][0]
    transport = Replay(status=status, headers={"location": "http://thief.test/"})
    adapter = opened(name, base_url, transport)
    with pytest.raises(ProviderError, match="redirects are not followed"):
        await adapter.complete(asked(name, base_url))
    await adapter.aclose()
    assert [each.url.host for each in transport.requests] == ["server.test"]


@pytest.mark.parametrize("name", _CLASSES)
async def test_cookies_of_a_server_are_not_sent_to_another_path(name: str) -> None:
    base_url = _OWN[name][0]
    headers = {"set-cookie": f"session={OTHER}; Path=/", "content-type": "application/json"}
    transport = Replay(REFUSED, status=400, headers=headers)
    adapter = opened(name, base_url, transport)
    for _ in range(2):
        with pytest.raises(ProviderError):
            await adapter.complete(asked(name, base_url))
    await adapter.aclose()
    assert {each.url.host for each in transport.requests} == {"server.test"}


_LOADED = """
import asyncio, sys
from relaybench.domain.model import ModelConfig
from relaybench.providers.registry import open_provider
config = ModelConfig("m", {name!r}, {model!r}, base_url={base!r}, key_env={key!r})
async def main():
    provider = await open_provider(config, {{"K": "sk-0123456789"}})
    await provider.aclose()
asyncio.run(main())
print(*sorted(each for each in ("anthropic", "openai", "google.genai") if each in sys.modules))
"""


@pytest.mark.parametrize("name", _CLASSES)
def test_a_provider_loads_its_own_sdk_and_no_other(name: str) -> None:
    code = _LOADED.format(
        name=name,
        model=_MODELS[name],
        base=_OWN[name][0],
        key=None if name == "compatible" else "K",
    )
    child = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    own = {"compatible": "openai", "google": "google.genai"}.get(name, name)
    assert child.stdout.split() == [own]
    assert child.stderr == ""
