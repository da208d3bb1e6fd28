"""What is asked on the screen Run: whether to send, how many repeats, how many calls at once."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING

from relaybench.domain.errors import PlanError

if TYPE_CHECKING:
    from textual.app import App

    from relaybench.workbench.runs.planning import Proposal


async def ask_to_send(app: App[int], proposal: Proposal) -> bool:
    """Ask before something is sent that costs; needs a worker."""
    from relaybench.reports.numbers import counted, usd
    from relaybench.tui.dialogs.confirm import Confirm

    low, high = proposal.cost
    cost = "at a cost that is not known"
    if low is not None and high is not None:
        cost = f"for {usd(low)} to {usd(high)}"
    lines = [
        f"{each.config.label}: {counted(each.cells, 'cell')}, "
        f"{usd(each.cost_low)} to {usd(each.cost_high)}"
        for each in proposal.estimates
    ]
    if proposal.budget is not None:
        lines.append(f"budget {usd(proposal.budget)} for the whole run")
    lines += [f"note: {note}" for note in proposal.notes]
    sure: bool = await app.push_screen_wait(
        Confirm(
            f"Send {counted(len(proposal.cells), 'cell')} of {proposal.name} {cost}?",
            yes="Start",
            details="\n".join(lines),
            variant="primary",
        )
    )
    return sure


async def ask_to_leave(app: App[int], name: str) -> bool:
    """Ask before a run is left at once; needs a worker."""
    from relaybench.tui.dialogs.confirm import Confirm

    sure: bool = await app.push_screen_wait(
        Confirm(
            f"Leave run {name} at once?",
            yes="Leave",
            details="Calls under way are lost, though billed. Answers that arrived are kept, and "
            "the run can be gone on with.",
        )
    )
    return sure


async def ask_unpriced(app: App[int], why: str) -> bool:
    """Ask whether a run with a budget goes on though a price is unknown; needs a worker."""
    from relaybench.tui.dialogs.confirm import Confirm

    sure: bool = await app.push_screen_wait(
        Confirm(
            "Go on, and leave what has no price out of the budget?",
            yes="Go on",
            details=f"{why}.",
            variant="primary",
        )
    )
    return sure


async def ask_budget(app: App[int], proposal: Proposal) -> Decimal | None:
    """Ask what a run with a budget may cost in all from now on; None where the user left."""
    from relaybench.reports.numbers import usd
    from relaybench.tui.dialogs.ask import Ask
    from relaybench.workbench.runs.run_choice import read_budget

    spent = proposal.spent.total

    def check(text: str) -> str | None:
        try:
            enough = read_budget(text) > spent
        except PlanError as error:
            return str(error)
        return None if enough else f"{usd(spent)} is spent: a budget above that"

    text: str | None = await app.push_screen_wait(
        Ask(
            f"Budget in USD for the whole of run {proposal.name}",
            value=f"{proposal.budget:f}",
            hint=f"{usd(spent)} of {usd(proposal.budget)} is spent",
            check=check,
        )
    )
    return None if text is None else read_budget(text)


async def ask_repeats(app: App[int], now: int) -> int | None:
    """Ask for more repeats than the ``now`` that a run has; None where the user left."""
    from relaybench.tui.dialogs.ask import Ask
    from relaybench.workbench.runs.run_choice import read_repeats

    def check(text: str) -> str | None:
        try:
            return None if read_repeats(text) > now else f"more than the {now} it has"
        except PlanError as error:
            return str(error)

    text: str | None = await app.push_screen_wait(
        Ask("Repeats of each cell in all", value=str(now + 1), check=check)
    )
    return None if text is None else read_repeats(text)


async def ask_calls(app: App[int], lanes: Mapping[str, int]) -> tuple[int, str | None] | None:
    """Ask how many calls may be under way at most, and at which provider (None: at each).

    ``lanes`` says how many may be now; None where the user left.
    """
    from relaybench.tui.dialogs.ask import Ask
    from relaybench.tui.dialogs.pick import Choice, Pick
    from relaybench.workbench.runs.run_choice import read_concurrency

    lane: str | None = None
    if len(lanes) > 1:
        choices = [Choice("all", "All providers")]
        choices += [Choice(f"={name}", name, f"{most} now") for name, most in lanes.items()]
        key: str | None = await app.push_screen_wait(
            Pick("Calls at once of which provider?", choices)
        )
        if key is None:
            return None
        lane = None if key == "all" else key[1:]

    def check(text: str) -> str | None:
        try:
            return None if read_concurrency(text) else "a number from 1 to 1000"
        except PlanError as error:
            return str(error)

    now = min(lanes.values(), default=1) if lane is None else lanes[lane]
    text: str | None = await app.push_screen_wait(
        Ask("Calls at once at most", value=str(now), check=check)
    )
    most = None if text is None else read_concurrency(text)
    return None if most is None else (most, lane)
