"""The list of cohorts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from relaybench.domain.literal import visible
from relaybench.tui.widgets.fitting import fitted
from relaybench.tui.widgets.lines_view import LinesView, Piece

if TYPE_CHECKING:
    from relaybench.catalog.load import Catalog


class CohortTable(LinesView):
    """Cohorts with their sizes; ``chosen``: it is this list that the panel follows."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.chosen = False
        self.names: Sequence[str] = ()
        self._catalog: Catalog | None = None

    @property
    def line_count(self) -> int:
        """How many cohorts there are."""
        return len(self.names)

    @property
    def current(self) -> str | None:
        """Name of the cohort under the cursor."""
        return self.names[self.cursor] if self.names else None

    def show(self, catalog: Catalog) -> None:
        """Show the cohorts, the workspace's own first and in bold."""
        wanted = self.current
        self._catalog = catalog
        self.names = sorted(catalog.cohorts, key=lambda name: name not in catalog.own_cohorts)
        self.cursor = self.names.index(wanted) if wanted in self.names else self.cursor
        self.lines_changed()

    def line_at(self, number: int) -> list[Piece]:
        """Name and how many models it has."""
        name = self.names[number]
        if self._catalog is None:
            return []
        count = f" {len(self._catalog.cohorts[name])} "
        room = max(self.size.width - len(count) - 1, 1)
        style = "strong" if name in self._catalog.own_cohorts else ""
        return [(f" {fitted(visible(name), room)}", style), (count, "muted")]
