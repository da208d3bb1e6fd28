"""The whole body that a stream stands for: everything in it, in order, however it was cut."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaybench.domain.errors import ConnectionFailed, MalformedResponse
from relaybench.providers.bodies import body_of
from relaybench.providers.reading import read_body, read_outcome
from relaybench.providers.sse import EventDecoder
from tests.providers import support
from tests.providers.anthropic_samples import event, message, streamed, thinking
from tests.providers.anthropic_samples import text as block
from tests.providers.google_support import chunk, stream, text
from tests.providers.support import WIRE, expected, needs_wire

STREAMS = sorted(
    name
    for name, entry in expected().items()
    if entry["format"] == "sse" or "json-array" in entry["tags"]
)
_SHOWN = ("text", "final_text", "parts", "stop_reason", "raw_stop_reason", "usage", "tool_events")


@needs_wire
@pytest.mark.parametrize("name", STREAMS)
def test_the_whole_body_of_a_recorded_stream_reads_like_the_stream(name: str) -> None:
    raw = (WIRE / name).read_bytes()
    whole = json.dumps(body_of(raw)).encode()
    assert body_of(whole) == json.loads(whole)
    streamed, again = read_outcome(raw).completion, read_outcome(whole).completion
    assert streamed is not None
    assert again is not None
    for field in (*_SHOWN, "served_model", "response_id", "refusal", "tool_fees", "billed"):
        if field == "stop_reason" and expected()[name]["kind"] == "stream_error":
            continue
        if field == "parts":  # a whole chat message has no order of thinking and text
            assert again.thinking == streamed.thinking
            continue
        assert getattr(again, field) == getattr(streamed, field)


@needs_wire
@settings(max_examples=60, deadline=None)
@given(st.sampled_from([n for n in STREAMS if n.endswith(".sse")] or [""]), st.data())
def test_how_a_stream_is_cut_makes_no_difference(name: str, data: st.DataObject) -> None:
    raw = (WIRE / name).read_bytes()
    borders = data.draw(st.lists(st.integers(0, len(raw)), max_size=30))
    edges = [0, *sorted(borders), len(raw)]
    decoder, whole = EventDecoder(), EventDecoder()
    found = [e for a, b in pairwise(edges) for e in decoder.feed(raw[a:b])]
    assert (found, decoder.finish()) == (whole.feed(raw), whole.finish())


# --- Anthropic -----------------------------------------------------------------------------------


@given(
    st.lists(
        st.one_of(
            st.text(min_size=1).map(block),
            st.builds(thinking, st.text(), st.sampled_from(["", "c2ln"])),
            st.dictionaries(st.text(), st.integers() | st.text(), max_size=3).map(
                lambda asked: {
                    "type": "server_tool_use",
                    "id": "srvtoolu_1",
                    "name": "web_search",
                    "input": asked,
                }
            ),
            st.just({"type": "hologram", "depth": [1, None], "text": 7}),
        ),
        max_size=6,
    )
)
def test_a_message_comes_back_as_it_would_have_come_whole(blocks: list[Any]) -> None:
    whole = message(*blocks, container={"id": "c1"})
    assert body_of(streamed(whole)) == whole


def test_citations_signatures_and_broken_input_are_kept() -> None:
    raw = b"".join(
        [
            event("message_start", message=message(stop=None)),
            event("content_block_start", index=0, content_block=block("", citations=None)),
            event("content_block_delta", index=0, delta={"type": "text_delta", "text": "a\u2028"}),
            event(
                "content_block_delta",
                index=0,
                delta={"type": "citations_delta", "citation": {"url": "u"}},
            ),
            event("content_block_delta", index=0, delta={"type": "new_delta", "text": "no"}),
            event("content_block_start", index=1, content_block={"type": "tool_use", "input": {}}),
            event(
                "content_block_delta",
                index=1,
                delta={"type": "input_json_delta", "partial_json": '{"query": "ru'},
            ),
        ]
    )
    assert body_of(raw)["content"] == [
        block("a\u2028", citations=[{"url": "u"}]),
        {"type": "tool_use", "input": '{"query": "ru'},
    ]
    assert body_of(raw)["stop_reason"] is None


def test_blocks_stand_in_the_order_of_their_indices() -> None:
    start = [event("message_start", message=message(stop=None))]
    for index in (1, 0):
        start.append(event("content_block_start", index=index, content_block=block(str(index))))
    assert body_of(b"".join(start))["content"] == [block("0"), block("1")]


# --- Google --------------------------------------------------------------------------------------


def test_parts_grounding_and_counts_of_chunks() -> None:
    one = chunk(text("a"), groundingMetadata={"webSearchQueries": ["q"], "x": 1})
    two = chunk(text("b", thoughtSignature="c2ln"), groundingMetadata={"webSearchQueries": ["r"]})
    end = chunk(finish="STOP", usage={"totalTokenCount": 3})
    candidate = body_of(stream(one, two, end))["candidates"][0]  # type: ignore[index]
    assert candidate["content"] == {
        "role": "model",
        "parts": [text("a"), text("b", thoughtSignature="c2ln")],
    }
    assert candidate["groundingMetadata"] == {"webSearchQueries": ["q", "r"], "x": 1}
    assert body_of(stream(one, two, end))["usageMetadata"] == {"totalTokenCount": 3}


def test_lists_that_grow_from_chunk_to_chunk_are_not_doubled() -> None:
    one = chunk(text("a"), groundingMetadata={"webSearchQueries": ["q"]})
    two = chunk(finish="STOP", groundingMetadata={"webSearchQueries": ["q", "r"]})
    candidate = body_of(stream(one, two))["candidates"][0]  # type: ignore[index]
    assert candidate["groundingMetadata"]["webSearchQueries"] == ["q", "r"]


def test_other_candidates_are_left_out() -> None:
    other = {"index": 1, "content": {"parts": [text("no")]}, "finishReason": "SAFETY"}
    whole = chunk(text("4"), finish="STOP")
    whole["candidates"] = [other, *whole["candidates"]]  # type: ignore[misc]
    assert read_body(stream(whole)).text == "4"
    assert read_body(json.dumps(whole).encode()).text == "4"


# --- chat ----------------------------------------------------------------------------------------


def test_a_chat_message_with_thinking_calls_and_tools() -> None:
    deltas: list[dict[str, object]] = [
        {"role": "assistant", "content": "", "reasoning": "h"},
        {"reasoning": "m", "tool_calls": [{"index": 0, "id": "t", "function": {"name": "f"}}]},
        {"content": "4", "tool_calls": [{"index": 0, "function": {"arguments": '{"a"'}}]},
        {"content": "2", "tool_calls": [{"index": 0, "function": {"arguments": ": 1}"}}]},
        {"executed_tools": [{"index": 0, "arguments": "a"}]},
        {"executed_tools": [{"index": 0, "arguments": "a", "output": "b"}]},
    ]
    chunks = [support.chunk() for _ in deltas]
    for each, delta in zip(chunks, deltas, strict=True):
        each["choices"][0]["delta"] = delta  # type: ignore[index]
    raw = support.stream(*chunks, support.chunk(None, "stop"), {"choices": [], "usage": {"x": 1}})
    whole: Any = body_of(raw)
    assert whole["choices"][0]["message"] == {
        "role": "assistant",
        "content": "42",
        "reasoning": "hm",
        "tool_calls": [{"index": 0, "id": "t", "function": {"name": "f", "arguments": '{"a": 1}'}}],
        "executed_tools": [{"index": 0, "arguments": "a", "output": "b"}],
    }
    assert whole["choices"][0]["finish_reason"] == "stop"
    assert whole["usage"] == {"x": 1}


# --- shapes --------------------------------------------------------------------------------------


def test_one_object_a_line_and_arrays_are_streams_too() -> None:
    chunks = [chunk(text("a")), chunk(text("b\u2028"), finish="STOP")]
    lines = "\n".join(json.dumps(each, ensure_ascii=False) for each in chunks).encode()
    array = json.dumps(chunks).encode()
    assert body_of(lines) == body_of(array) == body_of(stream(*chunks))
    assert read_body(lines).text == "ab\u2028"
    with pytest.raises(ConnectionFailed):
        read_body(array[: array.index(b"STOP")])
    # Only the bracket is missing: the response is whole.
    assert read_body(array[:-1]).text == "ab\u2028"


@pytest.mark.parametrize("raw", [b"", b" \n"])
def test_nothing_is_no_body(raw: bytes) -> None:
    with pytest.raises(ConnectionFailed):
        body_of(raw)


def test_a_body_that_is_no_json_is_malformed() -> None:
    with pytest.raises(MalformedResponse):
        body_of(b"<html>")
