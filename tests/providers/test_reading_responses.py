"""Bodies and streams of the Responses API: ends, phases, blocks, containers, streams that break."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.domain.completion import StopReason, Usage
from relaybench.domain.errors import (
    ConnectionFailed,
    ProviderError,
    QuotaExhausted,
    RequestRejected,
    ServerFault,
)
from relaybench.providers.bodies import body_of
from relaybench.providers.reading import read_body, read_outcome
from tests.providers.anthropic_samples import event

CODE = {"type": "code_interpreter_call", "container_id": "cntr_1", "status": "completed"}
SEARCH = {"type": "web_search_call", "status": "completed", "action": {"query": "q"}}


def said(words: str, phase: str | None = None) -> dict[str, Any]:
    """A message item."""
    content = [{"type": "output_text", "text": words, "annotations": []}]
    whole: dict[str, Any] = {"type": "message", "status": "completed", "content": content}
    return whole if phase is None else whole | {"phase": phase}


def response(*output: Any, **more: object) -> dict[str, Any]:
    """A whole response."""
    usage = {"input_tokens": 3, "output_tokens": 2, "total_tokens": 5}
    return {
        "id": "resp_1",
        "object": "response",
        "status": "completed",
        "output": list(output),
        "usage": usage,
    } | more


def streamed(whole: dict[str, Any], *, ended: bool = True) -> list[bytes]:
    """The events by which it would have been streamed."""
    begun = whole | {"status": "in_progress", "output": [], "usage": None}
    events = [event("response.created", response=begun)]
    for place, item in enumerate(whole["output"]):
        where = {"output_index": place}
        start = item | ({"content": [], "status": "in_progress"} if "content" in item else {})
        events.append(event("response.output_item.added", item=start, **where))
        if item["type"] == "message":
            for index, part in enumerate(item["content"]):
                events += [
                    event("response.output_text.delta", delta=letter, content_index=index, **where)
                    for letter in part["text"]
                ]
        events.append(event("response.output_item.done", item=item, **where))
    if ended:
        events.append(event(f"response.{whole['status']}", response=whole))
    return events


def read(whole: dict[str, Any]) -> Any:
    """Read it whole, streamed, and from the middle of its stream: all say the same."""
    events = streamed(whole)
    forms = [json.dumps(whole).encode(), b"".join(events), b"".join(events[1:]), events[-1]]
    found = [read_body(form) for form in forms]
    for name in ("text", "answer_text", "parts", "stop_reason", "raw_stop_reason", "usage"):
        assert all(getattr(each, name) == getattr(found[0], name) for each in found)
    assert [body_of(form) for form in forms] == [whole] * len(forms)
    return found[0]


def test_phases() -> None:
    assert read(response(said("hm ", "commentary"), said("4", "final_answer"))).answer_text == "4"
    assert read(response(said("hm ", "commentary"), said("4"))).answer_text == "4"
    assert read(response(said("hm", "commentary"))).answer_text == ""
    assert read(response(said("a"), said("b"))).answer_text is None
    late = response(said("4", "final_answer"), SEARCH, said("more", "commentary"))
    assert read(late).answer_text == "4"


def test_a_tool_after_the_last_word() -> None:
    assert read(response(said("4"), SEARCH)).final_text == "4"
    cut = response(said("so"), SEARCH, status="incomplete")
    assert read(cut).final_text == ""


@pytest.mark.parametrize(
    "kind",
    ["function_call", "custom_tool_call", "computer_call", "local_shell_call", "apply_patch_call"],
)
def test_calls_for_the_client(kind: str) -> None:
    completion = read(response(said("4"), {"type": kind}))
    assert completion.stop_reason is StopReason.TOOL_USE
    assert completion.tool_events == ()
    assert completion.final_text == "4"


def test_containers_are_charged_once_each() -> None:
    shell = {"type": "shell_call", "environment": {"container_id": "cntr_2"}}
    other = {"type": "shell_call", "environment": {"type": "local"}}
    completion = read(response(CODE, CODE, shell, other, said("4")))
    assert completion.tool_fees == {"container": 2}
    assert read(response(said("4"))).tool_fees == {}


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("bio_policy", "no"),
        ("misalignment_policy_violation", "no"),
        ("invalid_prompt", "flagged as potentially violating our usage policy"),
    ],
)
def test_a_response_that_a_policy_stopped_is_blocked(code: str, words: str) -> None:
    failed = response(status="failed", error={"code": code, "message": words})
    completion = read(failed)
    assert completion.stop_reason is StopReason.BLOCKED
    assert completion.raw_stop_reason == f"failed:{code}"
    assert completion.refusal == f"{code}: {words}"


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"code": "server_error", "message": "oops"}, ServerFault),
        ({"code": "invalid_prompt", "message": "no messages"}, RequestRejected),
        ({"code": "insufficient_quota", "message": "pay"}, QuotaExhausted),
        (None, ServerFault),
    ],
)
def test_a_response_that_failed_is_an_error(error: object, kind: type[ProviderError]) -> None:
    failed = response(status="failed", error=error)
    for raw in (json.dumps(failed).encode(), b"".join(streamed(failed))):
        outcome = read_outcome(raw)
        assert type(outcome.error) is kind
        assert outcome.error.usage == Usage(input=3, output=2)
        assert outcome.completion is not None
        assert outcome.completion.raw_stop_reason == "failed"


@pytest.mark.parametrize(
    "fault",
    [
        {"error": {"type": "server_error", "code": "server_error", "message": "oops"}},
        {"code": "server_error", "message": "oops", "param": None},
    ],
)
def test_an_error_event_comes_with_what_came(fault: dict[str, Any]) -> None:
    *events, _ = streamed(response(CODE, said("half")), ended=False)
    outcome = read_outcome(b"".join([*events, event("error", **fault)]))
    assert type(outcome.error) is ServerFault
    assert str(outcome.error) == "oops"
    assert outcome.error.error_type in ("server_error", None)
    assert outcome.error.error_code == "server_error"
    assert outcome.completion is not None
    assert outcome.completion.text == "half"
    assert outcome.completion.raw_stop_reason == "in_progress"
    assert [each.kind for each in outcome.completion.tool_events] == ["code_interpreter"]


@given(st.integers(0, 8))
def test_a_stream_without_its_last_event_is_cut(size: int) -> None:
    events = streamed(response(SEARCH, said("half")), ended=False)[:size]
    outcome = read_outcome(b"".join(events), "text/event-stream", wire="responses")
    assert type(outcome.error) is ConnectionFailed
    assert outcome.error.usage is None
    if outcome.completion is not None:
        assert "half".startswith(outcome.completion.text)


def test_a_last_event_without_items_is_filled_from_those_before() -> None:
    whole = response(SEARCH, said("4"))
    *events, _ = streamed(whole)
    last = event("response.completed", response=whole | {"output": []})
    assert body_of(b"".join([*events, last])) == whole


def test_a_refusal_in_a_stream_that_was_cut() -> None:
    events = [
        event("response.created", response=response(status="in_progress")),
        event("response.refusal.delta", delta="No", output_index=0, content_index=0),
        event("response.refusal.delta", delta=".", output_index=0, content_index=0),
    ]
    completion = read_outcome(b"".join(events)).completion
    assert completion is not None
    assert completion.refusal == "No."


def test_unknown_events_items_and_parts_do_no_harm() -> None:
    odd = {"type": "hologram", "content": 7}
    part = {"type": "hologram", "text": None}
    whole = response(odd, {"type": "message", "content": [part, *said("4")["content"]]})
    events = streamed(response(said("4")))
    events[1:1] = [event("response.brand_new.delta", delta={"a": 1}), b"data: {}\n\n"]
    events[-1] = event("response.completed", response=whole)
    assert read_body(b"".join(events)).text == "4"
