"""The simulated provider: made-up models behind the real adapters. Imports httpx2: load lazily.

The simulator is a transport below the SDKs, so that request building, streaming, decoding, error
handling and usage are the real ones; only the models are invented. What a config asks of them
goes along in a header of its own, never in the prompt. Only the SDK of the wire format that a
config speaks is loaded.
"""

from __future__ import annotations

import asyncio
import importlib
import json
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, Final

import httpx2

from relaybench.domain.completion import Completion
from relaybench.domain.model import ModelConfig
from relaybench.providers.protocol import Provider, Request
from relaybench.providers.simulated_call import HEADER
from relaybench.providers.simulated_delivery import Sleep
from relaybench.providers.simulated_exchange import Billed
from relaybench.providers.simulated_faults import Wire
from relaybench.providers.simulated_settings import (
    asked_of_simulator,
    real_config,
    simulated_settings,
    wire_of,
)
from relaybench.providers.simulated_transport import SimulatedTransport

#: .invalid can never be a real server.
_HOST: Final = "http://simulated.invalid"
#: Module, class and base URL of the real adapter behind each wire format.
_ADAPTERS: Final[Mapping[Wire, tuple[str, str, str]]] = {
    Wire.CHAT: ("compatible", "CompatibleProvider", f"{_HOST}/v1"),
    Wire.ANTHROPIC: ("anthropic", "AnthropicProvider", _HOST),
    Wire.RESPONSES: ("openai", "OpenAIProvider", f"{_HOST}/v1"),
    Wire.GOOGLE: ("google", "GoogleProvider", _HOST),
}
#: Google's adapter takes no request without a key; this one opens nothing.
_GOOGLE_KEY: Final = "key-of-the-simulator"
#: Made-up work in the background takes seconds where real work takes minutes.
_FASTER: Final = 50.0
_ASKED: Final[ContextVar[Mapping[str, object]]] = ContextVar("relaybench_simulate")


class SimulatedProvider:
    """The real adapters on the simulator; needs no key and no network."""

    def __init__(
        self,
        answers: Mapping[str, str],
        *,
        sleep: Sleep = asyncio.sleep,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        """Take the key of each prompt that may be asked; ``transport`` replaces the simulator."""
        self._sleep = sleep
        self._transport = transport or SimulatedTransport(answers, sleep)
        self._adapters: dict[Wire, Provider] = {}
        self._opening = asyncio.Lock()

    @property
    def ledger(self) -> list[Billed]:
        """What the simulated providers billed; empty where another transport is below."""
        below = self._transport
        return below.ledger if isinstance(below, SimulatedTransport) else []

    def settings(self, config: ModelConfig) -> Mapping[str, object]:
        """What a request carries, with the simulation's own settings under ``simulate``."""
        return {**simulated_settings(config), "simulate": asked_of_simulator(config)}

    async def complete(self, request: Request) -> Completion:
        """Send one request, once, through the real adapter. Raises ProviderError."""
        settings = self.settings(request.config)
        adapter = await self._adapter(wire_of(request.config))
        asked = {**asked_of_simulator(request.config), "cell": request.cell}
        if wire_of(request.config) is Wire.RESPONSES:
            asked["model"] = request.config.model
            if request.handle is not None:  # a simulator that was started anew must know
                asked["carried"] = simulated_settings(request.config)
        before = _ASKED.set(asked)
        try:
            completion = await adapter.complete(
                replace(request, config=real_config(request.config))
            )
        finally:
            _ASKED.reset(before)
        return replace(completion, settings_sent=settings)

    async def aclose(self) -> None:
        """Close all adapters."""
        for adapter in self._adapters.values():
            await adapter.aclose()

    async def _adapter(self, wire: Wire) -> Provider:
        async with self._opening:
            if wire not in self._adapters:
                # In a thread: an SDK takes up to a second to import.
                self._adapters[wire] = await asyncio.to_thread(self._open, wire)
            return self._adapters[wire]

    def _open(self, wire: Wire) -> Provider:
        module, name, base_url = _ADAPTERS[wire]
        base: Any = getattr(importlib.import_module(f"relaybench.providers.{module}"), name)
        simulated = type(f"Simulated{name}", (base,), {"_request_headers": _headers})
        key = _GOOGLE_KEY if wire is Wire.GOOGLE else None
        more = {"sleep": self._wait} if wire is Wire.RESPONSES else {}
        adapter: Provider = simulated(base_url, key, transport=self._transport, **more)
        return adapter

    async def _wait(self, seconds: float) -> None:
        await self._sleep(seconds / _FASTER)


def _headers(_: object, request: Request) -> Mapping[str, str]:
    """What replaces an adapter's own: the simulation's settings of the call under way."""
    return {HEADER: json.dumps(_ASKED.get({}))}
