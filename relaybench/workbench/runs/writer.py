"""Writes to the store in a thread of its own, those that wait together in one transaction.

A commit waits for the disk, and by the time one is through, others have come: they share the next
one. Whoever asked for a write goes on only when it is on the disk. Where the shared transaction
fails, nothing of it stands and each write is carried out by itself, so that one that cannot be made
does not take others with it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from relaybench.store.database import Connection

T = TypeVar("T")

#: Writes that share a transaction at most: what one bad write makes the others do again.
_TOGETHER: Final = 50


@dataclass(frozen=True, slots=True)
class _Write:
    work: Callable[[], Any]
    result: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop


class Writer:
    """One thread that owns a connection while a run goes on."""

    def __init__(self, connection: Connection) -> None:
        """Take a connection that nothing else uses until ``close``."""
        self._on = connection
        self._waiting: deque[_Write] = deque()
        self._called = False
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="relaybench-store")

    async def write(self, work: Callable[[], T]) -> T:
        """Carry a write out; returns when it is on the disk, raises what it raised.

        It may be carried out twice where the first time is undone: it must do nothing but write.
        """
        loop = asyncio.get_running_loop()
        result: asyncio.Future[T] = loop.create_future()
        self._waiting.append(_Write(work, result, loop))
        if not self._called:
            self._called = True
            self._thread.submit(self._write_waiting)
        return await result

    async def read(self, work: Callable[[], T]) -> T:
        """Do something that only reads in the thread that owns the connection."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def close(self) -> None:
        """Wait for what is being written."""
        self._thread.shutdown(wait=True)

    def _write_waiting(self) -> None:
        self._called = False  # before the look: whoever comes after it calls again
        while self._waiting:
            count = min(len(self._waiting), _TOGETHER)
            self._write_together([self._waiting.popleft() for _ in range(count)])

    def _write_together(self, writes: list[_Write]) -> None:
        try:
            with self._on.writing():
                results = [write.work() for write in writes]
        except BaseException:
            for write in writes:
                self._write_alone(write)
            return
        for write, result in zip(writes, results, strict=True):
            _tell(write, result, None)

    def _write_alone(self, write: _Write) -> None:
        try:
            with self._on.writing():
                result = write.work()
        except BaseException as error:
            _tell(write, None, error)
        else:
            _tell(write, result, None)


def _tell(write: _Write, result: object, error: BaseException | None) -> None:
    def settle() -> None:
        if write.result.done():  # whoever asked has gone
            return
        if error is None:
            write.result.set_result(result)
        else:
            write.result.set_exception(error)

    write.loop.call_soon_threadsafe(settle)
