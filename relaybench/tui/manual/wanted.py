"""Which cell the screen is to go to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from relaybench.domain.results import Cell
    from relaybench.store.manual import ManualCell


@dataclass(frozen=True, slots=True)
class Wanted:
    """What another screen or the user asked for."""

    run: str | None = None
    item: str | None = None
    config: str | None = None

    def fits(self, cell: ManualCell) -> bool:
        """Whether a cell is of the item and the config asked for."""
        item, config = cell.cell.item, cell.cell.config
        return self.item in (None, item) and self.config in (None, config)

    def place(self, cells: Sequence[ManualCell], shown: Cell | None) -> int:
        """Where the cursor belongs: at the cell shown, else at the first open one that fits."""
        if shown is not None:
            return next((n for n, each in enumerate(cells) if each.cell == shown), 0)
        fits = [n for n, each in enumerate(cells) if self.fits(each)]
        return next((n for n in fits if cells[n].open), fits[0] if fits else 0)
