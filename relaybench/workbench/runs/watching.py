"""Watch runs: the grid of one with the state of every cell, and which runs have open cells."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Mapping
from datetime import UTC, datetime

from relaybench.domain.results import Cell
from relaybench.store.cell_facts import (
    CellAttempt,
    attempt_at,
    failed_cells,
    sent_cells,
)
from relaybench.store.database import Connection, run_is_held
from relaybench.store.grid import Grids
from relaybench.store.outlines import outline
from relaybench.store.plans import Plans, RunRow
from relaybench.store.results import Results
from relaybench.workbench.results.results_stamp import results_stamp
from relaybench.workbench.runs.cell_states import CellStates
from relaybench.workbench.workspace import Workspace


def stored_runs(workspace: Workspace) -> list[RunRow]:
    """All runs, newest first; none where there is no results file yet."""
    if not workspace.database.is_file():
        return []
    with contextlib.closing(Connection(workspace.database, create=False)) as connection:
        return Plans(connection).runs()[::-1]


def load_states(
    workspace: Workspace,
    name: str,
    to_send: Collection[Cell] = (),
    lanes: Mapping[str, int] | None = None,
) -> CellStates:
    """The grid of a run as it is stored; ``to_send`` are the cells of a session about to begin.

    ``lanes`` says how many calls may be under way at most by provider. Raises UnknownNameError.
    """
    with contextlib.closing(Connection(workspace.database, create=False)) as connection:
        run = Plans(connection).find(name)
        with connection.reading():
            return CellStates(
                Grids(connection).load(run),
                Results(connection).by_config(outline(connection, run)),
                failed_cells(connection, run),
                to_send,
                lanes=lanes,
            )


def watch_again(
    workspace: Workspace, states: CellStates, stamp: object
) -> tuple[object, CellStates | None]:
    """The run of ``states`` anew where something has changed since ``stamp``, else None.

    ``stamp`` is what the last look gave, None before the first.
    """
    now = (results_stamp(workspace), run_is_held(workspace.database, states.run.id))
    if now == stamp:
        return now, None
    return now, watch_states(workspace, states.run.name)


def watch_states(workspace: Workspace, name: str) -> CellStates:
    """The grid of a run as it stands, whether nothing sends it or another process does.

    Raises UnknownNameError.
    """
    with contextlib.closing(Connection(workspace.database, create=False)) as connection:
        run = Plans(connection).find(name)
        held = run_is_held(workspace.database, run.id)
        sent = sent_cells(connection, run) if held else []
    states = load_states(workspace, name)
    if held:
        now = datetime.now(UTC)
        states.goes_on_elsewhere(
            (
                each.cell,
                each.number,
                (now - datetime.fromisoformat(each.started_at)).total_seconds(),
            )
            for each in sent
        )
    return states


def sent_elsewhere(workspace: Workspace, name: str) -> bool:
    """Whether some process sends a run right now. Raises UnknownNameError."""
    with contextlib.closing(Connection(workspace.database, create=False)) as connection:
        return run_is_held(workspace.database, Plans(connection).find(name).id)


def attempt_of(workspace: Workspace, name: str, cell: Cell) -> CellAttempt | None:
    """What was tried so far for a cell of a run; None where nothing was sent yet."""
    with contextlib.closing(Connection(workspace.database, create=False)) as connection:
        return attempt_at(connection, Plans(connection).find(name), cell)
