"""Every fault of the simulator, on every wire format, is the error that it should be."""

from __future__ import annotations

import asyncio
from collections import Counter

import httpx2
import pytest

from relaybench.domain.errors import (
    AuthenticationFailed,
    CallTimedOut,
    ConnectionBroken,
    ConnectionFailed,
    MalformedResponse,
    ModelNotFound,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    RequestRejected,
    ServerFault,
)
from relaybench.providers.protocol import Request
from relaybench.providers.simulated_exchange import sent_again
from relaybench.providers.simulated_faults import LASTING, Fault, Wire, error_response, fault_of
from relaybench.providers.simulated_model import Temper
from tests.providers.simulated_support import LANES, PROMPT, Asking, config

STREAMED = tuple(lane for lane in LANES if lane != "background")
#: What each fault is for the runner; background work differs where only its start is met.
EXPECTED: dict[Fault, type[ProviderError]] = {
    Fault.RATE_LIMIT: RateLimited,
    Fault.SERVER: ServerFault,
    Fault.UNAVAILABLE: ServerFault,
    Fault.OVERLOADED: ServerFault,
    Fault.REFUSED: ConnectionFailed,
    Fault.RESET: ConnectionBroken,
    Fault.CUT: ConnectionBroken,
    Fault.HALF_JSON: ConnectionFailed,
    Fault.EMPTY: ConnectionFailed,
    Fault.HTML: ServerFault,
    Fault.MALFORMED: MalformedResponse,
    Fault.FAILED: ServerFault,
    Fault.STALL: CallTimedOut,
    Fault.STORM: RateLimited,
    Fault.REJECTED: RequestRejected,
    Fault.UNAUTHORIZED: AuthenticationFailed,
    Fault.SPENT: QuotaExhausted,
    Fault.FORBIDDEN: AuthenticationFailed,
    Fault.UNKNOWN_MODEL: ModelNotFound,
    Fault.TOO_LARGE: RequestRejected,
}
#: Faults after which the provider has made a response all the same, and bills it.
BILLED = (Fault.CUT, Fault.HALF_JSON, Fault.EMPTY, Fault.FAILED, Fault.STALL)


@pytest.mark.parametrize("fault", list(EXPECTED))
@pytest.mark.parametrize("lane", STREAMED)
@pytest.mark.asyncio
async def test_each_fault_is_named_and_passes_unless_it_lasts(lane: str, fault: Fault) -> None:
    asking = Asking()
    model = config(lane, fail=1, fail_tries=2, storm=2, faults=[fault], retry_after_s=0.25)
    if fault in LASTING or fault is Fault.MALFORMED:
        with pytest.raises(EXPECTED[fault]) as caught:
            await asking.answer(model, "c")
        assert not caught.value.retryable
        assert not any(entry.delivered for entry in asking.ledger)
    else:
        await asking.answer(model, "c")
        assert [type(error) for error in asking.failures] == [EXPECTED[fault]] * 2
        assert [entry.delivered for entry in asking.ledger] == (
            [False, False, True] if fault in BILLED else [True]
        )
    for error in asking.failures:
        waits = {Fault.RATE_LIMIT: 0.25, Fault.STORM: 0.05}
        assert error.retry_after_s == waits.get(fault)
        # A request that went out whole may have been worked on, whatever the simulator did.
        assert error.may_be_billed is (fault in (*BILLED, Fault.MALFORMED, Fault.RESET))
    await asking.close()


@pytest.mark.parametrize(
    "fault", [Fault.RATE_LIMIT, Fault.RESET, Fault.HTML, Fault.FAILED, Fault.EMPTY]
)
@pytest.mark.asyncio
async def test_work_in_the_background_meets_faults_too(fault: Fault) -> None:
    asking = Asking()
    model = config("background", fail=1, fail_tries=2, faults=[fault], retry_after_s=0.25)
    await asking.answer(model, "c")
    assert {type(error) for error in asking.failures} == {EXPECTED[fault]}
    assert sum(entry.delivered for entry in asking.ledger) == 1
    await asking.close()


@pytest.mark.parametrize("lane", STREAMED)
@pytest.mark.asyncio
async def test_a_stream_without_end_is_given_up_in_the_end(lane: str) -> None:
    asking = Asking()
    await asking.answer(config(lane), "another")  # what the SDK loads late is not counted
    usual = config(lane, fail=1, fail_tries=1, faults=["endless"])
    model = type(usual)(
        "x", "simulated", "sim-1", "high", usual.tools, options=usual.options, timeout_s=0.2
    )
    with pytest.raises(CallTimedOut, match="total timeout"):
        await asking.once(model, "c")
    assert [entry.delivered for entry in asking.ledger] == [True, False]
    await asking.close()


