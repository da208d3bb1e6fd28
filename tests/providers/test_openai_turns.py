"""Earlier turns go back to OpenAI as they came, but for what its API does not take."""

from __future__ import annotations

import json
from typing import Any

import pytest

from relaybench.domain.completion import Turn
from relaybench.domain.model import PERSISTENT, ModelConfig
from relaybench.providers.openai_turns import input_of
from relaybench.providers.protocol import Request
from tests.providers.openai_support import (
    DONE,
    QUEUED,
    SSE,
    Reply,
    Server,
    answered,
    background,
    config,
    message,
    reasoning,
    response,
    stream,
)
from tests.providers.support import WIRE, needs_wire

SEARCH: dict[str, Any] = {
    "type": "web_search_call",
    "id": "ws_1",
    "status": "completed",
    "action": {"type": "search", "query": "q", "sources": [{"type": "url", "url": "https://a"}]},
}
CODE: dict[str, Any] = {
    "type": "code_interpreter_call",
    "id": "ci_1",
    "status": "completed",
    "code": "1",
    "container_id": "cntr_1",
    "outputs": None,
}
STRANGE: dict[str, Any] = {"type": "from_the_future", "id": "x_1", "null": None, "deep": [{"a": 1}]}
NUDGE = {"role": "user", "content": "go on"}
PROMPT = {"role": "user", "content": "p"}


def turn(*output: dict[str, Any], nudge: str | None = "go on", status: str = "completed") -> Turn:
    return Turn(json.dumps(response(*output, status=status), ensure_ascii=False), nudge)


def replayed(*turns: Turn, stored: bool = False) -> list[Any]:
    return input_of("p", turns, stored=stored)


async def test_turns_are_replayed_between_prompt_and_nudge() -> None:
    items = [reasoning(), SEARCH, CODE, STRANGE, message("half\u2028 [/b]", phase="commentary")]
    streamed = Turn(stream(reasoning("hBBB"), message("two")).decode(), "and on")
    asked = config(harness=PERSISTENT, effort="low")
    server = Server(Reply(stream(reasoning(), message("three")), headers=SSE))
    completion = await answered(server, Request("p", asked, "c", earlier=(turn(*items), streamed)))
    assert server.sent["input"] == [
        PROMPT,
        *items,
        NUDGE,
        reasoning("hBBB"),
        message("two"),
        {"role": "user", "content": "and on"},
    ]
    assert completion.text == completion.final_text == "three"  # of this response alone
    assert completion.usage.output == 40


async def test_in_the_background_too() -> None:
    server = Server(QUEUED, DONE)
    asked = background(harness=PERSISTENT)
    await answered(server, Request("p", asked, "c", earlier=(turn(message("one")),)))
    assert server.sent["input"] == [PROMPT, message("one"), NUDGE]


def test_reasoning_that_was_cut_off_is_refused_and_left_out() -> None:
    cut = turn(SEARCH, reasoning(), reasoning("h"), status="incomplete")
    assert replayed(cut) == [PROMPT, SEARCH, NUDGE]
    assert replayed(turn(reasoning())) == [PROMPT, NUDGE]


def test_reasoning_that_nobody_has_kept_cannot_go_back() -> None:
    lost = turn(reasoning(None), message("one"))
    nameless = {name: value for name, value in message("one").items() if name != "id"}
    assert replayed(lost) == [PROMPT, nameless, NUDGE]
    # Where OpenAI stores it, it knows it by its id.
    assert replayed(lost, stored=True) == [PROMPT, reasoning(None), message("one"), NUDGE]


@pytest.mark.parametrize(("asked", "kept"), [(config(), 3), (background(), 4)])
async def test_only_work_in_the_background_is_stored(asked: ModelConfig, kept: int) -> None:
    server = Server(QUEUED, DONE) if asked.effort else Server(DONE)
    earlier = (turn(reasoning(None), message("one")),)
    await answered(server, Request("p", asked, "c", earlier=earlier))
    assert len(server.sent["input"]) == kept


def test_a_status_of_null_is_left_out_and_other_nulls_stay() -> None:
    found = replayed(turn(reasoning(status=None), CODE | {"status": None}, message()))
    assert found[1:-1] == [
        reasoning(),
        {name: value for name, value in CODE.items() if name != "status"},
        message(),
    ]


def test_a_turn_that_goes_on_gets_no_user_message() -> None:
    assert replayed(turn(message("one"), nudge=None)) == [PROMPT, message("one")]


@needs_wire
@pytest.mark.parametrize(
    "name",
    ["code-interpreter-gpt-5.json", "web-search-gpt-5.json", "phase-commentary.json"],
)
def test_recorded_items_go_back_unchanged(name: str) -> None:
    text = (WIRE / "openai" / name).read_text("utf-8")
    assert replayed(Turn(text, "go on"))[1:-1] == json.loads(text)["output"]


@needs_wire
def test_a_recorded_response_without_a_message_leaves_nothing_to_give_back() -> None:
    text = (WIRE / "openai" / "incomplete-no-message-gpt-5.json").read_text("utf-8")
    assert replayed(Turn(text, "go on")) == [PROMPT, NUDGE]
