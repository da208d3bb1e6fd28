"""Opening adapters: which, with what key, and without loading an SDK before it is needed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from relaybench.domain.errors import AuthenticationFailed, SettingRejected
from relaybench.domain.model import ModelConfig
from relaybench.providers.protocol import Request
from relaybench.providers.registry import key_present, open_provider
from tests.providers.support import GOOD_STREAM, Replay, config


@pytest.mark.asyncio
async def test_a_compatible_server_with_a_key() -> None:
    transport = Replay(GOOD_STREAM)
    asked = config(key_env="MY_KEY")
    provider = await open_provider(asked, {"MY_KEY": " sk-12345678\n"}, transport=transport)
    completion = await provider.complete(Request("p", asked, "c"))
    await provider.aclose()
    assert completion.text == "4"
    assert transport.requests[0].headers["authorization"] == "Bearer sk-12345678"
    assert transport.requests[0].url.host == "server.test"


@pytest.mark.asyncio
async def test_a_local_server_needs_no_key() -> None:
    provider = await open_provider(config(), {"OPENAI_API_KEY": "sk-not-for-it"})
    await provider.aclose()


@pytest.mark.asyncio
async def test_the_simulator_knows_the_answers() -> None:
    options = {"skill": 1, "no_block": 0, "refuse": 0, "truncate": 0, "fail": 0, "latency_s": 0}
    asked = ModelConfig("sim", "simulated", "sim-1", options=options)
    provider = await open_provider(asked, {}, answers={"p": "the-key"})
    completion = await provider.complete(Request("p", asked, "c"))
    await provider.aclose()
    assert "```\nthe-key\n```" in completion.text


@pytest.mark.asyncio
@pytest.mark.parametrize("environment", [{}, {"MY_KEY": ""}, {"MY_KEY": " \n"}])
async def test_a_missing_key_is_named(environment: dict[str, str]) -> None:
    with pytest.raises(AuthenticationFailed, match="environment variable MY_KEY is not set"):
        await open_provider(config(key_env="MY_KEY"), environment)


@pytest.mark.asyncio
@pytest.mark.parametrize("key", ["sk 12345678", "sk-schlüssel", "sk-1\n2345678"])
async def test_a_damaged_key_is_named_but_not_shown(key: str) -> None:
    with pytest.raises(AuthenticationFailed, match="MY_KEY") as caught:
        await open_provider(config(key_env="MY_KEY"), {"MY_KEY": key})
    assert key not in str(caught.value)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"base_url": None}, "needs a base_url"),
        ({"base_url": " "}, "needs a base_url"),
        ({"base_url": "localhost:8000"}, "http://"),
        ({"base_url": "ftp://x/v1"}, "http://"),
        ({"base_url": "http://[::1"}, "http://"),
        ({"base_url": "https://user:pw@x/v1"}, "key_env"),
        ({"provider": "opnai"}, "no provider is called 'opnai'"),
    ],
)
async def test_what_cannot_be_opened(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingRejected, match=words) as caught:
        await open_provider(config(**changes), {})
    assert "pw" not in str(caught.value)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("provider", "name", "adapter"),
    [
        ("anthropic", "ANTHROPIC_API_KEY", "AnthropicProvider"),
        ("openai", "OPENAI_API_KEY", "OpenAIProvider"),
        ("google", "GEMINI_API_KEY", "GoogleProvider"),
    ],
)
async def test_each_provider_has_its_adapter_and_needs_a_key(
    provider: str, name: str, adapter: str
) -> None:
    asked = config(provider=provider, base_url=None)
    with pytest.raises(AuthenticationFailed, match=f'add key_env = "{name}"'):
        await open_provider(asked, {name: "sk-12345678"})
    asked = config(provider=provider, base_url=None, key_env=name)
    opened = await open_provider(asked, {name: "sk-12345678"}, transport=Replay())
    await opened.aclose()
    assert type(opened).__name__ == adapter


def test_whether_a_key_is_there() -> None:
    assert key_present(config(), {}) is None
    assert key_present(ModelConfig("s", "simulated", "m", key_env="K"), {}) is None
    assert key_present(config(key_env="K"), {}) is False
    assert key_present(config(key_env="K"), {"K": " "}) is False
    assert key_present(config(key_env="K"), {"K": "x"}) is True


def test_no_sdk_is_loaded_before_it_is_needed() -> None:
    code = (
        "import sys, relaybench.providers.registry, relaybench.providers.reading, "
        "relaybench.providers.protocol, relaybench.providers.classify, "
        "relaybench.providers.chat_settings, relaybench.providers.phases\n"
        "print(sorted({'openai', 'httpx2', 'anthropic', 'google', 'pydantic'} & set(sys.modules)))"
    )
    root = Path(__file__).resolve().parents[2]
    found = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    assert found.stdout.strip() == "[]"
