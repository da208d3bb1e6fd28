"""A watch on the event loop: which of its callbacks took so long that a user would notice.

CPU time of the loop's own thread is taken, so that a busy machine fails no test, and the bound
grows with the time that a fixed piece of work takes on this machine just now.
"""

from __future__ import annotations

import asyncio
import gc
import os
import threading
import time
from dataclasses import dataclass, field
from typing import Any, Final

from relaybench.tui.start import COLLECT

#: CPU seconds that one callback of the event loop may take on a machine at its full speed.
BLOCKED_S: Final = 0.1
#: CPU seconds of ``_work`` on such a machine: one somewhat faster than most, so that a callback
#: just below the bound fails no test on a bad day.
_NOMINAL_S: Final = 0.008


def _work() -> float:
    started = time.thread_time()
    total = 0
    for number in range(200_000):
        total += number % 7
    return time.thread_time() - started


@dataclass(slots=True)
class Watch:
    """Times the callbacks of the loop while ``on``."""

    on: bool = False
    slow: list[str] = field(default_factory=list)
    _threshold: tuple[int, int, int] = (700, 10, 10)
    _collecting_since: float = 0.0
    collected_s: float = 0.0

    def begin(self) -> None:
        """Watch from now on: the application has started, its first screen stands."""
        gc.freeze()  # what the whole test session has made is not to be collected just now
        self._threshold = gc.get_threshold()
        gc.set_threshold(*COLLECT)  # as the application does
        gc.callbacks.append(self._collected)
        self.on = True

    def end(self) -> None:
        """Watch no more."""
        self.on = False
        gc.callbacks.remove(self._collected)
        gc.set_threshold(*self._threshold)
        gc.unfreeze()

    def _collected(self, phase: str, _: dict[str, int]) -> None:
        """Add up what collections of garbage take: most of it is not the application's."""
        if phase == "start":
            self._collecting_since = time.thread_time()
        else:
            self.collected_s += time.thread_time() - self._collecting_since

    def take(self, handle: asyncio.Handle, seconds: float) -> None:
        """Note a callback that took too long."""
        if not self.on or seconds <= BLOCKED_S:
            return
        if threading.current_thread() is not threading.main_thread():
            return  # the loop of a run, which holds up no screen
        # Several workers of the tests share cores and caches: what is slow then may be theirs.
        shared = 1.5 if "PYTEST_XDIST_WORKER" in os.environ else 1.0
        bound_s = BLOCKED_S * shared * max(1.0, _work() / _NOMINAL_S)
        if seconds > bound_s:
            self.slow.append(
                f"{seconds * 1000:.0f} ms (bound {bound_s * 1000:.0f}) in {_name(handle)}"[:500]
            )


def _name(handle: asyncio.Handle) -> str:
    """Whose callback it was: Textual's tasks are named after their widget."""
    task = getattr(getattr(handle, "_callback", None), "__self__", None)
    return task.get_name() if isinstance(task, asyncio.Task) else repr(handle)


WATCH: Final = Watch()


def watched(run: Any) -> Any:
    """``asyncio.Handle._run``, timed."""

    def timed(self: asyncio.Handle) -> Any:
        started, collected = time.thread_time(), WATCH.collected_s
        try:
            return run(self)
        finally:
            garbage = WATCH.collected_s - collected
            WATCH.take(self, time.thread_time() - started - garbage)

    return timed
