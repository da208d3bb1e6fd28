"""Reading bodies of every odd shape: no crash, no guess, no token counted twice."""

from __future__ import annotations

import contextlib
import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaybench.domain.completion import PartKind, StopReason, ToolEvent, Usage
from relaybench.domain.errors import (
    ConnectionFailed,
    MalformedResponse,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    RequestRejected,
    ServerFault,
)
from relaybench.providers.buckets import disjoint
from relaybench.providers.reading import read_body
from tests.providers.support import GOOD_STREAM, USAGE, body, chunk, raw, stream

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
_TOKENS = st.none() | st.integers(0, 10_000)


def usage_body(**usage: object) -> bytes:
    return raw(body(usage=usage))


# --- usage ---------------------------------------------------------------------------------


@given(prompt=_TOKENS, cached=_TOKENS, write=_TOKENS, output=_TOKENS, total=_TOKENS)
def test_input_buckets_add_up_to_the_stated_prompt(
    prompt: int | None, cached: int | None, write: int | None, output: int | None, total: int | None
) -> None:
    usage = disjoint(
        prompt=prompt, cached=cached, write=write, output=output, reasoning=None, total=total
    )
    if prompt is None:
        assert usage.input is None
    else:
        assert usage.input_total == prompt
        assert min(usage.input or 0, usage.cached_input or 0, usage.cache_write or 0) >= 0
    assert (usage.cached_input is None) is (cached is None)
    assert (usage.cache_write is None) is (write is None)
    if usage.unattributed is not None:
        assert prompt is not None
        assert output is not None
        assert total == prompt + output + usage.unattributed
        assert usage.unattributed > 0


@pytest.mark.parametrize(
    ("stated", "fresh", "read", "written"),
    [
        ((100, 30, 20), 50, 30, 20),
        ((100, None, None), 100, None, None),
        ((7, 163, None), 0, 7, None),  # more cached than there was (xAI, Azure)
        ((2168, 2161, 2161), 7, 2161, 0),  # reads and writes overlap (OpenRouter)
        ((100, 40, 80), 20, 40, 40),
        ((100, 0, 100), 0, 0, 100),
        ((0, 5, 5), 0, 0, 0),
    ],
)
def test_buckets_by_example(
    stated: tuple[int, int | None, int | None], fresh: int, read: int | None, written: int | None
) -> None:
    prompt, cached, write = stated
    usage = disjoint(
        prompt=prompt, cached=cached, write=write, output=1, reasoning=None, total=None
    )
    assert (usage.input, usage.cached_input, usage.cache_write) == (fresh, read, written)


def test_what_is_not_reported_is_none() -> None:
    assert read_body(raw(body())).usage == Usage()
    assert read_body(usage_body(prompt_tokens=5)).usage == Usage(input=5)
    assert read_body(raw(body(usage=None))).usage == Usage()


@pytest.mark.parametrize("wrong", ["12", -3, True, [1], {"a": 1}, 1.5])
def test_a_count_of_the_wrong_type_is_not_reported(wrong: object) -> None:
    usage = read_body(usage_body(prompt_tokens=wrong, completion_tokens=2)).usage
    assert usage == Usage(output=2)


def test_usage_in_the_places_of_other_vendors() -> None:
    groq = stream(chunk("4"), chunk(None, "stop", x_groq={"id": "g", "usage": USAGE}))
    assert read_body(groq).usage.input_total == 10
    moonshot = chunk(None, "stop")
    moonshot["choices"][0]["usage"] = USAGE  # type: ignore[index]
    assert read_body(stream(chunk("4"), moonshot)).usage.output == 3
    deepseek = usage_body(prompt_tokens=9, prompt_cache_hit_tokens=4, completion_tokens=1)
    assert read_body(deepseek).usage == Usage(input=5, cached_input=4, output=1)


def test_the_last_usage_of_a_stream_counts() -> None:
    first = chunk("4", usage={"prompt_tokens": 10, "completion_tokens": 1})
    last = chunk(None, "stop", usage={"prompt_tokens": 10, "completion_tokens": 3})
    assert read_body(stream(first, last)).usage.output == 3


def test_vendor_costs_stay_in_the_raw_body() -> None:
    completion = read_body(usage_body(prompt_tokens=1, completion_tokens=1, cost=0.5))
    assert completion.tool_fees == {}
    assert "0.5" in completion.response_raw


# --- text, thinking, refusal ---------------------------------------------------------------


