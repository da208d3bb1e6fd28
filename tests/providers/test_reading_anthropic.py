"""Messages of Anthropic's API: what is text, how it ended, what was used and what is charged."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.domain.completion import StopReason, ToolEvent, Usage
from relaybench.domain.errors import ConnectionFailed, MalformedResponse, ServerFault
from relaybench.providers.reading import read_body, read_outcome
from relaybench.providers.reading_anthropic import answer_text_of, usage_of_message
from tests.providers.anthropic_samples import (
    call,
    event,
    message,
    pieces,
    result,
    streamed,
    text,
    thinking,
)

_COUNT = st.none() | st.integers(0, 5000)


def read(whole: dict[str, Any]) -> Any:
    """Read it whole and streamed: both say the same."""
    completion = read_body(json.dumps(whole).encode())
    again = read_body(streamed(whole))
    for name in ("text", "answer_text", "parts", "stop_reason", "usage", "tool_events", "billed"):
        assert getattr(again, name) == getattr(completion, name)
    return completion


@pytest.mark.parametrize(
    ("raw", "stop"),
    [
        ("end_turn", StopReason.END),
        ("stop_sequence", StopReason.STOP_SEQUENCE),
        ("max_tokens", StopReason.MAX_TOKENS),
        ("model_context_window_exceeded", StopReason.MAX_TOKENS),
        ("tool_use", StopReason.TOOL_USE),
        ("pause_turn", StopReason.PAUSE),
        ("refusal", StopReason.REFUSAL),
        ("brand_new", StopReason.OTHER),
    ],
)
def test_stop_reasons(raw: str, stop: StopReason) -> None:
    completion = read(message(text("4"), stop=raw))
    assert (completion.stop_reason, completion.raw_stop_reason) == (stop, raw)


def test_text_before_between_and_after_tools() -> None:
    whole = message(text("a "), call(1), result(1), text("b "), call(2), result(2), text("c"))
    completion = read(whole)
    assert (completion.text, completion.answer_text) == ("a b c", "c")
    assert read(message(text("a"), thinking(), text("b"))).answer_text is None


def test_an_answer_cut_at_citations_is_joined_with_nothing_between() -> None:
    assert read(message(call(1), result(1), text("It is "), text("4", citations=[]))).text == (
        "It is 4"
    )


def test_a_tool_after_the_answer_takes_it_away_only_from_a_turn_that_goes_on() -> None:
    assert read(message(text("4"), call(1), result(1))).final_text == "4"
    assert read(message(text("so:"), call(1), stop="pause_turn")).final_text == ""
    assert read(message(text("so:"), call(1), stop="max_tokens")).final_text == ""


def test_the_answer_of_a_turn_in_several_pieces() -> None:
    first = [text("I search. "), call(1), result(1), text("It ")]
    assert answer_text_of([*first, text("is 4")]) == "It is 4"
    assert answer_text_of([text("a"), thinking(), text("b")]) == "ab"
    assert answer_text_of([text("4"), call(1)]) == "4"
    assert answer_text_of([]) == ""


@pytest.mark.parametrize(
    ("content", "status"),
    [
        ([{"type": "web_search_result"}], "completed"),
        ({"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}, None),
        ({"type": "bash_code_execution_result", "return_code": 2}, "return_code 2"),
        ({"type": "bash_code_execution_result", "return_code": 0}, "completed"),
        (None, "completed"),
        ("x", "completed"),
    ],
)
def test_how_a_tool_went(content: object, status: str | None) -> None:
    events = read(message(call(1), result(1) | {"content": content}, text("4"))).tool_events
    assert events == (ToolEvent("web_search", "question 1", status or "max_uses_exceeded"),)


def test_a_call_without_result_and_unknown_blocks() -> None:
    odd = {"type": "hologram", "text": 7}
    bash = call(1, "bash_code_execution") | {"input": {"command": "ls"}}
    completion = read(message(odd, bash, {"type": "container_upload"}, text("4")))
    assert completion.tool_events == (ToolEvent("bash_code_execution", "ls", ""),)
    assert completion.text == "4"


def test_results_of_the_client_are_no_server_tool() -> None:
    done = {"type": "tool_result", "tool_use_id": "t", "content": "x"}
    assert read(message(text("4"), done)).answer_text is None


def test_fees_are_those_that_are_stated() -> None:
    stated = {"server_tool_use": {"web_search_requests": 2, "web_fetch_requests": 1}}
    assert read(message(text("4"), usage=stated)).tool_fees == {"web_search": 2, "web_fetch": 1}
    assert read(message(call(1), result(1), text("4"))).tool_fees == {}


@pytest.mark.parametrize(
    ("details", "said"),
    [
        ({"category": "cyber", "explanation": "Not that."}, "cyber: Not that."),
        ({"category": "bio", "explanation": None}, "bio"),
        ({"category": None, "explanation": "No."}, "No."),
        (None, "refused without a stated reason"),
    ],
)
def test_refusals(details: object, said: str) -> None:
    nothing = read(message(stop="refusal", stop_details=details))
    assert (nothing.refusal, nothing.billed, nothing.text) == (said, False, "")
    begun = read(message(thinking(""), stop="refusal", stop_details=details))
    assert (begun.refusal, begun.billed) == (said, True)
    assert read(message()).billed


@given(_COUNT, _COUNT, _COUNT, _COUNT)
def test_the_split_of_cache_writes_may_be_stale(
    fresh: int | None, write: int | None, short: int | None, long: int | None
) -> None:
    split = {"ephemeral_5m_input_tokens": short, "ephemeral_1h_input_tokens": long}
    usage = usage_of_message(
        {"input_tokens": fresh, "cache_creation_input_tokens": write, "cache_creation": split}
    )
    assert usage.input == fresh
    if write is not None:
        assert usage.cache_write == write
    if usage.cache_write_1h is not None:
        assert usage.cache_write is not None
        assert 0 <= usage.cache_write_1h <= usage.cache_write
        assert usage.cache_write_1h in (long, usage.cache_write)


def test_counts_of_a_stream_are_cumulative_key_by_key() -> None:
    start = {"input_tokens": 5, "cache_creation": {"ephemeral_1h_input_tokens": 7}}
    end = {"output_tokens": 9, "input_tokens": None, "cache_creation_input_tokens": 8}
    head = message(stop=None, usage=start | {"output_tokens": 1})
    raw = event("message_start", message=head) + event(
        "message_delta", delta={"stop_reason": "end_turn"}, usage=end
    )
    assert read_body(raw).usage == Usage(input=5, cache_write=8, output=9, cache_write_1h=7)
    assert read(message(usage={})).usage == read(message(usage=None)).usage == Usage()


def test_an_error_in_mid_stream_comes_with_what_came() -> None:
    *begun, _, _ = pieces(message(text("half")))
    fault = event("error", error={"type": "overloaded_error", "message": "Overloaded"})
    outcome = read_outcome(b"".join([*begun, fault]))
    assert type(outcome.error) is ServerFault
    assert outcome.error.usage is None  # what had been counted so far is not what is billed
    assert outcome.completion is not None
    assert outcome.completion.usage == Usage(input=10, output=3)
    assert outcome.completion.text == "half"


@pytest.mark.parametrize("size", range(1, 6))
def test_a_stream_that_ends_early_is_cut(size: int) -> None:
    whole = pieces(message(text("4")))
    with pytest.raises(ConnectionFailed, match="before the response was whole"):
        read_body(b"".join(whole[:size]))
    assert read_body(b"".join(whole[:-1])).text == "4"  # some proxies leave message_stop out


def test_a_whole_message_without_an_end_is_cut_too() -> None:
    with pytest.raises(ConnectionFailed):
        read_body(json.dumps(message(text("4"), stop=None)).encode())


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"content": 7}, "content is a number"),
        ({"content": None, "stop_reason": "max_tokens"}, "content is missing"),
        ({"content": ["x"]}, r"content\[\] is a string"),
        ({"content": [{"type": "text", "text": 7}]}, r"content\[\].text is a number"),
    ],
)
def test_a_field_of_the_wrong_type_is_named(change: dict[str, Any], field: str) -> None:
    with pytest.raises(MalformedResponse, match=field):
        read_body(json.dumps(message() | change).encode())


@pytest.mark.parametrize(
    ("broken", "field"),
    [
        (event("content_block_start", index=0, content_block=None), "content_block is missing"),
        (event("content_block_delta", index=0, delta="x"), "delta is a string"),
        (
            event("content_block_delta", index=0, delta={"type": "text_delta", "text": 7}),
            "delta.text is a number",
        ),
    ],
)
def test_text_that_cannot_be_read_is_never_lost_in_silence(broken: bytes, field: str) -> None:
    whole = pieces(message(text("4")))
    with pytest.raises(MalformedResponse, match=field):
        read_body(b"".join([*whole[:4], broken, *whole[4:]]))


def test_a_hint_settles_what_is_open() -> None:
    odd = json.dumps({"content": "4", "stop_reason": "end_turn"}).encode()
    assert read_body(odd).text == "4"
    with pytest.raises(MalformedResponse, match="content is missing"):
        read_body(b'{"a": 1}', wire="anthropic")
    with pytest.raises(MalformedResponse, match="neither"):
        read_body(b'{"a": 1}')
