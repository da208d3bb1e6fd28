"""Responses of Google: parts, ends, blocks, counts, tools and fees, in every spelling."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.domain.completion import PartKind, StopReason, ToolEvent, Usage
from relaybench.domain.errors import ConnectionFailed, MalformedResponse, RateLimited
from relaybench.providers.reading import read_body, read_outcome
from relaybench.providers.reading_google import answer_text_of
from tests.providers.google_support import USAGE, chunk, stream, text

THOUGHT = text("hm", thought=True)
SEARCH = {"toolCall": {"toolType": "GOOGLE_SEARCH_WEB", "args": {"queries": ["a", "b"]}, "id": "s"}}
FOUND = {"toolResponse": {"toolType": "GOOGLE_SEARCH_WEB", "response": {}, "id": "s"}}
CODE = {"executableCode": {"language": "PYTHON", "code": "1+1", "id": "c"}}
RAN = {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "2", "id": "c"}}


def snake(value: Any) -> Any:
    """The same in the spelling of the SDK."""
    if isinstance(value, dict):
        return {re.sub(r"(?=[A-Z])", "_", k).lower(): snake(v) for k, v in value.items()}
    return [snake(each) for each in value] if isinstance(value, list) else value


def read(whole: dict[str, Any], model: str = "") -> Any:
    """Read it in every form: whole, streamed, as a list, in the SDK's spelling."""
    forms = [json.dumps(whole).encode(), stream(whole), json.dumps([whole]).encode()]
    found = [read_body(form, requested_model=model) for form in forms]
    found.append(read_body(json.dumps(snake(whole)).encode(), requested_model=model))
    for name in ("text", "answer_text", "parts", "stop_reason", "usage", "tool_events"):
        assert all(getattr(each, name) == getattr(found[0], name) for each in found)
    for each in found:
        assert each.tool_fees == found[0].tool_fees
    return found[0]


@pytest.mark.parametrize(
    ("finish", "raw", "stop"),
    [
        ("STOP", "STOP", StopReason.END),
        (1, "STOP", StopReason.END),
        ("FinishReason.STOP", "STOP", StopReason.END),
        (2, "MAX_TOKENS", StopReason.MAX_TOKENS),
        (3, "SAFETY", StopReason.BLOCKED),
        ("SPII", "SPII", StopReason.BLOCKED),
        ("RECITATION", "RECITATION", StopReason.BLOCKED),
        ("CONTINUATION", "CONTINUATION", StopReason.PAUSE),
        ("OTHER", "OTHER", StopReason.OTHER),
        (6, "LANGUAGE", StopReason.OTHER),
        (99, "99", StopReason.OTHER),
        ("BRAND_NEW", "BRAND_NEW", StopReason.OTHER),
    ],
)
def test_ends(finish: Any, raw: str, stop: StopReason) -> None:
    completion = read(chunk(text("4"), finish=finish))
    assert (completion.raw_stop_reason, completion.stop_reason) == (raw, stop)
    assert bool(completion.refusal) is (stop is StopReason.BLOCKED)


def test_a_call_for_the_client_is_no_end() -> None:
    called = chunk({"functionCall": {"name": "f"}}, finish="STOP")
    assert read(called).stop_reason is StopReason.TOOL_USE
    assert read(chunk({"functionCall": {}}, finish="OTHER")).stop_reason is StopReason.OTHER


def test_parts_in_order() -> None:
    completion = read(chunk(THOUGHT, text("so: "), CODE, RAN, text("4"), {"new": 1}, finish="STOP"))
    kinds = [part.kind for part in completion.parts]
    assert kinds == [PartKind.THINKING, PartKind.TEXT, PartKind.TOOL, PartKind.TEXT]
    assert (completion.text, completion.answer_text) == ("so: 4", "4")
    assert completion.thinking == "hm"


def test_a_tool_after_the_answer_does_not_take_it_away() -> None:
    assert read(chunk(text("4"), CODE, RAN, finish="STOP")).final_text == "4"
    assert read(chunk(text("so"), CODE, finish="MAX_TOKENS")).final_text == ""


def test_the_answer_of_a_turn_in_several_pieces() -> None:
    assert answer_text_of([text("a"), CODE, RAN, text("It "), THOUGHT, text("is 4")]) == "It is 4"
    assert answer_text_of([text("a"), text("b"), None, 7]) == "ab"
    assert answer_text_of([text("4"), CODE]) == "4"


