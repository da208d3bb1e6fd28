"""Tables and lists never read a prompt or a response, however big: seen in SQL, and in bytes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.results_store import build
from relaybench.store import config_counts, grid, spending
from relaybench.store.attempts import Attempts
from relaybench.store.database import Connection
from relaybench.store.extractors import extractors
from relaybench.store.grid import Grids
from relaybench.store.outlines import outline
from relaybench.store.plans import Plans
from relaybench.store.results import Results
from relaybench.store.retried import retried
from relaybench.store.step_tallies import step_tallies
from relaybench.store.wrong_answers import wrong_answers
from relaybench.workbench.results.all_tables import analysis_tables
from relaybench.workbench.results.comparing import comparison_table
from relaybench.workbench.results.examining import items_of, steps_tables
from relaybench.workbench.results.figuring import gather_figures
from relaybench.workbench.results.reporting import attempts, costs_text, leaderboard_text, runs
from relaybench.workbench.workspace import Workspace

RESPONSE_BYTES = 200_000
#: What only a look at one item or one attempt may read.
BIG = {
    "items": {"prompt"},
    "calls": {"text", "answer_text", "thinking", "request_json", "response_raw", "refusal"},
}
IO = Path("/proc/self/io")


def _of_a_connection(path: Path) -> None:
    with closing(Connection(path, create=False)) as on:
        plans = Plans(on)
        run = plans.find(None)
        plan = outline(on, run)
        assert Results(on).by_config(plan)
        assert list(Results(on).attempts(run))
        assert Grids(on).load(run).cells
        assert Grids(on).load(run, with_keys=True).keys
        assert step_tallies(on, [run])
        assert wrong_answers(on, [run])
        assert retried(on, run)
        assert extractors(on, run)
        assert spending.spending(on, run).known
        Attempts(on).answered(run)
        Attempts(on).ungraded(run)


def _views(path: Path) -> None:
    with closing(Connection(path, create=False)) as on:
        for view in ("leaderboard", "costs", "attempt_details"):
            assert on.rows(f"SELECT * FROM {view}")


def _in(use: Callable[[Workspace], object]) -> Callable[[Path], object]:
    return lambda path: use(Workspace(path.parent, path))


USES: dict[str, Callable[[Path], object]] = {
    "store": _of_a_connection,
    "views": _views,
    "runs": _in(runs),
    "leaderboard": _in(lambda w: leaderboard_text(w, None, "csv")),
    "costs": _in(lambda w: costs_text(w, None, "csv")),
    "attempts": _in(lambda w: list(attempts(w))),
    "compare": _in(lambda w: comparison_table(w, ["model-0", "model-19"])),
    "steps": _in(steps_tables),
    "items": _in(items_of),
    "all tables": _in(analysis_tables),
    "figures": _in(lambda w: gather_figures(w, [])),
}


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results file of 200 attempts with responses of 200 KB each: some 40 MB."""
    path = tmp_path_factory.mktemp("reads") / "results.db"
    build(path, 200, RESPONSE_BYTES)
    assert path.stat().st_size > 180 * RESPONSE_BYTES
    return path


def _watch(patch: pytest.MonkeyPatch) -> set[tuple[str, str]]:
    """Every column that statements read, by table, on connections opened from now on."""
    read: set[tuple[str, str]] = set()
    connect = Connection._connect

    def look(action: int, table: str | None, column: str | None, *_: object) -> int:
        if action == sqlite3.SQLITE_READ and table and column:
            read.add((table, column))
        return sqlite3.SQLITE_OK

    def watched(path: Path, create: bool) -> sqlite3.Connection:
        raw = connect(path, create)
        raw.set_authorizer(look)
        return raw

    patch.setattr(Connection, "_connect", staticmethod(watched))
    return read


@pytest.mark.parametrize("name", USES)
def test_no_table_or_list_asks_for_a_prompt_or_a_response(
    big: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = _watch(monkeypatch)
    USES[name](big)
    assert ("attempts", "outcome") in read
    for table, columns in BIG.items():
        assert not {column for where, column in read if where == table} & columns


def test_one_attempt_in_full_is_seen_to_read_them(
    big: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = _watch(monkeypatch)
    with closing(Connection(big, create=False)) as on:
        Attempts(on).detail(1)
    assert {("items", "prompt"), ("calls", "text"), ("calls", "response_raw")} <= read


def _bytes_read(use: Callable[[], object]) -> int:
    def so_far() -> int:
        return int(IO.read_text().partition("rchar: ")[2].split()[0])

    before = so_far()
    use()
    return so_far() - before


@pytest.mark.skipif(not IO.exists(), reason="only Linux counts a process's bytes in /proc/self/io")
def test_no_table_or_list_reads_past_the_responses(big: Path) -> None:
    size = big.stat().st_size
    for name, use in USES.items():
        use(big)  # what it imports is read from the disk once
        read = _bytes_read(lambda use=use: use(big))  # type: ignore[misc]
        assert read < size / 20, f"{name} read {read:,} of {size:,} bytes"

    def everything() -> None:
        with closing(Connection(big, create=False)) as on:
            on.rows("SELECT SUM(response_raw LIKE '%zzz') FROM calls")

    assert _bytes_read(everything) > size / 3


def test_counts_and_grids_read_an_index_and_no_attempt(big: Path) -> None:
    with closing(Connection(big, create=False)) as on:
        for sql in (grid._CELLS, config_counts._OUTCOMES, config_counts._PROBLEMS):
            plan = [row["detail"] for row in on.rows(f"EXPLAIN QUERY PLAN {sql}", (1,))]
            assert "SEARCH attempts USING COVERING INDEX attempts_cells (run_id=?)" in plan
        plan = [
            row["detail"] for row in on.rows(f"EXPLAIN QUERY PLAN {spending._MAYBE_BILLED}", (1,))
        ]
        assert "SCAN calls USING INDEX calls_not_answered" in plan
