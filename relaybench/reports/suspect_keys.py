"""What to do about items whose keys are suspect."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from relaybench.reports.numbers import listed
from relaybench.reports.tables import Table
from relaybench.store.grid import OutcomeGrid


def suspect_items(items: Table) -> list[str]:
    """Names of the items in such a table whose keys are to be looked at."""
    rows = range(len(items.rows))
    return [str(items.value(n, "item")) for n in rows if items.value(n, "suspect") is True]


def suspect_notes(grid: OutcomeGrid, refs: Sequence[str]) -> list[str]:
    """What to do about items whose keys are suspect."""
    if not refs:
        return []
    name = shlex.quote(grid.runs[0].name) if len(grid.runs) == 1 else "RUN"
    names = list(dict.fromkeys(refs))
    imported = {item.ref for item in grid.items.values() if item.imported}
    which = shlex.quote(names[0]) if len(names) == 1 else "SET/NAME"
    note = (
        f"Suspect keys: {listed(names)}. Look at the answers (relaybench attempts {name} "
        f"--outcome wrong --item {which})"
    )
    if not imported.isdisjoint(names):
        note += (
            "; where the key of an imported item is wrong, import its results again with the "
            "right key under another --run name"
        )
    if imported.issuperset(names):
        return [f"{note}."]
    return [
        f"{note}; where a key is wrong, correct it in its problem file, then: relaybench grade "
        f"{name} --corrected-keys"
    ]
