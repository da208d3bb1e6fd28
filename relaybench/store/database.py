"""Open the results file, hold its settings, and turn SQLite's errors into ours."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from relaybench.domain.errors import RunBusyError, StoreError
from relaybench.store.schema import KNOWN, migrations
from relaybench.store.sqlite_library import Database

_BUSY_MS = 30_000
_PAUSE_MS = 20


def now() -> str:
    """The time as it is stored: ISO 8601 in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what SQLite raises into a StoreError that names the file and the next step."""
    try:
        yield
    except sqlite3.Error as error:
        text = str(error)
        if "not a database" in text or "malformed" in text:
            advice = "it is no results file of relaybench, or it is damaged; name another one"
        elif "locked" in text or "busy" in text:
            advice = "another program holds it for writing; close that and try again"
        elif "full" in text:
            advice = "the disk is full; free some space, then resume the run"
        elif "I/O" in text:
            advice = "the disk may be full, or fail; see to it that there is space, then try again"
        else:
            advice = "check that the folder exists and may be written, and that the disk has space"
        raise StoreError(f"{path}: {text}; {advice}") from error


class Connection:
    """One connection to the results file, to be used from one thread at a time."""

    def __init__(self, path: Path, *, create: bool = True) -> None:
        """Open the file, bring its tables up to date, and switch on WAL and foreign keys.

        Raises StoreError where it does not exist (with ``create`` False), is no results file, or
        was written by a newer version.
        """
        self.path = path
        self._reading = False
        if not create and (not path.is_file() or path.stat().st_size == 0):
            raise StoreError(
                f"there is no results file {path} yet; start a run first, or name one with --db"
            )
        if create:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StoreError(
                    f"{path.parent} cannot be made: {error.strerror or error}; "
                    "name a results file in a folder that may be written"
                ) from error
        with explained(path):
            raw = self._connect(path, create)
            try:
                raw.row_factory = sqlite3.Row
                self.db = Database(raw)
                self._set_up(for_writing=create)
            except BaseException:
                raw.close()
                raise

    @staticmethod
    def _connect(path: Path, create: bool) -> sqlite3.Connection:
        raw = sqlite3.connect(path, timeout=_BUSY_MS / 1000, check_same_thread=False)
        if create or os.access(path.parent, os.W_OK):
            return raw
        # A WAL file cannot be read in a folder where its side files cannot be made, unless SQLite
        # is told that nobody writes it: which nobody can, in such a folder.
        raw.close()
        return sqlite3.connect(
            f"{path.resolve().as_uri()}?immutable=1", uri=True, check_same_thread=False
        )

    def _set_up(self, *, for_writing: bool) -> None:
        # First: another process may be making the tables right now, all of them at once.
        made = bool(self.db.table_names())
        applied = [each.name for each in migrations.applied(self.db)]
        newer = [name for name in applied if name not in KNOWN]
        if newer:
            raise StoreError(
                f"{self.path} was written by a newer relaybench ({', '.join(newer)}); "
                "update relaybench to read it"
            )
        if made and not applied:
            raise StoreError(
                f"{self.path} is an SQLite file, but not one of relaybench; name another one"
            )
        self.db.execute("PRAGMA foreign_keys = ON")
        self.db.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")
        if for_writing or len(applied) < len(KNOWN):
            self._switch_to_wal()
        if len(applied) < len(KNOWN):
            with self.writing():  # two processes may open a new file at once
                migrations.apply(self.db)
        # An answer that was paid for survives a power cut too: every commit reaches the disk.
        self.db.execute("PRAGMA synchronous = FULL")

    def _switch_to_wal(self) -> None:
        """Make it a WAL file; SQLite does not wait by itself for others that open it just now."""
        tries_left = _BUSY_MS // _PAUSE_MS
        while self.db.journal_mode != "wal":
            try:
                self.db.enable_wal()
            except sqlite3.OperationalError as error:
                tries_left -= 1
                if "locked" not in str(error) or tries_left <= 0:
                    raise
                time.sleep(_PAUSE_MS / 1000)

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction, taken for writing at once so that two writers queue up.

        Inside another one it is part of that. Raises RuntimeError, a bug of ours, inside
        ``reading``: what is written there would be lost.
        """
        if self._reading:
            raise RuntimeError("nothing can be written while a snapshot is read")
        if self.db.conn.in_transaction:
            yield
            return
        with explained(self.path):
            self.db.conn.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.db.conn.execute("COMMIT")
            except BaseException:
                # A COMMIT that fails may leave the transaction open, and all that follows would
                # be written into it and be lost with it.
                self.db.rollback()
                raise

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """One snapshot: all queries see the file as it was at the first of them.

        Inside another one, or inside ``writing``, it is part of that.
        """
        if self.db.conn.in_transaction:
            yield
            return
        # Others write on meanwhile. The WAL cannot be checkpointed past a snapshot, so that it
        # grows by what they write for as long as this one is held; the next checkpoint makes up.
        with explained(self.path):
            self.db.conn.execute("BEGIN")
        self._reading = True
        try:
            yield
        finally:
            self._reading = False
            self.db.rollback()

    def rows(self, sql: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> list[sqlite3.Row]:
        """Run a query and return all its rows."""
        with explained(self.path):
            return list(self.db.conn.execute(sql, parameters))

    def row(self, sql: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> sqlite3.Row | None:
        """Run a query and return its first row, or None."""
        found = self.rows(sql, parameters)
        return found[0] if found else None

    def each(
        self, sql: str, parameters: Sequence[Any] | dict[str, Any] = ()
    ) -> Iterator[sqlite3.Row]:
        """Run a query and yield its rows one by one, in flat memory."""
        with explained(self.path):
            # No `yield from`: it would close the cursor of rows that nobody wants any more, which
            # fails where the file is closed by then.
            for row in self.db.conn.execute(sql, parameters):  # noqa: UP028
                yield row

    def write(self, sql: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> int:
        """Run one statement inside ``writing``; returns the last row id."""
        return self.db.conn.execute(sql, parameters).lastrowid or 0

    def write_many(self, sql: str, parameters: list[tuple[Any, ...]]) -> None:
        """Run one statement for each row, inside ``writing``."""
        self.db.conn.executemany(sql, parameters)

    def close(self) -> None:
        """Close the file; what was committed stays."""
        self.db.close()


@contextlib.contextmanager
def run_lock(path: Path, run_id: int, run_name: str) -> Iterator[None]:
    """Hold a run for this process, so that no second one sends its cells again.

    The system gives the lock back when the process dies, however it dies. Raises RunBusyError.
    """
    try:
        lock = FileLock(_lock_file(path, run_id))
        _acquire(lock)
    except Timeout as error:
        raise RunBusyError(
            f"run {run_name!r} is being sent by another process right now; "
            "wait for it, or stop it, then resume it"
        ) from error
    except OSError as error:
        raise StoreError(f"{path}: cannot lock the run: {error.strerror or error}") from error
    except NotImplementedError as error:
        raise StoreError(f"{path}: cannot lock the run: {error}") from error
    try:
        yield
    finally:
        lock.release()


def run_is_held(path: Path, run_id: int) -> bool:
    """Whether a process, this one included, holds a run; False where that cannot be told."""
    file = _lock_file(path, run_id)
    if not Path(file).exists():
        return False
    try:
        with FileLock(file, timeout=0):
            return False
    except Timeout:
        return True
    except (OSError, NotImplementedError):
        return False


def _lock_file(path: Path, run_id: int) -> str:
    return f"{path.resolve()}.run-{run_id}.lock"  # one lock, whatever the path


def _acquire(lock: FileLock) -> None:
    """Take a lock; one that is held for the moment of ``run_is_held`` is tried again."""
    for wait in (0.005, 0.02):
        try:
            lock.acquire(timeout=0)
        except Timeout:
            time.sleep(wait)
        else:
            return
    lock.acquire(timeout=0)
