"""Items and models of the synthetic results file that ``benchmarks/results_store.py`` builds."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date
from decimal import Decimal

from relaybench.domain.item import Item, ItemKind, ItemStep
from relaybench.domain.model import ModelConfig, Prices, PriceTier

MODELS = 20
DOMAINS = ("bio", "chemistry", "coding", "history", "language", "logic", "math", "physics")
CLASSES = 6  # of each domain
DAY = date(2026, 11, 1)


def items_of(count: int, draw: random.Random) -> list[Item]:
    """Items, about two thirds of them in pairs: plain, and encoded or bloated."""
    text = prose(200_000, draw)
    items: list[Item] = []
    while len(items) < count:
        number = len(items)
        name = f"relay-{number:04}"
        steps = tuple(
            ItemStep(
                label=chr(ord("A") + n),
                use=f"{(domain := draw.choice(DOMAINS))}/class-{draw.randrange(CLASSES)}:i-{n}",
                domain=domain,
                answer=str(draw.randrange(10, 99_999)),
                in_answer=n != 1,
                inputs=(("x", chr(ord("A") + n - 1)),) if n else (),
                augment=("plus 1",) if n % 3 == 2 else (),
            )
            for n in range(draw.randint(2, 13))
        )
        forms = draw.choice([[(False, 0)], [(False, 0), (True, 0)], [(False, 0), (True, 9_000)]])
        if number % 7 == 0:
            forms = [(False, 0), (False, 12_000)]
        length = draw.randint(3_000, 45_000)
        for encoded, bloat in forms[: count - number]:
            start = draw.randrange(len(text) - 60_000)
            items.append(
                Item(
                    set_name="synthetic",
                    name=name,
                    kind=ItemKind.COMPOSITE,
                    prompt=f"{number} {encoded} {bloat} {text[start : start + length + bloat]}",
                    key="-".join(step.answer for step in steps if step.in_answer),
                    separator="-",
                    steps=steps,
                    domains=tuple(sorted({step.domain for step in steps})),
                    encoded=encoded,
                    encoding_seed=number if encoded else None,
                    bloat_characters=bloat,
                    substitutions=400 if encoded else 0,
                    dictionary_size=120 if encoded else 0,
                    estimated_tokens=(length + bloat) // 4,
                )
            )
    return items


def configs_of() -> list[ModelConfig]:
    """Ten models at two efforts: half with a step in their price, the last without any price."""
    tiers = [
        PriceTier(
            input=Decimal(n + 1) / 4,
            cached_input=Decimal(n + 1) / 40,
            cache_write=Decimal(n + 1) / 2,
            output=Decimal(n + 1) * 2,
        )
        for n in range(MODELS)
    ]
    return [
        ModelConfig(
            name=f"model-{n}",
            provider="compatible",
            model=f"model-{n // 2}",
            effort="high" if n % 2 else "low",
            base_url="http://localhost/v1",
            prices=None if n == MODELS - 1 else Prices(_tiers(tier, n), {}, DAY, "made up"),
        )
        for n, tier in enumerate(tiers)
    ]


def _tiers(tier: PriceTier, number: int) -> tuple[PriceTier, ...]:
    return (tier, replace(tier, above=200_000)) if number % 2 else (tier,)


def prose(characters: int, draw: random.Random) -> str:
    """About so many characters of made-up words."""
    words = ["".join(draw.choices("aeioubdgklmnprst", k=draw.randint(2, 9))) for _ in range(3_000)]
    return " ".join(draw.choices(words, k=characters // 5))
