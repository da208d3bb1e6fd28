"""What the runner asks of a provider, whatever its wire format."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from relaybench.domain.completion import Completion, Turn
from relaybench.domain.model import ModelConfig


class Phase(StrEnum):
    """What a call is doing right now, for live progress."""

    SENDING = "sending"
    THINKING = "thinking"
    QUEUED = "queued at the provider"
    SEARCHING = "searching"
    RUNNING_CODE = "running code"
    ANSWERING = "answering"


async def _forget(_: str) -> None:
    """Keep no handle."""


@dataclass(frozen=True, slots=True)
class Request:
    """One prompt for one model config, or the next turn of its attempt.

    ``prompt`` is sent byte for byte. ``cell`` is a stable name of the run's cell, the same for
    every try of it. ``on_phase`` is called as the response comes in (never with text).
    ``earlier`` holds the attempt's turns so far, oldest first: the adapter replays them untouched
    behind the prompt. ``handle`` names work that an earlier call left under way at the provider:
    the adapter asks for its result and sends nothing. An adapter that starts such work awaits
    ``on_handle`` with its handle before it waits for the result; when that returns the handle is
    on the disk.
    """

    prompt: str
    config: ModelConfig
    cell: str
    on_phase: Callable[[Phase], None] = lambda _: None
    earlier: tuple[Turn, ...] = ()
    handle: str | None = None
    on_handle: Callable[[str], Awaitable[None]] = _forget


class Provider(Protocol):
    """An adapter: turns a request into a completion, or raises a ProviderError.

    One instance serves one (provider, base URL, key) and is shared by all its model configs.
    """

    def settings(self, config: ModelConfig) -> Mapping[str, object]:
        """What a request with this config carries besides the prompt.

        Raises SettingRejected where the config asks for something this adapter cannot send.
        """
        ...

    async def complete(self, request: Request) -> Completion:
        """Send one request, once: no retries here. Raises ProviderError; cancellation passes."""
        ...

    async def aclose(self) -> None:
        """Close connections."""
        ...
