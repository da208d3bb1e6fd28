"""Carry runs out: start, resume, top up, stop. Plans are made in ``planning``."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from relaybench.domain.errors import PlanError, ProviderError
from relaybench.domain.results import Cell
from relaybench.providers.protocol import Provider
from relaybench.providers.registry import open_provider
from relaybench.runner.budget import Budget
from relaybench.runner.cohort import CohortRunner
from relaybench.runner.events import Event, RunEnded
from relaybench.runner.plan import RunPlan
from relaybench.store.database import Connection, run_lock
from relaybench.store.handles import trails
from relaybench.store.plans import Plans, StoredPlan
from relaybench.store.spending import spending
from relaybench.workbench.call_rule import high_cost
from relaybench.workbench.results.spent import counted
from relaybench.workbench.runs.estimating import estimate_columns
from relaybench.workbench.runs.planning import Proposal, RunOptions
from relaybench.workbench.runs.recording import StoreRecorder
from relaybench.workbench.workspace import Workspace


@dataclass(slots=True)
class RunSession:
    """A run under way, steered from the thread of its event loop.

    ``stop`` ends it gently; cancelling the task that runs it ends it now.
    """

    runner: CohortRunner
    stored: StoredPlan
    cells: Sequence[Cell]
    lost: int = 0
    ungraded: int = 0
    rescued: int = 0

    @property
    def begun(self) -> tuple[int, int]:
        """Cells that go on from turns which arrived, and cells whose work is under way."""
        trails = [t for cell in self.cells if (t := self.runner.plan.trails.get(cell))]
        return sum(bool(t.turns) for t in trails), sum(t.handle is not None for t in trails)

    @property
    def limits(self) -> dict[str, int]:
        """How many calls may be under way at once at most, by provider (``provider_key``)."""
        return self.runner.most_at_once(self.cells)

    @property
    def paused(self) -> bool:
        """Whether nothing goes out until ``resume``."""
        return self.runner.paused

    def stop(self) -> None:
        """Send nothing more and let what is under way finish."""
        self.runner.stop()

    def pause(self) -> None:
        """Send nothing for now; calls under way finish, waits keep their places."""
        self.runner.pause()

    def resume(self) -> None:
        """Go on after ``pause``."""
        self.runner.resume()

    def set_concurrency(self, most: int, lane: str | None = None) -> None:
        """Change how many calls may be under way: at each provider, or at the one named."""
        self.runner.set_concurrency(most, lane)

    def retry_failed(self) -> int:
        """Queue again what failed or was dropped in this session; returns how many cells.

        0 where the run is stopping or over: then ``propose_resume`` does it.
        """
        return self.runner.retry_failed()

    async def run(self) -> RunEnded:
        """Carry the run out to its end."""
        return await self.runner.run(self.cells)


@contextlib.contextmanager
def _stored_plan(
    workspace: Workspace, proposal: Proposal
) -> Iterator[tuple[Connection, StoredPlan]]:
    """Write the plan down, or find it, and hold its lock."""
    with contextlib.closing(Connection(workspace.database)) as connection:
        plans = Plans(connection)
        run = proposal.run and plans.find(proposal.name)
        if run is None:
            run = plans.create(
                proposal.name,
                proposal.items,
                proposal.configs,
                proposal.repeats,
                strict=proposal.strict,
                budget=proposal.budget,
                estimates={
                    each.config.digest: estimate_columns(each) for each in proposal.estimates
                },
            )
        with run_lock(workspace.database, run.id, run.name):
            if proposal.repeats > run.repeats:
                plans.raise_repeats(run, proposal.repeats)
            if proposal.budget is not None and proposal.budget != run.budget:
                plans.set_budget(run, proposal.budget)
            yield connection, plans.load(plans.find(run.name))


def settle(workspace: Workspace, proposal: Proposal) -> int:
    """Bring a run with nothing left to send into order: grade what a dead process did not reach.

    Returns how many answers were graded.
    """
    with _stored_plan(workspace, proposal) as (connection, stored):
        recorder = StoreRecorder(connection, stored)
        try:
            recorder.take_in_rescued()
            recorder.mark_lost()
            return recorder.grade_ungraded()
        finally:
            recorder.close()


@contextlib.asynccontextmanager
async def open_session(
    workspace: Workspace,
    proposal: Proposal,
    options: RunOptions,
    on_event: Callable[[Event], None],
) -> AsyncIterator[RunSession]:
    """Write the plan down, open the providers, and hand out a session that is ready to run.

    What to send is asked of the store again, under the run's lock: a cell whose answer arrived in
    the meantime is not sent, nor is one that the proposal did not show. Raises RunBusyError,
    StoreError, or PlanError for a config that cannot work at all; then nothing has been sent.
    """
    if options.budget is not None:
        proposal = replace(proposal, budget=options.budget)
    providers: dict[str, Provider] = {}
    try:
        await _open_providers(workspace, proposal, providers)
        with _stored_plan(workspace, proposal) as (connection, stored):
            recorder = StoreRecorder(connection, stored)
            try:
                rescued, lost = recorder.take_in_rescued(), recorder.mark_lost()
                ungraded = recorder.grade_ungraded()
                missing = Plans(connection).missing(stored)
                agreed = set(proposal.cells)
                cells = [cell for cell in missing if cell in agreed]
                spent = counted(spending(connection, stored.run), stored)
                runner = CohortRunner(
                    plan=RunPlan(
                        stored.items,
                        stored.configs,
                        _expected(stored),
                        _answered(stored, missing),
                        trails(connection, stored.run),
                    ),
                    providers=providers,
                    recorder=recorder,
                    on_event=on_event,
                    budget=Budget(proposal.budget, spent=spent.total),
                    concurrency=options.concurrency,
                )
                yield RunSession(runner, stored, cells, lost, ungraded, rescued)
            finally:
                recorder.close()
    finally:
        for provider in providers.values():
            await provider.aclose()


def _answered(stored: StoredPlan, missing: Sequence[Cell]) -> set[str]:
    """Configs that have answered in this run before."""
    still = Counter(cell.config for cell in missing)
    whole = len(stored.items) * stored.run.repeats
    return {digest for digest in stored.configs if still[digest] < whole}


def _expected(stored: StoredPlan) -> Callable[[Cell], Decimal | None]:
    def expected(cell: Cell) -> Decimal | None:
        config = stored.configs[cell.config]
        return high_cost(stored.items[cell.item], config)

    return expected


async def _open_providers(
    workspace: Workspace, proposal: Proposal, providers: dict[str, Provider]
) -> None:
    """Open an adapter for each provider that has something to send; check every config's settings.

    A setting that a model cannot honour is an error here, before anything is written or spent.
    """
    answers: Mapping[str, str] = {item.prompt: item.key for item in proposal.items}
    used = {cell.config for cell in proposal.cells}
    for config in proposal.configs:
        if config.digest not in used:
            continue
        try:
            if config.provider_key not in providers:
                providers[config.provider_key] = await open_provider(
                    config,
                    workspace.environment,
                    answers=answers if config.simulated else None,
                )
            providers[config.provider_key].settings(config)
        except ProviderError as error:
            raise PlanError(f"{config.name}: {error}") from error


async def carry_out(
    workspace: Workspace,
    proposal: Proposal,
    options: RunOptions,
    on_event: Callable[[Event], None],
    on_session: Callable[[RunSession], None] = lambda _: None,
) -> RunEnded:
    """Run a proposal to its end; ``on_session`` gets the handle by which to stop it."""
    async with open_session(workspace, proposal, options, on_event) as session:
        on_session(session)
        return await session.run()