# --- tools and fees ------------------------------------------------------------------------------


def test_tools_are_told_apart_and_how_they_went() -> None:
    pages = [
        {"retrievedUrl": "https://a.test", "urlRetrievalStatus": "URL_RETRIEVAL_STATUS_ERROR"},
        {"retrievedUrl": "https://a.test", "urlRetrievalStatus": 1},
    ]
    completion = read(
        chunk(
            *(SEARCH, FOUND, CODE, CODE | {}, RAN, text("4")),
            finish="STOP",
            groundingMetadata={"webSearchQueries": ["b", "a", "", "b"]},
            urlContextMetadata={"urlMetadata": pages},
        )
    )
    assert completion.tool_events == (
        ToolEvent("toolCall:GOOGLE_SEARCH_WEB", "a; b", "completed"),
        ToolEvent("code_execution", "1+1", "OUTCOME_OK"),
        ToolEvent("code_execution", "1+1", ""),
        ToolEvent("google_search", "b"),
        ToolEvent("google_search", "a"),
        ToolEvent("url_context", "https://a.test", "URL_RETRIEVAL_STATUS_SUCCESS"),
    )


@pytest.mark.parametrize(
    ("model", "fees"),
    [
        ("gemini-3.1-pro-preview", {"google_search": 2}),
        ("gemini-4-argon", {"google_search": 2}),
        ("models/gemini-2.5-pro", {"google_search_prompt": 1}),
        ("gemini-2.0-flash", {"google_search_prompt": 1}),
        ("gemini-flash-latest", {"google_search": 2}),
        ("", {"google_search": 2}),
    ],
)
def test_searches_are_charged_by_query_or_by_prompt(model: str, fees: dict[str, int]) -> None:
    grounding = {"webSearchQueries": ["a", "b", "", "a"]}
    searched = chunk(text("4"), finish="STOP", groundingMetadata=grounding)
    assert read(searched | {"modelVersion": model}).tool_fees == fees
    assert read(searched | {"modelVersion": None}, model).tool_fees == fees
    assert read(chunk(text("4"), finish="STOP", groundingMetadata={})).tool_fees == {}


def test_queries_of_calls_are_charged_once() -> None:
    assert read(chunk(SEARCH, FOUND, text("4"), finish="STOP")).tool_fees == {"google_search": 2}
    grounding = {"webSearchQueries": ["b"], "groundingChunks": [{"maps": {"uri": "u"}}]}
    completion = read(chunk(SEARCH, text("4"), finish="STOP", groundingMetadata=grounding))
    assert completion.tool_fees == {"google_search": 2, "google_maps": 1}


# --- blocks and nothing at all -------------------------------------------------------------------


@pytest.mark.parametrize(("reason", "word"), [("SAFETY", "SAFETY"), (4, "PROHIBITED_CONTENT")])
def test_a_blocked_prompt_is_an_outcome(reason: object, word: str) -> None:
    completion = read(
        {
            "promptFeedback": {"blockReason": reason, "blockReasonMessage": "Not that."},
            "usageMetadata": {"promptTokenCount": 5, "totalTokenCount": 5},
        }
    )
    assert completion.stop_reason is StopReason.BLOCKED
    assert completion.raw_stop_reason == f"PROMPT_BLOCKED:{word}"
    assert word in completion.refusal
    assert "Not that." in completion.refusal
    assert completion.usage == Usage(input=5, output=0)


def test_a_blocked_answer_names_what_blocked_it() -> None:
    ratings = [{"category": "HARM_A", "blocked": True}, {"category": "HARM_B"}]
    completion = read(chunk(finish="SAFETY", safetyRatings=ratings, finishMessage="Too hot."))
    assert completion.refusal == "SAFETY: HARM_A: Too hot."


@pytest.mark.parametrize(
    "nothing",
    [
        {},
        {"candidates": []},
        {"candidates": None, "usageMetadata": USAGE},
        {"promptFeedback": {"safetyRatings": []}},
        {"promptFeedback": {"blockReason": 0}},
    ],
)
def test_nothing_at_all_is_worth_another_try(nothing: dict[str, Any]) -> None:
    with pytest.raises(ConnectionFailed, match="empty") as caught:
        read_body(json.dumps(nothing).encode(), wire="google")
    assert caught.value.retryable


