"""The file: WAL, foreign keys, one writer, migrations, and what is said when it cannot be used."""

from __future__ import annotations

import multiprocessing
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Database

from relaybench.domain.errors import RunBusyError, StoreError
from relaybench.store import database
from relaybench.store.database import Connection, run_lock
from relaybench.store.plans import Plans
from relaybench.store.schema import KNOWN, migrations
from tests.store.support import answer, bench


def test_a_new_file_has_all_tables_and_views(tmp_path: Path) -> None:
    with closing(Connection(tmp_path / "deep" / "r.db")) as on:
        assert {"items", "model_configs", "runs", "run_items", "attempts", "calls"} <= set(
            on.db.table_names()
        )
        assert {"tool_events", "grades", "prices_used"} <= set(on.db.table_names())
        assert set(on.db.view_names()) == {"leaderboard", "costs", "attempt_details"}
        assert [each.name for each in migrations.applied(on.db)] == list(KNOWN)
        assert on.db.journal_mode == "wal"
        settings = [on.db.execute(f"PRAGMA {name}").fetchone()[0] for name in SETTINGS]
    assert settings == list(SETTINGS.values())


SETTINGS = {"foreign_keys": 1, "synchronous": 2, "busy_timeout": 30_000}


def test_a_file_that_lost_wal_gets_it_back(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db") as b:
        b.on.db.execute("VACUUM INTO ?", (str(tmp_path / "copy.db"),))
    with closing(Connection(tmp_path / "copy.db")) as on:
        assert on.db.journal_mode == "wal"
        assert Plans(on).find("r").name == "r"


def _old(path: Path) -> None:
    with closing(sqlite3.connect(path)) as raw:
        migrations.apply(Database(raw), stop_before=KNOWN[1])


def test_an_old_file_is_brought_up_to_date_before_a_snapshot_is_taken(tmp_path: Path) -> None:
    _old(tmp_path / "r.db")
    with closing(Connection(tmp_path / "r.db", create=False)) as on, on.reading():
        assert on.rows("SELECT * FROM costs") == []
    with closing(Connection(tmp_path / "r.db", create=False)) as on:
        assert [each.name for each in migrations.applied(on.db)] == list(KNOWN)


def test_an_old_file_is_brought_up_to_date(tmp_path: Path) -> None:
    _old(tmp_path / "r.db")
    with bench(tmp_path / "r.db") as b:
        assert [each.name for each in migrations.applied(b.on.db)] == list(KNOWN)
        b.answer(b.cell())
        assert b.on.row("SELECT total_usd FROM costs") is not None
        indexes = {row["name"] for row in b.on.rows("SELECT name FROM sqlite_master")}
    assert {"attempts_cells", "calls_not_answered", "grades_marked"} <= indexes
    assert "attempts_by_config" not in indexes


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda path: path.write_text("I am a diary.\n" * 100), "no results file of relaybench"),
        (lambda path: _foreign(path), "not one of relaybench"),
        (lambda path: _newer(path), r"newer relaybench \(999_from_the_future\)"),
        (lambda path: _corrupt(path), "malformed|damaged|not a database"),
        (lambda path: path.mkdir(), "unable to open"),
    ],
    ids=["text", "foreign", "newer", "corrupt", "folder"],
)
def test_a_file_that_cannot_be_used_is_refused_with_a_reason(
    tmp_path: Path, make: object, says: str
) -> None:
    path = tmp_path / "r.db"
    assert callable(make)
    make(path)
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(StoreError, match=says) as raised:
        _use(path)
    assert str(path) in str(raised.value)
    assert before is None or path.read_bytes() == before


def _use(path: Path) -> None:
    with closing(Connection(path)) as on:
        on.rows("SELECT * FROM calls")
        on.rows("SELECT * FROM items")


def _foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")


def _newer(path: Path) -> None:
    with bench(path) as b, b.on.writing():
        b.on.write(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) "
            "VALUES ('relaybench', '999_from_the_future', 'later')"
        )