def test_visible_text_is_joined_with_nothing_between() -> None:
    completion = read_body(stream(chunk("Let"), chunk("ters\n"), chunk("a"), chunk(None, "stop")))
    assert completion.text == "Letters\na"
    assert [part.kind for part in completion.parts] == [PartKind.TEXT]


@pytest.mark.parametrize("name", ["reasoning", "reasoning_content"])
def test_thinking_under_each_name(name: str) -> None:
    message = body()
    message["choices"][0]["message"][name] = "hm"
    completion = read_body(raw(message))
    assert (completion.thinking, completion.text) == ("hm", "4")


def test_thinking_is_not_read_twice() -> None:
    message = body()
    message["choices"][0]["message"] |= {
        "reasoning": "hm",
        "reasoning_content": "hm",
        "reasoning_details": [{"type": "reasoning.text", "text": "hm"}],
    }
    assert read_body(raw(message)).thinking == "hm"


def test_thinking_from_details_alone() -> None:
    message = body()
    details = [{"text": "a"}, {"type": "reasoning.encrypted", "data": "x"}, {"text": "b"}]
    message["choices"][0]["message"] |= {"reasoning": None, "reasoning_details": details}
    assert read_body(raw(message)).thinking == "ab"


def test_content_in_parts() -> None:
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
        {"type": "text", "text": "a"},
        "b",
        {"type": "image_url", "image_url": {}},
        {"type": "output_text", "text": "c"},
    ]
    completion = read_body(raw(body(parts)))
    assert (completion.text, completion.thinking) == ("abc", "hm")


def test_a_refusal_is_one_even_where_the_finish_reason_is_stop() -> None:
    message = body(None)
    message["choices"][0]["message"]["refusal"] = "No."
    completion = read_body(raw(message))
    assert completion.stop_reason is StopReason.REFUSAL
    assert (completion.refusal, completion.text, completion.raw_stop_reason) == ("No.", "", "stop")


@pytest.mark.parametrize(
    ("raw_reason", "stop"),
    [
        ("stop", StopReason.END),
        ("length", StopReason.MAX_TOKENS),
        ("content_filter", StopReason.BLOCKED),
        ("tool_calls", StopReason.TOOL_USE),
        ("function_call", StopReason.TOOL_USE),
        ("eos_or_so", StopReason.OTHER),
        (7, StopReason.OTHER),
        ({}, StopReason.OTHER),
    ],
)
def test_finish_reasons(raw_reason: object, stop: StopReason) -> None:
    completion = read_body(raw(body("4", raw_reason)))
    assert completion.stop_reason is stop
    assert completion.raw_stop_reason == str(raw_reason)


def test_a_finish_reason_that_means_broken_is_no_answer() -> None:
    with pytest.raises(ServerFault):
        read_body(raw(body("4", "error")))
    with pytest.raises(ServerFault):
        read_body(stream(chunk("4"), chunk(None, "insufficient_system_resource")))


def test_server_tools_of_a_message_and_of_a_stream() -> None:
    begun = {"index": 0, "type": "search", "arguments": '{"query": "ruby"}'}
    deltas = [chunk(None), chunk(None), chunk("4", "stop")]
    deltas[0]["choices"][0]["delta"] = {"executed_tools": [begun]}  # type: ignore[index]
    ended = {**begun, "output": "found"}
    deltas[1]["choices"][0]["delta"] = {"executed_tools": [ended]}  # type: ignore[index]
    assert read_body(stream(*deltas)).tool_events == (ToolEvent("search", "ruby", "completed"),)


def test_annotations_are_no_tool_calls() -> None:
    message = body(citations=["https://a.test"])
    message["choices"][0]["message"]["annotations"] = [{"type": "url_citation"}]
    assert read_body(raw(message)).tool_events == ()


# --- broken bodies ---------------------------------------------------------------------------


@pytest.mark.parametrize("empty", [b"", b"\n \r\n", b"\xef\xbb\xbf\n"])
def test_an_empty_body_is_worth_another_try(empty: bytes) -> None:
    with pytest.raises(ConnectionFailed, match="empty"):
        read_body(empty)


@pytest.mark.parametrize(
    "cut",
    [
        stream(chunk("4"), done=False),
        stream(chunk("4")),
        b": OPENROUTER PROCESSING\n\n",
        stream(chunk("4"), done=False) + b'data: {"choices": [{"ind',
        b"data: [DONE]\n\n",
    ],
)
def test_a_stream_without_an_end_is_worth_another_try(cut: bytes) -> None:
    with pytest.raises(ConnectionFailed, match="before the response was whole") as caught:
        read_body(cut, "text/event-stream")
    assert caught.value.retryable
    assert caught.value.raw == cut.decode()


