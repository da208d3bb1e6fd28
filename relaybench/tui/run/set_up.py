"""The set-up of a run: what, to whom, how; and what it will cost, worked out as it is chosen."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Button, Input, Static

from relaybench.domain.errors import RelaybenchError
from relaybench.domain.problem import Variant
from relaybench.tui.run.choosing import Branch, targets
from relaybench.tui.run.panes import STRICT, UNPRICED, EstimatePane, How, Models, Problems
from relaybench.tui.run.run_list import OpenRunList, OpenRuns
from relaybench.tui.run.tick_tree import TickTree
from relaybench.tui.showing import line, running
from relaybench.tui.widgets.lines_view import LinesView
from relaybench.tui.widgets.pane import Pane

if TYPE_CHECKING:
    from collections.abc import Sequence

    from relaybench.tui.desk import Desk
    from relaybench.workbench.problems.selecting import Selection
    from relaybench.workbench.runs.planning import Proposal
    from relaybench.workbench.runs.run_choice import RunChoice

#: Seconds without a change before an estimate is worked out.
_CALM_S: Final = 0.25
#: Runs that are listed at once; more scroll.
_RUNS_SHOWN: Final = 4


class SetUp(Horizontal):
    """Everything that is chosen for a new run, and the runs that can be gone on with."""

    class Start(Message):
        """The run as chosen is to be started."""

    class Resume(Message):
        """A run with open cells is to be shown."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, desk: Desk, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.desk = desk
        self.ready = False  # whether everything stands
        self.proposal: Proposal | None = None
        self._selected: tuple[object, Selection] | None = None

    def compose(self) -> ComposeResult:
        """Room at the left and at the right."""
        yield Vertical(id="choice")
        yield Vertical(id="plan")

    def on_mount(self) -> None:
        """Begin when the screen stands."""
        self.call_after_refresh(self.build)

    @work(exclusive=True, group="build")
    async def build(self) -> None:
        """Problems, models and open runs at the left; options and estimate at the right.

        One after the other: all at once would hold the screen up.
        """
        choice, plan = self.query_one("#choice"), self.query_one("#plan")
        await choice.mount(Problems("Problems"))
        await plan.mount(How("How"))
        await choice.mount(Models("Models"))
        await plan.mount(EstimatePane("Estimate", id="estimate-pane"))
        runs = OpenRuns("Runs with open cells", id="runs-pane", classes="hidden")
        await choice.mount(runs)
        self.ready = True
        self.desk.problems_changed.subscribe(self, lambda _: self.offer())
        self.desk.catalog_changed.subscribe(self, lambda _: self.offer())
        self.desk.results_changed.subscribe(self, lambda _: self.list_runs())
        self.desk.run_changed.subscribe(self, lambda _: self.list_runs())
        self.offer()
        self.list_runs()

    @work(exclusive=True, group="offer")
    async def offer(self) -> None:
        """Show the problems and models that there are; ticks stay where they can."""
        problems, models = await asyncio.to_thread(_branches, self.desk)
        listed = bool(models)
        self.query_one(Models).blame(self.desk.blame_catalog(listed=listed), listed=listed)
        self.query_one("#problems", TickTree).offer(problems)
        self.query_one("#models", TickTree).offer(models)
        self._selected = None
        self.estimate()

    @work(exclusive=True, group="runs")
    async def list_runs(self) -> None:
        """Show the runs that can be gone on with."""
        from relaybench.workbench.runs.watching import stored_runs

        try:
            runs = await asyncio.to_thread(stored_runs, self.desk.workspace)
        except (RelaybenchError, OSError):
            runs = []  # who starts or opens a run is told why
        live = self.desk.run
        live = live if live is not None and live.ended is None else None
        found = [
            run
            for run in runs
            if run.kind == "run"
            and run.answered < run.planned
            and not (live is not None and live.is_run(run.name, self.desk.workspace))
        ]
        pane = self.query_one(OpenRuns)
        self.query_one(OpenRunList).show(found)
        pane.styles.height = min(len(found), _RUNS_SHOWN) + 2
        pane.set_class(not found, "hidden")

    @on(LinesView.Chosen, "#open-runs")
    def _resume(self, event: LinesView.Chosen) -> None:
        event.stop()
        self.post_message(self.Resume(self.query_one(OpenRunList).runs[event.number].name))

    @on(TickTree.Changed)
    @on(Input.Changed)
    def _changed(self) -> None:
        if self.ready:
            self.estimate()

    @on(Button.Pressed, "#start")
    def _start(self, event: Button.Pressed) -> None:
        event.stop()
        self.post_message(self.Start())

    def read(self) -> RunChoice:
        """The choice as it stands. Raises PlanError for what was typed and is no number."""
        from relaybench.workbench.runs.planning import RunOptions
        from relaybench.workbench.runs.run_choice import (
            RunChoice,
            read_budget,
            read_concurrency,
            read_repeats,
        )

        def text(name: str) -> str:
            return self.query_one(f"#{name}", Input).value

        ticked = self.query_one("#forms", TickTree).ticked
        problems = self.query_one("#problems", TickTree)
        models = self.query_one("#models", TickTree)
        order = [branch for branch in models.branches if branch.key == "models"]
        names = [leaf.key for branch in order for leaf in branch.children]
        return RunChoice(
            targets=tuple(targets(problems.branches, problems.ticked)),
            variants=tuple(form for form in Variant if form.value in ticked),
            models=tuple(name for name in names if name in models.ticked),
            repeats=read_repeats(text("repeats")),
            name=text("name").strip() or None,
            strict=STRICT in ticked,
            options=RunOptions(
                read_concurrency(text("at-once")),
                read_budget(text("budget")) if text("budget").strip() else None,
                UNPRICED in ticked,
            ),
        )

    def come_back(self) -> None:
        """It is shown again: past answers, which estimates rest on, may have come meanwhile."""
        if self.ready:
            self.estimate()

    def missing(self, choice: RunChoice) -> str:
        """What is still to be chosen before anything can be planned; "" where it is all there."""
        return _missing(choice, self.desk.catalog_fault)

    @work(exclusive=True, group="estimate")
    async def estimate(self) -> None:
        """Work the estimate out when nothing has changed for a moment."""
        self.proposal = None
        await asyncio.sleep(_CALM_S)
        try:
            choice = self.read()
        except RelaybenchError as error:
            self._say([line(str(error), "$text-error")])
            return
        hint = self.missing(choice)
        if hint:
            self._say([line(hint, "$text-muted")])
            return
        self.query_one("#estimate-pane", Pane).call_it("Estimate", "working it out")
        try:
            self.proposal = await asyncio.to_thread(self._plan, choice)
        except (RelaybenchError, OSError) as error:
            self._say(_refusal(error))
            return
        from relaybench.tui.run.words import estimate_lines

        width = self.query_one("#estimate").size.width
        self._say(estimate_lines(self.proposal, width, named=choice.name is not None))

    def _plan(self, choice: RunChoice) -> Proposal:
        """Plan in a thread; what was chosen from the files is kept while only options change."""
        from relaybench.workbench.problems.selecting import select
        from relaybench.workbench.runs.run_choice import plan

        stamp = self.desk.problems.stamp if self.desk.problems else None
        key = (choice.targets, choice.variants, stamp, self.desk.own)
        if self._selected is None or self._selected[0] != key:
            chosen = select(self.desk.own, choice.targets, choice.variants)
            self._selected = (key, chosen)
        return plan(self.desk.own, choice, self._selected[1])

    def _say(self, lines: Sequence[Content]) -> None:
        self.query_one("#estimate-pane", Pane).call_it("Estimate")
        self.query_one("#estimate", Static).update(Content("\n").join(lines))


