"""The simulated model: seeded, varied, near its settings, and on the real wire."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.domain.completion import Completion, StopReason
from relaybench.domain.errors import ProviderError, RateLimited, ServerFault, SettingRejected
from relaybench.domain.model import ModelConfig
from relaybench.providers.protocol import Phase, Request
from relaybench.providers.simulated import SimulatedProvider
from relaybench.providers.simulated_model import UNKNOWN_PROMPT, Answer, Temper, answer, wrong

PROMPT = "What is the answer, as A_STR-B_STR-C_STR?"
KEY = "Lovelace-42-blue_sky"
BLOCK = f"```\n{KEY}\n```"


def simulated(**options: object) -> ModelConfig:
    return ModelConfig("sim", "simulated", "sim-1", options={"latency_s": 0, **options})


class Asking:
    """Asks one simulated provider for many cells; keeps answers and failures."""

    def __init__(self) -> None:
        self.slept: list[float] = []
        self.failures: list[ProviderError] = []

    async def ask(self, config: ModelConfig, cells: int, prompt: str = PROMPT) -> list[Completion]:
        async def sleep(seconds: float) -> None:
            self.slept.append(seconds)

        provider = SimulatedProvider({PROMPT: KEY}, sleep=sleep)
        found = []
        for number in range(cells):
            found.append(await self.one(provider, Request(prompt, config, f"item.{number}")))
        await provider.aclose()
        return found

    async def one(self, provider: SimulatedProvider, request: Request) -> Completion:
        for _ in range(3):
            try:
                return await provider.complete(request)
            except ProviderError as error:
                self.failures.append(error)
        raise AssertionError("it never succeeded")


def last_block(text: str) -> str | None:
    """The content of the last closed block, as the simulator writes them."""
    pieces = text.split("```")
    return pieces[-2].strip("\n") if len(pieces) > 2 else None


@pytest.mark.asyncio
async def test_the_same_seed_gives_the_same_bytes() -> None:
    one = await Asking().ask(simulated(seed=3), 30)
    assert one == await Asking().ask(simulated(seed=3), 30)
    assert one != await Asking().ask(simulated(seed=4), 30)


@pytest.mark.asyncio
async def test_asking_again_gives_the_same_answer() -> None:
    provider = SimulatedProvider({PROMPT: KEY})
    request = Request(PROMPT, simulated(fail=0), "cell")
    first, second = await asyncio.gather(provider.complete(request), provider.complete(request))
    assert first == second
    await provider.aclose()


@pytest.mark.asyncio
async def test_every_kind_of_outcome_occurs() -> None:
    options = {"skill": 0.5, "no_block": 0.1, "refuse": 0.1, "truncate": 0.1, "fail": 0.3}
    asking = Asking()
    found = await asking.ask(simulated(**options), 250)
    stops = Counter(completion.stop_reason for completion in found)
    assert set(stops) == {
        StopReason.END,
        StopReason.MAX_TOKENS,
        StopReason.REFUSAL,
        StopReason.BLOCKED,
    }
    assert {type(error) for error in asking.failures} == {RateLimited, ServerFault}
    assert all(
        error.retry_after_s == 1 for error in asking.failures if isinstance(error, RateLimited)
    )
    ended = [completion for completion in found if completion.stop_reason is StopReason.END]
    assert any("```" not in completion.text for completion in ended)
    assert any(completion.text.count("```") == 4 for completion in ended)  # a draft before
    assert any(completion.thinking for completion in ended)
    assert any(completion.text.startswith("<think>") for completion in ended)
    assert any(completion.refusal for completion in found)
    cut = [completion for completion in found if completion.stop_reason is StopReason.MAX_TOKENS]
    assert {completion.text.count("```") for completion in cut} == {0, 1}  # before and in a block
    assert all(BLOCK not in completion.text for completion in cut)
    assert any(KEY.swapcase() in completion.text for completion in ended)


def said(temper: Temper, cells: int, prompt: str = PROMPT) -> list[Answer]:
    """What the model says, without the wire: many cells in little time."""
    return [answer(prompt, KEY, temper, "sim-1", f"c{number}") for number in range(cells)]


def share_right(skill: float, prompt: str = PROMPT) -> float:
    temper = Temper(skill=skill, no_block=0, refuse=0, truncate=0)
    return sum(last_block(each.content) == KEY for each in said(temper, 500, prompt)) / 500


@pytest.mark.parametrize("skill", [0.0, 0.3, 0.7, 1.0])
def test_the_share_of_right_answers_is_near_the_skill(skill: float) -> None:
    assert share_right(skill) == pytest.approx(skill, abs=0.0 if skill in (0, 1) else 0.12)


def test_shares_of_the_other_outcomes() -> None:
    found = said(Temper(no_block=0.2, refuse=0.2, truncate=0.2), 2000)
    refused = sum(bool(each.refusal) or each.finish_reason == "content_filter" for each in found)
    cut = sum(each.finish_reason == "length" for each in found)
    blockless = sum("```" not in each.content for each in found if each.finish_reason == "stop")
    blockless -= sum(bool(each.refusal) for each in found)
    for number in (refused, cut, blockless):
        assert number / 2000 == pytest.approx(0.2, abs=0.03)


def test_long_and_encoded_prompts_are_harder() -> None:
    codes = [f"<{one}{other}z>" for one in "abcdefgh" for other in "ABCDEFGH"]
    prompts = [f"{PROMPT} {number}" for number in range(20)]
    plain = sum(share_right(0.6, prompt) for prompt in prompts)
    encoded = sum(share_right(0.6, f"{prompt} {' '.join(codes)}") for prompt in prompts)
    bloated = sum(share_right(0.6, prompt + "x" * 30_000) for prompt in prompts)
    assert encoded < bloated < plain


@pytest.mark.asyncio
async def test_it_fails_first_and_then_succeeds() -> None:
    asking = Asking()
    found = await asking.ask(simulated(fail=1), 60)
    assert len(found) == 60
    assert 60 < len(asking.failures) < 120  # once or twice each
    assert all(error.retryable for error in asking.failures)
    asking = Asking()
    await asking.ask(simulated(fail=0), 60)
    assert asking.failures == []


@pytest.mark.asyncio
async def test_a_prompt_that_it_does_not_know_gets_an_honest_wrong_answer() -> None:
    config = simulated(no_block=0, refuse=0, truncate=0, fail=0, skill=1)
    found = await Asking().ask(config, 5, prompt="Who are you?")
    assert {last_block(completion.text) for completion in found} == {UNKNOWN_PROMPT}


@pytest.mark.asyncio
@pytest.mark.parametrize("stream", [True, False])
async def test_usage_adds_up_and_the_model_is_named(stream: bool) -> None:
    found = await Asking().ask(simulated(stream=stream), 60)
    for completion in found:
        usage = completion.usage
        assert completion.served_model == completion.requested_model == "sim-1"
        assert usage.input_total == -(-len(PROMPT) // 4)
        assert usage.output is not None
        assert usage.output >= (usage.reasoning or 0)
        assert usage.unattributed is None
        assert completion.settings_sent["stream"] is stream
    assert any(completion.usage.reasoning for completion in found)


@pytest.mark.asyncio
async def test_streamed_and_whole_say_the_same() -> None:
    whole = await Asking().ask(simulated(stream=False), 40)
    streamed = await Asking().ask(simulated(stream=True), 40)
    for one, other in zip(whole, streamed, strict=True):
        assert (one.text, one.thinking, one.refusal) == (other.text, other.thinking, other.refusal)
        assert (one.stop_reason, one.usage) == (other.stop_reason, other.usage)


@pytest.mark.asyncio
async def test_long_prompts_are_partly_cached_at_times() -> None:
    prompt = PROMPT * 100
    found = await Asking().ask(simulated(fail=0), 60, prompt=prompt)
    cached = [completion.usage.cached_input for completion in found]
    assert 0 in cached
    assert any(cached)


@pytest.mark.asyncio
async def test_time_passes_only_by_the_given_sleep() -> None:
    asking = Asking()
    await asking.ask(simulated(latency_s=2.0, fail=0), 1)
    assert sum(asking.slept) == pytest.approx(2.0)
    assert len(asking.slept) > 5


@pytest.mark.asyncio
async def test_what_it_is_told_is_not_in_the_prompt_but_on_record() -> None:
    (completion,) = await Asking().ask(simulated(skill=0.25, fail=0), 1)
    assert "0.25" not in completion.request_json
    assert "item.0" not in completion.request_json
    assert completion.settings_sent["simulate"] == {"latency_s": 0, "skill": 0.25, "fail": 0}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"skil": 1}, "'skil'"),
        ({"temperature": 1}, "'temperature'"),
        ({"skill": 1.5}, "skill"),
        ({"fail": "often"}, "fail"),
        ({"refuse": True}, "refuse"),
        ({"skill": float("nan")}, "skill"),
        ({"seed": 1.5}, "seed"),
        ({"latency_s": -1}, "latency_s"),
        ({"stream": 1}, "stream"),
        ({"refuse": 0.5, "truncate": 0.6}, "exceed 1"),
    ],
)
def test_settings_that_make_no_sense_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingRejected, match=words):
        SimulatedProvider({}).settings(simulated(**options))


@pytest.mark.asyncio
async def test_phases_are_reported() -> None:
    seen: set[Phase] = set()
    provider = SimulatedProvider({PROMPT: KEY})
    for number in range(20):
        await provider.complete(Request(PROMPT, simulated(fail=0), f"c{number}", seen.add))
    await provider.aclose()
    assert seen == {Phase.SENDING, Phase.THINKING, Phase.ANSWERING}


@given(st.text(min_size=1), st.integers(0, 1000))
def test_a_wrong_answer_is_never_the_key(key: str, seed: int) -> None:
    assert wrong(key, random.Random(seed)) != key
