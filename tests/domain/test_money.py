"""Costs are exact, additive, and unknown where a price is."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.domain.completion import Usage
from relaybench.domain.item import Item, ItemKind, text_digest
from relaybench.domain.model import ModelConfig, Prices, PriceTier
from relaybench.domain.money import (
    FREE,
    UNKNOWN_COST,
    Cost,
    bucket_cost,
    cost_of,
    sum_known,
    uncached_cost,
)

D = Decimal
BASE = PriceTier(0, D("0.1"), D("0.01"), D("0.125"), D("0.2"), D("0.3"))
LONG = PriceTier(1000, D(1), D("0.1"), D("1.25"), D(2), D(3))
PRICES = Prices((BASE, LONG), {"search": D("0.01")})
TOKENS = st.integers(0, 10**9)


def test_a_tenth_stays_a_tenth() -> None:
    cost = cost_of(Usage(input=300, output=0), {}, PRICES)
    assert cost.input == D("0.00003")
    assert str(cost.total) == "0.00003"
    ten = [cost_of(Usage(input=1, output=0), {}, PRICES).total] * 10
    assert sum_known(tuple(ten)) == D("0.000001")


def test_every_bucket_by_hand() -> None:
    usage = Usage(100, 200, 300, 50, reasoning=20, cache_write_1h=100, unattributed=5)
    cost = cost_of(usage, {"search": 3}, PRICES)
    assert cost == Cost(
        input=D("0.00001"),
        cached_input=D("0.000002"),
        cache_write=D("0.000045"),  # 200 x 0.125 + 100 x 0.2
        output=D("0.0000165"),
        tools=D("0.03"),
    )
    assert cost.total == D("0.0300735")


@pytest.mark.parametrize(
    ("usage", "tier"),
    [
        (Usage(input=1000, output=1), BASE),
        (Usage(input=1001, output=1), LONG),
        (Usage(input=0, cached_input=600, cache_write=401, output=1), LONG),
        (Usage(input=0, cached_input=600, cache_write=400, output=1), BASE),
    ],
)
def test_the_tier_goes_by_the_whole_input(usage: Usage, tier: PriceTier) -> None:
    assert tier.output is not None
    assert cost_of(usage, {}, PRICES).output == tier.output / 1_000_000


def test_unknown_prices_make_unknown_costs_never_nought() -> None:
    bare = Prices((PriceTier(0, D(1), None, D(1), None, D(1)),))
    known = Usage(input=5, output=5)
    assert cost_of(known, {}, bare).total == D("0.00001")
    assert cost_of(Usage(5, 1, 0, 5), {}, bare).total is None
    assert cost_of(Usage(5, 0, 3, 5, cache_write_1h=2), {}, bare).cache_write is None
    assert cost_of(known, {"search": 1}, bare).total is None
    assert cost_of(known, {"search": 0}, bare).total == D("0.00001")
    assert cost_of(known, {}, None) == UNKNOWN_COST
    assert cost_of(known, {}, Prices(())) == UNKNOWN_COST
    assert UNKNOWN_COST.total is None
    assert cost_of(Usage(output=5), {}, bare).total is None
    assert cost_of(Usage(input=5), {}, bare).total is None


def test_a_price_of_nought_is_a_price() -> None:
    free = Prices((PriceTier(0, D(1), D(0), D(5), D(0), D(1)),))
    assert cost_of(Usage(0, 9, 9, 0, cache_write_1h=9), {}, free).total == 0


@given(TOKENS, TOKENS, st.decimals(0, 10**6, places=6))
def test_costs_are_additive_and_exact(one: int, other: int, usd: Decimal) -> None:
    both = bucket_cost(one + other, usd)
    parts = (bucket_cost(one, usd), bucket_cost(other, usd))
    assert both == sum_known(parts)
    assert both is not None
    assert int(both.scaleb(12)) == (one + other) * int(usd.scaleb(6))


@given(st.lists(st.tuples(TOKENS, TOKENS, TOKENS, TOKENS), min_size=2, max_size=4))
def test_the_cost_of_the_sum_is_the_sum_of_the_costs(
    calls: list[tuple[int, int, int, int]],
) -> None:
    prices = Prices((BASE,), {})
    usages = [Usage(*call) for call in calls]
    total = usages[0]
    for usage in usages[1:]:
        total = total + usage
    assert cost_of(total, {}, prices).total == sum_known(
        tuple(cost_of(usage, {}, prices).total for usage in usages)
    )


def test_what_is_not_billed_costs_nothing_at_any_price() -> None:
    usage = Usage(100, 200, 300, 50)
    for prices in (PRICES, None, Prices(())):
        assert cost_of(usage, {"search": 3, "other": 1}, prices, billed=False) == FREE
        assert uncached_cost(usage, {"search": 3, "other": 1}, prices, billed=False) == 0


def test_without_caches_all_input_has_the_plain_price() -> None:
    usage = Usage(100, 200, 300, 50, reasoning=20, cache_write_1h=100, unattributed=5)
    # 600 x 0.1 + 55 x 0.3, and three searches
    assert uncached_cost(usage, {"search": 3}, PRICES) == D("0.000076500") + D("0.03")
    # 1,001 tokens in all: the tier of long prompts, 1,001 x 1 + 1 x 3
    assert uncached_cost(Usage(1, 500, 500, 1), {}, PRICES) == D("0.001004")


def test_what_is_unknown_without_caches_stays_unknown() -> None:
    no_reads = Prices((PriceTier(0, D(1), None, None, None, D(1)),))
    assert cost_of(Usage(1, 1, 1, 1), {}, no_reads).total is None
    assert uncached_cost(Usage(1, 1, 1, 1), {}, no_reads) == D("0.000004")
    assert uncached_cost(Usage(cached_input=5, output=1), {}, PRICES) is None
    assert uncached_cost(Usage(input=5), {}, PRICES) is None
    assert uncached_cost(Usage(1, 0, 0, 1), {"other": 1}, PRICES) is None
    assert uncached_cost(Usage(1, 0, 0, 1), {}, None) is None


@given(TOKENS, TOKENS, TOKENS, TOKENS)
def test_without_any_cache_nothing_differs(fresh: int, read: int, write: int, out: int) -> None:
    plain = Usage(fresh + read + write, 0, 0, out)
    assert uncached_cost(plain, {}, PRICES) == cost_of(plain, {}, PRICES).total
    cached = Usage(fresh, read, write, out)
    assert uncached_cost(cached, {}, PRICES) == uncached_cost(plain, {}, PRICES)


def test_usages_keep_what_was_not_reported() -> None:
    assert Usage(input=1) + Usage(output=2) == Usage(input=1, output=2)
    assert Usage().input_total is None
    assert Usage(input=0).input_total == 0


def test_a_digest_changes_with_set_name_prompt_and_key_alone() -> None:
    item = Item("s", "n", ItemKind.COMPOSITE, "prompt", "key")
    other = Item("s", "n", ItemKind.SINGLE, "prompt", "key", "-", encoded=True, bloat_characters=9)
    assert item.digest == other.digest
    changed = [
        Item("t", "n", ItemKind.COMPOSITE, "prompt", "key"),
        Item("s", "m", ItemKind.COMPOSITE, "prompt", "key"),
        Item("s", "n", ItemKind.COMPOSITE, "prompt ", "key"),
        Item("s", "n", ItemKind.COMPOSITE, "prompt", "Key"),
        Item("sn", "", ItemKind.COMPOSITE, "prompt", "key"),
    ]
    assert len({each.digest for each in [item, *changed]}) == 6
    assert item.prompt_sha256 == changed[3].prompt_sha256 == text_digest("prompt")
    assert text_digest("\ud800") != text_digest("?")


def test_two_efforts_are_two_configs_and_prices_are_none() -> None:
    config = ModelConfig("a", "openai", "m", "high")
    assert config.digest != ModelConfig("a", "openai", "m", "low").digest
    assert config.digest == ModelConfig("b", "openai", "m", "high", prices=PRICES).digest
    assert config.label == "m (high, no tools)"
