"""Conversations with the simulator: paused turns go on, nudged ones too, wrong replays do not."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx2
import pytest

from relaybench.domain.completion import Completion, StopReason, Turn
from relaybench.domain.errors import RequestRejected
from relaybench.domain.model import PERSISTENT
from relaybench.providers.simulated_call import HEADER
from tests.providers.simulated_support import (
    BLOCK,
    LANES,
    PAUSING,
    PROMPT,
    Asking,
    config,
    plain,
    transport,
)

NUDGE = "Go on, and finish with one code block."
RIGHT = {"skill": 1, "no_block": 0, "refuse": 0, "truncate": 0}
BLOCKLESS = {**RIGHT, "no_block": 1}


def spoken(found: list[Completion]) -> str:
    return "".join(each.text for each in found)


@pytest.mark.parametrize("lane", PAUSING)
@pytest.mark.asyncio
async def test_a_paused_turn_goes_on_to_the_same_answer(lane: str) -> None:
    asking = Asking()
    paused = 0
    for number in range(40):
        whole = await asking.turns(config(lane, **RIGHT), f"c{number}")
        asking.ledger.clear()
        found = await asking.turns(config(lane, **RIGHT, pause=0.6), f"c{number}")
        paused += len(found) > 1
        assert [each.stop_reason for each in found[:-1]] == [StopReason.PAUSE] * (len(found) - 1)
        assert spoken(found) == spoken(whole)
        assert BLOCK in found[-1].final_text
        assert [plain(each.usage) for each in found] == [plain(e.usage) for e in asking.ledger]
        assert [entry.number for entry in asking.ledger] == list(range(len(found)))
    assert paused > 15
    await asking.close()


@pytest.mark.asyncio
async def test_a_continuation_reads_what_the_piece_before_wrote() -> None:
    asking = Asking()
    found = await asking.turns(config("anthropic", **RIGHT, pause=1), "c1")
    assert len(found) > 1
    assert found[0].usage.cache_write
    assert found[1].usage.cached_input
    assert found[1].usage.cached_input >= found[0].usage.cache_write
    await asking.close()


def _thought(body: dict[str, Any]) -> None:
    body["messages"][1]["content"][0]["thinking"] += " (changed)"


def _dropped(body: dict[str, Any]) -> None:
    del body["messages"][1]["content"][0]


def _container(body: dict[str, Any]) -> None:
    del body["container"]


def _tools(body: dict[str, Any]) -> None:
    del body["tools"][0]


def _turn(body: dict[str, Any]) -> None:
    body["messages"].append({"role": "user", "content": "Go on."})
    del body["messages"][1]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_thought, "the assistant's turn 0 was changed: block 0 is not as it was sent"),
        (_dropped, "the assistant's turn 0 was changed"),
        (_container, "container: the code of this turn ran in container_"),
        (_tools, "tools: they are not those with which the conversation began"),
        (_turn, "what was answered in turn 0 is missing"),
    ],
)
@pytest.mark.asyncio
async def test_a_message_that_comes_back_changed_is_refused_and_named(
    change: Callable[[dict[str, Any]], None], words: str
) -> None:
    asking = Asking()
    model = config("anthropic", **RIGHT, pause=1)
    for number in range(40):
        found = await asking.turns(model, f"c{number}")
        if len(found) > 1 and '"container"' in found[0].response_raw:
            break
    body = json.loads(found[1].request_json)
    options = {**model.options, "cell": f"c{number}"}
    async with httpx2.AsyncClient(transport=asking.below) as client:
        address, headers = "http://simulated.invalid/v1/messages", {HEADER: json.dumps(options)}
        good = await client.post(address, json=body, headers=headers)
        assert good.text == found[1].response_raw
        change(body)
        refused = await client.post(address, json=body, headers=headers)
    assert refused.status_code == 400
    assert refused.json()["error"]["type"] == "invalid_request_error"
    assert words in refused.json()["error"]["message"]
    await asking.close()


@pytest.mark.asyncio
async def test_a_wrong_token_is_refused() -> None:
    asking = Asking()
    model = config("google", **RIGHT, pause=1)
    first = await asking.answer(model, "c1")
    wrong = first.response_raw.replace('"continuationToken": "cont_', '"continuationToken": "x')
    assert wrong != first.response_raw
    with pytest.raises(RequestRejected, match="belongs to no paused turn"):
        await asking.answer(model, "c1", (Turn(wrong),))
    await asking.close()


@pytest.mark.parametrize("lane", LANES)
@pytest.mark.asyncio
async def test_a_nudge_brings_a_block_mostly(lane: str) -> None:
    asking = Asking()
    model = replace(config(lane, **BLOCKLESS, fail=0.3), harness=PERSISTENT)
    blocks = 0
    for number in range(25):
        first = await asking.answer(model, f"c{number}")
        assert "```" not in first.text
        nudged = await asking.answer(model, f"c{number}", (Turn(first.response_raw, NUDGE),))
        blocks += BLOCK in nudged.final_text
        if BLOCK not in nudged.final_text:
            turns = (Turn(first.response_raw, NUDGE), Turn(nudged.response_raw, NUDGE))
            assert (await asking.answer(model, f"c{number}", turns)).text
        assert asking.ledger[-1].turn >= 1
        assert nudged.usage.input_total is not None
        assert first.usage.input_total is not None
    assert 15 < blocks <= 25
    await asking.close()


@pytest.mark.parametrize(
    ("lane", "old", "new"),
    [
        ("anthropic", '"signature": "sig', '"signature": "gis'),
        ("google", '"thoughtSignature": "sig', '"thoughtSignature": "gis'),
        ("responses", '"encrypted_content": "enc', '"encrypted_content": "cne'),
        ("background", "The answer is", "The answer was"),
    ],
)
@pytest.mark.asyncio
async def test_a_changed_turn_before_a_nudge_is_refused(lane: str, old: str, new: str) -> None:
    asking = Asking()
    model = config(lane, **BLOCKLESS)
    first = await asking.answer(model, "c1")
    forged = first.response_raw.replace(old, new)
    assert forged != first.response_raw
    with pytest.raises(RequestRejected, match=r"turn 0 w(as|ere) changed"):
        await asking.answer(model, "c1", (Turn(forged, NUDGE),))
    await asking.close()


@pytest.mark.parametrize("lane", PAUSING)
@pytest.mark.asyncio
async def test_a_simulator_that_was_started_anew_goes_on_with_old_turns(lane: str) -> None:
    asking, anew = Asking(), Asking(transport())
    model = config(lane, **RIGHT, pause=1)
    found = await asking.turns(model, "c2")
    assert len(found) > 1
    earlier = tuple(Turn(each.response_raw) for each in found[:-1])
    assert await anew.answer(model, "c2", earlier) == found[-1]
    await asking.close()
    await anew.close()


@pytest.mark.asyncio
async def test_the_prompt_is_what_the_user_said_first() -> None:
    asking = Asking()
    model = replace(config("chat", **RIGHT), instructions="Be brief.")
    assert BLOCK in (await asking.answer(model, "c")).text
    assert PROMPT in asking.below._answers
    await asking.close()
