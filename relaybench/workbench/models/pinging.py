"""Ask models for one word: do key, model id, tools and effort work?

What came of it is no result and is kept apart (``ping_history``): the last ping of each config.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final, Protocol

from relaybench.composing.estimate import estimate_tokens
from relaybench.domain.completion import Completion, StopReason, Usage
from relaybench.domain.errors import AuthenticationFailed, ProviderError, SettingRejected
from relaybench.domain.model import ModelConfig
from relaybench.domain.model_ids import same_model
from relaybench.domain.money import cost_of, sum_known
from relaybench.providers.protocol import Provider, Request
from relaybench.providers.registry import check_config, key_present, open_provider
from relaybench.runner.budget import cost_of_failure, cost_of_response
from relaybench.workbench.call_rule import HIGH_OUTPUT, INPUT_MARGIN
from relaybench.workbench.models.ping_advice import advice, answered, internal_fault
from relaybench.workbench.workspace import Workspace

WORD: Final = "pong"
PROMPT: Final = (
    f"This only tests a connection. Write the word {WORD} in one fenced code block, and nothing "
    "else. No tool is needed."
)
#: Output tokens that a ping may take, thinking included, where its settings allow so few.
OUTPUT_LIMIT: Final = 2_000
TIMEOUT_S: Final = 120.0
#: Output tokens at the low end of an estimate, and input tokens of one tool's description.
_LOW_OUTPUT: Final = 20
_TOOL_TOKENS: Final = 2_000
#: Pings under way at one provider at a time.
_AT_ONCE: Final = 4
_BY_HAND: Final = "it is answered by hand"
#: Ends with which a model has taken its settings and begun to work.
_FINE: Final = (
    StopReason.END,
    StopReason.STOP_SEQUENCE,
    StopReason.MAX_TOKENS,
    StopReason.PAUSE,
    StopReason.LIMIT,
)


class Opener(Protocol):
    """Opens the adapter of a config: ``open_provider``, or a test's own."""

    def __call__(
        self,
        config: ModelConfig,
        environment: Mapping[str, str],
        *,
        answers: Mapping[str, str] | None = None,
    ) -> Awaitable[Provider]:
        """Raises ProviderError where it cannot be opened."""
        ...


@dataclass(frozen=True, slots=True)
class PlannedPing:
    """A config to ping: ``sent`` is it with a ping's limits, ``key`` whether its key is set.

    ``refused`` says why nothing is sent for it. Costs are in USD, from low to high; None: unknown.
    """

    config: ModelConfig
    sent: ModelConfig
    key: bool | None
    refused: ProviderError | None
    cost_low: Decimal | None
    cost_high: Decimal | None


@dataclass(frozen=True, slots=True)
class PingPlan:
    """What is pinged, and by name what is left out and why."""

    pings: tuple[PlannedPing, ...]
    skipped: Mapping[str, str]

    @property
    def open(self) -> tuple[PlannedPing, ...]:
        """Those for which something is sent."""
        return tuple(each for each in self.pings if each.refused is None)

    @property
    def cost(self) -> tuple[Decimal | None, Decimal | None]:
        """USD from low to high of all that is sent; None where a price is unknown."""
        return (
            sum_known(tuple(each.cost_low for each in self.open)),
            sum_known(tuple(each.cost_high for each in self.open)),
        )


@dataclass(frozen=True, slots=True)
class PingResult:
    """What came of one ping: a completion or an error; cost in USD, None where it is unknown."""

    planned: PlannedPing
    completion: Completion | None = None
    error: ProviderError | None = None
    cost: Decimal | None = None
    seconds: float | None = None

    @property
    def sent(self) -> bool:
        """Whether anything was sent."""
        return self.seconds is not None

    @property
    def reached(self) -> bool:
        """Whether anything came back from the provider's address."""
        return self.completion is not None or bool(self.error and self.error.http_status)

    @property
    def ok(self) -> bool:
        """Whether the model took its settings and answered."""
        return self.completion is not None and self.completion.stop_reason in _FINE

    @property
    def other_model(self) -> str | None:
        """The model that answered, where it is another than was asked for."""
        served = self.completion and self.completion.served_model
        return served if served and not same_model(self.planned.config.model, served) else None

    @property
    def answer(self) -> str:
        """What the model did, in words of ours; empty where no answer came."""
        return "" if self.completion is None else answered(self.completion, WORD)

    @property
    def advice(self) -> str:
        """What to do about an error; empty where there is none."""
        return "" if self.error is None else advice(self.error, self.planned.config)


def plan_pings(
    workspace: Workspace,
    names: Sequence[str] = (),
    cohorts: Sequence[str] = (),
    *,
    timeout_s: float = TIMEOUT_S,
) -> PingPlan:
    """Choose what to ping and say what it may cost. Nothing is sent.

    Without names: every config whose key is present. Manual ones are always left out. Raises
    UnknownNameError.
    """
    catalog = workspace.catalog()
    asked_for = bool(names or cohorts)
    among = catalog.choose(cohorts, names) if asked_for else tuple(catalog.models.values())
    skipped = {
        config.name: why
        for config in among
        if (why := _BY_HAND if config.manual else "" if asked_for else _why_not(config, workspace))
    }
    chosen = tuple(each for each in among if each.name not in skipped)
    return PingPlan(tuple(_planned(each, workspace, timeout_s) for each in chosen), skipped)


