"""Recorded responses of Google through the real adapter: as read, or an error."""

from __future__ import annotations

from typing import Any

import pytest

from relaybench.domain.errors import ProviderError, ServerFault
from relaybench.providers.google import BROKEN
from relaybench.providers.reading import read_body
from tests.providers.google_support import run
from tests.providers.support import WIRE, Replay, expected, needs_wire

FILES = expected("google/")
OK = {name: entry for name, entry in FILES.items() if entry["http"]["status"] == 200}


@needs_wire
@pytest.mark.parametrize("name", OK)
async def test_a_recording_through_the_adapter(name: str) -> None:
    entry, body = OK[name], (WIRE / name).read_bytes()
    headers = entry["http"].get("headers", {})
    found: Any = await run(Replay(body, headers=headers))
    read = read_body(body, headers.get("content-type"))
    if isinstance(found, ProviderError):
        assert type(found) is ServerFault
        assert read.raw_stop_reason in BROKEN
        assert found.usage == read.usage
        return
    for field in ("text", "final_text", "stop_reason", "raw_stop_reason", "usage", "parts"):
        assert getattr(found, field) == getattr(read, field)
    assert (found.tool_events, found.tool_fees) == (read.tool_events, read.tool_fees)
    assert found.response_raw.encode("utf-8", "surrogateescape") == body
    assert len(found.text) == entry["text"]["chars"]


@needs_wire
@pytest.mark.parametrize("name", [name for name in FILES if name not in OK])
async def test_a_recorded_error_through_the_adapter(name: str) -> None:
    entry, body = FILES[name], (WIRE / name).read_bytes()
    headers = entry["http"].get("headers", {})
    error = await run(Replay(body, status=entry["http"]["status"], headers=headers))
    assert isinstance(error, ProviderError)
    assert error.retryable is entry["retryable"]
    assert error.http_status == entry["http_status"]
    assert error.raw.encode() == body
    assert entry.get("retry_after_s") in (None, error.retry_after_s)
