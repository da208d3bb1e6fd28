"""Pings in a thread with an event loop of its own, so that no SDK holds the screen up."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from relaybench.workbench.models.ping_history import keep_pings
from relaybench.workbench.models.pinging import ping

if TYPE_CHECKING:
    from relaybench.workbench.models.pinging import PingPlan, PingResult
    from relaybench.workbench.workspace import Workspace


class PingThread:
    """One round of pings. ``on_result`` is called in the thread, as each result comes."""

    def __init__(
        self, workspace: Workspace, plan: PingPlan, on_result: Callable[[PingResult], object]
    ) -> None:
        self._workspace, self._plan, self._on_result = workspace, plan, on_result
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[object] | None = None
        self._stopped = False
        self.came: list[PingResult] = []

    async def run(self) -> list[PingResult]:
        """Send the pings and keep what came of them; returns results in the plan's order.

        Where ``stop`` cut it short it returns, and keeps, those that had come by then. Raises
        StoreError where they cannot be kept: ``came`` has them all the same.
        """
        try:
            return await asyncio.to_thread(self._run)
        except asyncio.CancelledError:
            self.stop()  # the screen goes: nothing must go on behind it
            raise

    def stop(self) -> None:
        """Wait for no more answers; what was sent may be billed all the same."""
        self._stopped = True
        loop, task = self._loop, self._task
        if loop is not None and task is not None and not loop.is_closed():
            loop.call_soon_threadsafe(task.cancel)

    def _run(self) -> list[PingResult]:
        with contextlib.suppress(asyncio.CancelledError):  # what came by then is kept
            self.came = asyncio.run(self._send())
        keep_pings(self._workspace, self.came)
        return self.came

    async def _send(self) -> list[PingResult]:
        self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        if self._stopped:
            return []
        return await ping(self._workspace, self._plan, on_result=self._take)

    def _take(self, result: PingResult) -> None:
        self.came.append(result)
        self._on_result(result)
