"""Writes that wait together share a transaction, and none is told of before it is on the disk."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from relaybench.domain.errors import StoreError
from relaybench.store.database import Connection
from relaybench.workbench.runs.writer import Writer

INSERT = "INSERT INTO seen (name) VALUES (?)"


class Desk:
    """A writer on a small table, and another connection that sees only what is committed."""

    def __init__(self, path: Path) -> None:
        self.on = Connection(path)
        self.on.db.conn.execute("CREATE TABLE seen (name TEXT UNIQUE)")
        self.commits = 0
        self.on.db.conn.set_trace_callback(self._count)
        self.writer = Writer(self.on)
        self.other = sqlite3.connect(path)

    def _count(self, statement: str) -> None:
        self.commits += statement == "COMMIT"

    def put(self, name: str) -> int:
        with self.on.writing():
            return self.on.write(INSERT, (name,))

    async def write(self, name: str) -> bool:
        """Write a row; whether it was on the disk when the write was told of."""
        await self.writer.write(lambda: self.put(name))
        return name in self.names()

    def names(self) -> list[str]:
        return [name for (name,) in self.other.execute("SELECT name FROM seen ORDER BY rowid")]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path / "results.db")
    with closing(made.on), closing(made.writer), closing(made.other):
        yield made


async def held(desk: Desk) -> threading.Event:
    """Keep the writer's thread busy until the event is set."""
    go = threading.Event()
    begun = asyncio.Event()
    loop = asyncio.get_running_loop()

    def wait() -> None:
        loop.call_soon_threadsafe(begun.set)
        go.wait(60)

    desk.writer._thread.submit(wait)
    await begun.wait()
    return go


async def test_writes_that_wait_share_a_transaction_and_keep_their_order(desk: Desk) -> None:
    go = await held(desk)
    names = [f"n{number}" for number in range(120)]
    writes = [asyncio.ensure_future(desk.write(name)) for name in names]
    await asyncio.sleep(0)
    go.set()
    assert await asyncio.gather(*writes) == [True] * 120
    assert desk.names() == names
    assert desk.commits == 3, "50 at a time"


async def test_a_write_that_cannot_be_made_takes_no_other_with_it(desk: Desk) -> None:
    await desk.write("twice")
    go = await held(desk)
    names = ["a", "twice", "b"]
    writes = [asyncio.ensure_future(desk.write(name)) for name in names]
    await asyncio.sleep(0)
    go.set()
    first, bad, last = await asyncio.gather(*writes, return_exceptions=True)
    assert (first, last) == (True, True)
    assert isinstance(bad, StoreError)
    assert "UNIQUE" in str(bad)
    assert desk.names() == ["twice", "a", "b"]


async def test_a_write_is_made_though_nobody_waits_for_it_any_more(desk: Desk) -> None:
    go = await held(desk)
    left = asyncio.ensure_future(desk.write("left"))
    stays = asyncio.ensure_future(desk.write("stays"))
    await asyncio.sleep(0)
    left.cancel()
    go.set()
    assert await stays
    assert desk.names() == ["left", "stays"]


async def test_writes_one_after_the_other_are_each_on_the_disk(desk: Desk) -> None:
    assert [await desk.write(f"n{number}") for number in range(5)] == [True] * 5
    assert desk.commits == 5
    assert await desk.writer.read(lambda: len(desk.on.rows("SELECT 1 FROM seen"))) == 5
