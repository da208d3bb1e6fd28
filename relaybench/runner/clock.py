"""Time as the runner sees it, so that tests can let hours pass in no time."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """A clock that can be waited on."""

    def time(self) -> float:
        """Seconds since some fixed moment, never going back."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait that long."""
        ...


class SystemClock:
    """The real clock; a change of the wall clock does not disturb it."""

    def time(self) -> float:
        """Seconds on the monotonic clock."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait for real."""
        await asyncio.sleep(seconds)


async def ring_or_moment(bell: asyncio.Event, clock: Clock, moment: float | None) -> None:
    """Wait until a bell rings, or until a moment of the clock where one is given."""
    if moment is None:
        await bell.wait()
        return
    waits = [
        asyncio.ensure_future(bell.wait()),
        asyncio.ensure_future(clock.sleep(max(0.0, moment - clock.time()))),
    ]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for each in waits:
            each.cancel()
        await asyncio.gather(*waits, return_exceptions=True)