@pytest.mark.parametrize("finish", [None, 0, "FINISH_REASON_UNSPECIFIED"])
def test_an_answer_without_an_end_is_cut(finish: Any) -> None:
    cut = chunk(text("half"), finish=finish, usage={"promptTokenCount": 4, "totalTokenCount": 4})
    for raw in (stream(cut), json.dumps(cut).encode()):
        outcome = read_outcome(raw)
        assert type(outcome.error) is ConnectionFailed
        assert outcome.completion is not None
        assert outcome.completion.usage == Usage(input=4)  # of the output nothing is known
        assert outcome.completion.text == "half"


def test_an_error_in_mid_stream() -> None:
    error = {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "retry in 3s"}
    outcome = read_outcome(stream(chunk(text("half"), usage=USAGE), {"error": error}))
    assert type(outcome.error) is RateLimited
    assert outcome.error.retry_after_s == 3.0
    assert outcome.error.usage is None  # what had been counted so far is not what is billed
    assert outcome.completion is not None
    assert outcome.completion.usage.output == 3


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"candidates": {}}, "candidates is an object"),
        ({"candidates": [1]}, r"candidates\[\] is a number"),
        ({"candidates": [{"content": 1, "finishReason": "STOP"}]}, "content is a number"),
        ({"candidates": [{"content": {"parts": 1}, "finishReason": "STOP"}]}, "parts is a number"),
        ({"candidates": [{"content": {"parts": [1]}, "finishReason": "STOP"}]}, "is a number"),
        (chunk({"text": 7}, finish="STOP"), "text is a number"),
    ],
)
def test_a_field_of_the_wrong_type_is_named(body: dict[str, Any], field: str) -> None:
    for raw in (json.dumps(body).encode(), stream(body)):
        with pytest.raises(MalformedResponse, match=field):
            read_body(raw)


def test_nulls_of_the_sdk_are_nothing() -> None:
    nulls: dict[str, object] = dict.fromkeys(
        ("thought", "executableCode", "codeExecutionResult", "toolCall", "functionCall", "text")
    )
    whole = chunk(nulls | {"text": "4"}, nulls, finish="STOP", groundingMetadata=None, index=None)
    completion = read(whole | {"promptFeedback": None, "usageMetadata": None})
    assert (completion.text, completion.answer_text, completion.tool_events) == ("4", None, ())
    assert completion.usage == Usage()


# --- counts --------------------------------------------------------------------------------------

_N = st.none() | st.integers(0, 1000)


@given(st.integers(1, 1000), _N, _N, _N, _N, st.integers(0, 50))
def test_the_buckets_add_up_to_the_total(
    prompt: int,
    cached: int | None,
    tools: int | None,
    said: int | None,
    thoughts: int | None,
    beyond: int,
) -> None:
    total = prompt + (tools or 0) + (said or 0) + (thoughts or 0) + beyond
    stated = {
        "promptTokenCount": prompt,
        "cachedContentTokenCount": cached,
        "toolUsePromptTokenCount": tools,
        "candidatesTokenCount": said,
        "thoughtsTokenCount": thoughts,
        "totalTokenCount": total,
    }
    usage = read_body(json.dumps(chunk(text("4"), finish="STOP", usage=stated)).encode()).usage
    buckets = (usage.input, usage.cached_input, usage.cache_write, usage.output)
    assert sum(each or 0 for each in (*buckets, usage.unattributed)) == total
    assert usage.input_total == prompt + (tools or 0)
    assert usage.reasoning == thoughts
    assert (usage.cached_input is None) is (cached is None)


@pytest.mark.parametrize(
    ("tools", "said", "thoughts", "total", "fresh", "output"),
    [
        (None, 50, 30, 60, 10, 50),  # thoughts counted among the candidates
        (4, 50, 30, 90, 10, 80),  # the tools' input counted in the prompt
        (4, 50, 30, 60, 10, 50),  # both
        (4, 50, 30, 11, 14, 80),  # a total that fits nothing changes nothing
    ],
)
def test_endpoints_that_count_differently(
    tools: int | None, said: int, thoughts: int, total: int, fresh: int, output: int
) -> None:
    stated = {
        "promptTokenCount": 10,
        "toolUsePromptTokenCount": tools,
        "candidatesTokenCount": said,
        "thoughtsTokenCount": thoughts,
        "totalTokenCount": total,
    }
    usage = read(chunk(text("4"), finish="STOP", usage=stated)).usage
    assert usage == Usage(input=fresh, output=output, reasoning=thoughts)
