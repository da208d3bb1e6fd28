"""Look at the results of some runs for a while: each part is read once, and again when it changed.

What a command prints and what a screen shows are made by the same functions. A command reads and
is done; who looks on keeps what was read here, so that another filter or table costs no reading.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from relaybench.reports.dimensions import DEFAULT_BANDS, Dimension, varies
from relaybench.reports.figures.build import Gathered, Sources, build
from relaybench.reports.figures.figure import FigureKind
from relaybench.reports.filters import Filters
from relaybench.reports.items_table import Flag
from relaybench.reports.step_verdicts import By
from relaybench.reports.tables import Table
from relaybench.store.database import Connection
from relaybench.store.grid import OutcomeGrid
from relaybench.store.pooling import comparable
from relaybench.store.step_tallies import StepTally
from relaybench.store.wrong_answers import WrongAnswer
from relaybench.workbench.results.comparing import (
    break_down,
    compare_models,
    paired_effects,
)
from relaybench.workbench.results.evidence import (
    LoadedGrids,
    RunResults,
    find_runs,
    load_grids,
    load_results,
    load_step_tallies,
    load_wrong_answers,
    reading,
)
from relaybench.workbench.results.examining import tell_items, tell_steps
from relaybench.workbench.results.narrowing import narrowed, narrowed_grids, noted
from relaybench.workbench.results.reporting import costs_of, leaderboard_of, scores_of
from relaybench.workbench.results.results_stamp import Stamp, results_stamp
from relaybench.workbench.workspace import Workspace

#: Figures that a terminal can draw.
DRAWN = (
    FigureKind.SCORES,
    FigureKind.OUTCOMES,
    FigureKind.HALLUCINATION,
    FigureKind.COST,
    FigureKind.SETS,
)


class Evidence:
    """The results of some runs (the newest for none), read part by part as they are asked for.

    All parts are of one moment: where the file has changed when a part is read, all are read
    again. May be used from several threads, one of which reads at a time. Every method that reads
    raises StoreError without a results file, UnknownNameError for a run that is not there,
    UsageError for simulated and real runs together.
    """

    def __init__(self, workspace: Workspace, runs: Sequence[str] = ()) -> None:
        self._workspace = workspace
        self.names = tuple(runs)
        self.stamp: Stamp = ()
        self._lock = threading.RLock()
        self._forget()

    def _forget(self) -> None:
        self._results: tuple[RunResults, ...] | None = None
        self._grids: LoadedGrids | None = None
        self._tallies: list[StepTally] | None = None
        self._wrong: list[WrongAnswer] | None = None

    def look(self) -> None:
        """Forget what was read where the results file has changed since."""
        with self._lock:
            if self.stamp and results_stamp(self._workspace) != self.stamp:
                self._forget()

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """A snapshot of the file; what was read of an older one is forgotten."""
        stamp = results_stamp(self._workspace)
        with reading(self._workspace) as connection:
            if stamp != self.stamp:
                self._forget()
                self.stamp = stamp
            yield connection

    def results(self) -> tuple[RunResults, ...]:
        """Results per model config of each run."""
        with self._lock:
            if self._results is None:
                with self._reading() as connection:
                    self._results = tuple(
                        load_results(connection, run) for run in find_runs(connection, self.names)
                    )
            return self._results

    def grids(self) -> LoadedGrids:
        """The grids of the runs, and all put together."""
        with self._lock:
            if self._grids is None:
                with self._reading() as connection:
                    self._grids = load_grids(connection, find_runs(connection, self.names))
            return self._grids

    def _verdicts(self) -> tuple[OutcomeGrid, list[StepTally]]:
        with self._lock:
            if self._tallies is None:
                with self._reading() as connection:
                    grid = self.grids().pooled
                    self._tallies = load_step_tallies(connection, grid)
            return self.grids().pooled, self._tallies

    def _wrong_answers(self) -> tuple[OutcomeGrid, list[WrongAnswer]]:
        with self._lock:
            if self._wrong is None:
                with self._reading() as connection:
                    grid = self.grids().pooled
                    self._wrong = load_wrong_answers(connection, grid)
            return self.grids().pooled, self._wrong

    def leaderboards(self, filters: Filters) -> list[Table]:
        """The leaderboard of a run; of several, or of some items, the scores first.

        Leaderboards are of whole runs, so that there is none of some items.
        """
        results = self.results()
        together = len(results) > 1 or filters.of_items
        tables = [scores_of(self.grids(), results, filters)] if together else []
        if not filters.of_items:
            tables += [leaderboard_of(each, _of_run(each, filters)) for each in results]
        return tables

    def dimensions(self, filters: Filters) -> list[Dimension]:
        """By what the items differ."""
        grid = comparable(narrowed(self.grids().pooled, filters))
        return [each for each in Dimension if varies(grid, each)]

    def costs(self, filters: Filters) -> list[Table]:
        """The costs of each whole run."""
        return [costs_of(each, _of_run(each, filters)) for each in self.results()]

    def breakdowns(
        self, filters: Filters, by: Sequence[Dimension], bands: Sequence[int] = DEFAULT_BANDS
    ) -> list[Table]:
        """Pass@1 by each of the dimensions; as ``break_down``."""
        grid = narrowed(self.grids().pooled, filters)
        return [noted(table, filters) for table in break_down(grid, by, bands)]

    def comparison(self, filters: Filters, models: Sequence[str] = ()) -> Table:
        """Every pair of the models, or of those that the filters keep; as ``compare_models``."""
        grid = narrowed(self.grids().pooled, filters)
        return noted(compare_models(grid, models), filters)

    def effects(self, filters: Filters) -> Table:
        """What encoding and bloat do to each model, on the same problems."""
        return noted(paired_effects(narrowed(self.grids().pooled, filters)), filters)

    def steps(self, filters: Filters, by: By, names: Sequence[str]) -> list[Table]:
        """Which steps fail, and what they predict; as ``tell_steps``."""
        grid, tallies = self._verdicts()
        tables = tell_steps(narrowed(grid, filters), tallies, by, names)
        return [noted(table, filters) for table in tables]

    def items(
        self, filters: Filters, *, with_answers: bool = False, flags: Sequence[Flag] = ()
    ) -> Table:
        """What is odd about items; as ``tell_items``."""
        grid, wrong = self._wrong_answers()
        grid = narrowed(grid, filters)
        return noted(tell_items(grid, wrong, with_answers=with_answers, flags=flags), filters)

    def figures(self, filters: Filters, kinds: Sequence[FigureKind] = DRAWN) -> Gathered:
        """Figures as data; raises UsageError where none of them can be drawn."""
        grids = narrowed_grids(self.grids(), filters)
        results = tuple(each.configs for each in self.results())
        sources = Sources(grids.single, grids.pooled, results, {}, whole=not filters.of_items)
        return build(sources, kinds)


def _of_run(found: RunResults, filters: Filters) -> list[str]:
    """Those of the filters' models that a run has; all where that is none of them."""
    own = {each.config.label for each in found.configs}
    return [name for name in filters.models if name in own]
