"""A conversation over chat completions: instructions, earlier turns untouched, and nudges."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from relaybench.domain.completion import Turn
from relaybench.domain.errors import SettingRejected
from relaybench.domain.model import COMPATIBLE, ModelConfig
from relaybench.providers.chat_settings import chat_settings
from relaybench.providers.compatible import CompatibleProvider
from relaybench.providers.protocol import Request
from tests.providers.support import Replay

CONFIG = ModelConfig(
    "m", COMPATIBLE, "m", base_url="http://a.test/v1", instructions="Use no tools."
)


def body(text: str) -> bytes:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}}
    return json.dumps({"model": "m", "choices": [{**choice, "finish_reason": "stop"}]}).encode()


async def sent(request: Request) -> dict[str, object]:
    replay = Replay(body("ok"), headers={"content-type": "application/json"})
    provider = CompatibleProvider("http://a.test/v1", None, transport=replay)
    try:
        completion = await provider.complete(request)
    finally:
        await provider.aclose()
    assert completion.text == "ok"
    assert completion.settings_sent["instructions"] == "Use no tools."
    return replay.sent


async def test_instructions_and_turns_are_sent_in_order() -> None:
    streamed = (
        'data: {"choices":[{"index":0,"delta":{"content":"half\u2028 a"}}]}\n\n'
        'data: {"choices":[{"index":0,"delta":{"content":"nswer"},"finish_reason":"length"}]}\n\n'
        "data: [DONE]\n\n"
    )
    turns = (Turn(body("one [/x] {{y}}").decode(), "go on"), Turn(streamed, "and on"))
    found = await sent(Request("the prompt", CONFIG, "c", earlier=turns))
    assert found["messages"] == [
        {"role": "system", "content": "Use no tools."},
        {"role": "user", "content": "the prompt"},
        {"role": "assistant", "content": "one [/x] {{y}}"},
        {"role": "user", "content": "go on"},
        {"role": "assistant", "content": "half\u2028 answer"},
        {"role": "user", "content": "and on"},
    ]
    assert "instructions" not in found


def test_blocked_domains_are_refused_where_nothing_could_keep_to_them() -> None:
    with pytest.raises(SettingRejected, match="blocked_domains"):
        chat_settings(replace(CONFIG, blocked_domains=("a.test",)))
