"""The question of which run's cells are shown."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from relaybench.tui.dialogs.pick import Choice, Pick
from relaybench.tui.manual.keys import NOTHING
from relaybench.workbench.runs.manual import manual_runs

if TYPE_CHECKING:
    from relaybench.tui.work_screen import WorkScreen


async def ask_run(screen: WorkScreen, current: str | None) -> str | None:
    """Let the user choose another run than the current one; None: none. Needs a worker."""
    runs = []
    with screen.reporting("the runs cannot be listed"):
        runs = await asyncio.to_thread(manual_runs, screen.desk.workspace)
        if not runs:
            screen.notice(f"{NOTHING}.")
    if not runs:
        return None
    choices = [
        Choice(each.run.name, each.run.name, f"{len(each.open)} of {len(each.cells)} open")
        for each in runs
    ]
    question = Pick("Cells of which run?", choices, current=current)
    name = await screen.app.push_screen_wait(question)
    return name if name != current else None
