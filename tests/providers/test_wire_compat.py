"""Every recorded response of a compatible server, read directly and through the real adapter."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any

import pytest

from relaybench.domain.completion import Completion
from relaybench.domain.errors import ProviderError
from relaybench.providers.classify import classify_response
from relaybench.providers.reading import read_body
from tests.providers.support import WIRE, Replay, expected, needs_wire, provider, request

COMPAT = expected("compat/")
#: Bodies of other adapters to come: the readers must already get them right.
OTHERS = {
    name: entry
    for name, entry in expected().items()
    if (name.startswith("openai/") and entry["format"] == "json")
    or (entry["kind"] == "error" and not name.startswith("compat/"))
}

pytestmark = needs_wire


def check_completion(completion: Completion, entry: dict[str, Any]) -> None:
    """Compare with the expected reading, field by field."""
    assert _print(completion.text) == _expected_print(entry["text"])
    assert _print(completion.final_text) == _expected_print(entry["answer_text"])
    assert completion.stop_reason == entry["stop_norm"]
    assert completion.raw_stop_reason == entry["stop_reason"]
    assert bool(completion.refusal) is entry["refusal"]
    assert completion.refusal == entry.get("refusal_text")
    assert completion.served_model == entry["model"]
    kinds = Counter(event.kind for event in completion.tool_events)
    assert kinds == (entry.get("server_tool_calls") or {})
    if "reasoning_chars" in entry:
        assert len(completion.thinking) == entry["reasoning_chars"]
    check_usage(completion, entry)


def check_usage(completion: Completion, entry: dict[str, Any]) -> None:
    """The buckets add up to what the provider states."""
    usage, stated = completion.usage, entry["usage"] or {}
    norm = entry.get("usage_norm") or {}
    assert usage.input_total == norm.get("input_total")
    assert usage.output == norm.get("output_total")
    assert usage.reasoning == norm.get("reasoning")
    if "input_plain" in norm:
        assert usage.input == norm["input_plain"]
    beyond = norm.get("total_minus_input_minus_output") or 0
    assert (usage.unattributed or 0) == max(0, beyond)
    for ours, theirs in (("cached_input", "cached_read"), ("cache_write", "cache_write")):
        value = stated.get(theirs)
        assert (getattr(usage, ours) is None) is (value is None)
    cached = stated.get("cached_read")
    if cached is not None:
        assert usage.cached_input == min(cached, stated["input"])


def check_error(error: ProviderError, entry: dict[str, Any]) -> None:
    """Compare an error with the expected one."""
    if entry["kind"] == "stream_error":
        inner = entry["error"]
        assert str(error) == inner["message"]
        assert error.error_code == str(inner["code"])
        assert error.usage is not None
        assert error.usage.input_total == entry["usage_norm"]["input_total"]
        assert error.usage.output == entry["usage_norm"]["output_total"]
        assert error.http_status == entry["http"]["status"]
        return
    message = " ".join(entry["message"].split())
    assert str(error).startswith(message[:499])
    assert error.http_status == entry["http_status"]
    assert error.error_type == entry.get("error_type")
    code = entry.get("error_code")
    assert error.error_code == (None if code is None else str(code))
    assert error.retryable is entry["retryable"]
    assert error.retry_after_s == entry.get("retry_after_s")


def _print(text: str) -> tuple[int, str]:
    return len(text), hashlib.sha256(text.encode()).hexdigest()


def _expected_print(entry: dict[str, Any]) -> tuple[int, str]:
    return entry["chars"], entry["sha256"]


def _read(name: str, entry: dict[str, Any]) -> Completion:
    raw = (WIRE / name).read_bytes()
    headers = entry["http"].get("headers", {})
    if entry["http"]["status"] >= 400:
        raise classify_response(entry["http"]["status"], headers, raw.decode())
    return read_body(raw, headers.get("content-type"))


@pytest.mark.parametrize("name", sorted(COMPAT | OTHERS))
def test_the_reader_gives_the_expected_reading(name: str) -> None:
    entry = (COMPAT | OTHERS)[name]
    if entry["kind"] in ("answer", "pending"):
        check_completion(_read(name, entry), entry)
        return
    with pytest.raises(ProviderError) as caught:
        _read(name, entry)
    check_error(caught.value, entry)
    assert caught.value.raw == (WIRE / name).read_text("utf-8")


@pytest.mark.asyncio
@pytest.mark.parametrize("pieces", [1, 7])
@pytest.mark.parametrize("name", sorted(COMPAT))
async def test_the_adapter_gives_the_expected_reading(name: str, pieces: int) -> None:
    entry = COMPAT[name]
    raw = (WIRE / name).read_bytes()
    size = len(raw) // pieces + 1
    parts = [raw[start : start + size] for start in range(0, len(raw), size)]
    transport = Replay(parts, status=entry["http"]["status"], headers=entry["http"].get("headers"))
    adapter = provider(transport)
    try:
        if entry["kind"] != "answer":
            with pytest.raises(ProviderError) as caught:
                await adapter.complete(request())
            check_error(caught.value, entry)
            assert caught.value.raw == raw.decode()
        else:
            completion = await adapter.complete(request())
            check_completion(completion, entry)
            assert completion.http_status == 200
            whole = raw.decode()
            # Reading stops at [DONE]; nothing but the rest of its line may be missing.
            assert whole.startswith(completion.response_raw.rstrip("\n"))
            assert len(whole) - len(completion.response_raw) <= 2
    finally:
        await adapter.aclose()
    assert transport.streams[0].closed
    assert len(transport.requests) == 1


def test_the_recordings_are_all_here() -> None:
    assert len(COMPAT) == 22
    assert len(OTHERS) > 30


def test_billed_searches_are_reported_as_fees() -> None:
    name = "compat/openrouter-web-search-gpt-5-2.json"
    assert _read(name, COMPAT[name]).tool_fees == {"web_search": 3}
