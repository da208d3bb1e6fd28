"""The recorder that writes to the store: one thread owns the file while a run goes on."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from relaybench.domain.completion import Completion
from relaybench.domain.errors import ProviderError, StoreError
from relaybench.domain.results import Cell, Outcome
from relaybench.runner.recorder import CallTicket
from relaybench.store.attempts import Attempts
from relaybench.store.database import Connection
from relaybench.store.plans import StoredPlan
from relaybench.store.recording import Recording
from relaybench.workbench.judging import judge

T = TypeVar("T")


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
            except StoreError as error:
                rescued = self._rescue(ticket.cell, completion)
                raise StoreError(
                    f"{error}. The answer that could not be stored was put into {rescued}; "
                    "`relaybench import` reads it."
                ) from error
            return self._grade(attempt)

        return await self._in_thread(store_then_grade)

    def _grade(self, attempt: int) -> Outcome:
        answer = self._attempts.gradable(attempt)
        item = self._attempts.item(answer.item_id)
        strict = self._plan.run.strict
        verdict = judge(answer, item, strict=strict)
        self._recording.graded(attempt, answer.item_id, verdict, strict=strict)
        return verdict.outcome

    def grade_ungraded(self) -> int:
        """Grade answers whose grading a dead process did not reach; returns how many."""
        waiting = [
            number
            for number in self._attempts.answered(self._plan.run)
            if self._attempts.gradable(number).extractor is None
        ]
        for number in waiting:
            self._grade(number)
        return len(waiting)

    def mark_lost(self) -> int:
        """Mark calls that a dead process left open; returns how many."""
        return self._recording.mark_lost()

    def _rescue(self, cell: Cell, completion: Completion) -> Path:
        """Append an answer to a rescue file, in the form of an import line."""
        item, config = self._plan.items[cell.item], self._plan.configs[cell.config]
        usage = completion.usage
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
            "stop_reason": completion.stop_reason.value,
            "usage": {
                "input": usage.input,
                "cached_input": usage.cached_input,
                "cache_write": usage.cache_write,
                "output": usage.output,
                "reasoning": usage.reasoning,
            },
        }
        text = json.dumps(line) + "\n"
        name = f"{self._path.name}.rescued.jsonl"
        for folder in (self._path.parent, Path(tempfile.gettempdir())):
            try:
                with (folder / name).open("a", encoding="utf-8") as file:
                    file.write(text)
            except OSError:
                continue
            return folder / name
        raise StoreError(f"an answer could be stored nowhere: {text}")

    def close(self) -> None:
        """Wait for what is being written."""
        self._thread.shutdown(wait=True)
