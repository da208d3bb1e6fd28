"""The simulated provider: a made-up model behind the real adapter. Imports the SDK: load lazily.

The simulator is a transport below the SDK, so that request building, streaming, decoding, error
handling and usage are the real ones; only the model is invented. What a config asks of it goes
along in a header of its own, never in the prompt.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import httpx2

from relaybench.domain.errors import SettingRejected
from relaybench.domain.model import ModelConfig
from relaybench.providers.chat_settings import chat_settings, check_names
from relaybench.providers.compatible import CompatibleProvider
from relaybench.providers.pieces import listing, mapping
from relaybench.providers.protocol import Request
from relaybench.providers.simulated_model import Temper, answer, failure
from relaybench.providers.simulated_wire import json_body, sse_pieces

BASE_URL: Final = "http://simulated.invalid/v1"  # .invalid: can never be a real server
HEADER: Final = "x-relaybench-simulate"
#: Options of a simulated config: shares from 0 to 1, seconds, a seed, and how it answers.
OPTIONS: Final = (
    "skill",
    "no_block",
    "refuse",
    "truncate",
    "fail",
    "latency_s",
    "seed",
    "stream",
)
_SHARES: Final = ("skill", "no_block", "refuse", "truncate", "fail")

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
        check_names(config, OPTIONS)
        for name in (*_SHARES, "latency_s", "seed"):
            _check_number(config, name)
        temper = temper_of(config.options)
        if temper.no_block + temper.refuse + temper.truncate > 1:
            raise SettingRejected(
                f"model config {config.name!r}: no_block, refuse and truncate together exceed 1"
            )
        plain = {name: value for name, value in config.options.items() if name == "stream"}
        return chat_settings(replace(config, options=plain))

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


def temper_of(options: Mapping[str, object]) -> Temper:
    """Read the simulation's settings; those that are not given have their usual values."""
    known = {n: v for n, v in options.items() if n in (*_SHARES, "latency_s")}
    numbers = {n: float(v) for n, v in known.items() if isinstance(v, int | float)}
    seed = options.get("seed", 0)
    return Temper(**numbers, seed=seed if isinstance(seed, int) else 0)


def _check_number(config: ModelConfig, name: str) -> None:
    value = config.options.get(name)
    if value is None:
        return
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if name == "seed":
        good, wanted = number and isinstance(value, int), "a whole number"
    elif name in _SHARES:
        good, wanted = number and 0 <= float(str(value)) <= 1, "a number from 0 to 1"
    else:
        good, wanted = number and 0 <= float(str(value)) <= 3600, "seconds from 0 to 3600"
    if not good:
        raise SettingRejected(
            f"model config {config.name!r}: options.{name} is {value!r}, but must be {wanted}"
        )


def _prompt(body: Mapping[str, object]) -> str:
    for message in reversed(listing(body.get("messages"))):
        content = mapping(message).get("content")
        if mapping(message).get("role") == "user" and isinstance(content, str):
            return content
    return ""
