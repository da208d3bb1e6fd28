"""What is asked before models are pinged, and what is said afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from relaybench.tui.dialogs.confirm import Confirm
from relaybench.workbench.models.ping_history import in_words
from relaybench.workbench.models.pinging import plan_pings

if TYPE_CHECKING:
    from relaybench.tui.work_screen import WorkScreen
    from relaybench.workbench.models.pinging import PingPlan, PingResult


async def ask_and_plan(
    screen: WorkScreen, names: Sequence[str], cohorts: Sequence[str]
) -> PingPlan | None:
    """Plan pings, and ask where they cost real money; None where nothing is to be sent.

    Says why some are left out. Needs a worker. Raises UnknownNameError.
    """
    if not names and not cohorts:
        screen.notice("There is no model under the cursor.")
        return None
    plan = await asyncio.to_thread(plan_pings, screen.desk.workspace, names, cohorts)
    refused = {each.config.name: str(each.refused) for each in plan.pings if each.refused}
    left_out = "\n".join(f"{name}: {why}" for name, why in {**plan.skipped, **refused}.items())
    if not plan.open:
        screen.notice(f"Nothing to send. {left_out}", "warning")
        return None
    if all(each.config.simulated for each in plan.open):
        if left_out:
            screen.notice(f"Left out: {left_out}", "warning")
        return plan
    question = Confirm(
        f"Send one tiny prompt each to {len(plan.open)} models?"
        if len(plan.open) > 1
        else f"Send one tiny prompt to {plan.open[0].config.name}?",
        yes="Ping",
        details=_details(plan, left_out),
        variant="primary",
    )
    return plan if await screen.app.push_screen_wait(question) else None


def _details(plan: PingPlan, left_out: str) -> str:
    lines = [
        f"{each.config.name}: {cost_range(each.cost_low, each.cost_high)}" for each in plan.open
    ]
    if len(plan.open) > 1:
        lines.append(f"in all: {cost_range(*plan.cost)}")
    if any(each.config.tools for each in plan.open):
        lines.append("A model that uses a tool all the same may cost more.")
    if left_out:
        lines.append(f"Left out: {left_out}")
    return "\n".join(lines)


def cost_range(low: Decimal | None, high: Decimal | None) -> str:
    """A cost in USD from low to high; ``cost unknown`` where a price is."""
    if low is None or high is None:
        return "cost unknown"
    return f"${low:.4f} to ${high:.4f}"


async def asks_to_stop(screen: WorkScreen) -> bool:
    """Ask whether to wait for no more pings. Needs a worker."""
    return await screen.app.push_screen_wait(
        Confirm(
            "Wait for no more pings?",
            yes="Stop waiting",
            no="Wait",
            details="What was sent may be billed all the same.",
        )
    )


def told(plan: PingPlan, came: Sequence[PingResult]) -> tuple[str, bool]:
    """What is to be said of pings that are over, and whether all went well."""
    good = sum(each.ok for each in came)
    words = f"{good} of {len(plan.pings)} answered the ping"
    if len(plan.pings) == 1 and came:
        words = f"{came[0].planned.config.name}: {in_words(came[0])}"
    elif bad := [each for each in came if each.error and each.sent]:
        why = (f"{each.planned.config.name} ({each.error.kind})" for each in bad if each.error)
        words += f"; failed: {', '.join(why)}"
    refused = [each.config.name for each in plan.pings if each.refused]
    if refused:
        words += f"; nothing was sent for {', '.join(refused)}"
    return words, good == len(plan.pings)
