"""What the user has set the screen to: runs, filters, tab, view, models to compare."""

from __future__ import annotations

from collections.abc import Sequence

from relaybench.reports.filters import Filters
from relaybench.tui.results.shelf import Asked, Tab


class Selection:
    """Changes with what the user does; ``asked`` says what is to be shown then."""

    def __init__(self) -> None:
        self.runs: tuple[str, ...] = ()
        self.filters = Filters()
        self.tab = Tab.LEADERBOARD
        self.compared: tuple[str, ...] = ()
        self.answers = False
        self._views: dict[Tab, str] = {}

    @property
    def asked(self) -> Asked:
        """What is to be shown."""
        return Asked(
            runs=self.runs,
            tab=self.tab,
            view=self._views.get(self.tab, ""),
            filters=self.filters,
            compared=self.compared if self.tab is Tab.COMPARE else (),
            answers=self.answers and self.tab is Tab.ITEMS,
        )

    def look_at(self, runs: Sequence[str]) -> None:
        """Look at these runs; filters hold for those that were looked at before."""
        if tuple(runs) != self.runs:
            self.runs, self.filters = tuple(runs), Filters()

    def tick(self, run: str) -> None:
        """Put a run to the others, or take it away; one always stays."""
        if run not in self.runs:
            self.look_at((*self.runs, run))
        elif len(self.runs) > 1:
            self.look_at([each for each in self.runs if each != run])

    def there_are(self, runs: Sequence[str]) -> None:
        """Keep to runs that are there; where none of them is, look at the newest."""
        kept = [each for each in self.runs if each in runs]
        if tuple(kept) != self.runs or not kept:
            self.look_at(kept or runs[-1:])

    def view(self, view: str) -> None:
        """Another view of the tab; it is come back to."""
        self._views[self.tab] = view

    def compare(self, models: Sequence[str]) -> None:
        """Compare these models."""
        self.compared = tuple(models)
        self._views.pop(Tab.COMPARE, None)
