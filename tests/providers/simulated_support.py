"""What the tests of the simulator share: configs of each wire format, and asking through them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from relaybench.domain.completion import Completion, StopReason, Turn, Usage
from relaybench.domain.errors import ProviderError
from relaybench.domain.model import ModelConfig
from relaybench.providers.protocol import Request
from relaybench.providers.simulated import SimulatedProvider
from relaybench.providers.simulated_exchange import Billed
from relaybench.providers.simulated_transport import SimulatedTransport

PROMPT = "What is the answer, as A_STR-B_STR-C_STR? " * 150
KEY = "Lovelace-42-blue_sky"
BLOCK = f"```\n{KEY}\n```"
ALL_TOOLS: Mapping[str, tuple[str, ...]] = {
    "chat": (),
    "anthropic": ("web_search", "web_fetch", "code_execution"),
    "responses": ("web_search", "code_interpreter"),
    "google": ("google_search", "url_context", "code_execution"),
}
#: The wire formats, and the one that also has work in the background.
LANES = ("chat", "anthropic", "responses", "background", "google")
PAUSING = ("anthropic", "google")


def config(lane: str, **options: object) -> ModelConfig:
    """A config with all tools of its wire; without latency and, unless asked for, faults."""
    wire = "responses" if lane == "background" else lane
    usual: dict[str, object] = {"wire": wire, "latency_s": 0, "fail": 0, "seed": 5}
    if wire == "responses":
        usual["background"] = lane == "background"
    if wire == "google":
        usual["include_server_side_tool_invocations"] = True
    return ModelConfig(
        f"sim-{lane}", "simulated", "sim-1", "high", ALL_TOOLS[wire], options=usual | options
    )


async def no_sleep(_: float) -> None:
    """Let others go on; no time passes."""
    await asyncio.sleep(0)


def transport(answers: Mapping[str, str] | None = None) -> SimulatedTransport:
    """A simulated provider that knows one prompt."""
    return SimulatedTransport({PROMPT: KEY} if answers is None else answers, no_sleep)


@dataclass
class Asking:
    """Asks through the real adapters as a run does; keeps what failed."""

    below: SimulatedTransport = field(default_factory=transport)
    failures: list[ProviderError] = field(default_factory=list)
    handles: list[str] = field(default_factory=list)
    begun: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        """Open the provider."""
        self.provider = SimulatedProvider({}, sleep=no_sleep, transport=self.below)

    @property
    def ledger(self) -> list[Billed]:
        """What was billed so far."""
        return self.below.ledger

    async def once(self, model: ModelConfig, cell: str, **more: Any) -> Completion:
        """One try."""
        request = Request(PROMPT, model, cell, on_handle=self._keep, **more)
        return await self.provider.complete(request)

    async def answer(
        self, model: ModelConfig, cell: str, earlier: tuple[Turn, ...] = (), tries: int = 5
    ) -> Completion:
        """One call, tried again where that may help, with a handle where there is one."""
        handle: str | None = None
        for _ in range(tries):
            try:
                return await self.once(model, cell, earlier=earlier, handle=handle)
            except ProviderError as error:
                self.failures.append(error)
                handle = error.handle
                if not error.retryable:
                    raise
        raise AssertionError("it never succeeded")

    async def turns(self, model: ModelConfig, cell: str) -> list[Completion]:
        """One attempt to its end: all pieces of a turn that pauses."""
        found = [await self.answer(model, cell)]
        while found[-1].stop_reason is StopReason.PAUSE:
            earlier = tuple(Turn(each.response_raw) for each in found)
            found.append(await self.answer(model, cell, earlier))
        return found

    async def cells(self, model: ModelConfig, number: int) -> list[Completion]:
        """The last response of so many attempts."""
        return [(await self.turns(model, f"c{each}"))[-1] for each in range(number)]

    async def close(self) -> None:
        """Close the adapters."""
        await self.provider.aclose()

    async def _keep(self, handle: str) -> None:
        self.handles.append(handle)
        self.begun.set()


def plain(usage: Usage) -> Usage:
    """A usage in which what was not reported counts as none, to compare books with answers."""
    return replace(
        usage,
        input=usage.input or 0,
        cached_input=usage.cached_input or 0,
        cache_write=usage.cache_write or 0,
        output=usage.output or 0,
        reasoning=usage.reasoning or 0,
        cache_write_1h=usage.cache_write_1h or 0,
        unattributed=usage.unattributed or 0,
    )
