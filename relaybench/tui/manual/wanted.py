"""Which cell the screen is to go to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
