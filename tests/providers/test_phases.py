"""What a call is doing, seen in the events of all four wire formats; and when it is at its end."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaybench.providers.phases import PhaseWatch
from relaybench.providers.protocol import Phase
from tests.providers import google_support, support
from tests.providers.anthropic_samples import call, event, message, result, streamed, text, thinking
from tests.providers.support import WIRE, expected, needs_wire

SSE = "text/event-stream"
T, S, C, A, Q = (
    Phase.THINKING,
    Phase.SEARCHING,
    Phase.RUNNING_CODE,
    Phase.ANSWERING,
    Phase.QUEUED,
)


_KEYS = "type item content_block choices delta candidates content parts executed_tools name"


def watch(*pieces: bytes, content_type: str = SSE) -> tuple[list[Phase], bool]:
    """The phases of a body that comes in these pieces, and whether it was at its end."""
    watching = PhaseWatch(content_type)
    return [phase for piece in pieces for phase in watching.feed(piece)], watching.done


def named(kind: str, **more: object) -> bytes:
    """An event of the Responses API."""
    return event(kind, **more)


ANTHROPIC = streamed(
    message(
        thinking(),
        call(1),
        result(1),
        call(2, "bash_code_execution"),
        call(3, "web_fetch"),
        text("4"),
    )
)
RESPONSES = b"".join(
    [
        named("response.queued"),
        named("response.output_item.added", item={"type": "reasoning"}),
        named("response.reasoning_summary_text.delta", delta="hm"),
        named("response.output_item.added", item={"type": "web_search_call"}),
        named("response.web_search_call.searching"),
        named("response.code_interpreter_call_code.delta", delta="x"),
        named("response.output_item.added", item={"type": "message"}),
        named("response.output_text.delta", delta="4"),
        named("response.completed", response={"status": "completed"}),
    ]
)
GOOGLE = google_support.stream(
    google_support.chunk({"text": "hm", "thought": True}),
    google_support.chunk({"toolCall": {"toolType": "GOOGLE_SEARCH_WEB"}}),
    google_support.chunk({"executableCode": {"code": "1"}}),
    google_support.chunk({"text": "4"}, finish="STOP"),
)


def _chat() -> bytes:
    chunks = [support.chunk(None), support.chunk(None), support.chunk("4", "stop")]
    chunks[0]["choices"][0]["delta"] = {"reasoning": "hm"}  # type: ignore[index]
    chunks[1]["choices"][0]["delta"] = {"executed_tools": [{"type": "search"}]}  # type: ignore[index]
    return support.stream(*chunks)


@pytest.mark.parametrize(
    ("raw", "phases", "done"),
    [
        (ANTHROPIC, [T, S, C, S, A], True),
        (RESPONSES, [Q, T, S, C, A], True),
        (GOOGLE, [T, S, C, A], False),
        (_chat(), [T, S, A], True),
        (b'{"object": "response"', [A], False),
        (b"", [], False),
    ],
)
def test_phases_and_end(raw: bytes, phases: list[Phase], done: bool) -> None:
    assert watch(raw) == (phases, done)
    assert watch(*(raw[place : place + 1] for place in range(len(raw)))) == (phases, done)


@pytest.mark.parametrize("kind", ["completed", "incomplete", "failed", "cancelled"])
def test_every_end_of_a_response_counts(kind: str) -> None:
    raw = json.dumps({"type": f"response.{kind}"})
    assert watch(f"data: {raw}\n\n".encode()) == ([], True)


def test_an_error_is_no_end() -> None:
    assert watch(event("error", error={"type": "overloaded_error"})) == ([], False)


@needs_wire
@pytest.mark.parametrize("name", [n for n, e in expected().items() if e["format"] == "sse"])
def test_recorded_streams(name: str) -> None:
    entry = expected()[name]
    phases, done = watch((WIRE / name).read_bytes())
    assert all(a is not b for a, b in pairwise(phases))
    assert (A in phases) is (entry["text"]["chars"] > 0 or bool(entry.get("refusal_text")))
    used: dict[str, int] = entry.get("server_tool_calls") or {}
    assert (C in phases) is any("code" in kind for kind in used)
    whole = {"anthropic", "openai"} & {entry["provider"]} and entry.get("stream_complete")
    assert done is bool(whole or entry.get("ends_with_done"))


@settings(max_examples=200)
@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=4),
        lambda inner: (
            st.lists(inner, max_size=2)
            | st.dictionaries(
                st.sampled_from(_KEYS.split()),
                inner,
                max_size=3,
            )
        ),
        max_leaves=10,
    ),
    st.sampled_from(["", "content_block_start", "response.output_item.added", "error"]),
    st.binary(max_size=20),
)
def test_it_never_fails(value: Any, name: str, junk: bytes) -> None:
    watch(f"event: {name}\ndata: {json.dumps(value)}\n\n".encode(), junk, b"\n\n")
