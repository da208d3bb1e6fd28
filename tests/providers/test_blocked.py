"""A prompt that a safety system refuses with an HTTP error is an outcome, not a failed call."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest

from relaybench.domain.completion import Completion, StopReason, Usage
from relaybench.domain.errors import ConnectionFailed, RequestRejected
from relaybench.domain.results import Outcome
from relaybench.grading.grade import grade
from relaybench.providers.openai import OpenAIProvider
from relaybench.providers.protocol import Provider, Request
from tests.providers import openai_support, support
from tests.providers.support import Replay

AZURE = {
    "error": {
        "message": "The response was filtered.",
        "code": "content_filter",
        "status": 400,
        "innererror": {
            "code": "ResponsibleAIPolicyViolation",
            "content_filter_result": {"violence": {"filtered": True}, "hate": {"filtered": False}},
        },
    }
}
FLAGGED = {
    "error": {
        "message": "Invalid prompt: it was flagged as potentially violating our usage policy.",
        "type": "invalid_request_error",
        "code": "invalid_prompt",
    }
}
OPENROUTER = {
    "error": {
        "code": 403,
        "message": 'Your input was flagged for "violence". No credits were charged.',
    }
}


async def asked(adapter: Provider, request: Any) -> Completion:
    try:
        return await adapter.complete(request)
    finally:
        await adapter.aclose()


@pytest.mark.parametrize("which", ["compatible", "openai"])
@pytest.mark.parametrize(
    ("status", "body", "word", "refusal"),
    [
        (400, AZURE, "content_filter", "violence: The response was filtered."),
        (400, FLAGGED, "invalid_prompt", "Invalid prompt: it was flagged"),
        (403, OPENROUTER, "403", 'Your input was flagged for "violence".'),
    ],
)
async def test_a_blocked_prompt_is_a_refusal(
    which: str, status: int, body: dict[str, Any], word: str, refusal: str
) -> None:
    raw = json.dumps(body)
    transport = Replay(raw.encode(), status=status)
    if which == "openai":
        request = Request("p", openai_support.config(), "cell-1")
        adapter: Provider = OpenAIProvider(None, "sk-0123456789", transport=transport)
    else:
        request, adapter = support.request("p"), support.provider(transport)
    found = await asked(adapter, request)
    assert (found.text, found.stop_reason) == ("", StopReason.BLOCKED)
    assert found.raw_stop_reason == word
    assert str(found.refusal).startswith(refusal)
    assert (found.usage, found.billed, found.http_status) == (Usage(), False, status)
    assert found.response_raw == raw
    assert json.loads(found.request_json) == transport.sent
    assert found.settings_sent["model"] == request.config.model
    graded = grade(
        text=found.final_text,
        stop_reason=found.stop_reason,
        raw_stop_reason=found.raw_stop_reason,
        refusal=found.refusal,
        key="4",
        parts=["4"],
        labels=["a"],
        separator=", ",
    )
    assert graded.outcome is Outcome.REFUSED


@pytest.mark.parametrize("failure", [None, httpx2.ConnectError("reset")])
async def test_a_failed_call_keeps_what_it_sent(failure: Exception | None) -> None:
    key = "sk-0123456789-secret"
    transport = Replay(b"{}", status=400) if failure is None else Replay(refuse=failure)
    adapter = support.provider(transport, key)
    with pytest.raises((RequestRejected, ConnectionFailed)) as caught:
        await asked(adapter, support.request(f"my key is {key}"))
    assert caught.value.settings_sent["model"] == "test-model"
    assert "my key is [key removed]" in caught.value.request_json
