"""Runs in a list: how far each has come and of what kind it is, in two short lines."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from relaybench.store.plans import RunRow


@dataclass(frozen=True, slots=True)
class RunEntry:
    """A run of the list."""

    name: str
    state: str
    size: str
    when: str

    @property
    def words(self) -> str:
        """What typing is looked for in."""
        return f"{self.name} {self.state} {self.when}".casefold()


def entry_of(run: RunRow) -> RunEntry:
    """How a run stands in the list."""
    open_cells = run.planned - run.answered
    state = "complete" if open_cells <= 0 else f"{open_cells:,} open"
    if run.kind == "import":
        state = "imported"
    if run.simulated:
        state = f"simulated, {state}" if open_cells > 0 else "simulated"
    size = f"{run.items:,}×{run.configs:,}"
    if run.planned != run.items * run.configs * run.repeats:  # an import of some cells of a grid
        size += f", {run.planned:,} {'attempt' if run.planned == 1 else 'attempts'}"
    elif run.repeats > 1:
        size += f"×{run.repeats}"
    return RunEntry(
        name=run.name,
        state=state,
        size=size,
        when=run.created_at[:16].replace("T", " "),
    )


def fitting(runs: Sequence[RunEntry], words: str) -> list[RunEntry]:
    """The runs, newest first, in whose line all words stand; ``runs`` are oldest first."""
    wanted = words.casefold().split()
    return [each for each in reversed(runs) if all(word in each.words for word in wanted)]


def headline(runs: Sequence[RunEntry], chosen: Collection[str]) -> str:
    """What the tables are of, in one line."""
    found = [each for each in runs if each.name in chosen]
    if not found:
        return ""
    if len(found) > 1:
        return f"{len(found)} runs together: {', '.join(each.name for each in found)}"
    (run,) = found
    return f"{run.name} · {run.state} · {run.size} · {run.when} UTC"
