"""How Google's adapter goes on: replayed turns, nudges, and turns that were only paused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.domain.completion import StopReason, Turn
from relaybench.domain.errors import RequestRejected, ServerFault
from relaybench.providers.google_turns import contents_of
from relaybench.providers.protocol import Request
from tests.providers.google_support import USAGE, chunk, google_config, replay, run, stream, text
from tests.providers.support import Replay

PROMPT = {"role": "user", "parts": [{"text": "p"}]}
NUDGE = {"role": "user", "parts": [{"text": "go on"}]}
ODD: list[dict[str, Any]] = [
    {"text": "hm", "thought": True, "thoughtSignature": "bm90IHVybC1zYWZlKy8="},
    {"toolCall": {"toolType": "GOOGLE_SEARCH_WEB", "args": {"queries": ["q"]}, "id": "t1"}},
    {"toolResponse": {"toolType": "GOOGLE_SEARCH_WEB", "response": {"x": None}, "id": "t1"}},
    {"executableCode": {"language": "PYTHON", "code": "print(1)", "id": "e1"}},
    {"codeExecutionResult": {"outcome": "OUTCOME_NEW", "output": "1\n", "id": "e1"}},
    {"inlineData": {"mimeType": "image/png", "data": "aGk+/w=="}},
    {"brandNewKind": {"snake_case_key": [1, 2.5, None, {"deep": ""}]}, "newField": 1},
    {"text": "é\u2028😀", "thoughtSignature": "c2ln"},
]


def turn(*chunks: Any, nudge: str | None = None) -> Turn:
    return Turn(stream(*chunks).decode(), nudge)


def paused(*parts: Any, token: str | None = "dG9rZW4rLw==") -> dict[str, object]:
    more = {} if token is None else {"continuationToken": token}
    return chunk(*parts, finish="CONTINUATION", usage=USAGE, **more)


async def goes_on(*earlier: Turn, answer: Any = None) -> tuple[Any, Replay]:
    transport = replay(answer) if answer else replay()
    asked = Request("p", google_config(tools=("google_search",)), "c", earlier=earlier)
    return await run(transport, asked), transport


def as_sent(transport: Replay) -> Any:
    return transport.sent["contents"]


async def test_a_nudge_follows_the_turn_untouched() -> None:
    earlier = turn(chunk(*ODD), chunk(finish="MAX_TOKENS", usage=USAGE), nudge="go on")
    completion, transport = await goes_on(earlier)
    assert as_sent(transport) == [PROMPT, {"role": "model", "parts": ODD}, NUDGE]
    assert "continuationToken" not in transport.sent
    assert completion.final_text == "4"


async def test_settings_are_those_of_the_first_turn() -> None:
    first, one = await goes_on()
    then, two = await goes_on(turn(chunk(text("x"), finish="STOP"), nudge="go on"))
    assert first.settings_sent == then.settings_sent
    assert {**one.sent, "contents": 0} == {**two.sent, "contents": 0}


async def test_parts_over_many_chunks_keep_their_order() -> None:
    earlier = turn(*(chunk(part) for part in ODD), chunk(finish="STOP"), nudge="go on")
    _, transport = await goes_on(earlier)
    assert as_sent(transport)[1]["parts"] == ODD


async def test_a_response_that_was_not_streamed_is_replayed_too() -> None:
    whole = json.dumps(chunk(*ODD, finish="STOP"))
    for form in (whole, f"[{whole}]"):
        _, transport = await goes_on(Turn(form, "go on"))
        assert as_sent(transport)[1]["parts"] == ODD


async def test_several_nudges() -> None:
    one = turn(chunk(text("one"), finish="STOP"), nudge="a")
    two = turn(chunk(text("two"), finish="STOP"), nudge="b")
    _, transport = await goes_on(one, two)
    words = [(each["role"], each["parts"][0]["text"]) for each in as_sent(transport)]
    assert words == [
        ("user", "p"),
        ("model", "one"),
        ("user", "a"),
        ("model", "two"),
        ("user", "b"),
    ]


async def test_a_turn_without_parts_leaves_no_empty_content() -> None:
    _, transport = await goes_on(turn(chunk(finish="MAX_TOKENS", usage=USAGE), nudge="go on"))
    assert as_sent(transport) == [PROMPT, NUDGE]


# --- paused turns --------------------------------------------------------------------------------


async def test_a_paused_turn_goes_on_by_its_token() -> None:
    answer = chunk(text("rld\n```\n4\n```"), finish="STOP", usage=USAGE)
    completion, transport = await goes_on(turn(paused(text("Hello wo"))), answer=answer)
    assert as_sent(transport) == [PROMPT]
    assert transport.sent["continuationToken"] == "dG9rZW4rLw=="
    assert completion.text == "rld\n```\n4\n```"
    assert completion.answer_text == completion.final_text == "Hello world\n```\n4\n```"
    assert completion.usage.output == 3  # of this call alone


async def test_the_last_token_counts_and_all_pieces_make_the_answer() -> None:
    one, two = turn(paused(text("a"), token="b25l")), turn(paused(text("b"), token="dHdv"))
    answer = chunk(text("c"), finish="STOP", usage=USAGE)
    completion, transport = await goes_on(one, two, answer=answer)
    assert transport.sent["continuationToken"] == "dHdv"
    assert as_sent(transport) == [PROMPT]
    assert completion.final_text == "abc"


async def test_a_tool_in_an_earlier_piece_ends_what_came_before_it() -> None:
    pieces = paused(text("Let me see. "), ODD[3], ODD[4], text("It is "))
    answer = chunk(text("4"), finish="STOP", usage=USAGE)
    completion, _ = await goes_on(turn(pieces), answer=answer)
    assert completion.final_text == "It is 4"


async def test_a_continued_turn_is_replayed_whole_before_a_nudge() -> None:
    one = turn(paused(text("a", thoughtSignature="c2ln")))
    two = turn(chunk(text("b"), finish="STOP"), nudge="go on")
    completion, transport = await goes_on(one, two)
    parts = [text("a", thoughtSignature="c2ln"), text("b")]
    assert as_sent(transport) == [PROMPT, {"role": "model", "parts": parts}, NUDGE]
    assert "continuationToken" not in transport.sent
    assert completion.final_text == "4"


async def test_a_turn_paused_after_a_nudge() -> None:
    one = turn(chunk(text("no"), finish="STOP"), nudge="go on")
    answer = chunk(text("wer"), finish="STOP", usage=USAGE)
    completion, transport = await goes_on(one, turn(paused(text("ans"))), answer=answer)
    assert as_sent(transport) == [PROMPT, {"role": "model", "parts": [text("no")]}, NUDGE]
    assert transport.sent["continuationToken"] == "dG9rZW4rLw=="
    assert completion.final_text == "answer"


async def test_a_pause_is_passed_on() -> None:
    completion, transport = await goes_on(answer=paused(text("a")))
    assert completion.stop_reason is StopReason.PAUSE
    assert len(transport.requests) == 1  # the SDK would continue by itself


@pytest.mark.parametrize("token", [None, "dG9rZW4rLw=="])
async def test_a_pause_that_leads_nowhere_is_a_limit(token: str | None) -> None:
    completion, _ = await goes_on(turn(paused(text("a"))), answer=paused(text("b"), token=token))
    assert completion.stop_reason is StopReason.MAX_TOKENS
    assert completion.raw_stop_reason == "CONTINUATION"
    assert completion.final_text == "ab"


async def test_a_turn_without_a_token_cannot_go_on() -> None:
    error, transport = await goes_on(turn(paused(text("a"), token=None)))
    assert type(error) is RequestRejected
    assert transport.requests == []


async def test_a_continuation_that_breaks_is_tried_again_for_itself() -> None:
    broke = chunk(finish="OTHER", usage=USAGE)
    error, _ = await goes_on(turn(paused(text("a"))), answer=broke)
    assert type(error) is ServerFault


# --- laws ----------------------------------------------------------------------------------------

values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=4,
)
odd_parts = st.dictionaries(st.text("abcT_é", min_size=3, max_size=8), values, min_size=1)


@given(st.lists(odd_parts, min_size=1, max_size=4), st.text(max_size=9))
def test_any_part_is_replayed_as_it_came(parts: list[dict[str, object]], nudge: str) -> None:
    raw = stream(*(chunk(part) for part in parts), chunk(finish="STOP")).decode()
    contents = contents_of("p", [Turn(raw, nudge)])
    assert contents[1] == {"role": "model", "parts": parts}
    assert contents[2] == {"role": "user", "parts": [{"text": nudge}]}
