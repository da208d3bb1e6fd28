"""Say by hand whose fault a verdict is; verdicts, scores and exports stay as they are."""

from __future__ import annotations

import contextlib

from relaybench.domain.triage import Blame, TriageMark
from relaybench.store.database import Connection
from relaybench.store.plans import Plans
from relaybench.store.triage import Triage
from relaybench.workbench.results.evidence import reading
from relaybench.workbench.workspace import Workspace


def mark(workspace: Workspace, attempt: int, blame: Blame | None, note: str = "") -> TriageMark:
    """Put a mark on an attempt; None takes the earlier ones back. They all stay in its trail.

    Raises UnknownNameError where there is no such attempt, StoreError where it cannot be written.
    """
    with contextlib.closing(Connection(workspace.database, create=False)) as connection:
        return Triage(connection).add(attempt, blame, note.strip())


def marks(workspace: Workspace, run: str | None = None) -> dict[int, TriageMark]:
    """The marks that count in a run (the newest one for None), by attempt."""
    with reading(workspace) as connection:
        return Triage(connection).of_run(Plans(connection).find(run))
