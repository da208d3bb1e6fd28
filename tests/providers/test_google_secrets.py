"""The key goes to Google and nowhere else, and nothing of the environment reaches the adapter."""

from __future__ import annotations

import dataclasses
import gc
import logging
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from relaybench.domain.errors import AuthenticationFailed, ProviderError, SettingRejected
from relaybench.providers.google import GoogleProvider
from relaybench.providers.protocol import Request
from relaybench.providers.registry import open_provider
from tests.providers.google_support import (
    GOOD,
    KEY,
    SSE,
    USAGE,
    chunk,
    google,
    google_config,
    google_request,
    replay,
    stream,
    text,
)
from tests.providers.support import Replay, assert_key_not_in, raw

OTHER = "AIza-other-9876543210"
ENVIRONMENT = {
    "GOOGLE_API_KEY": OTHER,
    "GEMINI_API_KEY": OTHER,
    "GOOGLE_GEMINI_BASE_URL": f"https://{OTHER}.test",
    "GOOGLE_VERTEX_BASE_URL": f"https://{OTHER}.test",
    "GOOGLE_GENAI_USE_VERTEXAI": "true",
    "GOOGLE_GENAI_USE_ENTERPRISE": "1",
    "GOOGLE_GENAI_API_VERSION": "v9",
    "GOOGLE_GENAI_CLIENT_MODE": "replay",
    "GOOGLE_GENAI_REPLAY_ID": "x",
    "GOOGLE_GENAI_REPLAYS_DIRECTORY": "/nowhere",
    "GOOGLE_GENAI_HTTP_CLIENT": "auto",
    "GOOGLE_CLOUD_PROJECT": OTHER,
    "GOOGLE_CLOUD_LOCATION": OTHER,
    "GOOGLE_APPLICATION_CREDENTIALS": "/nowhere.json",
}