def _corrupt(path: Path) -> None:
    with bench(path, items=200):
        pass
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    path.write_bytes(bytes(data))


def test_a_missing_file_is_not_made_for_reading(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="start a run first"):
        Connection(tmp_path / "r.db", create=False)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_made_is_a_store_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be made"):
        Connection(tmp_path / "file" / "r.db")


def test_foreign_keys_and_unique_cells_are_enforced(tmp_path: Path) -> None:
    insert = (
        "INSERT INTO attempts (run_id, item_id, model_config_id, repeat, outcome, started_at) "
        "VALUES (?, ?, ?, 0, 'pending', '')"
    )
    with bench(tmp_path / "r.db") as b:
        b.answer(b.cell())
        for row, says in [((1, 99, 1), "FOREIGN KEY"), ((1, 1, 99), "FOREIGN"), ((1, 1, 1), "UNI")]:
            with pytest.raises(StoreError, match=says), b.on.writing():
                b.on.write(insert, row)
        with pytest.raises(StoreError, match="FOREIGN KEY"), b.on.writing():
            b.on.write("DELETE FROM items")
        assert len(b.on.rows("SELECT * FROM attempts")) == 1


def test_a_reader_sees_what_is_committed_while_a_writer_works(tmp_path: Path) -> None:
    path = tmp_path / "r.db"
    with bench(path, items=2) as b, closing(Connection(path, create=False)) as reader:
        b.answer(b.cell(0))
        with b.on.writing():
            b.answer(b.cell(1))
            assert len(reader.rows("SELECT * FROM attempts")) == 1
            code = (
                "import sqlite3, sys; c = sqlite3.connect(f'file:{sys.argv[1]}?mode=ro', uri=True);"
                "print(c.execute('SELECT COUNT(*) FROM attempt_details').fetchone()[0])"
            )
            seen = subprocess.run(
                [sys.executable, "-c", code, str(path)], capture_output=True, text=True, timeout=60
            )
            assert seen.stdout.strip() == "1", seen.stderr
        assert len(reader.rows("SELECT * FROM attempts")) == 2


def test_a_transaction_that_fails_leaves_nothing_and_the_next_one_works(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db") as b:
        with pytest.raises(ZeroDivisionError):
            _write_and_fail(b.on)
        assert Plans(b.on).find("r").repeats == 1
        b.answer(b.cell())
    with bench(tmp_path / "r.db") as b:
        assert not b.missing()


def _write_and_fail(on: Connection) -> None:
    with on.writing():
        with on.writing():
            on.write("UPDATE runs SET repeats = 7")
        raise ZeroDivisionError


class _CommitFails:
    """A connection on a disk that is full at the moment of COMMIT, once."""

    def __init__(self, real: sqlite3.Connection) -> None:
        self.real = real
        self.failed = False

    def execute(self, sql: str, *more: object) -> object:
        if sql == "COMMIT" and not self.failed:
            self.failed = True
            raise sqlite3.OperationalError("database or disk is full")
        return self.real.execute(sql, *more)  # type: ignore[arg-type]

    def __getattr__(self, name: str) -> object:
        return getattr(self.real, name)


def test_a_failed_commit_does_not_swallow_what_follows(tmp_path: Path) -> None:
    path = tmp_path / "r.db"
    with bench(path, items=2) as b:
        real = b.on.db.conn
        b.on.db.conn = _CommitFails(real)  # type: ignore[assignment]
        with pytest.raises(StoreError, match="the disk is full; free some space"):
            b.answer(b.cell(0))
        b.answer(b.cell(1))
        with closing(Connection(path, create=False)) as other:
            answered = "SELECT item_id FROM attempts WHERE answered = 1"
            assert [row["item_id"] for row in other.rows(answered)] == [2]
        b.on.db.conn = real


def test_a_full_disk_is_said_and_nothing_is_half_stored(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", items=2) as b:
        call = b.recording.call_started(b.cell())
        pages = b.on.db.execute("PRAGMA page_count").fetchone()[0]
        b.on.db.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreError, match="the disk is full"):
            b.recording.answered(b.cell(), call, answer("x" * 1_000_000))
        assert b.on.rows("SELECT * FROM tool_events") == []
        assert len(b.missing()) == 2
        b.on.db.execute("PRAGMA max_page_count = 1000000")
        b.recording.answered(b.cell(), call, answer("x" * 1_000_000))
        assert len(b.missing()) == 1


def test_a_locked_file_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "_BUSY_MS", 20)
    path = tmp_path / "r.db"
    held = "another program holds it for writing"
    with (
        bench(path) as b,
        bench(path) as other,
        b.on.writing(),
        pytest.raises(StoreError, match=held),
    ):
        other.recording.call_started(other.cell())


