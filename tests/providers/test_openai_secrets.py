"""OpenAI's key goes to the configured address and nowhere else, whatever the environment says."""

from __future__ import annotations

import asyncio
import dataclasses

import httpx2
import pytest

from relaybench.domain.errors import AuthenticationFailed, ProviderError
from relaybench.providers.openai import OpenAIProvider
from relaybench.providers.protocol import Request
from relaybench.providers.registry import open_provider
from tests.providers.openai_support import (
    DONE,
    ID,
    KEY,
    QUEUED,
    SSE,
    Naps,
    Reply,
    Server,
    background,
    config,
    error,
    message,
    reply,
    response,
    stream,
)
from tests.providers.support import assert_key_not_in

OTHER = "sk-other-9876543210"
GOOD = Reply(stream(message()), headers=SSE)
REQUEST = Request("p", config(), "c")
LONG = Request("p", background(), "c")


def plant(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set every variable from which the SDK would take something."""
    for name in ("API_KEY", "ADMIN_KEY", "ORG_ID", "PROJECT_ID", "WEBHOOK_SECRET", "API_VERSION"):
        monkeypatch.setenv(f"OPENAI_{name}", OTHER)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://thief.test/v1")
    headers = f"x-leak: {OTHER}\nAuthorization: Bearer {OTHER}\nOpenAI-Organization: {OTHER}"
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", headers)
    monkeypatch.setenv("OPENAI_LOG", "info")


@pytest.mark.parametrize(
    ("base_url", "key", "host"),
    [
        (None, KEY, "api.openai.com"),
        ("http://proxy.test/v1", KEY, "proxy.test"),
        ("http://proxy.test/v1/", None, "proxy.test"),
    ],
)
@pytest.mark.parametrize(("asked", "replies"), [(REQUEST, [GOOD]), (LONG, [QUEUED, DONE])])
async def test_nothing_of_the_environment_is_sent(
    monkeypatch: pytest.MonkeyPatch,
    base_url: str | None,
    key: str | None,
    host: str,
    asked: Request,
    replies: list[Reply],
) -> None:
    plant(monkeypatch)
    server = Server(*replies)
    adapter = OpenAIProvider(
        base_url, key, transport=server, extra_headers={"X-Title": "bench"}, sleep=Naps()
    )
    await adapter.complete(asked)
    await adapter.aclose()
    paths = ["/v1/responses", f"/v1/responses/{ID}"][: len(replies)]
    assert [each.url.path for each in server.requests] == paths
    for sent in server.requests:
        assert sent.url.host == host
        assert OTHER not in repr(sent.headers.raw) + repr(sent.url) + sent.content.decode()
        assert sent.headers["authorization"] == f"Bearer {key or 'none'}"
        assert sent.headers["x-title"] == "bench"
        assert not {"openai-organization", "openai-project", "x-leak"} & set(sent.headers)


async def test_the_registry_opens_it_with_the_key_that_is_named() -> None:
    server = Server(GOOD)
    asked = config(key_env="MY_KEY")
    adapter = await open_provider(asked, {"MY_KEY": KEY, "OPENAI_API_KEY": OTHER}, transport=server)
    await adapter.complete(Request("p", asked, "c"))
    await adapter.aclose()
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert server.requests[0].url.host == "api.openai.com"


def test_the_official_address_needs_a_key() -> None:
    with pytest.raises(AuthenticationFailed, match="needs a key"):
        OpenAIProvider(None, None)
    for key in ("", "sk\nx-evil: 1", "schlüssel"):
        with pytest.raises(AuthenticationFailed) as caught:
            OpenAIProvider(None, key)
        assert not key or key not in str(caught.value)


ECHO = error(f"bad key {KEY}", KEY, type=KEY)


@pytest.mark.parametrize(
    ("asked", "replies"),
    [
        (REQUEST, [reply(ECHO, status=401)]),
        (REQUEST, [reply(ECHO, status=500)]),
        (REQUEST, [reply(ECHO)]),
        (REQUEST, [Reply(f"<title>{KEY}</title>".encode(), status=502)]),
        (REQUEST, [Reply(status=302, headers={"location": f"http://thief.test/{KEY}"})]),
        (REQUEST, [Reply(f"data: {KEY}\n\n".encode(), headers=SSE)]),
        (REQUEST, [Reply(refuse=httpx2.ConnectError(f"no {KEY}"))]),
        (REQUEST, [Reply(f'{{"id": "{KEY}'.encode(), failure=httpx2.ReadError(KEY))]),
        (LONG, [reply(ECHO, status=401)]),
        (LONG, [QUEUED, reply(ECHO, status=401)]),
        (LONG, [QUEUED, reply(ECHO, status=404)]),
        (LONG, [QUEUED, Reply(refuse=httpx2.ReadError(f"reset {KEY}"))]),
        (LONG, [QUEUED, reply(response(status="cancelled", id=KEY))]),
        (LONG, [QUEUED, reply(response(status="failed", error={"code": KEY, "message": KEY}))]),
        (LONG, [reply(response(status="queued", id=None, model=KEY))]),
    ],
)
async def test_no_failure_holds_the_key(asked: Request, replies: list[Reply]) -> None:
    server = Server(*replies)
    adapter = OpenAIProvider(None, KEY, transport=server, sleep=Naps())
    with pytest.raises(ProviderError) as caught:
        await adapter.complete(asked)
    await adapter.aclose()
    assert_key_not_in(caught.value, KEY)
    assert {each.url.host for each in server.requests} == {"api.openai.com"}


async def test_no_completion_holds_the_key_and_a_key_in_deltas_is_found() -> None:
    half = len(KEY) // 2
    parts = [
        {"type": "output_text", "text": KEY[:half], "annotations": []},
        {"type": "output_text", "text": KEY[half:], "annotations": []},
    ]
    echoed = stream(message(content=parts), id=KEY, model=KEY)
    adapter = OpenAIProvider(None, KEY, transport=Server(Reply(echoed, headers=SSE)))
    completion = await adapter.complete(REQUEST)
    await adapter.aclose()
    assert KEY not in repr(dataclasses.asdict(completion))
    assert completion.text == "[key removed]"


def test_the_adapter_does_not_show_the_key() -> None:
    adapter = OpenAIProvider(None, KEY, transport=Server(GOOD))
    assert KEY not in repr(adapter) + repr(vars(adapter))
    asyncio.run(adapter.aclose())