async def test_nothing_of_the_environment_is_sent(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    transport = replay()
    adapter = GoogleProvider(None, KEY, transport=transport, extra_headers={"X-Title": "bench"})
    completion = await adapter.complete(google_request())
    await adapter.aclose()
    sent = transport.requests[0]
    assert completion.text == "4"
    assert str(sent.url).startswith("https://generativelanguage.googleapis.com/v1beta/models/")
    assert sent.headers["x-goog-api-key"] == KEY
    assert sent.headers["x-title"] == "bench"
    assert "authorization" not in sent.headers
    assert "x-goog-user-project" not in sent.headers
    assert OTHER not in repr(sent.headers.raw) + repr(sent.url) + sent.content.decode()
    assert capfd.readouterr() == ("", "")


def test_the_sdk_prints_nothing_over_a_screen() -> None:
    # In a process of its own: pytest's log capture is a handler, without which Python prints.
    code = (
        "import os; os.environ |= {'GOOGLE_API_KEY': 'a' * 20, 'GEMINI_API_KEY': 'b' * 20}\n"
        "from relaybench.providers.google import GoogleProvider\n"
        "import asyncio; asyncio.run(GoogleProvider(None, 'c' * 20).aclose())\n"
    )
    made = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert (made.returncode, made.stdout, made.stderr) == (0, "", "")


async def test_the_registry_opens_it_with_the_key_that_the_config_names() -> None:
    asked, transport = google_config(key_env="MY_KEY"), replay()
    environment = ENVIRONMENT | {"MY_KEY": KEY}
    adapter = await open_provider(asked, environment, transport=transport)
    completion = await adapter.complete(google_request(key_env="MY_KEY"))
    await adapter.aclose()
    assert completion.text == "4"
    assert transport.requests[0].headers["x-goog-api-key"] == KEY


def test_settings_are_checked_without_the_sdk() -> None:
    code = (
        "import sys\n"
        "from relaybench.domain.model import ModelConfig\n"
        "from relaybench.providers.registry import check_config\n"
        "check_config(ModelConfig('g', 'google', 'gemini-3.1-pro-preview', effort='high'))\n"
        "print(sorted({'google.genai', 'httpx2'} & set(sys.modules)))\n"
    )
    made = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert (made.returncode, made.stdout, made.stderr) == (0, "[]\n", "")


async def test_aiohttp_is_not_used_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    # What the SDK sets at its import where it finds aiohttp.
    monkeypatch.setattr("google.genai._api_client.has_aiohttp", True)
    transport = replay()
    adapter = google(transport)
    await adapter.complete(google_request())
    await adapter.aclose()
    assert len(transport.requests) == 1


def test_an_http_client_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_GENAI_HTTP_CLIENT", "httpx")
    monkeypatch.setattr("google.genai._api_client.httpx", None)
    with pytest.raises(SettingRejected, match="GOOGLE_GENAI_HTTP_CLIENT"):
        google(Replay())


async def test_another_address_gets_the_requests() -> None:
    transport = replay()
    adapter = GoogleProvider("http://proxy.test/gemini/", KEY, transport=transport)
    await adapter.complete(google_request())
    await adapter.aclose()
    url = str(transport.requests[0].url)
    assert url.startswith("http://proxy.test/gemini/v1beta/models/gemini-3.1-pro-preview:")


async def test_headers_for_one_request_reach_no_other() -> None:
    class Marked(GoogleProvider):
        def _request_headers(self, request: Request) -> dict[str, str]:
            return {"x-cell": request.cell} if request.cell == "marked" else {}

    transport = replay()
    adapter = Marked(None, KEY, transport=transport)
    await adapter.complete(Request("p", google_config(), "marked"))
    await adapter.complete(Request("p", google_config(), "plain"))
    await adapter.aclose()
    assert [each.headers.get("x-cell") for each in transport.requests] == ["marked", None]
    assert all(each.headers["x-goog-api-key"] == KEY for each in transport.requests)


ECHO = raw({"error": {"message": f"bad key {KEY}", "code": 400, "status": KEY}})
FAILURES = [
    Replay(ECHO, status=400),
    Replay(ECHO, status=500),
    Replay(f"<title>{KEY}</title>{KEY}".encode(), status=502),
    Replay(status=301, headers={"location": f"http://x.test/{KEY}"}),
    Replay(ECHO),
    Replay(f"hello {KEY}".encode()),
    replay(chunk(text("x")), {"error": {"code": 503, "message": KEY, "status": KEY}}),
    replay(chunk(finish="OTHER", finishMessage=KEY, usage=USAGE)),
    Replay(stream(chunk(text(KEY))), failure=httpx2.ReadError(f"reset {KEY}")),
    Replay(refuse=httpx2.ConnectError(f"no {KEY}")),
    Replay(refuse=httpx2.LocalProtocolError(f"header {KEY}")),
    Replay(refuse=OSError(KEY)),
]


@pytest.mark.parametrize("transport", FAILURES)
async def test_no_failure_holds_the_key(transport: Replay) -> None:
    adapter = google(transport)
    with pytest.raises(ProviderError) as caught:
        await adapter.complete(google_request())
    await adapter.aclose()
    error = caught.value
    assert_key_not_in(error, KEY)


async def test_no_completion_holds_the_key() -> None:
    half = len(KEY) // 2
    answer = [chunk(text("key " + KEY[:half])), chunk(text(KEY[half:]), finish="STOP", new=KEY)]
    adapter = google(replay(*answer))
    completion = await adapter.complete(google_request(f"my key is {KEY}"))
    await adapter.aclose()
    assert completion.text == "key [key removed]"
    assert KEY not in repr(dataclasses.asdict(completion))
    assert KEY not in completion.request_json


async def test_no_log_holds_the_key(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        adapter = google(Replay(ECHO, status=400))
        with pytest.raises(ProviderError):
            await adapter.complete(google_request())
        adapter_two = google(replay())
        await adapter_two.complete(google_request())
    await adapter.aclose()
    await adapter_two.aclose()
    assert KEY not in caplog.text


def test_the_adapter_does_not_show_the_key() -> None:
    adapter = google(Replay())
    assert KEY not in repr(adapter) + repr(vars(adapter))


@pytest.mark.parametrize("key", [None, "", "k\nx-evil: 1", "schlüssel", "k\0", "auth_tokens/abc1"])
def test_a_key_that_cannot_be_sent_is_refused_without_showing_it(key: str | None) -> None:
    with pytest.raises(AuthenticationFailed) as caught:
        GoogleProvider(None, key, transport=Replay())
    assert not key or key not in str(caught.value)


async def test_nothing_is_left_open() -> None:
    class Closable(Replay):
        closed = False

        async def aclose(self) -> None:
            self.closed = True

    transport = Closable(GOOD, headers=SSE)
    for each in (None, transport):
        adapter = GoogleProvider(None, KEY, transport=each)
        if each is not None:
            await adapter.complete(google_request())
        await adapter.aclose()
        del adapter
        gc.collect()
    assert transport.closed
