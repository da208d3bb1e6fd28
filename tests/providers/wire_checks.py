"""Compare readings with what expected.json says of the recorded responses, field by field."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any

from relaybench.domain.completion import Completion
from relaybench.domain.errors import ProviderError
from relaybench.providers.classify import classify_response
from relaybench.providers.reading import Outcome, read_outcome
from tests.providers.support import WIRE

#: Our name of a use of a tool, where the recordings count under another.
_NAMES = {"google_search": "google_search_queries"}
#: States of a tool event that are no failure.
_FINE = ("", "completed", "searching", "OUTCOME_OK", "URL_RETRIEVAL_STATUS_SUCCESS")


def outcome_of(name: str, entry: dict[str, Any]) -> Outcome:
    """Read a recording as an adapter does."""
    raw = (WIRE / name).read_bytes()
    headers = entry["http"].get("headers", {})
    if entry["http"]["status"] >= 400:
        error = classify_response(entry["http"]["status"], headers, raw.decode())
        return Outcome(None, error)
    return read_outcome(raw, headers.get("content-type"))


def check(name: str, entry: dict[str, Any]) -> None:
    """Everything that is expected of one recording of a response."""
    outcome = outcome_of(name, entry)
    if entry["kind"] == "error":
        assert outcome.error is not None
        check_error(outcome.error, entry)
        assert outcome.error.raw == (WIRE / name).read_text("utf-8")
        return
    assert outcome.completion is not None
    if entry["kind"] == "stream_error":
        assert outcome.streamed
        assert outcome.error is not None
        check_stream_error(outcome.error, entry)
    else:
        assert entry["kind"] in ("answer", "pending")
        assert outcome.error is None
        assert outcome.completion.stop_reason == entry["stop_norm"]
    check_completion(outcome.completion, entry)


def check_completion(completion: Completion, entry: dict[str, Any]) -> None:
    """Text, end, tools, thinking and usage."""
    assert _print(completion.text) == _expected_print(entry["text"])
    assert _print(completion.final_text) == _expected_print(entry["answer_text"])
    assert completion.raw_stop_reason == entry["stop_reason"]
    assert bool(completion.refusal) is entry["refusal"]
    if "refusal_text" in entry:
        assert completion.refusal == entry["refusal_text"]
    assert (entry.get("refusal_category") or "") in (completion.refusal or "")
    if entry["stop_norm"] == "blocked":
        assert (entry.get("finish_message") or "") in (completion.refusal or "")
    assert completion.served_model == entry.get("model")
    check_tools(completion, entry)
    lengths = ["thinking_chars", "thought_chars", "reasoning_chars"]
    if entry["provider"] == "openai":  # another vendor shows thinking as such, not a summary
        lengths.append("reasoning_summary_chars")
    for name in lengths:
        if name in entry:
            assert len(completion.thinking) == entry[name]
    check_usage(completion, entry)


def check_tools(completion: Completion, entry: dict[str, Any]) -> None:
    """Uses by kind, how they went, and what is billed for them."""
    events = completion.tool_events
    kinds = Counter(_NAMES.get(event.kind, event.kind) for event in events)
    assert kinds == (entry.get("server_tool_calls") or {})
    if "server_tool_errors" in entry:
        failed = [event for event in events if event.status not in _FINE]
        assert len(failed) == entry["server_tool_errors"]
    if "code_outcomes" in entry:
        outcomes = [event.status for event in events if event.kind == "code_execution"]
        assert outcomes == entry["code_outcomes"]
    if "url_retrieval" in entry:
        pages = {event.detail: event.status for event in events if event.kind == "url_context"}
        assert pages == entry["url_retrieval"]
    billed = {
        name.removesuffix("_requests"): uses
        for name, uses in (entry.get("server_tool_billed") or {}).items()
        if uses and name.endswith("_requests")
    }
    if entry["provider"] == "anthropic":
        extra = {"tokens_of_another_model"}  # ours: what the counts of usage leave out
        assert {n: v for n, v in completion.tool_fees.items() if n not in extra} == billed


def check_usage(completion: Completion, entry: dict[str, Any]) -> None:
    """Every bucket, and that they add up to what the provider states."""
    usage, stated = completion.usage, entry["usage"] or {}
    norm = entry.get("usage_norm") or {}
    assert usage.input_total == norm.get("input_total")
    assert usage.output == norm.get("output_total")
    assert usage.reasoning == norm.get("reasoning")
    if "input_plain" in norm:
        assert usage.input == norm["input_plain"]
    beyond = norm.get("total_minus_input_minus_output") or 0
    assert (usage.unattributed or 0) == max(0, beyond)
    if stated.get("total") is not None:
        parts = (usage.input, usage.cached_input, usage.cache_write, usage.output)
        assert sum(part or 0 for part in (*parts, usage.unattributed)) == stated["total"]
    if entry["provider"] == "anthropic":
        # One proxy states no caches at all; the collector wrote 0, which we never do.
        assert (usage.cached_input or 0) == stated.get("cached_read")
        assert (usage.cache_write or 0) == stated.get("cache_write")
        assert usage.cache_write_1h == stated.get("cache_write_1h")
        return
    for ours, theirs in (("cached_input", "cached_read"), ("cache_write", "cache_write")):
        assert (getattr(usage, ours) is None) is (stated.get(theirs) is None)
    cached = stated.get("cached_read")
    if cached is not None:
        assert usage.cached_input == min(cached, stated["input"])


def check_stream_error(error: ProviderError, entry: dict[str, Any]) -> None:
    """An error in the middle of a stream, with what the call used so far."""
    inner = entry["error"]
    assert str(error) == inner["message"][:500]
    assert error.error_type == inner.get("type")
    code = inner.get("code")
    assert error.error_code == (None if code is None else str(code))
    assert error.http_status == entry["http"]["status"] == 200
    if entry["usage"] is None or entry["provider"] == "anthropic":
        assert error.usage is None  # what had been counted so far is not what is billed
    else:
        assert error.usage is not None
        assert error.usage.input_total == entry["usage_norm"]["input_total"]
        assert error.usage.output == entry["usage_norm"]["output_total"]


def check_error(error: ProviderError, entry: dict[str, Any]) -> None:
    """A body that is an error, whatever its status."""
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
