"""What all screens share: the workspace, its problems and models as last read, the run under way.

Files are read in threads; who shows them subscribes to a signal and is told when they have changed,
by this application or from outside.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from textual.signal import Signal

from relaybench.domain.errors import RelaybenchError
from relaybench.tui.work_screen import reason
from relaybench.workbench.results.results_stamp import Stamp as ResultsStamp
from relaybench.workbench.results.results_stamp import results_stamp

if TYPE_CHECKING:
    from textual.app import App

    from relaybench.catalog.load import Catalog
    from relaybench.domain.finding import Finding
    from relaybench.library.load import Library
    from relaybench.tui.run.live import LiveRun
    from relaybench.workbench.problems.authoring import Styles
    from relaybench.workbench.problems.drafts import ClassDraft
    from relaybench.workbench.workspace import Workspace

#: Seconds between two looks for files that were changed from outside.
LOOK_EVERY_S: Final = 2.0

#: A file's name, time of change in nanoseconds, and size.
Stamp = frozenset[tuple[str, int, int]]


@dataclass(frozen=True, slots=True)
class Problems:
    """The problem files as last read; ``findings`` by composite, its own file's included.

    ``outside``: somebody else had changed them, which is why they were read.
    """

    library: Library
    styles: Styles
    findings: Mapping[str, list[Finding]] = field(default_factory=dict)
    stamp: Stamp = frozenset()
    outside: bool = False


class Desk:
    """State and signals that the screens share; lives in the event loop's thread."""

    def __init__(self, app: App[int], workspace: Workspace) -> None:
        self.workspace = workspace
        self.own_database = workspace.database
        self.demo = False  # whether the demo's results are shown instead of the user's own
        self.problems: Problems | None = None
        self.class_drafts: tuple[ClassDraft, ...] = ()  # what is unsaved in the library
        self.catalog: Catalog | None = None
        self.catalog_fault = ""  # why it could not be read last; it is then as it was before
        self.run: LiveRun | None = None
        self.problems_changed: Signal[Problems] = Signal(app, "problems_changed")
        self.catalog_changed: Signal[Catalog | None] = Signal(app, "catalog_changed")
        self.results_changed: Signal[None] = Signal(app, "results_changed")
        self.run_changed: Signal[None] = Signal(app, "run_changed")
        self.results_fault: tuple[Path, str] | None = None  # told: what cannot be read, and why
        self._reading = asyncio.Lock()
        self._models_stamp: Stamp = frozenset()
        self._results_stamp: ResultsStamp = ()

    @property
    def own(self) -> Workspace:
        """The workspace with the user's own results, whichever are shown."""
        return replace(self.workspace, database=self.own_database)

    def work_in(self, workspace: Workspace, *, demo: bool = False) -> None:
        """Go over to another workspace, or to the demo's results file of the same problems."""
        self.workspace = workspace
        self.demo = demo
        if not demo:
            self.own_database = workspace.database
        self.results_changed.publish(None)

    async def read_problems(self, *, outside: bool = False) -> Problems:
        """Read the problem files again and tell everyone. Raises WorkspaceError without any.

        ``outside``: because of what somebody else did to them.
        """
        async with self._reading:
            problems = await asyncio.to_thread(_read_problems, self.workspace, outside)
        self.problems = problems
        self.problems_changed.publish(problems)
        return problems

    async def read_catalog(self) -> Catalog:
        """Read models, prices and cohorts again and tell everyone, of a fault too.

        Raises CatalogError.
        """
        self._models_stamp = await asyncio.to_thread(_models_stamp, self.workspace)
        try:
            catalog = await asyncio.to_thread(self.workspace.catalog)
        except (RelaybenchError, OSError) as error:
            self.catalog_fault = reason(error)
            self.catalog_changed.publish(self.catalog)
            raise
        self.catalog, self.catalog_fault = catalog, ""
        self.catalog_changed.publish(catalog)
        return catalog

    def blame_catalog(self, *, listed: bool) -> str:
        """Why models are not shown, or (``listed``) are as they were before; "" without a fault."""
        if not self.catalog_fault:
            return ""
        if listed:
            return f"Models as they were before; mend this:\n{self.catalog_fault}"
        return f"Models cannot be shown. Mend this in an editor:\n{self.catalog_fault}"

    async def look(self) -> None:
        """Read again what was changed from outside since it was last read."""
        problems, models = await asyncio.to_thread(_stamps, self.workspace)
        if self.problems is not None and problems != self.problems.stamp:
            await self.read_problems(outside=True)
        if models != self._models_stamp:  # one that could not be read may have been mended
            await self.read_catalog()
        await self.look_at_results()

    async def look_at_results(self) -> bool:
        """Tell everyone where the results file was written, replaced or taken away since."""
        stamp = await asyncio.to_thread(results_stamp, self.workspace)
        changed = stamp != self._results_stamp
        if changed:
            self._results_stamp = stamp
            self.results_changed.publish(None)
        return changed


def _read_problems(workspace: Workspace, outside: bool) -> Problems:
    from relaybench.workbench.problems.authoring import Styles, lint_all

    stamp = _problems_stamp(workspace)  # before: what changes meanwhile is read again
    library = workspace.library()
    styles = Styles(workspace)
    return Problems(library, styles, lint_all(library, styles), stamp, outside)


def _stamps(workspace: Workspace) -> tuple[Stamp, Stamp]:
    return _problems_stamp(workspace), _models_stamp(workspace)


def _problems_stamp(workspace: Workspace) -> Stamp:
    return _stamp_of(sorted((workspace.root / "problems").rglob("*.toml")))


def _models_stamp(workspace: Workspace) -> Stamp:
    return _stamp_of([workspace.root / "models.toml", workspace.root / "prices.toml"])


def _stamp_of(paths: Iterable[Path]) -> Stamp:
    found = set()
    for path in paths:
        try:
            facts = path.stat()
        except OSError:  # gone between the listing and the look: a change like any other
            continue
        found.add((str(path), facts.st_mtime_ns, facts.st_size))
    return frozenset(found)
