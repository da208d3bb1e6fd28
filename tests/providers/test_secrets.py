"""The key goes to the configured server and nowhere else, whatever fails or echoes it."""

from __future__ import annotations

import dataclasses
import gc
import traceback
from typing import Any

import httpx2
import pytest

from relaybench.domain.errors import AuthenticationFailed, ProviderError
from relaybench.providers.compatible import CompatibleProvider
from relaybench.providers.redaction import Redactor
from tests.providers.support import (
    GOOD_STREAM,
    Replay,
    assert_key_not_in,
    body,
    chunk,
    raw,
    request,
    stream,
)

KEY = "sk-planted-0123456789"
OTHER = "sk-other-9876543210"


def adapter_with(transport: httpx2.AsyncBaseTransport) -> CompatibleProvider:
    return CompatibleProvider("http://server.test/v1", KEY, transport=transport)


@pytest.mark.asyncio
async def test_the_key_is_sent_as_a_bearer_token() -> None:
    transport = Replay(GOOD_STREAM)
    adapter = adapter_with(transport)
    await adapter.complete(request())
    await adapter.aclose()
    assert transport.requests[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.asyncio
async def test_no_key_is_none() -> None:
    transport = Replay(GOOD_STREAM)
    adapter = CompatibleProvider("http://server.test/v1", None, transport=transport)
    await adapter.complete(request())
    await adapter.aclose()
    assert transport.requests[0].headers["authorization"] == "Bearer none"


@pytest.mark.asyncio
@pytest.mark.parametrize("key", [KEY, None])
async def test_nothing_of_the_environment_is_sent(
    monkeypatch: pytest.MonkeyPatch, key: str | None
) -> None:
    for name in ("API_KEY", "ADMIN_KEY", "ORG_ID", "PROJECT_ID", "WEBHOOK_SECRET"):
        monkeypatch.setenv(f"OPENAI_{name}", OTHER)
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://{OTHER}.test/v1")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", f"x-leak: {OTHER}\nAuthorization: Bearer {OTHER}")
    monkeypatch.setenv("OPENAI_LOG", "info")
    transport = Replay(GOOD_STREAM)
    adapter = CompatibleProvider(
        "http://server.test/v1", key, transport=transport, extra_headers={"X-Title": "bench"}
    )
    await adapter.complete(request())
    await adapter.aclose()
    sent = transport.requests[0]
    assert str(sent.url) == "http://server.test/v1/chat/completions"
    assert OTHER not in repr(sent.headers.raw) + repr(sent.url) + sent.content.decode()
    assert "openai-organization" not in sent.headers
    assert "openai-project" not in sent.headers
    assert sent.headers["authorization"] == f"Bearer {key or 'none'}"
    assert sent.headers["x-title"] == "bench"


@pytest.mark.asyncio
async def test_cookies_and_redirects_do_not_reach_another_host() -> None:
    transport = Replay(status=302, headers={"location": "http://thief.test/"})
    adapter = adapter_with(transport)
    with pytest.raises(ProviderError):
        await adapter.complete(request())
    await adapter.aclose()
    assert {each.url.host for each in transport.requests} == {"server.test"}


ECHO = raw({"error": {"message": f"bad key {KEY}", "code": KEY, "type": KEY}})
FAILURES = [
    Replay(ECHO, status=401),
    Replay(ECHO, status=500),
    Replay(f"<title>{KEY}</title>{KEY}".encode(), status=502),
    Replay(status=301, headers={"location": f"http://x.test/{KEY}"}),
    Replay(ECHO),
    Replay(f"hello {KEY}".encode()),
    Replay(raw({"choices": KEY})),
    Replay(stream(chunk(KEY), done=False), failure=httpx2.ReadError(f"reset {KEY}")),
    Replay(refuse=httpx2.ConnectError(f"no {KEY}")),
    Replay(refuse=httpx2.LocalProtocolError(f"header {KEY}")),
    Replay(refuse=OSError(KEY)),
]


@pytest.mark.asyncio
@pytest.mark.parametrize("transport", FAILURES)
async def test_no_failure_holds_the_key(transport: Replay) -> None:
    adapter = adapter_with(transport)
    with pytest.raises(ProviderError) as caught:
        await adapter.complete(request())
    await adapter.aclose()
    error = caught.value
    shown = "".join(
        traceback.TracebackException.from_exception(error, capture_locals=True).format()
    )
    assert_key_not_in(error, KEY)
    assert type(error).__name__ in shown


@pytest.mark.asyncio
async def test_no_completion_holds_the_key() -> None:
    echoed = body(f"key {KEY}", model=KEY, id=KEY)
    echoed["choices"][0]["message"] |= {
        "reasoning": KEY,
        "executed_tools": [{"type": KEY, "arguments": KEY}],
    }
    adapter = adapter_with(Replay(raw(echoed)))
    completion = await adapter.complete(request())
    await adapter.aclose()
    assert KEY not in repr(dataclasses.asdict(completion))
    assert completion.text == "key [key removed]"


@pytest.mark.asyncio
async def test_a_key_cut_into_deltas_is_found() -> None:
    half = len(KEY) // 2
    answer = stream(chunk(KEY[:half]), chunk(KEY[half:]), chunk(None, "stop"))
    adapter = adapter_with(Replay(answer))
    completion = await adapter.complete(request())
    await adapter.aclose()
    assert completion.text == "[key removed]"


def test_short_secrets_are_not_cut_out_of_answers() -> None:
    redactor = Redactor(["none", "test", ""])
    assert redactor.text("none of the tests") == "none of the tests"


@pytest.mark.asyncio
async def test_secrets_in_headers_count_too() -> None:
    headers = {"X-Api-Key": OTHER, "X-Title": "relay benchmark"}
    transport = Replay(raw(body(f"{OTHER} relay benchmark")))
    adapter = CompatibleProvider(
        "http://server.test/v1", None, transport=transport, extra_headers=headers
    )
    completion = await adapter.complete(request())
    await adapter.aclose()
    assert completion.text == "[key removed] relay benchmark"


def test_the_adapter_does_not_show_the_key() -> None:
    adapter = adapter_with(Replay())
    assert KEY not in repr(adapter) + repr(vars(adapter))


@pytest.mark.parametrize("key", ["", "sk\nx-evil: 1", "schlüssel", "sk\0"])
def test_a_key_that_cannot_be_sent_is_refused_without_showing_it(key: str) -> None:
    with pytest.raises(AuthenticationFailed) as caught:
        CompatibleProvider("http://server.test/v1", key, transport=Replay())
    assert not key or key not in str(caught.value)


@pytest.mark.asyncio
async def test_nothing_is_left_open() -> None:
    adapter = adapter_with(Replay([GOOD_STREAM, b"more", b"still more"]))
    found: Any = await adapter.complete(request())
    await adapter.aclose()
    del adapter
    gc.collect()
    assert found.text == "4"
