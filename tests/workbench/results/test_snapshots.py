"""Every report is one snapshot: it says what it would have said had nobody written meanwhile."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from relaybench.domain.item import Item
from relaybench.domain.model import COMPATIBLE, ModelConfig
from relaybench.domain.results import Cell, Grade, Outcome
from relaybench.store.database import Connection
from relaybench.store.plans import Plans
from relaybench.store.recording import Recording
from relaybench.workbench.results.all_tables import analysis_tables
from relaybench.workbench.results.comparing import (
    breakdown_tables,
    comparison_table,
    dependence_table,
    effects_table,
    repeats_tables,
)
from relaybench.workbench.results.examining import items_of, steps_tables
from relaybench.workbench.results.exporting import export_inspect, export_run
from relaybench.workbench.results.figuring import gather_figures
from relaybench.workbench.results.publishing import write_report
from relaybench.workbench.results.reporting import (
    attempt,
    attempts,
    costs_text,
    leaderboard_text,
    results,
)
from relaybench.workbench.workspace import Workspace
from tests.store.support import answer
from tests.workbench.examined import PAIR, M, N, X, Y, pair, write

CODE = replace(PAIR, prompt="code", encoded=True, encoding_seed=1)
LATE = ModelConfig("late", COMPATIBLE, "late")
BOTH = ("r", "s")


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("snapshots") / "results.db"
    write(path, "s", [(CODE, M, ["1-2"]), (CODE, N, ["1-9"])])
    write(path, "r", [(PAIR, M, ["1-2"]), (PAIR, N, ["1-9"]), (X, M, ["1"])])
    return path


class Intruder:
    """Another process that writes into run r, a step before each query but the first one."""

    def __init__(self, path: Path, patch: pytest.MonkeyPatch) -> None:
        self.path = path
        self.steps = iter(self._steps())
        self.done = self.queries = 0
        self._writes = False
        for name in ("rows", "each"):
            patch.setattr(Connection, name, self._after_a_step(getattr(Connection, name)))

    def _after_a_step(self, query: Callable[..., Any]) -> Callable[..., Any]:
        def intruded(connection: Connection, *arguments: object) -> Any:
            if not self._writes:
                self.queries += 1
                if self.queries > 1:
                    self._write()
            return query(connection, *arguments)

        return intruded

    def _write(self) -> None:
        self._writes = True
        try:
            self.done += next(self.steps, 0)
        finally:
            self._writes = False

    def finish(self) -> None:
        """Take all steps that are left."""
        while self.done < 6:
            self._write()

    def _steps(self) -> Iterator[int]:
        """What has been seen to make reports disagree with themselves."""
        with closing(Connection(self.path)) as on:
            plans = Plans(on)

            def graded(item: Item, config: ModelConfig, repeat: int, key: Item) -> None:
                plan = plans.load(plans.find("r"))
                recording, cell = Recording(on, plan), Cell(item.digest, config.digest, repeat)
                number = recording.answered(cell, recording.call_started(cell), answer("late"))
                with on.writing():
                    item_id = plans.add_item(key)
                recording.graded(number, item_id, Grade(Outcome.WRONG, "late", "x/2"), strict=False)

            graded(X, N, 0, X)
            yield 1
            plans.raise_repeats(plans.find("r"), 2)
            yield 1
            graded(PAIR, M, 1, pair("9"))
            yield 1
            plans.extend(plans.find("r"), [Y], [LATE])
            yield 1
            graded(Y, LATE, 0, Y)
            with on.writing():
                on.write(
                    "UPDATE grades SET answer = 'again', item_id = (SELECT id FROM items "
                    "WHERE digest = ?)", (pair("9").digest,)
                )  # fmt: skip
                on.write("UPDATE attempts SET outcome = 'refused'")
            yield 1
            plans.create("newest", [X], [M], 1)
            yield 1


def files(folder: Path, paths: Sequence[Path]) -> dict[str, bytes]:
    """What was written, and nothing stands beside it."""
    assert sorted(paths) == sorted(folder.iterdir())
    return {path.name: path.read_bytes() for path in paths}


def page(workspace: Workspace) -> str:
    path = workspace.root / "page.html"
    write_report(workspace, "r", path, with_answers=True, with_figures=False)
    return path.read_text("utf-8")


def exported(workspace: Workspace, name: str | None) -> dict[str, bytes]:
    folder = workspace.root / "out"
    return files(folder, export_run(workspace, name, folder, with_answers=True))


def logs(workspace: Workspace) -> dict[str, bytes]:
    folder = workspace.root / "logs"
    return files(folder, export_inspect(workspace, "r", folder, with_answers=True))


USES: dict[str, Callable[[Workspace], object]] = {
    "page": page,
    "export": lambda w: exported(w, "r"),
    "export of the newest": lambda w: exported(w, None),
    "inspect": logs,
    "figures": lambda w: gather_figures(w, ["r"]),
    "figures of both": lambda w: gather_figures(w, BOTH),
    "results": lambda w: results(w, "r"),
    "leaderboard": lambda w: leaderboard_text(w, "r", "json"),
    "costs": lambda w: costs_text(w, "r", "json"),
    "attempts": lambda w: list(attempts(w, "r")),
    "attempt": lambda w: attempt(w, 3),
    "all tables": lambda w: analysis_tables(w, "r"),
    "compare": lambda w: comparison_table(w, [], BOTH),
    "breakdown": lambda w: breakdown_tables(w, ["r"]),
    "effects": lambda w: effects_table(w, BOTH),
    "repeats": lambda w: repeats_tables(w, ["r"]),
    "dependence": lambda w: dependence_table(w, ["r"]),
    "steps": lambda w: steps_tables(w, BOTH),
    "items": lambda w: items_of(w, BOTH, with_answers=True),
}


@pytest.mark.parametrize("name", USES)
def test_what_is_written_meanwhile_is_not_seen(
    database: Path, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = Workspace(tmp_path, tmp_path / "results.db", {})
    shutil.copy(database, workspace.database)
    before = USES[name](workspace)
    intruder = Intruder(workspace.database, monkeypatch)
    assert USES[name](workspace) == before
    assert intruder.done > 0
    intruder.finish()
    assert USES[name](workspace) != before  # it would have been seen
