"""What results are narrowed down to: some models, the items of some sets, those of some domains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from relaybench.reports.numbers import listed


@dataclass(frozen=True, slots=True)
class Filters:
    """Names of what is kept; all of a kind where none is named.

    ``models`` are named as ``evidence.find_config`` takes them, and kept in that order. An item
    is kept that is in one of the ``sets`` and has one of the ``domains``.
    """

    models: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()

    @property
    def of_items(self) -> bool:
        """Whether they leave items out, so that costs, which are of whole runs, are not known."""
        return bool(self.sets or self.domains)

    @property
    def notes(self) -> list[str]:
        """What they leave out, in sentences; models are seen from the rows."""
        notes = []
        if self.sets:
            notes.append(f"Only items of {_these('set', self.sets)}.")
        if self.domains:
            notes.append(f"Only items that have {_these('domain', self.domains, 'one of the')}.")
        return notes


def _these(kind: str, names: Sequence[str], several: str = "the") -> str:
    return f"the {kind} {names[0]}" if len(names) == 1 else f"{several} {kind}s {listed(names)}"
