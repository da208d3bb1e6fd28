"""Hand-built runs: the paper's three models, and a small nasty set for the golden files."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

from relaybench.domain.completion import Usage
from relaybench.domain.item import Item, ItemKind, ItemStep
from relaybench.domain.model import ModelConfig, Prices, PriceTier
from relaybench.domain.money import UNKNOWN_COST, ZERO, Cost, cost_of, uncached_cost
from relaybench.domain.results import Outcome
from relaybench.domain.tools import all_tools
from relaybench.store.cost_facts import CostFacts, ReplacedPrices
from relaybench.store.plans import RunRow, StoredPlan
from relaybench.store.results import AttemptRow, ConfigResult
from relaybench.store.transcripts import Transcript, Turn

#: Texts that only keys, prompts and responses hold: they must never get out unasked.
KEY = "KEY-CANARY-7731"
ANSWER = "ANSWER-CANARY-4410"
PROMPT = "PROMPT-CANARY-9127"
RESPONSE = "RESPONSE-CANARY-5562"
NOTE = f"the answer {ANSWER!r} is not {KEY!r}"
ERROR = f"400: could not read {RESPONSE!r}"
CANARIES = ("CANARY", KEY, ANSWER, PROMPT, RESPONSE)

HOSTILE = '=HYPERLINK("http://x.example","a|b") <b>`x`</b> \x1b[31m\u202e & 50% $_{^}~\\'


def a_run(
    *,
    simulated: bool = False,
    items: int = 30,
    configs: int = 3,
    repeats: int = 1,
    strict: bool = False,
) -> RunRow:
    """A run's row."""
    return RunRow(
        id=1,
        name="paper",
        kind="run",
        simulated=simulated,
        strict=strict,
        repeats=repeats,
        created_at="2026-11-30T03:00:00+00:00",
        version="0.1.0",
        items=items,
        configs=configs,
        answered=items * configs * repeats,
        failed=0,
    )


def some_prices(input: str, cached: str, output: str) -> Prices:
    """Prices of one tier in USD per million."""
    tier = PriceTier(input=Decimal(input), cached_input=Decimal(cached), output=Decimal(output))
    return Prices((tier,), as_of=date(2026, 7, 1), source="https://prices.example")


def result(
    config: ModelConfig,
    counts: Mapping[Outcome, int],
    *,
    planned: int = 30,
    usage: Usage | None = None,
    cost: Cost | None = None,
    problems: tuple[tuple[int, int], ...] | None = None,
    uncosted: int = 0,
    unreported: int = 0,
    retries: int = 0,
    lost_calls: int = 0,
    repaired: int = 0,
    near_misses: int = 0,
    uncached: Decimal | None = None,
    facts: CostFacts | None = None,
) -> ConfigResult:
    """A config's results; one attempt a problem unless ``problems`` says otherwise."""
    usage = usage or Usage()
    scored = sum(count for outcome, count in counts.items() if outcome.scored)
    right = counts.get(Outcome.CORRECT, 0)
    return ConfigResult(
        config=config,
        planned=planned,
        outcomes=counts,
        problems=((1, 1),) * right + ((0, 1),) * (scored - right) if problems is None else problems,
        usage=usage,
        cost=cost_of(usage, {}, config.prices) if cost is None else cost,
        uncosted=uncosted,
        unreported=unreported,
        retries=retries,
        lost_calls=lost_calls,
        repaired=repaired,
        near_misses=near_misses,
        uncached=_uncached(usage, cost, config) if uncached is None else uncached,
        facts=facts or CostFacts(),
    )


def _uncached(usage: Usage, cost: Cost | None, config: ModelConfig) -> Decimal | None:
    if cost is not None and cost.total == 0:
        return ZERO
    return uncached_cost(usage, {}, config.prices)


def paper_results() -> list[ConfigResult]:
    """Table 1 of the Relay-Bench paper, in its order."""
    rows = (
        ("Claude Opus 4.7", "Max", 5, 6, (1_665_250, 31_794_679, 381_340), ("5", "0.50", "25")),
        ("Gemini 3.1 Pro", "High", 12, 18, (12_902_461, 76_623, 597_718), ("2", "0.20", "12")),
        ("GPT-5.5", "xHigh", 13, 26, (2_253_346, 157_568, 369_782), ("5", "0.50", "30")),
    )
    return [
        result(
            ModelConfig(
                name=model.lower().replace(" ", "-"),
                provider="compatible",
                model=model,
                effort=effort,
                prices=some_prices(*prices),
            ),
            {
                Outcome.CORRECT: right,
                Outcome.WRONG: parsed - right,
                Outcome.UNPARSEABLE: 30 - parsed,
            },
            usage=Usage(input=used[0], cached_input=used[1], output=used[2]),
        )
        for model, effort, right, parsed, used, prices in rows
    ]


