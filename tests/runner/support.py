"""A runner's world without network, disk or real time: clock, provider, recorder."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypeVar

from relaybench.domain.completion import Completion, StopReason, Trail, Usage
from relaybench.domain.errors import ProviderError, RelaybenchError
from relaybench.domain.item import Item, ItemKind
from relaybench.domain.model import ModelConfig, Prices, PriceTier
from relaybench.domain.results import Cell, Outcome
from relaybench.providers.protocol import Request
from relaybench.runner.budget import Budget
from relaybench.runner.clock import Clock
from relaybench.runner.cohort import CohortRunner
from relaybench.runner.events import Event, RunEnded
from relaybench.runner.plan import RunPlan
from relaybench.runner.recorder import CallTicket
from relaybench.runner.retry import RetryPolicy

#: A dollar a million tokens, in and out.
PRICES = Prices((PriceTier(input=Decimal(1), output=Decimal(1)),))
#: What ``answer`` uses, in USD at these prices.
CALL_COST = Decimal("0.01")

T = TypeVar("T")

Reply = Completion | BaseException


class FakeClock:
    """Hours pass in no time: whenever all tasks wait, the next sleeper's moment has come."""

    def __init__(self) -> None:
        self.now = 0.0
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()
        self._watching = False

    def time(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        loop = asyncio.get_running_loop()
        woken: asyncio.Future[None] = loop.create_future()
        heapq.heappush(self._sleepers, (self.now + seconds, next(self._numbers), woken))
        if not self._watching:
            self._watching = True
            loop.call_soon(self._watch, loop)
        await woken

    def _watch(self, loop: asyncio.AbstractEventLoop) -> None:
        if not getattr(loop, "_ready"):  # noqa: B009 (private: nobody else has anything to do)
            while self._sleepers and self._sleepers[0][2].done():
                heapq.heappop(self._sleepers)
            if not self._sleepers:
                self._watching = False
                return
            moment, _, woken = heapq.heappop(self._sleepers)
            self.now = max(self.now, moment)
            woken.set_result(None)
        loop.call_soon(self._watch, loop)


class HastyClock:
    """Every wait is over after two turns of the loop: for tests that count those turns."""

    def __init__(self) -> None:
        self.now = 0.0

    def time(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        self.now += seconds


def answer(cost: Decimal | None = CALL_COST) -> Completion:
    """A completion that costs that much at ``PRICES``; None: usage not reported."""
    tokens = None if cost is None else int(cost * 1_000_000)
    usage = Usage() if tokens is None else Usage(input=tokens, output=0)
    return Completion("```\n42\n```", StopReason.END, "stop", usage, "m")


@dataclass(slots=True)
class FakeProvider:
    """Answers by ``reply(cell id, number of the try)`` after ``seconds`` of the clock."""

    clock: Clock
    reply: Callable[[str, int], Reply] = lambda cell, number: answer()
    seconds: Callable[[str, int], float] = lambda cell, number: 1.0
    sent: list[tuple[float, str]] = field(default_factory=list)
    delivered: list[str] = field(default_factory=list)
    under_way: int = 0
    most: int = 0
    levels: list[int] = field(default_factory=list)
    prompts: list[str] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    handle: str | None = None  # given for each new prompt before the wait
    _tries: Counter[str] = field(default_factory=Counter)

    def settings(self, config: ModelConfig) -> dict[str, object]:
        return {}

    async def complete(self, request: Request) -> Completion:
        cell = request.cell
        self._tries[cell] += 1
        number = self._tries[cell]
        self.sent.append((self.clock.time(), cell))
        self.prompts.append(request.prompt)
        self.requests.append(request)
        if self.handle and request.handle is None:
            await request.on_handle(self.handle)
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        self.levels.append(self.under_way)
        try:
            await self.clock.sleep(self.seconds(cell, number))
        finally:
            self.under_way -= 1
        reply = self.reply(cell, number)
        if isinstance(reply, BaseException):
            raise reply
        self.delivered.append(cell)
        return reply

    async def aclose(self) -> None:
        pass

    def tries(self, cell: Cell) -> int:
        return self._tries[cell.id]


@dataclass(slots=True)
class FakeRecorder:
    """Keeps everything, and insists: one end for each call, one answer for each cell."""

    turns: int = 1
    fail_on: Callable[[str, Cell], RelaybenchError | Exception | None] = lambda method, cell: None
    calls: dict[int, tuple[Cell, str]] = field(default_factory=dict)
    answers: dict[str, Completion] = field(default_factory=dict)
    failures: list[tuple[Cell, ProviderError, float | None]] = field(default_factory=list)
    given_up: dict[str, ProviderError] = field(default_factory=dict)
    handles: dict[int, str] = field(default_factory=dict)
    taken: list[tuple[Cell, Completion, str | None]] = field(default_factory=list)

    async def _turn(self, method: str, cell: Cell) -> None:
        for _ in range(self.turns):
            await asyncio.sleep(0)
        error = self.fail_on(method, cell)
        if error:
            raise error

    def _end(self, ticket: CallTicket, how: str) -> None:
        cell, state = self.calls[ticket.id]
        assert state == "sent", f"a call of {cell.id} that is {state} ends again as {how}"
        self.calls[ticket.id] = (cell, how)

    async def call_started(self, cell: Cell, handle: str | None = None) -> CallTicket:
        await self._turn("call_started", cell)
        assert cell.id not in self.answers, f"{cell.id} is sent again after it was answered"
        ticket = CallTicket(cell, len(self.calls) + 1)
        self.calls[ticket.id] = (cell, "sent")
        if handle is not None:
            self.handles[ticket.id] = handle
        return ticket

    async def handle_given(self, ticket: CallTicket, handle: str) -> None:
        await self._turn("handle_given", ticket.cell)
        self.handles[ticket.id] = handle

    async def turn_taken(
        self, ticket: CallTicket, completion: Completion, nudge: str | None
    ) -> None:
        await self._turn("turn_taken", ticket.cell)
        self._end(ticket, "turn")
        self.taken.append((ticket.cell, completion, nudge))

    async def call_failed(
        self, ticket: CallTicket, error: ProviderError, wait_s: float | None
    ) -> None:
        await self._turn("call_failed", ticket.cell)
        self._end(ticket, "failed")
        self.failures.append((ticket.cell, error, wait_s))

    async def call_lost(self, ticket: CallTicket) -> None:
        await self._turn("call_lost", ticket.cell)
        self._end(ticket, "lost")

    async def answered(self, ticket: CallTicket, completion: Completion) -> Outcome:
        await self._turn("answered", ticket.cell)
        assert ticket.cell.id not in self.answers, f"{ticket.cell.id} is stored twice"
        self._end(ticket, "answered")
        self.answers[ticket.cell.id] = completion
        return Outcome.CORRECT

    async def gave_up(self, cell: Cell, error: ProviderError) -> None:
        await self._turn("gave_up", cell)
        self.given_up[cell.id] = error

    def states(self) -> Counter[str]:
        return Counter(state for _, state in self.calls.values())


def config(name: str = "m", lane: str = "a", most: int = 4, prices: Prices | None = PRICES,
           ) -> ModelConfig:  # fmt: skip
    """A config of the provider that ``lane`` names."""
    return ModelConfig(
        name=name, provider="compatible", model=name, base_url=f"http://{lane}.test/v1",
        concurrency=most, prices=prices,
    )  # fmt: skip


def items(count: int) -> list[Item]:
    return [Item("s", f"c{n}", ItemKind.COMPOSITE, f"prompt {n}", "42") for n in range(count)]


@dataclass(slots=True)
class World:
    """A plan of ``count`` items for some configs, and everything around it."""

    configs: Sequence[ModelConfig] = field(default_factory=lambda: [config()])
    count: int = 4
    clock: Clock = field(default_factory=FakeClock)
    recorder: FakeRecorder = field(default_factory=FakeRecorder)
    budget: Budget = field(default_factory=Budget)
    policy: RetryPolicy = field(default_factory=RetryPolicy)
    expected: Callable[[Cell], Decimal | None] = lambda cell: None
    concurrency: int | None = None
    answered: frozenset[str] = frozenset()
    trails: dict[Cell, Trail] = field(default_factory=dict)
    providers: dict[str, FakeProvider] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    runner: CohortRunner = field(init=False)
    cells: list[Cell] = field(init=False)

    def __post_init__(self) -> None:
        """Build the runner."""
        all_items = items(self.count)
        self.cells = [Cell(i.digest, c.digest, 0) for i in all_items for c in self.configs]
        for each in self.configs:
            self.providers.setdefault(each.provider_key, FakeProvider(self.clock))
        plan = RunPlan(
            {item.digest: item for item in all_items},
            {each.digest: each for each in self.configs},
            self.expected,
            self.answered,
            self.trails,
        )
        self.runner = CohortRunner(
            plan=plan,
            providers=self.providers,
            recorder=self.recorder,
            on_event=self.events.append,
            policy=self.policy,
            clock=self.clock,
            budget=self.budget,
            concurrency=self.concurrency,
            draw=random.Random(1),
        )

    @property
    def provider(self) -> FakeProvider:
        return self.providers[self.configs[0].provider_key]

    async def run(self) -> RunEnded:
        return await self.runner.run(self.cells)

    def of(self, kind: type[T]) -> list[T]:
        return [event for event in self.events if isinstance(event, kind)]
