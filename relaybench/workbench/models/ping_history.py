"""Keep the last ping of each model config beside the results, and read it back."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Final

from relaybench.store.database import Connection, now
from relaybench.store.pings import PingRow, keep, last
from relaybench.workbench.models.pinging import PingResult
from relaybench.workbench.workspace import Workspace

#: The most characters of an outcome that are kept; errors can be whole pages.
_MOST: Final = 300


def in_words(result: PingResult) -> str:
    """What came of a ping, in one sentence."""
    if result.error is not None:
        told = f"{result.error.kind}: {result.error}"
    else:
        other = result.other_model
        told = result.answer + (f"; answered by another model: {other}" if other else "")
    return told if len(told) <= _MOST else told[: _MOST - 1] + "…"


def ping_row(result: PingResult) -> PingRow:
    """A ping as it is kept; its time is now."""
    config = result.planned.config
    words = in_words(result)
    return PingRow(config.digest, config.name, result.ok, words, result.seconds, result.cost, now())


def keep_pings(workspace: Workspace, results: Sequence[PingResult]) -> None:
    """Write down what came of pings; those for which nothing was sent change nothing.

    Raises StoreError where the results file cannot be written.
    """
    rows = [ping_row(each) for each in results if each.sent]
    if rows:
        with contextlib.closing(Connection(workspace.database)) as connection:
            keep(connection, rows)


def last_pings(workspace: Workspace) -> Mapping[str, PingRow]:
    """The last ping of each config by its digest; none where there is no results file yet."""
    if not workspace.database.is_file():
        return {}
    with contextlib.closing(Connection(workspace.database, create=False)) as connection:
        return last(connection)
