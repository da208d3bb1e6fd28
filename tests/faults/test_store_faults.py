"""What goes wrong on our own side: crashes, a full disk, a lock, two processes, a jumping clock."""

from __future__ import annotations

import asyncio
import contextlib
import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from relaybench.domain.errors import RunBusyError, StoreError
from relaybench.domain.results import Outcome
from relaybench.providers.simulated_exchange import Billed, sent_again
from relaybench.runner.events import CellFinished, CellStarted, CellTurn, Event
from relaybench.store import database
from relaybench.workbench.runs.planning import Proposal, RunOptions, propose, propose_resume
from relaybench.workbench.runs.recording import StoreRecorder
from relaybench.workbench.runs.running import RunSession, open_session
from tests.faults.support import Lab, cohort, hold, items
from tests.runner.support import HastyClock
from tests.workbench.support import stored

#: Faults that strike while all this goes on.
FAULTS = ["429", "500", "reset", "refused", "html"]


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    return Lab.at(tmp_path, monkeypatch, items(20))


async def session(
    lab: Lab,
    proposal: Proposal,
    on_event: Callable[[RunSession, Event], None] = lambda *_: None,
) -> None:
    """One session of a run; ``on_event`` may break something."""
    held: list[RunSession] = []
    async with open_session(
        lab.workspace, proposal, RunOptions(), lambda event: on_event(held[0], event)
    ) as opened:
        opened.runner.clock = HastyClock()
        held.append(opened)
        await opened.run()


def all_right(lab: Lab, count: int = 20) -> None:
    with stored(lab.workspace) as s:
        for result in s.results:
            assert result.outcomes == {Outcome.CORRECT: count}, result.config.name


def delivered(ledger: list[Billed]) -> set[tuple[str, str]]:
    return {(entry.model, entry.cell) for entry in ledger if entry.delivered}


def answered(lab: Lab) -> set[tuple[str, str]]:
    with stored(lab.workspace) as s:
        names = {id_: digest for digest, id_ in s.plan.config_ids.items()}
        digests = {id_: digest for digest, id_ in s.plan.item_ids.items()}
        rows = s.on.rows("SELECT * FROM attempts WHERE answered = 1")
        return {
            (
                s.plan.configs[names[row["model_config_id"]]].model,
                f"{digests[row['item_id']][:12]}.{names[row['model_config_id']][:12]}.0",
            )
            for row in rows
        }


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_crashes_lose_nothing_that_was_stored(lab: Lab, seed: int) -> None:
    """The file as it is at some moment is what ``kill -9`` at that moment leaves behind."""
    draw = random.Random(seed)
    proposal = lab.plan(items(20), cohort(fail=0.3, faults=FAULTS))
    folder = lab.workspace.database.parent
    again: set[tuple[str, str]] = set()
    made = False
    for _ in range(5):
        moment = draw.randint(5, 60)
        copy = folder / "crash"
        copy.mkdir()
        left = [moment]
        before_crash, known_then = [answered(lab)] if made else [], len(lab.ledger)
        made = True

        def crash(
            opened: RunSession, event: Event, left: list[int] = left, copy: Path = copy
        ) -> None:
            left[0] -= 1
            if left[0] == 0:
                # What comes after this moment does not exist for whoever starts the file again.
                for file in folder.glob("results.db*"):
                    if not file.name.endswith(".lock"):
                        shutil.copy(file, copy / file.name)
                opened.runner._fail(_Crash())

        with contextlib.suppress(_Crash):
            await session(lab, proposal, crash)
        if left[0] <= 0:
            for file in folder.glob("results.db*"):
                if not file.name.endswith(".lock"):
                    file.unlink()
            for file in copy.iterdir():
                shutil.move(file, folder / file.name)
        shutil.rmtree(copy)
        proposal = propose_resume(lab.workspace, "r")
        if before_crash:
            again |= before_crash[-1] & delivered(lab.ledger[known_then:])
    while proposal.cells:
        before, known_then = answered(lab), len(lab.ledger)
        await session(lab, proposal)
        again |= before & delivered(lab.ledger[known_then:])
        proposal = propose_resume(lab.workspace, "r")
    assert again == set(), "an answer that was stored was sent again"
    all_right(lab)


