"""Go on with a run: ask what its budget is to be, and what it is to leave out."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from relaybench.domain.errors import PlanError, UnknownPriceError
from relaybench.tui.run.asking import ask_budget, ask_unpriced

if TYPE_CHECKING:
    from textual.app import App

    from relaybench.workbench.runs.planning import Proposal, RunOptions
    from relaybench.workbench.workspace import Workspace

#: Said of a run that another process sends.
ELSEWHERE = (
    "it goes on in another window or terminal right now; this screen follows it, and r goes on "
    "with it when that has ended"
)


async def propose_again(
    app: App[int], place: Workspace, name: str, repeats: int | None
) -> tuple[Proposal, RunOptions] | None:
    """What is open in a run, and how to go on with it; None where the user left. Needs a worker.

    Raises PlanError where it must not go on as it is.
    """
    from relaybench.workbench.runs.planning import RunOptions, propose_resume
    from relaybench.workbench.runs.watching import sent_elsewhere

    def plan(options: RunOptions) -> Proposal:
        if sent_elsewhere(place, name):
            raise PlanError(ELSEWHERE)
        return propose_resume(place, name, repeats=repeats, options=options)

    options = RunOptions()
    try:
        proposal = await asyncio.to_thread(plan, options)
    except UnknownPriceError as error:
        if not await ask_unpriced(app, str(error)):
            return None
        options = replace(options, allow_unknown_price=True)
        proposal = await asyncio.to_thread(plan, options)
    if proposal.budget is None or not proposal.cells:
        return proposal, options
    budget = await ask_budget(app, proposal)
    if budget is None:
        return None
    return replace(proposal, budget=budget), replace(options, budget=budget)
