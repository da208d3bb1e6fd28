"""What batch APIs give: states in every provider's words, and lines of every kind."""

from __future__ import annotations

import json
from typing import Any

import pytest

from relaybench.domain.errors import MalformedResponse, RateLimited, RequestRejected, ServerFault
from relaybench.providers.reading import read_body
from relaybench.providers.reading_batch import BatchLine, batch_lines, batch_state


@pytest.mark.parametrize(
    ("body", "status", "done", "counts"),
    [
        (
            {"type": "message_batch", "processing_status": "in_progress"}
            | {"request_counts": {"processing": 2, "succeeded": None}},
            "in_progress",
            False,
            {"processing": 2},
        ),
        (
            {"object": "batch", "status": "completed", "request_counts": {"total": 3}},
            "completed",
            True,
            {"total": 3},
        ),
        ({"object": "batch", "status": "finalizing"}, "finalizing", False, {}),
        (
            {
                "name": "batches/1",
                "metadata": {
                    "state": "BATCH_STATE_SUCCEEDED",
                    "batchStats": {"requestCount": "2"},
                },
            },
            "BATCH_STATE_SUCCEEDED",
            True,
            {"requestCount": 2},
        ),
        ({"name": "batches/1", "state": "JOB_STATE_RUNNING"}, "JOB_STATE_RUNNING", False, {}),
        (
            {"name": "batches/1", "state": "JOB_STATE_PARTIALLY_SUCCEEDED"},
            "JOB_STATE_PARTIALLY_SUCCEEDED",
            True,
            {},
        ),
    ],
)
def test_states(body: dict[str, Any], status: str, done: bool, counts: dict[str, int]) -> None:
    state = batch_state(body)
    assert state is not None
    assert (state.status, state.done, state.counts) == (status, done, counts)


def test_what_is_no_batch() -> None:
    for body in ({}, {"object": "response"}, {"name": "x"}, {"name": "batches/1"}):
        assert batch_state(body) is None
    with pytest.raises(MalformedResponse, match="batch"):
        read_body(b'{"type": "message_batch", "processing_status": "ended"}')
    for raw in (b"", b"{}", b'{"type": "message"}\n{}', b"data: {}\n\n"):
        assert batch_lines(raw) is None


def lines(*each: Any) -> list[BatchLine]:
    """Read these lines."""
    found = batch_lines("\n".join(json.dumps(one) for one in each).encode())
    assert found is not None
    return found


def test_answers_of_all_three() -> None:
    found = lines(
        {"custom_id": "a", "result": {"type": "succeeded", "message": {"m": 1}}},
        {"custom_id": "b", "response": {"status_code": 200, "body": {"m": 2}}, "error": None},
        {"key": "c", "response": {"m": 3}},
        {"metadata": {"key": "d"}, "response": {"m": 4}},
    )
    assert [each.id for each in found] == ["a", "b", "c", "d"]
    assert [json.loads(each.body or b"") for each in found] == [{"m": n} for n in (1, 2, 3, 4)]
    assert all(each.error is None for each in found)


def test_failures_of_all_three() -> None:
    bad = {"type": "error", "error": {"type": "invalid_request_error", "message": "bad"}}
    found = lines(
        {"custom_id": "a", "result": {"type": "errored", "error": bad}},
        {"custom_id": "b", "result": {"type": "expired"}},
        {"custom_id": "c", "result": {"type": "canceled"}},
        {"custom_id": "d", "response": {"status_code": 429, "body": {"error": {"message": "x"}}}},
        {"custom_id": "e", "response": None, "error": {"code": "batch_expired", "message": "y"}},
        {"key": "f", "error": {"code": 400, "message": "z"}},
    )
    kinds = [RequestRejected, ServerFault, ServerFault, RateLimited, ServerFault, RequestRejected]
    assert [type(each.error) for each in found] == kinds


def test_a_line_that_was_cut_is_told() -> None:
    whole = json.dumps({"custom_id": "a", "result": {"type": "expired"}})
    found = batch_lines(f"{whole}\n\n{whole[:20]}".encode())
    assert found is not None
    assert [each.id for each in found] == ["a", "line 2"]
    assert isinstance(found[1].error, MalformedResponse)