class _Crash(Exception):
    """The process dies."""


async def test_a_full_disk_stops_the_run_and_loses_no_answer(lab: Lab) -> None:
    proposal = lab.plan(items(20), cohort(fail=0.3, faults=FAULTS))
    count = [0]

    def fill(opened: RunSession, event: Event) -> None:
        count[0] += isinstance(event, CellFinished)
        if count[0] == 15:
            recorder = opened.runner.recorder
            assert isinstance(recorder, StoreRecorder)
            raw = recorder._recording._on.db.conn

            def limit() -> None:
                (pages,) = raw.execute("PRAGMA page_count").fetchone()
                raw.execute(f"PRAGMA max_page_count = {pages}")

            # In the thread that owns the file: sqlite3 loses errors of one thread when another
            # one uses the same connection.
            recorder._writer._thread.submit(limit)
            count[0] += 1

    with pytest.raises(StoreError, match="disk is full"):
        await session(lab, proposal, fill)
    arrived = delivered(lab.ledger)
    known_then = len(lab.ledger)
    while (proposal := propose_resume(lab.workspace, "r")).cells:
        await session(lab, proposal)
    assert sent_again(lab.ledger) == []
    assert arrived
    assert len(lab.ledger) > known_then
    hold(lab)
    all_right(lab)


async def test_a_locked_file_is_waited_for_and_then_named(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_BUSY_MS", 50)
    proposal = lab.plan(items(20), cohort())
    blocker: list[sqlite3.Connection] = []

    def lock(opened: RunSession, event: Event) -> None:
        if isinstance(event, CellFinished) and not blocker:
            other = sqlite3.connect(lab.workspace.database, check_same_thread=False)
            blocker.append(other)
            with contextlib.suppress(sqlite3.OperationalError):
                other.execute("PRAGMA busy_timeout = 2000")
                other.execute("BEGIN IMMEDIATE")

    with pytest.raises(StoreError, match="another program holds it for writing"):
        await session(lab, proposal, lock)
    blocker[0].rollback()
    blocker[0].close()
    while (proposal := propose_resume(lab.workspace, "r")).cells:
        await session(lab, proposal)
    hold(lab)
    all_right(lab)


async def test_two_processes_on_one_file(lab: Lab) -> None:
    """Two runs at once share the file; the same run twice at once is refused."""
    first = lab.plan(items(20), cohort(fail=0.2, faults=FAULTS))
    second = propose(lab.workspace, items(20), cohort(fail=0.2, faults=FAULTS, seed=9), name="r2")
    await asyncio.gather(session(lab, first), session(lab, second))
    for name in ("r", "r2"):
        with stored(lab.workspace, name) as s:
            assert s.missing == 0

    more = propose(lab.workspace, items(20), cohort(seed=11), name="r3")
    seen: list[BaseException] = []

    def begin_again(opened: RunSession, event: Event) -> None:
        if isinstance(event, CellStarted) and not seen:
            try:
                with contextlib.ExitStack() as stack:
                    stack.enter_context(database.run_lock(
                        lab.workspace.database, opened.stored.run.id, opened.stored.run.name
                    ))  # fmt: skip
            except RunBusyError as error:
                seen.append(error)

    await session(lab, more, begin_again)
    assert len(seen) == 1


async def test_a_clock_that_jumps_disturbs_nothing(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wall clock goes back and forth by days; waits are on the monotonic clock."""
    moments = iter(range(100_000))

    def jumping() -> str:
        n = next(moments)
        return f"{1990 + n * 7 % 80}-0{1 + n % 9}-11T00:00:00.000+00:00"

    monkeypatch.setattr(database, "now", jumping)
    for module in ("recording", "plans", "grades", "repricing"):
        monkeypatch.setattr(f"relaybench.store.{module}.now", jumping, raising=False)
    turns: list[Event] = []
    await session(
        lab,
        lab.plan(items(20), cohort(fail=0.3, faults=FAULTS)),
        lambda opened, event: turns.append(event) if isinstance(event, CellTurn) else None,
    )
    assert turns
    hold(lab)
    all_right(lab)
