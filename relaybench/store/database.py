"""Open the results file, hold its settings, and turn SQLite's errors into ours."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from sqlite_utils import Database

from relaybench.domain.errors import RunBusyError, StoreError
from relaybench.store.schema import KNOWN, migrations

_BUSY_MS = 30_000


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
            advice = "the disk is full; free some space, then go on with --resume"
        else:
            advice = "check that the folder exists and may be written"
        raise StoreError(f"{path}: {text}; {advice}") from error


class Connection:
    """One connection to the results file, to be used from one thread at a time."""

    def __init__(self, path: Path, *, create: bool = True) -> None:
        """Open the file, bring its tables up to date, and switch on WAL and foreign keys.

        Raises StoreError where it does not exist (with ``create`` False), is no results file, or
        was written by a newer version.
        """
        self.path = path
        if not create and not path.is_file():
            raise StoreError(
                f"there is no results file {path} yet; start a run first, or name one with --db"
            )
        with explained(path):
            if create:
                path.parent.mkdir(parents=True, exist_ok=True)
            raw = sqlite3.connect(path, timeout=_BUSY_MS / 1000, check_same_thread=False)
            try:
                raw.row_factory = sqlite3.Row
                self.db = Database(raw)
                self._set_up()
            except BaseException:
                raw.close()
                raise

    def _set_up(self) -> None:
        applied = [each.name for each in migrations.applied(self.db)]
        newer = [name for name in applied if name not in KNOWN]
        if newer:
            raise StoreError(
                f"{self.path} was written by a newer relaybench ({', '.join(newer)}); "
                "update relaybench to read it"
            )
        if not applied and self.db.table_names():
            raise StoreError(
                f"{self.path} is an SQLite file, but not one of relaybench; name another one"
            )
        self.db.execute("PRAGMA foreign_keys = ON")
        self.db.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")
        if len(applied) < len(KNOWN):
            self.db.enable_wal()
            with self.writing():  # two processes may open a new file at once
                migrations.apply(self.db)
        # An answer that was paid for survives a power cut too: every commit reaches the disk.
        self.db.execute("PRAGMA synchronous = FULL")

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction, taken for writing at once so that two writers queue up.

        Inside another one it is part of that.
        """
        if self.db.conn.in_transaction:
            yield
            return
        with explained(self.path):
            self.db.conn.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self.db.rollback()
                raise
            self.db.conn.execute("COMMIT")

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
            yield from self.db.conn.execute(sql, parameters)

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
    lock = FileLock(f"{path}.run-{run_id}.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise RunBusyError(
            f"run {run_name!r} is being sent by another process right now; "
            "wait for it, or stop it, then use --resume"
        ) from error
    except OSError as error:
        raise StoreError(f"{path}: cannot lock the run: {error.strerror}") from error
    try:
        yield
    finally:
        lock.release()