def _branches(desk: Desk) -> tuple[tuple[Branch, ...], tuple[Branch, ...]]:
    """Problems and models."""
    from relaybench.providers.registry import key_present
    from relaybench.tui.run.choosing import model_branches, problem_branches

    problems: tuple[Branch, ...] = ()
    models: tuple[Branch, ...] = ()
    if desk.problems is not None:
        problems = problem_branches(desk.problems.library, desk.problems.findings)
    if desk.catalog is not None:
        environment = desk.workspace.environment
        keys = {name: key_present(each, environment) for name, each in desk.catalog.models.items()}
        models = model_branches(desk.catalog, keys)
    return problems, models


def _missing(choice: RunChoice, fault: str) -> str:
    """What is still to be chosen before anything can be planned."""
    if not choice.targets:
        return "Tick problems at the left: sets, composites or single subproblems (space)."
    if not choice.models and fault:
        return "Nothing can start: models.toml has a fault."
    if not choice.models:
        return "Tick a cohort, or single models (space)."
    return "" if choice.variants else "Tick at least one form."


def _refusal(error: Exception) -> list[Content]:
    from relaybench.tui.work_screen import details_of, reason

    lines = [line("It cannot start:", "bold $text-error"), running(reason(error), "$text-error")]
    details = details_of(error)
    return [*lines, running(details)] if details else lines
