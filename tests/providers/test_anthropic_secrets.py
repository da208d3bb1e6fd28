"""The key goes to the configured address and nowhere else, whatever the environment says."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import httpx2
import pytest

from relaybench.domain.errors import AuthenticationFailed, ProviderError
from relaybench.providers.anthropic import AnthropicProvider
from tests.providers.anthropic_samples import (
    GOOD,
    KEY,
    SSE,
    error_body,
    event,
    message,
    pieces,
    provider,
    request,
    streamed,
    text,
)
from tests.providers.support import Replay, assert_key_not_in

OTHER = "sk-other-9876543210"


def plant(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Set every variable, and write every file, from which the SDK would take something."""
    for name in ("API_KEY", "AUTH_TOKEN", "IDENTITY_TOKEN", "WEBHOOK_SIGNING_KEY"):
        monkeypatch.setenv(f"ANTHROPIC_{name}", OTHER)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://thief.test")
    headers = f"x-leak: {OTHER}\nAuthorization: Bearer {OTHER}\nX-Api-Key: {OTHER}"
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", headers)
    monkeypatch.setenv("ANTHROPIC_PROFILE", "work")
    monkeypatch.setenv("ANTHROPIC_CONFIG_DIR", str(folder))
    monkeypatch.setenv("ANTHROPIC_FEDERATION_RULE_ID", "rule")
    monkeypatch.setenv("ANTHROPIC_ORGANIZATION_ID", OTHER)
    monkeypatch.setenv("ANTHROPIC_WORKSPACE_ID", OTHER)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://thief.test")
    (folder / "configs").mkdir()
    profile = {"api_key": OTHER, "base_url": "http://thief.test", "workspace_id": OTHER}
    (folder / "configs" / "work.json").write_text(json.dumps(profile))
    (folder / "active_config").write_text("work")


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("base_url", "key", "url"),
    [
        (None, KEY, "https://api.anthropic.com/v1/messages"),
        ("http://proxy.test", KEY, "http://proxy.test/v1/messages"),
        ("http://proxy.test/", None, "http://proxy.test/v1/messages"),
    ],
)
async def test_nothing_of_the_environment_is_sent(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    base_url: str | None,
    key: str | None,
    url: str,
) -> None:
    plant(monkeypatch, tmp_path)
    transport = Replay(GOOD, headers=SSE)
    adapter = AnthropicProvider(
        base_url, key, transport=transport, extra_headers={"X-Title": "bench"}
    )
    await adapter.complete(request())
    await adapter.aclose()
    (sent,) = transport.requests
    assert str(sent.url) == url
    assert OTHER not in repr(sent.headers.raw) + repr(sent.url) + sent.content.decode()
    assert sent.headers.get_list("authorization") == [f"Bearer {key or 'none'}"]
    assert "x-api-key" not in sent.headers
    assert "x-leak" not in sent.headers
    assert not any(name.startswith("anthropic-workspace") for name in sent.headers)
    assert sent.headers["x-title"] == "bench"


@pytest.mark.asyncio
async def test_the_other_header_carries_the_configured_key(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plant(monkeypatch, tmp_path)
    transport = Replay(GOOD, headers=SSE)
    adapter = AnthropicProvider("http://proxy.test", KEY, transport=transport)
    await adapter.complete(request(options={"api_key_header": True}))
    await adapter.aclose()
    assert transport.requests[0].headers.get_list("x-api-key") == [KEY]
    assert OTHER not in repr(transport.requests[0].headers.raw)


@pytest.mark.parametrize("key", ["", "sk\nx-evil: 1", "schlüssel", "sk\0"])
def test_a_key_that_cannot_be_sent_is_refused_without_showing_it(key: str) -> None:
    with pytest.raises(AuthenticationFailed) as caught:
        AnthropicProvider(None, key, transport=Replay())
    assert not key or key not in str(caught.value)


def test_the_official_address_needs_a_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plant(monkeypatch, tmp_path)
    with pytest.raises(AuthenticationFailed, match="needs a key"):
        AnthropicProvider(None, None, transport=Replay())


ECHO = error_body(KEY, f"bad key {KEY}", code=KEY)
FAILURES = [
    Replay(ECHO, status=400),
    Replay(ECHO, status=401),
    Replay(ECHO, status=529),
    Replay(f"<title>{KEY}</title>{KEY}".encode(), status=502),
    Replay(status=301, headers={"location": f"http://thief.test/{KEY}"}),
    Replay(ECHO),
    Replay(f"hello {KEY}".encode()),
    Replay(
        b"".join(pieces(message(text(KEY)), done=False)),
        headers=SSE,
        failure=httpx2.ReadError(f"reset {KEY}"),
    ),
    Replay(
        b"".join(pieces(message(text(KEY)), done=False))
        + event("error", error={"type": KEY, "message": KEY}),
        headers=SSE,
    ),
    Replay(refuse=httpx2.ConnectError(f"no {KEY}")),
    Replay(refuse=httpx2.LocalProtocolError(f"header {KEY}")),
    Replay(refuse=OSError(KEY)),
]


@pytest.mark.asyncio
@pytest.mark.parametrize("transport", FAILURES)
async def test_no_failure_holds_the_key(transport: Replay) -> None:
    adapter = provider(transport)
    with pytest.raises(ProviderError) as caught:
        await adapter.complete(request(options={"api_key_header": True}))
    await adapter.aclose()
    error = caught.value
    assert_key_not_in(error, KEY)
    assert {each.url.host for each in transport.requests} == {"api.anthropic.com"}


@pytest.mark.asyncio
async def test_no_completion_holds_the_key() -> None:
    echoed = message(text(f"key {KEY}"), id=KEY, model=KEY)
    adapter = provider(Replay(streamed(echoed), headers=SSE))
    completion = await adapter.complete(request(f"my key is {KEY}"))
    await adapter.aclose()
    assert KEY not in repr(dataclasses.asdict(completion))
    assert completion.text == "key [key removed]"


def test_the_adapter_does_not_show_the_key() -> None:
    adapter = provider(Replay())
    assert KEY not in repr(adapter) + repr(vars(adapter))
