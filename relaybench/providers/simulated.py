"""The simulated provider: a made-up model behind the real adapter. Imports the SDK: load lazily.

The simulator is a transport below the SDK, so that request building, streaming, decoding, error
handling and usage are the real ones; only the model is invented. What a config asks of it goes
along in a header of its own, never in the prompt.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Final

import httpx2

from relaybench.domain.model import ModelConfig
from relaybench.providers.compatible import CompatibleProvider
from relaybench.providers.pieces import listing, mapping
from relaybench.providers.protocol import Request
from relaybench.providers.simulated_model import answer, failure
from relaybench.providers.simulated_settings import simulated_settings, temper_of
from relaybench.providers.simulated_wire import json_body, sse_pieces

BASE_URL: Final = "http://simulated.invalid/v1"  # .invalid: can never be a real server
HEADER: Final = "x-relaybench-simulate"
Sleep = Callable[[float], Awaitable[None]]


class SimulatedTransport(httpx2.AsyncBaseTransport):
    """Answers chat-completions requests as a seeded model, from prompts and their keys.

    The same seed, model and cell always fare the same; only failures of a first try pass.
    """

    def __init__(self, answers: Mapping[str, str], sleep: Sleep = asyncio.sleep) -> None:
        """Take the key of each prompt; ``sleep`` stands in for the time that thinking takes."""
        self._answers = answers
        self._sleep = sleep
        self._tries: dict[tuple[str, str, int], int] = {}

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer one request."""
        body = mapping(json.loads(await request.aread()))
        options = mapping(json.loads(request.headers.get(HEADER, "{}")))
        temper = temper_of(options)
        cell = str(options.get("cell", ""))
        model = str(body.get("model"))
        place = (model, cell, temper.seed)
        number = self._tries[place] = self._tries.get(place, 0) + 1
        failed = failure(temper, model, cell, number)
        if failed is not None:
            status, headers, error = failed
            return httpx2.Response(status, headers=headers, json={"error": error})
        prompt = _prompt(body)
        said = answer(prompt, self._answers.get(prompt), temper, model, cell)
        if not body.get("stream"):
            await self._wait(temper.latency_s)
            return httpx2.Response(200, json=json_body(said, model, cell))
        pieces = sse_pieces(said, model, cell)
        headers = {"content-type": "text/event-stream; charset=utf-8"}
        stream = _Stream(pieces, self._wait, temper.latency_s)
        return httpx2.Response(200, headers=headers, stream=stream)

    async def _wait(self, seconds: float) -> None:
        if seconds > 0:
            await self._sleep(seconds)


class SimulatedProvider(CompatibleProvider):
    """The real adapter on the simulator; needs no key and no network."""

    def __init__(
        self,
        answers: Mapping[str, str],
        *,
        sleep: Sleep = asyncio.sleep,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        """Take the key of each prompt that may be asked; ``transport`` replaces the simulator."""
        super().__init__(BASE_URL, None, transport=transport or SimulatedTransport(answers, sleep))

    def settings(self, config: ModelConfig) -> Mapping[str, object]:
        """What a request carries, with the simulation's own settings under ``simulate``."""
        body = self._body(config)
        asked = {name: value for name, value in config.options.items() if name != "stream"}
        return {**body, "simulate": asked}

    def _body(self, config: ModelConfig) -> dict[str, object]:
        return simulated_settings(config)

    def _request_headers(self, request: Request) -> Mapping[str, str]:
        options = {n: v for n, v in request.config.options.items() if n != "stream"}
        return {HEADER: json.dumps({**options, "cell": request.cell})}


class _Stream(httpx2.AsyncByteStream):
    def __init__(self, pieces: Sequence[bytes], wait: Sleep, latency_s: float) -> None:
        self._pieces = pieces
        self._wait = wait
        self._pause_s = latency_s / max(1, len(pieces))

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self._pieces:
            await self._wait(self._pause_s)
            yield piece


def _prompt(body: Mapping[str, object]) -> str:
    for message in reversed(listing(body.get("messages"))):
        content = mapping(message).get("content")
        if mapping(message).get("role") == "user" and isinstance(content, str):
            return content
    return ""
