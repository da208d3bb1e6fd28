"""Where the list of attempts comes from: a run, or attempts that another screen has chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from relaybench.tui.widgets.page import Page

if TYPE_CHECKING:
    from relaybench.store.attempt_lists import AttemptEntries
    from relaybench.workbench.results.opening import OpenedAttempt
    from relaybench.workbench.workspace import Workspace


@dataclass(frozen=True, slots=True)
class ListSource:
    """Chosen attempts (``among``), those of a run, or of the run that an attempt belongs to."""

    run: str | None = None
    among: tuple[int, ...] = ()
    attempt: int | None = None

    @property
    def title(self) -> str:
        """What the list is called."""
        if self.among:
            return "Chosen attempts"
        return f"Attempts of {self.run}" if self.run else "Attempts"

    def read(self, workspace: Workspace) -> Listed:
        """Read the list; empty where there are no results yet. In a thread."""
        from relaybench.store.attempt_lists import AttemptEntries
        from relaybench.workbench.results.opening import attempt_list, attempts_among
        from relaybench.workbench.results.reporting import runs

        names = [run.name for run in runs(workspace)] if workspace.database.is_file() else []
        if not names:
            return Listed(AttemptEntries(), (), self)
        if self.among:
            return Listed(attempts_among(workspace, self.among), names, self)
        source = self
        if self.run is None and self.attempt is not None:
            entries = attempts_among(workspace, [self.attempt])
            source = replace(self, run=entries[0].run if entries else None)
        source = source if source.run else replace(source, run=names[-1])
        return Listed(attempt_list(workspace, source.run), names, source)


@dataclass(frozen=True, slots=True)
class Listed:
    """A list as read, the names of all runs, and the source with its run found."""

    entries: AttemptEntries
    runs: Sequence[str]
    source: ListSource


def last_call(opened: OpenedAttempt) -> int:
    """Number of the call to look at first: the one that gave the answer, else the last."""
    calls = opened.detail.calls
    response = opened.detail.response
    return response.number if response else calls[-1].number if calls else 0


def raw_page(workspace: Workspace, attempt: int, call: int, calls: int) -> Page:
    """Request and response of a call as a page. In a thread."""
    from relaybench.workbench.results.opening import raw_call

    page = Page()
    if not call:
        page.line("No call was made, so that nothing was sent or received.", "$text-muted")
        return page
    if calls > 1:
        page.line(f"call {call} of {calls}; Enter on another one under Calls shows that", "italic")
    page.add(raw_call(workspace, attempt, call))
    return page
