"""What each tab of the screen shows, made from the results in a thread and kept for a while."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from relaybench.domain.errors import RelaybenchError, StoreError
from relaybench.reports.filters import Filters
from relaybench.tui.results.run_rows import RunEntry, entry_of

if TYPE_CHECKING:
    from relaybench.reports.figures.figure import Figure
    from relaybench.reports.tables import Table
    from relaybench.workbench.results.looking import Evidence
    from relaybench.workbench.workspace import Workspace

#: Seconds for which what was read counts as new: a run that goes on changes the file all the time.
LIVE_S: Final = 3.0
#: How many selections of runs are kept, and how many tabs and views of them.
_KEPT_RUNS, _KEPT_SHOWN = 4, 60


class Tab(StrEnum):
    """The tabs of the screen, in their order."""

    LEADERBOARD = "leaderboard"
    COSTS = "costs"
    PLOTS = "plots"
    BREAKDOWN = "breakdown"
    STEPS = "steps"
    COMPARE = "compare"
    EFFECTS = "effects"
    ITEMS = "items"


_NO_FILTERS: Final = Filters()
#: Tables whose rows are models.
OF_MODELS: Final = frozenset({"leaderboard", "scores", "costs", "effects"})
#: Views that do not depend on the results; other tabs have theirs from them.
_STEPS: Final = ("class", "instance", "domain", "position", "predictions")
_ITEMS: Final = ("all items", "agreeing", "inverted", "no-model", "every-model", "disputed")
_PAIRS: Final = "all pairs"
_CHOSEN: Final = "chosen models"


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be shown. ``view`` is empty for the first one of a tab.

    ``compared`` are labels of models, ``answers`` whether common wrong answers stand in the list
    of items.
    """

    runs: tuple[str, ...]
    tab: Tab
    view: str = ""
    filters: Filters = _NO_FILTERS
    compared: tuple[str, ...] = ()
    answers: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """What became of it: a table, a figure, or words that say why there is neither.

    ``views`` are the names of all views of the tab, ``view`` is the one that this is.
    """

    asked: Asked
    view: str
    views: tuple[str, ...] = ()
    table: Table | None = None
    figure: Figure | None = None
    said: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """What there is to choose from in some runs."""

    models: tuple[str, ...]
    sets: tuple[str, ...]
    domains: tuple[str, ...]


