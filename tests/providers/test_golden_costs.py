"""Costs of recorded responses, worked out by hand for every provider and every bucket.

Every figure is USD per million times tokens, so amounts are written in millionths of a dollar.
Bodies of models that the price book does not have are priced as one that it has.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from relaybench.catalog.load import load_catalog
from relaybench.domain.completion import Usage
from relaybench.domain.model import ANTHROPIC, GOOGLE, OPENAI, ModelConfig, Prices, PriceTier
from relaybench.domain.money import Cost, cost_of, uncached_cost
from relaybench.providers.openai_tools import billed_uses
from relaybench.providers.reading import read_body
from tests.providers.support import WIRE, needs_wire

DAY = date(2026, 11, 20)
MODELS = {
    "haiku": (ANTHROPIC, "claude-haiku-4-5"),  # 1 / 0.10 / 1.25 (5m), 2 (1h) / 5
    "sonnet": (ANTHROPIC, "claude-sonnet-4-6"),  # 3 / 0.30 / 3.75, 6 / 15; search 0.01
    "opus": (ANTHROPIC, "claude-opus-5"),  # 5 / 0.50 / 6.25, 10 / 25
    "sol": (OPENAI, "gpt-5.6-sol"),  # 4 / 0.40 / 5 / 20; search 0.01
    "gpt": (OPENAI, "gpt-5.5"),  # 5 / 0.50 / 0 / 30; a container of 1 GB 0.03 a session
    "gemini": (GOOGLE, "gemini-3.1-pro-preview"),  # 2 / 0.20 / 12; 0.014 a query
}
#: Prices that the book does not have, made up for these tests or stated by the body itself.
OTHERS = {
    "gemini-2.5": Prices(
        (PriceTier(0, Decimal("1.25"), Decimal("0.25"), None, None, Decimal(10)),),
        {"google_search_prompt": Decimal("0.035")},
    ),
    "openrouter": Prices(
        (PriceTier(0, Decimal("1.75"), Decimal("0.175"), None, None, Decimal(14)),),
        {"web_search": Decimal("0.01")},
    ),
    "deepseek": Prices((PriceTier(0, Decimal("0.28"), Decimal("0.028"), None, None, Decimal(1)),)),
}


@dataclass(frozen=True)
class Case:
    """A recorded body, the model that it is priced as, and what must come out.

    Money is in millionths of a dollar by bucket: input, cached input, cache write, output, tools;
    ``uncached`` had nothing been cached. ``total`` is the sum of tokens that the provider states.
    """

    file: str
    model: str
    usage: Usage
    money: tuple[str, str, str, str, str]
    uncached: str
    fees: Mapping[str, int] = field(default_factory=dict)
    total: int | None = None


CASES = [
    # 10 x 1; 7,351 written for five minutes x 1.25 = 9,188.75; 4 x 5
    Case("anthropic/cache-write-5m.json", "haiku", Usage(10, 0, 7351, 4, None, 0),
         ("10", "0", "9188.75", "20", "0"), "7381"),
    # 10 x 1; 7,351 read x 0.10 = 735.1; 4 x 5
    Case("anthropic/cache-read.json", "haiku", Usage(10, 7351, 0, 4, None, 0),
         ("10", "735.1", "0", "20", "0"), "7381"),
    # 13 x 3; 3,913 written for an hour x 6 = 23,478; 4 x 15. Uncached: 3,926 x 3 + 60
    Case("anthropic/cache-write-1h-stream.sse", "sonnet", Usage(13, 0, 3913, 4, None, 3913),
         ("39", "0", "23478", "60", "0"), "11838"),
    # 8,984 x 3 = 26,952; 520 x 15 = 7,800; one search at a cent
    Case("anthropic/web-search-citations-split-text.json", "sonnet", Usage(8984, 0, 0, 520),
         ("26952", "0", "0", "7800", "10000"), "44752", {"web_search": 1}),
    # The last count of the stream holds: 22,397 x 3 = 67,191; 637 x 15 = 9,555; two searches
    Case("anthropic/web-search-two-searches-stream.sse", "sonnet", Usage(22397, 0, 0, 637),
         ("67191", "0", "0", "9555", "20000"), "96746", {"web_search": 2}),
    # 7,262 x 3 = 21,786; 171 x 15 = 2,565; fetching is free
    Case("anthropic/web-fetch.json", "sonnet", Usage(7262, 0, 0, 171),
         ("21786", "0", "0", "2565", "0"), "24351", {"web_fetch": 1}),
    # 13 x 5; 44 x 25 = 1,100, the 33 tokens of thinking among them
    Case("anthropic/thinking-adaptive-opus-5.json", "opus", Usage(13, 0, 0, 44, 33),
         ("65", "0", "0", "1100", "0"), "1165"),
    # 4,020 - 4,012 = 8 x 4 = 32; 4,012 x 0.40 = 1,604.8; 5 x 20. Uncached: 4,020 x 4 + 100
    Case("openai/cache-read-gpt-5-6.json", "sol", Usage(8, 4012, 0, 5, 0),
         ("32", "1604.8", "0", "100", "0"), "16180", total=4025),
    # 8,576 - 4,418 = 4,158 x 4 = 16,632; 4,418 x 5 = 22,090; 52 x 20 = 1,040; one search
    # Uncached: 8,576 x 4 = 34,304 + 1,040 + 10,000
    Case("openai/web-search-cache-write-gpt-5-6.json", "sol", Usage(4158, 0, 4418, 52, 32),
         ("16632", "0", "22090", "1040", "10000"), "45344", {"web_search": 1}, 8628),
    # 1,493 - 1,280 = 213 x 5 = 1,065; 1,280 x 0.50 = 640; 125 x 30 = 3,750; one container
    # Uncached: 1,493 x 5 = 7,465 + 3,750 + 30,000
    Case("openai/code-interpreter-gpt-5.json", "gpt", Usage(213, 1280, None, 125, 64),
         ("1065", "640", "0", "3750", "30000"), "41215", {"container_1g": 1}, 1618),
    # Three calls in one container are one session: 2,283 x 5 = 11,415; 1,928 x 30 = 57,840
    Case("openai/code-interpreter-three-calls.json", "gpt", Usage(2283, 0, None, 1928, 1792),
         ("11415", "0", "0", "57840", "30000"), "99255", {"container_1g": 1}, 4211),
    # 7,154 x 5 = 35,770; 144 x 30 = 4,320; a search and a container
    Case("openai/multi-tool-search-and-code.json", "gpt", Usage(7154, 0, None, 144, 0),
         ("35770", "0", "0", "4320", "40000"), "80090",
         {"web_search": 1, "container_1g": 1}, 7298),
    # 13 x 5; 2,199 x 30 = 65,970, of which 1,920 are reasoning
    Case("openai/reasoning-long-gpt-5-high.json", "gpt", Usage(13, 0, None, 2199, 1920),
         ("65", "0", "0", "65970", "0"), "66035", total=2212),
    # 13 x 2; thoughts are not among the candidates: (573 + 554) x 12 = 13,524; three queries
    Case("google/google-search-thinking-high-gemini-3.json", "gemini",
         Usage(13, None, None, 1127, 554), ("26", "0", "0", "13524", "42000"), "55550",
         {"google_search": 3}, 1140),
    # 29 x 2; (736 + 1,001) x 12 = 20,844
    Case("google/thinking-high-gemini-3-pro.json", "gemini", Usage(29, None, None, 1737, 1001),
         ("58", "0", "0", "20844", "0"), "20902", total=1766),
    # What a tool brought in stands apart: (257 + 1,732) x 2 = 3,978; (170 + 773) x 12 = 11,316
    Case("google/code-execution-gemini-3-flash.json", "gemini",
         Usage(1989, None, None, 943, 773), ("3978", "0", "0", "11316", "0"), "15294", total=2932),
    # (32 + 4,610) x 2 = 9,284; (25 + 37) x 12 = 744
    Case("google/url-context-stream-gemini-2-5-flash.sse", "gemini",
         Usage(4642, None, None, 62, 37), ("9284", "0", "0", "744", "0"), "10028", total=4704),
    # 3,520 - 3,512 = 8 x 2 = 16; 3,512 x 0.20 = 702.4; (2 + 42) x 12 = 528
    # Uncached: 3,520 x 2 = 7,040 + 528
    Case("google/cached-content.json", "gemini", Usage(8, 3512, None, 44, 42),
         ("16", "702.4", "0", "528", "0"), "7568", total=3564),
    # Gemini 2.5 pays per grounded prompt: (17 + 119) x 1.25 = 170; (201 + 213) x 10 = 4,140
    Case("google/google-search-gemini-2-5-pro.json", "gemini-2.5",
         Usage(136, None, None, 414, 213), ("170", "0", "0", "4140", "35000"), "39310",
         {"google_search_prompt": 1}, 550),
    # 8 x 4 = 32; 4,012 x 5 = 20,060; 4 x 20. Uncached: 4,020 x 4 + 80
    Case("compat/openai-plain-gpt-5-6-cache-write.json", "sol", Usage(8, 0, 4012, 4, 0),
         ("32", "0", "20060", "80", "0"), "16160", total=4024),
    # The total has 28 tokens that no part names: 66 x 2; (6 + 28) x 12 = 408
    Case("compat/gemini-openai-endpoint.json", "gemini",
         Usage(66, None, None, 6, None, None, 28), ("132", "0", "0", "408", "0"), "540",
         total=100),
    # 29,386 - 15,872 = 13,514 x 0.28 = 3,783.92; 15,872 x 0.028 = 444.416; 1,450 x 1
    # Uncached: 29,386 x 0.28 = 8,228.08 + 1,450
    Case("compat/deepseek-responses-web-search.json", "deepseek", Usage(13514, 15872, None, 1450),
         ("3783.92", "444.416", "0", "1450", "0"), "9678.08", total=30836),
    # The body states its price, 0.066407: 16,924 x 1.75 = 29,617; 485 x 14 = 6,790; 3 searches
    Case("compat/openrouter-web-search-gpt-5-2.json", "openrouter", Usage(16924, 0, 0, 485, 449),
         ("29617", "0", "0", "6790", "30000"), "66407", {"web_search": 3}, 17409),
]  # fmt: skip


@pytest.fixture(scope="module")
def prices() -> Mapping[str, Prices]:
    book = load_catalog(Path("no workspace"), DAY).book
    found = {name: book.find(ModelConfig("m", *model), DAY) for name, model in MODELS.items()}
    return {**OTHERS, **{name: each for name, each in found.items() if each is not None}}


def expected(case: Case) -> Cost:
    return Cost(*(Decimal(each) / 1_000_000 for each in case.money))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.file)
def test_what_was_used_costs_what_a_hand_works_out(
    case: Case, prices: Mapping[str, Prices]
) -> None:
    assert cost_of(case.usage, case.fees, prices[case.model]) == expected(case)
    uncached = uncached_cost(case.usage, case.fees, prices[case.model])
    assert uncached == Decimal(case.uncached) / 1_000_000


@needs_wire
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.file)
def test_a_recorded_body_costs_what_a_hand_works_out(
    case: Case, prices: Mapping[str, Prices]
) -> None:
    kind = "text/event-stream" if case.file.endswith(".sse") else "application/json"
    read = read_body((WIRE / case.file).read_bytes(), kind)
    usage = read.usage
    fees: Mapping[str, int] = read.tool_fees
    if case.file.startswith("openai/"):  # only a request tells the size of a container
        body = json.loads((WIRE / case.file).read_bytes())
        small = ModelConfig("m", OPENAI, "m", options={"container_memory": "1g"})
        fees = billed_uses(small, fees, body)
    assert cost_of(usage, fees, prices[case.model]) == expected(case)
    uncached = uncached_cost(usage, fees, prices[case.model])
    assert uncached == Decimal(case.uncached) / 1_000_000
    if case.total is not None:  # the buckets are disjoint, and nothing is left out
        assert usage.input_total is not None
        assert usage.output is not None
        assert usage.input_total + usage.output + (usage.unattributed or 0) == case.total


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.file)
def test_the_buckets_add_up_to_the_total_that_the_provider_states(case: Case) -> None:
    if case.total is None:
        pytest.skip("the provider states no total")
    assert case.usage.input_total is not None
    assert case.usage.output is not None
    parts = case.usage.input_total + case.usage.output + (case.usage.unattributed or 0)
    assert parts == case.total


def test_long_prompts_are_charged_whole_by_their_own_step(prices: Mapping[str, Prices]) -> None:
    # 150,000 + 60,000 > 200,000: 4 / 0.40 / 18 for all of it
    usage = Usage(input=150_000, cached_input=60_000, output=1_000)
    cost = cost_of(usage, {}, prices["gemini"])
    assert cost == Cost(Decimal("0.6"), Decimal("0.024"), Decimal(0), Decimal("0.018"), Decimal(0))
    assert uncached_cost(usage, {}, prices["gemini"]) == Decimal("0.858")  # 210,000 x 4 + 18,000
    # 200,000 is not above it: 2 / 0.20 / 12
    usage = Usage(input=140_000, cached_input=60_000, output=1_000)
    assert cost_of(usage, {}, prices["gemini"]).total == Decimal("0.304")  # 0.28 + 0.012 + 0.012
    # gpt-5.5 above 272,000: 10 / 1 / 45
    usage = Usage(input=272_001, cached_input=0, output=100)
    assert cost_of(usage, {}, prices["gpt"]).total == Decimal("2.72451")  # 2.72001 + 0.0045


def test_a_refusal_that_is_not_billed_costs_nothing(prices: Mapping[str, Prices]) -> None:
    usage = Usage(input=5_000, output=3)
    assert cost_of(usage, {"web_search": 1}, prices["opus"], billed=False).total == 0
    assert uncached_cost(usage, {"web_search": 1}, prices["opus"], billed=False) == 0


@pytest.mark.parametrize(
    ("usage", "fee"),
    [
        ({"inference_geo": "us"}, "inference_geo_us"),
        ({"service_tier": "priority"}, "service_tier_priority"),
        ({"service_tier": "batch"}, "service_tier_batch"),
        ({"iterations": [{"type": "message"}, {"type": "advisor_message"}]},
         "tokens_of_another_model"),
        ({"service_tier": "standard", "inference_geo": "global",
          "iterations": [{"type": "message"}]}, None),
    ],
)  # fmt: skip
def test_what_list_prices_do_not_hold_for_makes_a_cost_unknown(
    usage: dict[str, object], fee: str | None
) -> None:
    body = {
        "type": "message", "role": "assistant", "model": "claude-opus-4-7",
        "content": [{"type": "text", "text": "4"}], "stop_reason": "end_turn",
        "usage": {"input_tokens": 100_000, "output_tokens": 10_000, **usage},
    }  # fmt: skip
    completion = read_body(json.dumps(body).encode())
    prices = Prices((PriceTier(input=Decimal(5), output=Decimal(25)),))
    cost = cost_of(completion.usage, completion.tool_fees, prices)
    assert completion.tool_fees == ({fee: 1} if fee else {})
    assert cost.total == (None if fee else Decimal("0.75"))
    held = Prices(prices.tiers, {fee: Decimal(0)} if fee else {})
    assert cost_of(completion.usage, completion.tool_fees, held).total == Decimal("0.75")
