"""The recorder that writes to the store: one thread owns the file while a run goes on."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeVar

from relaybench.domain.completion import Completion, StopReason
from relaybench.domain.errors import ProviderError, StoreError
from relaybench.domain.item import Item
from relaybench.domain.model import ModelConfig
from relaybench.domain.results import Cell, Outcome
from relaybench.runner.recorder import CallTicket
from relaybench.store.attempts import Attempts
from relaybench.store.database import Connection
from relaybench.store.plans import StoredPlan
from relaybench.store.recording import Recording
from relaybench.workbench.judging import judge

T = TypeVar("T")

_LOG: Final = logging.getLogger(__name__)


class StoreRecorder:
    """Writes calls and answers in a thread of its own, so that no disk holds up the event loop.

    Every method returns when its transaction is on the disk. An answer that the store will not
    take is put into a rescue file that ``relaybench import`` reads, and its name is in the error.
    """

    def __init__(self, connection: Connection, plan: StoredPlan) -> None:
        self._plan = plan
        self._path = connection.path
        self._recording = Recording(connection, plan)
        self._attempts = Attempts(connection)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="relaybench-store")

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def call_started(self, cell: Cell) -> CallTicket:
        """Write down a call before it is sent."""
        return CallTicket(cell, await self._in_thread(lambda: self._recording.call_started(cell)))

    async def call_failed(
        self, ticket: CallTicket, error: ProviderError, wait_s: float | None
    ) -> None:
        """Write down a call's failure."""
        await self._in_thread(lambda: self._recording.call_failed(ticket.id, error, wait_s))

    async def call_lost(self, ticket: CallTicket) -> None:
        """Write down that a call was abandoned."""
        await self._in_thread(lambda: self._recording.call_lost(ticket.id))

    async def gave_up(self, cell: Cell, error: ProviderError) -> None:
        """Write down that an attempt has failed for good."""
        await self._in_thread(lambda: self._recording.gave_up(cell, error))

    async def answered(self, ticket: CallTicket, completion: Completion) -> Outcome:
        """Store the answer in a transaction of its own; only then read it back and grade it."""

        def store_then_grade() -> Outcome:
            try:
                attempt = self._recording.answered(ticket.cell, ticket.id, completion)
            except Exception as error:
                rescued = self._rescue(ticket.cell, completion)
                raise StoreError(
                    f"{error}. The answer that could not be stored was put into {rescued}; "
                    "`relaybench import` reads it."
                ) from error
            return self._grade(attempt)

        return await self._in_thread(store_then_grade)

    def _grade(self, attempt: int) -> Outcome:
        """Grade a stored answer; one that the grader trips over stays ungraded."""
        try:
            answer = self._attempts.gradable(attempt)
            strict = self._plan.run.strict
            verdict = judge(answer, self._attempts.item(answer.item_id), strict=strict)
        except StoreError:
            raise
        except Exception:
            # The answer is safe, and grading is free: no reason to end a run that costs money.
            _LOG.exception("attempt %d could not be graded", attempt)
            return Outcome.PENDING
        self._recording.graded(attempt, answer.item_id, verdict, strict=strict)
        return verdict.outcome

    def grade_ungraded(self) -> int:
        """Grade answers whose grading a dead process did not reach; returns how many."""
        outcomes = [self._grade(each) for each in self._attempts.ungraded(self._plan.run)]
        return sum(outcome is not Outcome.PENDING for outcome in outcomes)

    def mark_lost(self) -> int:
        """Mark calls that a dead process left open; returns how many."""
        return self._recording.mark_lost()

    def _rescue(self, cell: Cell, completion: Completion) -> Path:
        """Append an answer to a rescue file, in the form of an import line."""
        text = rescue_line(
            self._plan.items[cell.item], self._plan.configs[cell.config], cell, completion
        )
        for folder in (self._path.parent, Path(tempfile.gettempdir())):
            path = folder / f"{self._path.name}.rescued.jsonl"
            try:
                _append(path, text)
            except OSError:
                continue
            return path
        raise StoreError(f"an answer could be stored nowhere: {text}")

    def close(self) -> None:
        """Wait for what is being written."""
        self._thread.shutdown(wait=True)


def _append(path: Path, text: str) -> None:
    """Append a line to a private file that is no link, and see it onto the disk."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    with open(os.open(path, flags, 0o600), "wb") as file:
        # First a line break: an earlier line may have been cut off by a full disk.
        file.write(f"\n{text}\n".encode())
        file.flush()
        os.fsync(file.fileno())


def rescue_line(item: Item, config: ModelConfig, cell: Cell, completion: Completion) -> str:
    """An answer as a line that ``relaybench import`` reads."""
    usage = completion.usage
    stop = StopReason.REFUSAL if completion.refusal else completion.stop_reason
    output = usage.output
    if output is not None:
        output += usage.unattributed or 0
    line = {
        "set": item.set_name,
        "composite": item.name,
        "key": item.key,
        "domains": list(item.domains),
        "provider": config.provider,
        "model": config.model,
        "effort": config.effort,
        "repeat": cell.repeat,
        "response": completion.final_text,
        "stop_reason": stop.value,
        "usage": {
            "input": usage.input,
            "cached_input": usage.cached_input,
            "cache_write": usage.cache_write,
            "output": output,
            "reasoning": usage.reasoning,
        },
    }
    return json.dumps(line)