def _why_not(config: ModelConfig, workspace: Workspace) -> str:
    match key_present(config, workspace.environment):
        case True:
            return ""
        case False:
            return f"{config.key_env} is not set"
    return "simulated" if config.simulated else "it needs no key"


def _planned(config: ModelConfig, workspace: Workspace, timeout_s: float) -> PlannedPing:
    key = key_present(config, workspace.environment)
    sent = config
    refused: ProviderError | None = None
    try:
        check_config(config)  # as a run would send it
        sent = _limited(config, timeout_s)
    except SettingRejected as error:
        refused = error
    if refused is None and key is False:
        refused = AuthenticationFailed(f"the environment variable {config.key_env} is not set")
    tokens = estimate_tokens(PROMPT) + estimate_tokens(config.instructions or "")
    most = int(tokens * INPUT_MARGIN) + _TOOL_TOKENS * len(config.tools)
    least_out = min(_LOW_OUTPUT, sent.max_output_tokens or HIGH_OUTPUT)
    return PlannedPing(
        config,
        sent,
        key,
        refused,
        _cost(config, tokens, least_out),
        _cost(config, most, sent.max_output_tokens or HIGH_OUTPUT),
    )


def _cost(config: ModelConfig, fresh: int, output: int) -> Decimal | None:
    return cost_of(Usage(input=fresh, output=output), {}, config.prices).total


def _limited(config: ModelConfig, timeout_s: float) -> ModelConfig:
    """The config with a ping's limits. Its own output limit stays where less does not fit it.

    That is so where it asks for a thinking budget that the ping's limit has no room for.
    """
    quick = replace(
        config,
        timeout_s=min(config.timeout_s, timeout_s),
        idle_timeout_s=min(config.idle_timeout_s, timeout_s),
    )
    capped = replace(
        quick, max_output_tokens=min(config.max_output_tokens or OUTPUT_LIMIT, OUTPUT_LIMIT)
    )
    budget = config.options.get("budget_tokens")
    if isinstance(budget, int):  # thinking is part of the output
        room = min(config.max_output_tokens or budget + OUTPUT_LIMIT, budget + OUTPUT_LIMIT)
        capped = replace(quick, max_output_tokens=room)
    try:
        check_config(capped)
    except SettingRejected:
        return quick
    return capped


async def ping(
    workspace: Workspace,
    plan: PingPlan,
    *,
    opener: Opener = open_provider,
    on_result: Callable[[PingResult], None] = lambda _: None,
) -> list[PingResult]:
    """Send one tiny prompt for each config of the plan, all providers at the same time.

    Each is sent once: an error is a result, not retried and not raised. ``on_result`` gets each
    result as it comes.
    """
    lanes: dict[str, list[PlannedPing]] = {}
    for each in plan.open:
        lanes.setdefault(each.config.provider_key, []).append(each)
    done: dict[str, PingResult] = {}
    async with asyncio.TaskGroup() as group:
        for lane in lanes.values():
            group.create_task(_lane(workspace, lane, opener, done, on_result))
    return [
        PingResult(each, error=each.refused) if each.refused else done[each.config.name]
        for each in plan.pings
    ]


async def _lane(
    workspace: Workspace,
    lane: Sequence[PlannedPing],
    opener: Opener,
    done: dict[str, PingResult],
    on_result: Callable[[PingResult], None],
) -> None:
    """Ping the configs that share a provider."""
    first = lane[0].sent

    def take(result: PingResult) -> None:
        done[result.planned.config.name] = result
        on_result(result)

    try:
        provider = await opener(
            first, workspace.environment, answers={PROMPT: WORD} if first.simulated else None
        )
    except Exception as error:
        told = error if isinstance(error, ProviderError) else internal_fault(error)
        for each in lane:
            take(PingResult(each, error=told))
        return
    places = asyncio.Semaphore(min(_AT_ONCE, *(each.config.concurrency for each in lane)))

    async def one(planned: PlannedPing) -> None:
        async with places:
            take(await _ping(provider, planned))

    try:
        async with asyncio.TaskGroup() as group:
            for each in lane:
                group.create_task(one(each))
    finally:
        await provider.aclose()


async def _ping(provider: Provider, planned: PlannedPing) -> PingResult:
    request = Request(PROMPT, planned.sent, f"ping/{planned.config.name}")
    prices = planned.config.prices
    begun = time.monotonic()
    try:
        completion = await provider.complete(request)
    except ProviderError as error:
        seconds = time.monotonic() - begun
        cost = cost_of_failure(error, prices).total
        return PingResult(planned, error=error, cost=cost, seconds=seconds)
    except Exception as error:
        return PingResult(planned, error=internal_fault(error), seconds=time.monotonic() - begun)
    return PingResult(
        planned,
        completion=completion,
        cost=cost_of_response(completion, prices).total,
        seconds=time.monotonic() - begun,
    )
