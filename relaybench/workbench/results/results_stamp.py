"""Whether anything was written to the results file since somebody looked."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from relaybench.workbench.workspace import Workspace

#: When the results file and its write-ahead log were written, in nanoseconds, and their sizes.
Stamp = tuple[tuple[int, int], ...]


def results_stamp(workspace: Workspace) -> Stamp:
    """What changes whenever something was written to the results file; empty where there is none.

    That is quick, but it looks at the disk.
    """
    database = workspace.database
    found = []
    for path in (database, database.with_name(f"{database.name}-wal")):
        try:
            facts = path.stat()
        except OSError:
            continue
        if facts.st_size:  # whoever only reads makes an empty log, and takes it away again
            found.append((facts.st_mtime_ns, facts.st_size))
    return tuple(found)