class Shelf:
    """Evidence by runs, and what was made of it. Its methods read files: call them in a thread."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._evidence: OrderedDict[tuple[str, ...], Evidence] = OrderedDict()
        self._made: OrderedDict[tuple[Asked, object], Shown] = OrderedDict()
        self._looked: dict[tuple[str, ...], float] = {}
        self._lock = threading.Lock()

    def runs(self) -> list[RunEntry]:
        """All runs, oldest first; none where there is no results file. Raises StoreError."""
        from relaybench.workbench.results.reporting import runs

        if not self.workspace.database.is_file():
            return []
        return [entry_of(each) for each in runs(self.workspace)]

    def _of(self, runs: tuple[str, ...], *, now: bool = False) -> Evidence:
        """The evidence of runs; looks for changes unless it has just done so."""
        from relaybench.workbench.results.looking import Evidence

        with self._lock:
            evidence = self._evidence.setdefault(runs, Evidence(self.workspace, runs))
            self._evidence.move_to_end(runs)
            while len(self._evidence) > _KEPT_RUNS:
                self._evidence.popitem(last=False)
            at = time.monotonic()
            due = now or at - self._looked.get(runs, 0.0) >= LIVE_S
            if due:
                self._looked[runs] = at
        if due:
            evidence.look()
        return evidence

    def make(self, asked: Asked, *, now: bool = False) -> Shown:
        """What is asked for; ``now`` looks for changes of the file at once.

        What cannot be told is said in words. Raises StoreError for a file that cannot be read.
        """
        evidence = self._of(asked.runs, now=now)
        try:
            evidence.results()  # so that its stamp is that of what is made
            key = (asked, evidence.stamp)
            with self._lock:
                if key in self._made:
                    return self._made[key]
            shown = _made(evidence, asked)
        except StoreError:
            raise
        except RelaybenchError as error:
            return Shown(asked, asked.view, _views(asked), said=str(error))
        with self._lock:
            self._made[asked, evidence.stamp] = shown
            while len(self._made) > _KEPT_SHOWN:
                self._made.popitem(last=False)
        return shown

    def known(self, runs: tuple[str, ...]) -> Known:
        """Models, sets and domains of some runs. Raises as ``Evidence.grids``."""
        grid = self._of(runs).grids().pooled
        items = grid.items.values()
        return Known(
            tuple(config.label for config in grid.configs.values()),
            tuple(dict.fromkeys(item.set_name for item in items)),
            tuple(sorted({domain for item in items for domain in item.domains})),
        )


def _views(asked: Asked) -> tuple[str, ...]:
    """The views of a tab that are known without any results."""
    match asked.tab:
        case Tab.STEPS:
            return _STEPS
        case Tab.ITEMS:
            return _ITEMS
        case Tab.COMPARE:
            return (_PAIRS, _CHOSEN) if asked.compared else ()
        case Tab.BREAKDOWN:
            from relaybench.reports.dimensions import Dimension

            return tuple(each.value for each in Dimension)
        case Tab.PLOTS:
            from relaybench.tui.results.plots import Plot

            return tuple(each.value for each in Plot)
    return ()


def _made(evidence: Evidence, asked: Asked) -> Shown:
    filters = asked.filters
    match asked.tab:
        case Tab.LEADERBOARD:
            return _one_of(asked, evidence.leaderboards(filters), evidence)
        case Tab.COSTS:
            return _one_of(asked, evidence.costs(filters), evidence)
        case Tab.PLOTS:
            return _plot(evidence, asked)
        case Tab.BREAKDOWN:
            return _breakdown(evidence, asked)
        case Tab.STEPS:
            return _steps(evidence, asked)
        case Tab.COMPARE:
            return _comparison(evidence, asked)
        case Tab.EFFECTS:
            return Shown(asked, "", table=evidence.effects(filters))
        case Tab.ITEMS:
            return _items(evidence, asked)


def _one_of(asked: Asked, tables: Sequence[Table], evidence: Evidence) -> Shown:
    """One of the tables of several runs: all together first, then each run by its name."""
    runs = [each.run.name for each in evidence.results()]
    names = [*(["together"] if len(tables) != len(runs) else []), *runs][: len(tables)]
    at = names.index(asked.view) if asked.view in names else 0
    views = tuple(names) if len(names) > 1 else ()
    return Shown(asked, names[at], views, table=tables[at])


def _plot(evidence: Evidence, asked: Asked) -> Shown:
    from relaybench.tui.results.plots import KINDS, Plot

    plot = Plot(asked.view) if asked.view else Plot.ACCURACY
    (figure,) = evidence.figures(asked.filters, [KINDS[plot]]).figures
    return Shown(asked, plot.value, _views(asked), figure=figure)


def _breakdown(evidence: Evidence, asked: Asked) -> Shown:
    from relaybench.reports.dimensions import Dimension

    by = Dimension(asked.view) if asked.view else None
    if by is None:
        differing = evidence.dimensions(asked.filters)
        by = differing[0] if differing else Dimension.DOMAIN
    (table,) = evidence.breakdowns(asked.filters, [by])
    return Shown(asked, by.value, _views(asked), table=table)


def _steps(evidence: Evidence, asked: Asked) -> Shown:
    from relaybench.reports.step_verdicts import By

    view = asked.view or _STEPS[0]
    last = view == _STEPS[-1]
    name = "predictions" if last else "steps"
    (table,) = evidence.steps(asked.filters, By.CLASS if last else By(view), [name])
    return Shown(asked, view, _STEPS, table=table)


def _comparison(evidence: Evidence, asked: Asked) -> Shown:
    views = _views(asked)
    view = asked.view if asked.view in views else _CHOSEN if asked.compared else _PAIRS
    models = asked.compared if view == _CHOSEN else ()
    return Shown(asked, view, views, table=evidence.comparison(asked.filters, models))


def _items(evidence: Evidence, asked: Asked) -> Shown:
    from relaybench.reports.items_table import Flag

    view = asked.view or _ITEMS[0]
    flags = [] if view == _ITEMS[0] else [Flag(view)]
    table = evidence.items(asked.filters, with_answers=asked.answers, flags=flags)
    return Shown(asked, view, _ITEMS, table=table)