def nasty_results() -> list[ConfigResult]:
    """Undefined values, unknown costs, tiers, tools, hostile names; two repeats of four items."""
    tiers = Prices(
        (
            PriceTier(
                0, Decimal("1.25"), Decimal("0.125"), Decimal("1.5625"), Decimal("2.5"), Decimal(10)
            ),
            PriceTier(
                200_000, Decimal("2.5"), Decimal("0.25"), Decimal("3.125"), None, Decimal(15)
            ),
        ),
        {"web_search": Decimal("0.01")},
        as_of=date(2026, 11, 1),
        source="read by hand",
    )
    full = ModelConfig(
        "tiered", "openai", "tiered-1", "high", tools=all_tools("openai"), prices=tiers
    )
    hostile = ModelConfig("hostile", "compatible", HOSTILE, prices=some_prices("1", "0.1", "2"))
    silent = ModelConfig("silent", "compatible", "silent \ud800\0 \u540d\u524d", effort="-1")
    unpriced = ModelConfig("unpriced", "google", "unpriced", tools=all_tools("google"))
    tiny = ModelConfig(
        "tiny",
        "anthropic",
        "tiny",
        tools=all_tools("anthropic"),
        prices=some_prices("0.01", "0.001", "0.02"),
    )
    sim = ModelConfig("sim", "simulated", "sim-alpha", effort="high")
    outcome = Outcome
    return [
        result(silent, {outcome.ERROR: 3}, planned=8, cost=Cost(ZERO, ZERO, ZERO, ZERO, ZERO)),
        result(
            full,
            {outcome.CORRECT: 5, outcome.WRONG: 2, outcome.TRUNCATED: 1},
            planned=8,
            problems=((2, 2), (2, 2), (1, 2), (0, 2)),
            usage=Usage(300_000, 120_000, 40_000, 25_000, 20_000, 10_000, 7),
            cost=Cost(*map(Decimal, ("0.50000001", "0.02", "0.07", "0.250105", "0.03"))),
            retries=4,
            repaired=1,
            near_misses=1,
            uncached=Decimal("0.855"),
            facts=CostFacts(
                estimate=(Decimal("0.5"), Decimal("1.255")),
                estimate_basis="from 3 past answers of the same items",
                replaced=(
                    ReplacedPrices("2026-11-02T03:04:05.000+00:00", None, None),
                    ReplacedPrices(
                        "2026-11-03T03:04:05.000+00:00", some_prices("1", "0.1", "2"), Decimal(1)
                    ),
                ),
                step=200_000,
                stepped=2,
            ),
        ),
        result(
            hostile,
            {outcome.CORRECT: 1, outcome.WRONG: 1, outcome.UNPARSEABLE: 2, outcome.ERROR: 1},
            planned=8,
            problems=((1, 2), (0, 2)),
            usage=Usage(input=1_000, output=1_100),
            lost_calls=2,
            facts=CostFacts(unsaved_calls=3, under_way=1, unsaved_usd=Decimal("0.255")),
        ),
        result(
            unpriced,
            {outcome.CORRECT: 5, outcome.REFUSED: 2, outcome.STALLED: 1},
            planned=8,
            problems=((2, 2), (1, 2), (1, 2), (1, 2)),
            usage=Usage(input=5_000, cached_input=0, output=900),
            cost=UNKNOWN_COST,
            uncosted=8,
            unreported=2,
        ),
        result(
            tiny,
            {outcome.UNPARSEABLE: 8},
            planned=8,
            problems=((0, 2),) * 4,
            usage=Usage(input=100, cached_input=1, output=10),
        ),
        result(
            sim,
            {outcome.WRONG: 8},
            planned=8,
            problems=((0, 2),) * 4,
            usage=Usage(input=0, cached_input=0, output=0),
            cost=Cost(ZERO, ZERO, ZERO, ZERO, ZERO),
        ),
    ]


def nasty_run(*, simulated: bool = True) -> RunRow:
    """The run of ``nasty_results``: four items, two repeats."""
    return a_run(simulated=simulated, items=4, configs=6, repeats=2)


def an_item(name: str = "relay-01") -> Item:
    """An item whose prompt and key are canaries."""
    return Item(
        set_name="private",
        name=name,
        kind=ItemKind.COMPOSITE,
        prompt=f"{PROMPT}\nLet A_STR be it.",
        key=KEY,
        separator="-",
        steps=(ItemStep("A", "math/x:y", "math", KEY),),
        domains=("math", "coding"),
        encoded=True,
        encoding_seed=7,
        bloat_characters=7813,
    )


def an_attempt(
    number: int = 1, item: Item | None = None, config: ModelConfig | None = None
) -> AttemptRow:
    """A wrong attempt whose texts are canaries."""
    item = item or an_item()
    config = config or paper_results()[0].config
    return AttemptRow(
        id=number,
        item=item.ref,
        item_digest=item.digest,
        prompt_sha256=item.prompt_sha256,
        step_count=len(item.steps),
        domains=item.domains,
        encoded=item.encoded,
        bloat_characters=item.bloat_characters,
        model=config.label,
        config_name=config.name,
        config_digest=config.digest,
        repeat=0,
        outcome=Outcome.WRONG,
        answer=ANSWER,
        key=item.key,
        near_miss=False,
        repaired=True,
        steps={"A": False, "B": True, "C": None},
        note=NOTE,
        raw_stop_reason=f"stop: {RESPONSE}",
        error_kind="bad_request",
        error_message=ERROR,
        calls=2,
        started_at="2026-11-30T03:00:00+00:00",
        finished_at=None,
        usage=Usage(input=10, output=20, unattributed=5),
        cost=Decimal("0.000001"),
    )


def a_transcript(row: AttemptRow | None = None) -> Transcript:
    """An attempt with a response of its own."""
    text = f"{RESPONSE} \ud800\0\x1b[2J\n```\n{ANSWER}\n```"
    turn = Turn(text=text, answer_text=None, refusal=None, followed=False, nudge=None)
    return Transcript(row or an_attempt(), "end", True, (turn,))


def a_plan(run: RunRow | None = None, configs: list[ModelConfig] | None = None) -> StoredPlan:
    """A stored plan of two items and the paper's models."""
    chosen = configs or [each.config for each in paper_results()]
    items = [an_item("relay-01"), an_item("relay-02")]
    return StoredPlan(
        run or a_run(),
        {item.digest: item for item in items},
        {config.digest: config for config in chosen},
        {item.digest: number for number, item in enumerate(items, 1)},
        {config.digest: number for number, config in enumerate(chosen, 1)},
    )
