"""The simulated model over the four wire formats, through the real adapters and their SDKs."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest

from relaybench.domain.completion import Completion, PartKind, StopReason
from relaybench.domain.errors import SettingRejected
from relaybench.providers.protocol import Phase, Request
from relaybench.providers.reading import read_body
from relaybench.providers.registry import check_config, open_provider
from relaybench.providers.simulated import SimulatedProvider
from relaybench.providers.simulated_call import Call
from relaybench.providers.simulated_exchange import sent_again
from relaybench.providers.simulated_faults import Wire
from relaybench.providers.simulated_settings import simulated_settings, temper_of
from tests.providers.simulated_support import (
    BLOCK,
    KEY,
    LANES,
    PAUSING,
    PROMPT,
    Asking,
    config,
    plain,
    transport,
)

EVERY_END = {"skill": 0.6, "no_block": 0.15, "refuse": 0.15, "truncate": 0.15}


def gist(completion: Completion) -> tuple[object, ...]:
    """What a completion says, however it came."""
    return (
        completion.parts,
        completion.final_text,
        completion.stop_reason,
        completion.usage,
        completion.tool_events,
        completion.tool_fees,
        completion.refusal,
    )


@pytest.mark.parametrize("lane", LANES)
@pytest.mark.asyncio
async def test_every_outcome_occurs_and_the_books_agree(lane: str) -> None:
    asking = Asking()
    found = await asking.cells(config(lane, **EVERY_END), 80)
    assert len(asking.ledger) == 80
    for completion, billed in zip(found, asking.ledger, strict=True):
        assert plain(completion.usage) == plain(billed.usage)
        assert dict(completion.tool_fees) == dict(billed.fees)
        assert completion.billed is billed.charged
        assert billed.delivered
    stops = Counter(each.stop_reason for each in found)
    assert stops[StopReason.END] > 40
    assert stops[StopReason.MAX_TOKENS] > 2
    assert stops[StopReason.REFUSAL] + stops[StopReason.BLOCKED] > 4
    ended = [each for each in found if each.stop_reason is StopReason.END]
    assert any(BLOCK in each.final_text for each in ended)
    assert any("```" not in each.final_text for each in ended)
    assert any(each.thinking for each in ended)
    assert {each.served_model for each in found} <= {"sim-1"}
    assert sent_again(asking.ledger) == []
    await asking.close()


@pytest.mark.parametrize("lane", LANES)
@pytest.mark.asyncio
async def test_two_runs_are_equal_byte_for_byte(lane: str) -> None:
    model = config(lane, **EVERY_END, fail=0.3)
    runs = []
    for _ in range(2):
        asking = Asking()
        found = await asking.cells(model, 15)
        runs.append((found, asking.ledger, [repr(error) for error in asking.failures]))
        await asking.close()
    assert runs[0] == runs[1]
    assert runs[0][2]
    other = Asking()
    assert await other.cells(config(lane, **EVERY_END, seed=6), 15) != runs[0][0]
    await other.close()


@pytest.mark.parametrize("wire", list(Wire))
def test_a_stream_and_a_whole_body_say_the_same(wire: Wire) -> None:
    options = {**EVERY_END, "seed": 3, "pause": 0.3 if wire in PAUSING else 0}
    for number in range(60):
        call = Call(wire, "sim-1", _body(wire), temper_of(options), f"c{number}", stream=True)
        scene = call.scene({PROMPT: KEY})
        streamed, whole = call.reply(scene), call.reply(scene, whole=True)
        assert streamed.content_type != whole.content_type
        one = read_body(streamed.content, streamed.content_type)
        other = read_body(whole.content, whole.content_type)
        assert gist(one) == gist(other)


@pytest.mark.parametrize("lane", LANES)
@pytest.mark.asyncio
async def test_a_stream_in_tiny_pieces_is_the_same_answer(lane: str) -> None:
    usual, tiny = Asking(), Asking()
    model = config(lane, **EVERY_END)
    slow = config(lane, **EVERY_END, fail=1, fail_tries=9, faults=["trickle"])
    one, other = await usual.cells(model, 12), await tiny.cells(slow, 12)
    assert list(map(gist, one)) == list(map(gist, other))
    assert tiny.failures == []
    await usual.close()
    await tiny.close()


@pytest.mark.parametrize("lane", ["anthropic", "responses", "background", "google"])
@pytest.mark.asyncio
async def test_tools_are_used_as_the_config_allows(lane: str) -> None:
    asking = Asking()
    model = config(lane, no_block=0, refuse=0, truncate=0)
    found = await asking.cells(model, 30)
    kinds = Counter(event.kind for each in found for event in each.tool_events)
    assert len(kinds) >= len(model.tools)
    assert any(each.tool_fees for each in found)
    assert any(each.parts[0].kind is PartKind.THINKING for each in found)
    assert all("```" in each.final_text for each in found)
    assert any(each.text != each.final_text for each in found)  # words before a tool
    without = await asking.cells(
        type(model)("bare", "simulated", "sim-2", "high", options=model.options), 10
    )
    assert not any(each.tool_events for each in without)
    await asking.close()


@pytest.mark.parametrize("lane", LANES)
@pytest.mark.asyncio
async def test_it_reports_what_it_does(lane: str) -> None:
    seen: set[Phase] = set()
    asking = Asking()
    model = config(lane, truncate=0, refuse=0)
    for number in range(12):
        await asking.provider.complete(Request(PROMPT, model, f"c{number}", seen.add))
    wanted = {Phase.SENDING, Phase.THINKING}
    assert seen >= (wanted if lane == "background" else wanted | {Phase.ANSWERING})
    await asking.close()


@pytest.mark.asyncio
async def test_prompt_caching_is_simulated_where_it_is_asked_for() -> None:
    asking = Asking()
    first = await asking.cells(config("anthropic", cache="off"), 10)
    assert {each.usage.cache_write for each in first} == {0}
    marked = await asking.cells(config("anthropic", cache="5m"), 10)
    assert all(each.usage.cache_write for each in marked if each.billed)
    assert any(each.usage.cached_input for each in marked)
    hour = await asking.cells(config("anthropic", cache="1h"), 10)
    assert all(each.usage.cache_write_1h == each.usage.cache_write for each in hour)
    assert [plain(each.usage) for each in hour] == [plain(e.usage) for e in asking.ledger[-10:]]
    await asking.close()


@pytest.mark.asyncio
async def test_one_transport_serves_a_whole_cohort_and_keeps_its_books_apart() -> None:
    below = transport()
    for lane in LANES:
        model = config(lane)
        provider = await open_provider(model, {}, transport=below)
        await provider.complete(Request(PROMPT, model, f"cell of {lane}"))
        await provider.aclose()
    assert [entry.wire for entry in below.ledger] == [
        "chat", "anthropic", "responses", "responses", "google",
    ]  # fmt: skip


@pytest.mark.parametrize("lane", LANES)
def test_what_is_asked_of_the_simulator_is_on_record_and_never_in_the_request(lane: str) -> None:
    model = config(lane, skill=0.25)
    settings = SimulatedProvider({}).settings(model)
    assert "simulate" not in simulated_settings(model)
    simulate = settings["simulate"]
    assert isinstance(simulate, dict)
    assert simulate["skill"] == 0.25
    assert "0.25" not in repr({**settings, "simulate": None})


@pytest.mark.parametrize(
    ("lane", "options", "words"),
    [
        ("chat", {"wire": "smoke"}, "wire"),
        ("chat", {"faults": ["499"]}, "faults"),
        ("chat", {"faults": "429"}, "faults"),
        ("chat", {"pause": 0.5}, "pause has no effect"),
        ("responses", {"pause": 0.5}, "pause has no effect"),
        ("anthropic", {"pause": 2}, "pause"),
        ("anthropic", {"polls": -1}, "polls"),
        ("anthropic", {"retry_after_s": "soon"}, "retry_after_s"),
        ("anthropic", {"temperature": 1}, "temperature"),
        ("responses", {"verbosity": "loud"}, "verbosity"),
        ("google", {"skil": 1}, "skil"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    lane: str, options: dict[str, object], words: str
) -> None:
    with pytest.raises(SettingRejected, match=words):
        check_config(config(lane, **options))


def test_a_tool_of_another_provider_is_refused() -> None:
    with pytest.raises(SettingRejected, match="url_context"):
        check_config(type(config("anthropic"))(
            "x", "simulated", "x", tools=("url_context",), options={"wire": "anthropic"}
        ))  # fmt: skip


@pytest.mark.parametrize(
    ("lane", "absent"),
    [
        ("chat", ("anthropic", "google.genai")),
        ("anthropic", ("openai", "google.genai")),
        ("google", ("openai", "anthropic")),
    ],
)
def test_only_the_sdk_of_the_wire_is_loaded(lane: str, absent: tuple[str, ...]) -> None:
    code = f"""
import asyncio, sys
from relaybench.providers.protocol import Request
from tests.providers.simulated_support import PROMPT, Asking, config
asking = Asking()
asyncio.run(asking.answer(config({lane!r}), "c"))
loaded = [name for name in {absent!r} if name in sys.modules]
sys.exit(f"loaded: {{loaded}}" if loaded else 0)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def _body(wire: Wire) -> dict[str, object]:
    """What the real adapter would send, and the prompt."""
    body = dict(simulated_settings(config(wire)))
    match wire:
        case Wire.RESPONSES:
            body["input"] = [{"role": "user", "content": PROMPT}]
        case Wire.GOOGLE:
            body["contents"] = [{"role": "user", "parts": [{"text": PROMPT}]}]
        case _:
            body["messages"] = [{"role": "user", "content": PROMPT}]
    return body
