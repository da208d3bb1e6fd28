"""Turns that go on: what is replayed, in which order, and how their pieces become one answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.domain.completion import StopReason, Turn
from relaybench.domain.errors import ProviderError
from relaybench.providers.anthropic_replay import container_of, messages_of, said_before
from relaybench.providers.protocol import Request
from tests.providers.anthropic_samples import (
    GOOD,
    SSE,
    TOOLS,
    call,
    config,
    message,
    provider,
    request,
    result,
    streamed,
    text,
    thinking,
)
from tests.providers.support import WIRE, Replay, needs_wire

PROMPT = {"role": "user", "content": "p"}
ODD = {"type": "hologram", "depth": [1, {"x": None}], "tool": "?"}
CITED = text(
    "found",
    citations=[{"type": "web_search_result_location", "url": "https://a.test/", "cited_text": "f"}],
)


def turn(whole: Mapping[str, Any], nudge: str | None = None, *, stream: bool = True) -> Turn:
    """An earlier turn with this response, as it was kept."""
    raw = streamed(whole) if stream else json.dumps(whole).encode()
    return Turn(raw.decode("utf-8", "surrogateescape"), nudge)


def paused(*content: Mapping[str, object], **more: object) -> Turn:
    """A paused turn."""
    return turn(message(*content, stop="pause_turn", **more))


def replayed(*earlier: Turn) -> list[dict[str, object]]:
    """The messages behind the prompt."""
    first, *rest = messages_of("p", said_before(earlier))
    assert first == PROMPT
    return rest


async def run(transport: Replay, *earlier: Turn, **changes: Any) -> Any:
    """Go on through the real adapter; give the completion or the error."""
    adapter = provider(transport)
    try:
        return await adapter.complete(Request("p", config(**changes), "c", earlier=earlier))
    except ProviderError as error:
        return error
    finally:
        await adapter.aclose()


# --- what is replayed -------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_a_paused_turn_goes_on_with_its_blocks_its_container_and_the_same_settings() -> None:
    blocks = [thinking(), text("Let me see."), call(1), result(1), call(2)]
    first = paused(*blocks, container={"id": "container_7", "expires_at": "2026-12-01T00:00:00Z"})
    transport = Replay(GOOD, headers=SSE)
    await run(transport, first, tools=TOOLS, effort="max", instructions="Be exact.")
    body = transport.sent
    assert body.pop("messages") == [PROMPT, {"role": "assistant", "content": blocks}]
    assert body.pop("container") == "container_7"
    asked = config(tools=TOOLS, effort="max", instructions="Be exact.")
    assert body == provider(transport).settings(asked)


def test_pauses_in_a_row_are_one_message() -> None:
    first, second = [text("a"), call(1)], [result(1), text("b"), call(2)]
    assert replayed(paused(*first), paused(*second)) == [
        {"role": "assistant", "content": [*first, *second]}
    ]


def test_nudges_stand_between_turns() -> None:
    earlier = [
        paused(text("a"), call(1)),
        turn(message(result(1), text("b")), "Go on."),
        turn(message(text("c"), stop="max_tokens"), "Go on!"),
    ]
    assert replayed(*earlier) == [
        {"role": "assistant", "content": [text("a"), call(1), result(1), text("b")]},
        {"role": "user", "content": "Go on."},
        {"role": "assistant", "content": [text("c")]},
        {"role": "user", "content": "Go on!"},
    ]


@pytest.mark.parametrize("stream", [True, False])
def test_blocks_go_back_as_they_came(stream: bool) -> None:
    hidden = {"type": "redacted_thinking", "data": "ZGF0YQ=="}
    blocks: list[Mapping[str, object]] = [
        hidden,
        thinking(""),
        ODD,
        call(1, caller={"type": "direct"}),
        result(1),
        CITED,
    ]
    whole = message(*blocks, stop="pause_turn")
    assert replayed(turn(whole, stream=stream)) == [{"role": "assistant", "content": blocks}]


@pytest.mark.asyncio
async def test_nothing_in_a_block_is_taken_for_a_file(tmp_path: Path) -> None:
    # The SDK reads files that stand in such a place; what a model says is no path.
    secret = tmp_path / "secret"
    secret.write_text("s3cret")
    source = {"type": "base64", "media_type": "application/pdf", "data": str(secret)}
    fetched = {"type": "web_fetch_result", "content": {"type": "document", "source": source}}
    block = result(1, "web_fetch") | {"content": fetched}
    transport = Replay(GOOD, headers=SSE)
    await run(transport, paused(call(1, "web_fetch"), block))
    assert transport.sent["messages"][1]["content"] == [call(1, "web_fetch"), block]


@pytest.mark.parametrize("nudge", [None, "Go on."])
def test_blank_texts_and_thinking_without_a_signature_stay_out(nudge: str | None) -> None:
    content = [text(""), thinking("cut", signature=""), text("a"), text(" \n"), CITED]
    rest = replayed(turn(message(*content), nudge))
    assert rest[0] == {"role": "assistant", "content": [text("a"), CITED]}


def test_open_calls_are_kept_in_a_pause_and_left_out_before_a_nudge() -> None:
    inner = call(3, caller={"type": "code_execution_20260521", "tool_id": "srvtoolu_2"})
    content = [text("a"), call(1), result(1), thinking(), call(2, "code_execution")]
    nested = [inner, result(3)]
    kept = replayed(paused(*content, *nested))
    assert kept == [{"role": "assistant", "content": [*content, *nested]}]
    closed = replayed(turn(message(*content, *nested, stop="max_tokens"), "Go on."))
    assert closed == [
        {"role": "assistant", "content": content[:3]},
        {"role": "user", "content": "Go on."},
    ]


def test_a_turn_that_holds_nothing_has_no_message() -> None:
    cut = message(thinking("cut", signature=""), stop="max_tokens")
    only_thought = message(thinking(), stop="max_tokens")
    for whole in (message(), cut, only_thought):
        assert replayed(turn(whole, "Go on.")) == [{"role": "user", "content": "Go on."}]
    assert replayed(paused()) == []


def test_the_last_container_that_was_named_is_used() -> None:
    earlier = [
        paused(text("a"), container={"id": "container_1"}),
        paused(text("b"), container={"id": "container_2"}),
        paused(text("c"), container=None),
        paused(text("d")),
    ]
    said = said_before(earlier)
    assert container_of(said) == "container_2"
    assert container_of(said[:1]) == "container_1"
    assert container_of(said[2:]) is None
    assert container_of(()) is None


@given(
    st.lists(st.tuples(st.lists(st.text(), max_size=3), st.none() | st.text()), max_size=6),
)
def test_no_text_is_lost_or_moved(turns: list[tuple[list[str], str | None]]) -> None:
    earlier = [Turn(json.dumps(message(*map(text, words))), nudge) for words, nudge in turns]
    said: list[str] = []
    for sent in replayed(*earlier):
        content = sent["content"]
        said += [content] if isinstance(content, str) else [b["text"] for b in content]  # type: ignore[attr-defined]
    wanted = []
    for words, nudge in turns:
        wanted += [each for each in words if each.strip()]
        wanted += [] if nudge is None else [nudge]
    assert said == wanted


# --- the answer spans the pieces ----------------------------------------------------------------


@pytest.mark.asyncio
async def test_the_answer_spans_the_pieces_of_its_turn() -> None:
    first = paused(text("I search. "), call(1), result(1), text("The answer "))
    completion = await run(Replay(streamed(message(text("is 4"))), headers=SSE), first, tools=TOOLS)
    assert completion.final_text == "The answer is 4"
    assert completion.text == "is 4"
    assert completion.stop_reason is StopReason.END
    assert completion.usage.output == 3  # of this call alone


@pytest.mark.asyncio
async def test_a_result_that_comes_in_the_next_piece_ends_what_was_said_before() -> None:
    first = paused(text("I search. "), call(1))
    last = message(result(1), text("It is 4"))
    completion = await run(Replay(streamed(last), headers=SSE), first, tools=TOOLS)
    assert completion.final_text == "It is 4"


@pytest.mark.asyncio
async def test_pieces_without_tools_are_joined() -> None:
    earlier = [paused(text("a")), paused(text("b"))]
    completion = await run(Replay(streamed(message(text("c"))), headers=SSE), *earlier)
    assert completion.final_text == "abc"


@pytest.mark.asyncio
async def test_what_was_said_before_a_nudge_is_no_part_of_the_answer() -> None:
    nudged = turn(message(text("old "), stop="max_tokens"), "Go on.")
    completion = await run(Replay(streamed(message(text("new"))), headers=SSE), nudged)
    assert completion.final_text == "new"
    completion = await run(
        Replay(streamed(message(text("er"))), headers=SSE), nudged, paused(text("new"))
    )
    assert completion.final_text == "newer"


@pytest.mark.asyncio
async def test_a_continuation_that_breaks_is_an_error_like_any_other() -> None:
    body = streamed(message(text("half")), done=False)
    error = await run(Replay(body, headers=SSE), paused(text("a")))
    assert isinstance(error, ProviderError)
    assert error.retryable


@pytest.mark.asyncio
async def test_a_first_turn_is_read_as_it_is() -> None:
    whole = message(text("I search. "), call(1), result(1), text("It is 4"))
    adapter = provider(Replay(streamed(whole), headers=SSE))
    completion = await adapter.complete(request(tools=TOOLS))
    await adapter.aclose()
    assert completion.final_text == "It is 4"


# --- recorded -----------------------------------------------------------------------------------


@needs_wire
@pytest.mark.asyncio
async def test_a_recorded_pause_goes_on_with_a_recorded_continuation() -> None:
    raw = (WIRE / "anthropic/pause-turn-web-search-stream.sse").read_bytes()
    last = (WIRE / "anthropic/orphan-tool-result-continuation.json").read_bytes()
    transport = Replay(last, headers={"content-type": "application/json"})
    earlier = Turn(raw.decode("utf-8", "surrogateescape"))
    completion = await run(transport, earlier, tools=("web_search",))
    said, answer = transport.sent["messages"]
    assert said == PROMPT
    kinds = [block["type"] for block in answer["content"]]
    assert kinds[0] == "thinking"
    assert answer["content"][0]["signature"]
    assert kinds.count("server_tool_use") == 11
    asked = [b["input"]["query"] for b in answer["content"] if b["type"] == "server_tool_use"]
    assert all(asked)
    assert "container" not in transport.sent
    assert completion.final_text == "".join(
        block["text"] for block in json.loads(last)["content"] if block["type"] == "text"
    )