def test_a_finished_stream_may_lack_its_tail() -> None:
    cut = stream(chunk("4"), chunk(None, "stop"), done=False)
    assert read_body(cut + b'data: {"choices": [], "usa').text == "4"
    assert read_body(cut.rstrip()).text == "4"  # no blank line after the last event
    assert read_body(cut).usage == Usage()


def test_a_cut_stream_says_what_it_used() -> None:
    with pytest.raises(ConnectionFailed) as caught:
        read_body(stream(chunk("4", usage=USAGE), done=False))
    assert caught.value.usage == Usage(input=6, cached_input=4, output=3)


@pytest.mark.parametrize("cut", [b'{"id": "c1", "choices": [{"index"', b'{"id": "c', b"{"])
def test_half_a_json_body_is_worth_another_try(cut: bytes) -> None:
    with pytest.raises(ConnectionFailed):
        read_body(cut, "application/json")


@pytest.mark.parametrize(
    "wrong",
    [
        b"<html>busy</html>",
        b"OK",
        b"{'a': 1}",
        b'{"a": }',
        b'"text"',
        b"[1, 2]",
        b"12",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"a": ' + b"9" * 5000 + b"}",
    ],
)
def test_what_is_no_json_object_is_malformed(wrong: bytes) -> None:
    with pytest.raises(MalformedResponse) as caught:
        read_body(wrong, "application/json")
    assert not caught.value.retryable
    assert caught.value.raw.encode("utf-8", "surrogateescape") == wrong
    assert len(str(caught.value)) < 200


def test_white_space_before_json_is_no_matter() -> None:
    padded = b"\n\n   \n" * 50 + raw(body())
    assert read_body(padded, "application/json").text == "4"


def test_the_look_of_a_body_outweighs_its_content_type() -> None:
    assert read_body(GOOD_STREAM, "application/json").text == "4"
    assert read_body(GOOD_STREAM, None).text == "4"
    assert read_body(raw(body()), "text/event-stream").text == "4"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"choices": "x"}, "choices is a string"),
        ({"choices": [1]}, r"choices\[0\] is a number"),
        ({"choices": []}, "no choices"),
        ({"choices": None}, "choices is missing"),
        ({"choices": [{"message": "x", "finish_reason": "stop"}]}, "message is a string"),
        ({"choices": [{"finish_reason": "stop"}]}, "message is missing"),
        (
            {"choices": [{"message": {"content": 3}, "finish_reason": "stop"}]},
            "content is a number",
        ),
    ],
)
def test_a_field_of_the_wrong_type_is_named(change: dict[str, object], field: str) -> None:
    with pytest.raises(MalformedResponse, match=field) as caught:
        read_body(raw(body() | change))
    assert caught.value.raw


def test_a_filtered_answer_may_have_no_message() -> None:
    filtered = {"choices": [{"finish_reason": "content_filter"}]}
    assert read_body(raw(filtered)).stop_reason is StopReason.BLOCKED


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"code": 429, "message": "slow down"}, RateLimited),
        ({"code": "502", "message": "upstream"}, ServerFault),
        ({"type": "insufficient_quota", "message": "no money"}, QuotaExhausted),
        ({"type": "overloaded_error", "message": "Overloaded"}, ServerFault),
        ({"code": 400, "message": "Token limit reached"}, RequestRejected),
        ({"message": "maximum context length is 4096"}, RequestRejected),
        ("the model runner has stopped", ServerFault),
    ],
)
def test_an_error_inside_a_success(error: object, kind: type[ProviderError]) -> None:
    in_stream = stream(chunk("4"), chunk(None, "length"), {"error": error, "usage": USAGE})
    for found in (raw({"error": error, "usage": USAGE}), in_stream):
        with pytest.raises(kind) as caught:
            read_body(found)
        assert caught.value.usage == Usage(input=6, cached_input=4, output=3)
        assert caught.value.raw == found.decode()
        assert caught.value.http_status == 200


def test_other_shapes_of_errors_inside_a_success() -> None:
    with pytest.raises(ServerFault, match="boom"):
        read_body(b"event: error\ndata: boom\n\n")
    with pytest.raises(RequestRejected, match="bad"):
        read_body(raw({"object": "error", "message": "bad", "code": 400}))
    with pytest.raises(ProviderError, match="no such thing"):
        read_body(raw({"detail": "no such thing"}))
    choice = {"index": 0, "delta": {}, "finish_reason": "error", "error": {"code": 429}}
    with pytest.raises(RateLimited):
        read_body(stream({"choices": [choice]}))