def _open_at_once(path: Path, barrier: object, told: object) -> None:
    barrier.wait(30)  # type: ignore[attr-defined]
    try:
        Connection(path).close()
    except BaseException as error:
        told.put(repr(error))  # type: ignore[attr-defined]
    else:
        told.put("ok")  # type: ignore[attr-defined]


def test_processes_that_make_the_file_at_once_do_not_trip_over_each_other(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    told = context.Queue()
    for number in range(4):
        barrier = context.Barrier(6)
        path = tmp_path / f"{number}.db"
        workers = [
            context.Process(target=_open_at_once, args=(path, barrier, told)) for _ in range(6)
        ]
        for worker in workers:
            worker.start()
        assert [told.get(timeout=60) for _ in workers] == ["ok"] * 6
        for worker in workers:
            worker.join(60)


def test_a_run_is_held_by_one_at_a_time_under_any_name_of_its_file(tmp_path: Path) -> None:
    path, link = tmp_path / "r.db", tmp_path / "link.db"
    path.write_text("")
    link.symlink_to(path)
    with run_lock(path, 1, "r"):
        for each in (path, link):
            with pytest.raises(RunBusyError, match="'r' is being sent"), run_lock(each, 1, "r"):
                pass
        with run_lock(path, 2, "other"):
            pass
    with run_lock(path, 1, "r"):
        pass


COUNT = "SELECT COUNT(*) FROM attempts"


def _count(on: Connection) -> int:
    return int(on.rows(COUNT)[0][0])


def test_a_snapshot_shows_nothing_that_is_written_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "r.db"
    with bench(path, items=4) as b, closing(Connection(path, create=False)) as reader:
        b.answer(b.cell(0))
        with reader.reading():
            assert _count(reader) == 1
            b.answer(b.cell(1))
            with reader.reading():  # it is the outer one
                assert _count(reader) == 1
            b.answer(b.cell(2))
            assert _count(reader) == 1
            left_half_read = reader.each("SELECT attempts.id FROM attempts, calls")
            next(left_half_read)
        assert _count(reader) == 3
        with pytest.raises(ZeroDivisionError), reader.reading():
            raise ZeroDivisionError
        b.answer(b.cell(3))
        assert _count(reader) == 4


def test_nothing_is_written_within_a_snapshot_where_it_would_be_lost(tmp_path: Path) -> None:
    with bench(tmp_path / "r.db", items=2) as b:
        with b.on.reading(), pytest.raises(RuntimeError, match="while a snapshot is read"):
            b.answer(b.cell(0))
        with b.on.writing():
            b.answer(b.cell(0))
            with b.on.reading():
                assert _count(b.on) == 1
                b.answer(b.cell(1))
        assert _count(b.on) == 2
    with bench(tmp_path / "r.db") as b:
        assert _count(b.on) == 2


def test_a_snapshot_in_a_folder_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "r.db"
    with bench(path) as b:
        b.answer(b.cell())
    monkeypatch.setattr("os.access", lambda *_: False)
    with closing(Connection(path, create=False)) as on, on.reading():
        assert _count(on) == 1
        assert [each.name for each in tmp_path.iterdir()] == ["r.db"]
