"""Every recorded response of a compatible server, read directly and through the real adapter."""

from __future__ import annotations

import pytest

from relaybench.domain.errors import ProviderError
from tests.providers.support import WIRE, Replay, expected, needs_wire, provider, request
from tests.providers.wire_checks import (
    check,
    check_completion,
    check_error,
    check_stream_error,
    outcome_of,
)

COMPAT = expected("compat/")

pytestmark = needs_wire


@pytest.mark.parametrize("name", COMPAT)
def test_the_reader_gives_the_expected_reading(name: str) -> None:
    check(name, COMPAT[name])


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
            if entry["kind"] == "stream_error":
                check_stream_error(caught.value, entry)
            else:
                check_error(caught.value, entry)
            assert caught.value.raw == raw.decode()
        else:
            completion = await adapter.complete(request())
            check_completion(completion, entry)
            assert completion.stop_reason == entry["stop_norm"]
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


def test_billed_searches_are_reported_as_fees() -> None:
    name = "compat/openrouter-web-search-gpt-5-2.json"
    completion = outcome_of(name, COMPAT[name]).completion
    assert completion is not None
    assert completion.tool_fees == {"web_search": 3}