def test_answers_keep_what_came() -> None:
    broken = (
        b'{"choices": [{"message": {"content": "\\ud800\\u0000a\xff"}, "finish_reason": "stop"}]}'
    )
    completion = read_body(broken)
    assert completion.text == "\ud800\0a\ufffd"
    assert completion.response_raw.encode("utf-8", "surrogateescape") == broken


@given(_JSON)
def test_any_json_is_read_or_refused(value: Any) -> None:
    for found in (
        json.dumps(value).encode(),
        stream({"choices": value}),
        stream(body() | {"usage": value}),
    ):
        with contextlib.suppress(ProviderError):
            read_body(found)


_CHAT = body("4", usage=USAGE, error=None)
_CHAT["choices"][0]["message"] |= {"refusal": None, "executed_tools": [{"index": 0, "type": "s"}]}
_CHUNK = chunk("4", "stop", usage=USAGE)
_RESPONSE = {
    "object": "response",
    "status": "completed",
    "error": None,
    "output": [
        {"type": "reasoning", "content": [{"text": "hm"}], "summary": []},
        {"type": "web_search_call", "status": "completed", "action": {"queries": ["a"]}},
        {"type": "message", "phase": "final_answer", "content": [{"text": "4"}]},
    ],
    "usage": {"input_tokens": 3, "input_tokens_details": {"cached_tokens": 1}, "output_tokens": 1},
}


@settings(max_examples=400)
@given(st.sampled_from([_CHAT, _CHUNK, _RESPONSE]), st.data(), _JSON)
def test_any_field_may_be_anything(whole: dict[str, Any], data: st.DataObject, value: Any) -> None:
    changed = copy.deepcopy(whole)
    place: Any = changed
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        if isinstance(place[key], dict | list) and place[key] and data.draw(st.booleans()):
            place = place[key]
            continue
        place[key] = value
        break
    with contextlib.suppress(ProviderError):
        read_body(stream(changed) if whole is _CHUNK else json.dumps(changed).encode())


# --- Responses -------------------------------------------------------------------------------


def response(*output: object, **more: object) -> bytes:
    return raw({"object": "response", "status": "completed", "output": output, **more})


def message(text: str, phase: str | None = None) -> dict[str, object]:
    return {"type": "message", "phase": phase, "content": [{"type": "output_text", "text": text}]}


SEARCH = {"type": "web_search_call", "status": "completed", "action": {"query": "ruby"}}


def test_the_answer_is_the_final_phase() -> None:
    completion = read_body(response(message("wait ", "commentary"), message("4", "final_answer")))
    assert (completion.text, completion.answer_text) == ("wait 4", "4")


def test_the_answer_follows_the_last_tool() -> None:
    completion = read_body(response(message("wait "), SEARCH, SEARCH, message("4")))
    assert (completion.text, completion.answer_text) == ("wait 4", "4")
    assert completion.tool_events == (ToolEvent("web_search", "ruby", "completed"),) * 2


def test_a_tool_after_the_answer_does_not_take_it_away() -> None:
    assert read_body(response(message("4"), SEARCH)).final_text == "4"


@pytest.mark.parametrize(
    ("more", "stop", "raw_stop"),
    [
        ({"status": "queued"}, StopReason.PENDING, "queued"),
        (
            {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}},
            StopReason.BLOCKED,
            "incomplete:content_filter",
        ),
        ({"status": "incomplete"}, StopReason.OTHER, "incomplete"),
    ],
)
def test_states_of_a_response(more: dict[str, object], stop: StopReason, raw_stop: str) -> None:
    completion = read_body(response(message("4"), **more))
    assert (completion.stop_reason, completion.raw_stop_reason) == (stop, raw_stop)


def test_a_failed_response_is_an_error() -> None:
    error = {"code": "rate_limit_exceeded", "message": "try again in 1.5s"}
    with pytest.raises(RateLimited) as caught:
        read_body(response(status="failed", error=error, usage={"input_tokens": 3}))
    assert caught.value.retry_after_s == 1.5
    assert caught.value.usage == Usage(input=3)


def test_calls_for_the_client_and_fees() -> None:
    completion = read_body(
        response({"type": "function_call"}, tool_usage={"web_search": {"num_requests": 2}})
    )
    assert completion.stop_reason is StopReason.TOOL_USE
    assert completion.tool_fees == {"web_search": 2}
