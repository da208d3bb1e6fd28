"""What ends a body, what may follow on its end, and what is no response at all."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from relaybench.domain.completion import StopReason, Turn
from relaybench.domain.errors import (
    BackgroundLost,
    ConnectionFailed,
    MalformedResponse,
    ProviderError,
    RateLimited,
)
from relaybench.providers.anthropic_replay import messages_of, said_before
from relaybench.providers.reading import read_body
from tests.providers import anthropic_samples as anthropic
from tests.providers import openai_support as openai
from tests.providers.support import body, chunk, raw, stream

LATE = b'event: error\ndata: {"type": "error", "error": {"type": "api_error", "message": "x"}}\n\n'


@pytest.mark.parametrize(
    "whole",
    [
        anthropic.streamed(anthropic.message(anthropic.text("4"))),
        openai.stream(openai.message("4")),
        stream(chunk("4", "stop")),
    ],
)
def test_an_error_behind_the_end_takes_nothing_back(whole: bytes) -> None:
    assert read_body(whole + LATE).text == "4"
    with pytest.raises(ProviderError):
        read_body(LATE + whole)


def test_chunks_behind_the_end_are_not_read() -> None:
    assert read_body(stream(chunk("4", "stop")) + stream(chunk("5", "length"))).text == "4"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (raw({"message": {"role": "assistant", "content": "4"}, "done": True}), "Ollama"),
        (raw({"message": "hello"}), "it says: hello"),
        (raw({"detail": "hello"}), "it says: hello"),
        (gzip.compress(b"{}", mtime=0), "gzip"),
        ("{}".encode("utf-16"), "UTF-16"),
        (b"\xfe\xff" + "{}".encode("utf-16-be"), "UTF-16"),
    ],
)
def test_what_is_no_response_is_named(wrong: bytes, words: str) -> None:
    with pytest.raises(MalformedResponse, match=words) as caught:
        read_body(wrong)
    assert not caught.value.retryable


def test_a_bare_error_that_names_itself_is_one() -> None:
    with pytest.raises(RateLimited):
        read_body(raw({"message": "slow down", "code": 429}))


def test_a_chat_completion_without_a_finish_reason_is_cut() -> None:
    with pytest.raises(ConnectionFailed):
        read_body(raw(body("4", None)))


def test_an_empty_answer_of_anthropic() -> None:
    whole = anthropic.message() | {"content": None}
    found = read_body(raw(whole))
    assert (found.text, found.stop_reason) == ("", StopReason.END)


@pytest.mark.parametrize("odd", [None, "x", 7])
def test_an_odd_block_does_no_harm_to_the_others(odd: object) -> None:
    whole = anthropic.message() | {"content": [odd, anthropic.text("4")]}
    assert read_body(raw(whole)).text == "4"


def test_odd_ids_do_not_break_a_replay() -> None:
    blocks: list[Any] = [
        {"type": "x_tool_result", "tool_use_id": ["a"]},
        {"type": "server_tool_use", "id": ["b"], "caller": {"tool_id": ["c"]}},
        anthropic.text("4"),
    ]
    turn = Turn(json.dumps(anthropic.message() | {"content": blocks}), "go on")
    assert messages_of("p", said_before([turn]))[-1] == {"role": "user", "content": "go on"}


def test_a_cancelled_response_is_lost_work() -> None:
    with pytest.raises(BackgroundLost, match="cancelled"):
        read_body(raw(openai.response(openai.message("4"), status="cancelled")))


def test_a_request_for_approval_waits_for_the_client() -> None:
    found = read_body(raw(openai.response({"type": "mcp_approval_request", "id": "a"})))
    assert found.stop_reason is StopReason.TOOL_USE
