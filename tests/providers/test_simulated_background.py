"""Work that the simulated Responses API does in the background, through the real adapter."""

from __future__ import annotations

import asyncio
import json

import httpx2
import pytest

from relaybench.domain.completion import StopReason
from relaybench.domain.errors import BackgroundLost, ConnectionFailed
from relaybench.providers.protocol import Phase, Request
from relaybench.providers.simulated_call import HEADER
from tests.providers.simulated_support import PROMPT, Asking, config, plain, transport

ADDRESS = "http://simulated.invalid/v1/responses"


@pytest.mark.asyncio
async def test_it_is_queued_then_under_way_then_done() -> None:
    asking = Asking()
    phases: list[Phase] = []
    request = Request(PROMPT, config("background", polls=3), "c", phases.append)
    completion = await asking.provider.complete(request)
    assert completion.stop_reason in (StopReason.END, StopReason.MAX_TOKENS)
    assert Phase.THINKING in phases
    assert [(entry.cell, entry.delivered) for entry in asking.ledger] == [("c", True)]
    assert plain(asking.ledger[0].usage) == plain(completion.usage)
    await asking.close()


@pytest.mark.asyncio
async def test_the_states_and_the_end_of_what_was_not_stored() -> None:
    below = transport()
    headers = {HEADER: json.dumps({"cell": "c", "polls": 1, "fail": 0, "model": "sim-1"})}
    body = {"model": "sim-1", "input": PROMPT, "background": True, "store": True}
    async with httpx2.AsyncClient(transport=below, headers=headers) as client:
        begun = (await client.post(ADDRESS, json=body)).json()
        assert (begun["status"], begun["usage"], begun["output"]) == ("queued", None, [])
        place = f"{ADDRESS}/{begun['id']}"
        assert (await client.get(place)).json()["status"] == "in_progress"
        done = [(await client.get(place)).json() for _ in range(3)]
        assert {each["status"] for each in done} == {"completed"}
        assert len(below.ledger) == 1  # however often it is asked for
        # Called off too late: it stays what it is.
        assert (await client.post(f"{place}/cancel")).json()["status"] == "completed"
        for unknown in (f"{ADDRESS}/resp_none", f"{place}9"):
            missing = await client.get(unknown)
            assert missing.status_code == 404
            assert "not found" in missing.json()["error"]["message"]
        streamed = await client.post(ADDRESS, json={**body, "background": False, "store": False})
        assert (await client.get(f"{ADDRESS}/{streamed.json()['id']}")).status_code == 200
        other = {**body, "background": False, "store": False, "input": "Who are you?"}
        never = (await client.post(ADDRESS, json=other)).json()
        assert (await client.get(f"{ADDRESS}/{never['id']}")).status_code == 404


@pytest.mark.asyncio
async def test_an_abort_calls_it_off_and_nothing_is_billed() -> None:
    asking = Asking()
    call = asyncio.ensure_future(asking.once(config("background", polls=10_000), "c"))
    await asking.begun.wait()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    (handle,) = asking.handles
    headers = {HEADER: json.dumps({"cell": "c", "fail": 0})}
    async with httpx2.AsyncClient(transport=asking.below, headers=headers) as client:
        state = (await client.get(f"{ADDRESS}/{handle}")).json()
    assert state["status"] == "cancelled"
    assert asking.ledger == []
    with pytest.raises(BackgroundLost):
        await asking.once(config("background"), "c", handle=handle)
    await asking.close()


@pytest.mark.asyncio
async def test_a_response_that_is_cut_after_its_id_is_not_sent_again() -> None:
    asking = Asking()
    for number in range(10):
        await asking.once(config("background", fail=1, faults=["cut"]), f"c{number}")
    assert [entry.cell for entry in asking.ledger] == [f"c{number}" for number in range(10)]
    assert all(entry.delivered for entry in asking.ledger)
    assert len(asking.handles) == 10
    await asking.close()


@pytest.mark.asyncio
async def test_work_whose_id_never_came_is_billed_without_being_delivered() -> None:
    asking = Asking()
    model = config("background", fail=1, fail_tries=1, faults=["empty"])
    with pytest.raises(ConnectionFailed):
        await asking.once(model, "c")
    assert [entry.delivered for entry in asking.ledger] == [False]
    await asking.once(model, "c")
    assert [entry.delivered for entry in asking.ledger] == [False, True]
    await asking.close()


@pytest.mark.asyncio
async def test_after_a_crash_a_new_simulator_finds_the_work_by_its_id() -> None:
    before, after = Asking(), Asking(transport())
    model = config("background")
    whole = await before.once(model, "c")
    (handle,) = before.handles
    again = await after.once(model, "c", handle=handle)
    assert again.text == whole.text
    assert again.usage == whole.usage
    assert again.tool_events == whole.tool_events
    assert after.handles == []  # nothing was begun
    assert [entry.delivered for entry in after.ledger] == [True]
    with pytest.raises(BackgroundLost):
        await after.once(model, "c", handle="resp_unknown")
    await before.close()
    await after.close()


@pytest.mark.asyncio
async def test_failed_work_is_not_billed_and_can_be_begun_anew() -> None:
    asking = Asking()
    model = config("background", fail=1, fail_tries=1, faults=["failed"])
    completion = await asking.answer(model, "c")
    assert len(asking.failures) == 1
    assert completion.text
    assert len(asking.ledger) == 1
    assert len(set(asking.handles)) == 2
    await asking.close()