@pytest.mark.parametrize("lane", LANES)
@pytest.mark.asyncio
async def test_with_every_passing_fault_each_cell_is_delivered_once(lane: str) -> None:
    passing = set(Fault) - LASTING - {Fault.MALFORMED, Fault.ENDLESS}
    asking = Asking()
    model = config(lane, fail=0.8, faults=sorted(passing), storm=5, retry_after_s=0)
    found = await asyncio.gather(*(asking.answer(model, f"c{n}", tries=12) for n in range(60)))
    assert len(found) == 60
    assert len({type(error) for error in asking.failures}) >= 3
    delivered = [entry.cell for entry in asking.ledger if entry.delivered]
    assert sorted(delivered) == sorted(f"c{n}" for n in range(60))
    assert sent_again(asking.ledger) == []
    await asking.close()


@pytest.mark.asyncio
async def test_a_second_answer_to_a_cell_is_found_in_the_books() -> None:
    asking = Asking()
    model = config("chat")
    for cell in ("a", "b", "a"):
        await asking.answer(model, cell)
    assert sent_again(asking.ledger) == [("sim-1", "a", 0, 0)]
    await asking.close()


@pytest.mark.asyncio
async def test_a_storm_meets_the_whole_provider_once() -> None:
    asking = Asking()
    model = config("google", faults=["storm"], storm=7)
    await asyncio.gather(*(asking.answer(model, f"c{n}", tries=9) for n in range(5)))
    assert len(asking.failures) == 7
    await asking.answer(config("anthropic"), "c")  # not another provider
    assert len(asking.failures) == 7
    await asking.close()


@pytest.mark.asyncio
async def test_a_client_that_leaves_is_billed_for_what_it_left() -> None:
    asking = Asking()
    started = asyncio.Event()

    async def forever(_: float) -> None:
        started.set()
        await asyncio.sleep(60)

    asking.below._sleep = forever
    call = asyncio.ensure_future(asking.once(config("anthropic", latency_s=1), "c"))
    await started.wait()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert [(entry.cell, entry.delivered) for entry in asking.ledger] == [("c", False)]
    await asking.close()


def test_faults_are_seeded_and_their_share_is_as_asked() -> None:
    temper = Temper(fail=0.4, faults=("429", "cut", "401"), seed=3)
    found = [fault_of(temper, "m", f"c{n}", 1) for n in range(1000)]
    assert found == [fault_of(temper, "m", f"c{n}", 1) for n in range(1000)]
    kinds = Counter(found)
    assert kinds[None] / 1000 == pytest.approx(0.6, abs=0.05)
    assert set(kinds) == {None, Fault.RATE_LIMIT, Fault.CUT, Fault.UNAUTHORIZED}
    third = Counter(fault_of(temper, "m", f"c{n}", 3) for n in range(1000))
    assert set(third) == {None, Fault.UNAUTHORIZED}
    assert third[Fault.UNAUTHORIZED] == kinds[Fault.UNAUTHORIZED]


@pytest.mark.parametrize("wire", list(Wire))
def test_waits_stand_where_each_provider_puts_them(wire: Wire) -> None:
    failed = error_response(wire, Fault.RATE_LIMIT, 2.5)
    assert failed is not None
    headers = httpx2.Headers(dict(failed.headers))
    assert headers.get("retry-after") == {Wire.CHAT: "2.5", Wire.ANTHROPIC: "2.5"}.get(wire)
    assert headers.get("retry-after-ms") == {Wire.RESPONSES: "2500"}.get(wire)
    assert ("2.5s" in repr(failed.body)) is (wire is Wire.GOOGLE)


@pytest.mark.parametrize("lane", STREAMED)
@pytest.mark.asyncio
async def test_a_stall_takes_as_long_as_the_client_waits(lane: str) -> None:
    asking = Asking()
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    asking.below._sleep = sleep
    usual = config(lane, fail=1, fail_tries=1, faults=["stall"])
    model = type(usual)(
        "x", "simulated", "sim-1", tools=usual.tools, options=usual.options, idle_timeout_s=77
    )
    with pytest.raises(CallTimedOut, match="idle timeout: nothing came for 77 s"):
        await asking.provider.complete(Request(PROMPT, model, "c"))
    assert slept == [77]
    await asking.close()
